"""The simulated table: cards, hands, antennas, reader boards and dealers, as physics.

A product feature: it demonstrates, tests and measures tablectl without hardware. It never imports the
tracker or anything else that draws conclusions; at run time it can be a process of its own, with the serial
line as the only way from it to the table computer. What really happened goes to a truth file that only
judges read.
"""
