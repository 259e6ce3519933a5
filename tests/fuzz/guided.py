"""One target under atheris, which keeps what reaches new code and goes on from there:

    python tests/fuzz/guided.py wire CORPUS -max_total_time=600

The rest is libFuzzer's own options. Exit status 0: nothing was found; otherwise the input that did it is written to a
file. `planted` is a target with a bug in it, by which a test knows that one would be found.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tablectl", "h11"]):
    import targets


def planted(data: bytes) -> None:
    """Fails for what chance does not find soon: each step of it is a branch of its own."""
    if data[:1] == b"c" and data[1:2] == b"a" and data[2:3] == b"r" and data[3:4] == b"d":
        raise AssertionError("found")


def main() -> None:
    """Fuzzes the target that is named first, from its seeds."""
    name, corpus = sys.argv[1], Path(sys.argv[2])
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(targets.SEEDS.get(name, (b"\0",))):
        (corpus / f"seed-{number}").write_bytes(seed)
    one = atheris.instrument_func(planted) if name == "planted" else targets.TARGETS[name]
    atheris.Setup([sys.argv[0], str(corpus), *sys.argv[3:]], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
