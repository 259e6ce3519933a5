"""`python -m tablectl.cli`: the same as the command `tablectl`."""

from tablectl.cli import main

main()
