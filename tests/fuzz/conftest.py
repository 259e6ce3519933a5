"""What can be fuzzed here: atheris exists for one machine, and for the versions of Python for which it was built."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("atheris") else ["test_guided.py"]
