"""How well the tracker does on thousands of simulated hands, beside what the literature would do instead.

Owns: the accuracy campaign: its evenings, its judge, the baselines and what is made of the figures.
Refuses: the simulated world (`sim`) and the tracker (`core`): it plays one, feeds the other with the recording's
lines alone, and compares what was told with the truth. Speed of the real controller: `tests/bench`.

    campaign (what is played) → evening (one chunk, in a worker) → judge → tally → report, plot, readme
                                    └ baselines (filters, checker)
                                     └ floor (what the antennas gave to every tracker alike)
    crew (workers), ledger (finished chunks on disk), accuracy (the command), limits (without one effect at a time)
"""
