"""The pure half of tablectl: sightings in, decisions out.

Nothing here reads a clock, opens a file, starts a task or writes a log; time arrives as data, in milliseconds
since the recording began. That is why a recorded night replays to the same decisions, line by line.
"""
