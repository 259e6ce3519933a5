"""The long run: a night and a day of hands at one table, as fast as this machine can, with everything that fails.

    plan (hands, slips, faults, from a seed) ─▶ boards (the simulated table: bytes of its boards, entries, truth)
        ─pipe─▶ controller (a process: ptys ─▶ the real `app`, journal, recorder, display with a page, clock) ─▶
        journal
    command (starts both, spoils if asked) ─▶ verdict (truth, journal, samples) ─▶ report

Real: the boards' bytes on ptys, the serial driver, the core, the panel's logic, the journal's and the recorder's
threads and files, the web server with a page that listens and entries by HTTP, ENOSPC of a full file system, and the
system's wall clock as the process sees it (`wall.c`). Accelerated: the seconds of the table's event loop and of
`App.now`, which pass as soon as nothing is left to do; threads and the disk keep real seconds, so that they work
under as many times the load of a real table. Simulated: cards, antennas, boards, dealer, pins.

Owns: that run and what it must prove. Refuses: accuracy figures (`bench.accuracy`), which need many tables, not one.
"""
