"""`tablectl calibrate`: how well each antenna of a table reads, measured with a card in hand.

Owns: the guided course, the estimates, and what is written into the configuration. Refuses: a running table (its ports
are held), and deciding anything about a game.

    desk (readers, keys, screen) → course (what to lay, counting) → measured (counts) → results (estimate) → written
                                                                       └ kept (interrupted)      └ picture
"""
