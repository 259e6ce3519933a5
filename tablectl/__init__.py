"""tablectl: watches the deal at a poker table and calls irregularities the moment they happen."""

__version__ = "0.1.0"
