"""Away from the table: what the private audit key opens, and what is made of it.

    names       token → card of each enrolled deck, sealed (DECK.sealed)
    access      the record of every opening, beside the private key
    hands       the hands of a night: from the journal's decisions, and from what was sealed who had which card
    phh, sheet  the same as PHH and as CSV

Owns: giving cards their names. Refuses: the journal's file (`shell.journal`), keys (`sealed`), and every table that
runs: nothing of this is imported there.
"""
