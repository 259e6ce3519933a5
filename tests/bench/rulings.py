"""How long the books take: `rulings.py ROUNDS` prints {"books": …, "load_ms": …, "rulings": …, "decide_ms": [sorted]}.

Every case of the conflict table is decided by every book. CPU time of one process, nothing else in it.
"""

from __future__ import annotations

import json
import sys
import time

from tablectl import rulebooks
from tablectl.rulebooks import scenario
from tablectl.rulebooks.compare import cases


def measure(rounds: int) -> dict[str, object]:
    began = time.process_time_ns()
    books = [rulebooks.load(name) for name in rulebooks.known()]
    loaded = time.process_time_ns() - began
    took = []
    for _ in range(rounds):
        for case in cases():
            for book in books:
                began = time.process_time_ns()
                decided = scenario.rulings(book, case.facts, *case.slips)
                took.append((time.process_time_ns() - began) / len(decided) / 1e6)
    return {"books": len(books), "load_ms": loaded / 1e6, "decide_ms": sorted(took)}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))  # noqa: T201
