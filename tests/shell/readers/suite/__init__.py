"""The driver test-suite: one scenario, over four kinds of line, for every driver.

`benches` has one class per driver, which brings its device onto a pty and moves cards there; `lines` has the kinds of
line; `test_drivers` plays the scenario with each over each.
"""
