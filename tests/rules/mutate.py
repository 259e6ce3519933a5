"""Mutation of rulebooks: every verdict, condition, step and effect is flipped in turn, and a test must notice.

    python tests/rules/mutate.py nl pl        # all mutants of these books; status 1 if one survives
    python tests/rules/mutate.py nl:100-180   # some of them, by their numbers

A mutant changes what is read from the book's file, in memory; then the book's own tests run in a child process.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablectl import rulebooks

HERE = Path(__file__).parent
OTHER = {
    "misdeal": "floor",
    "void": "misdeal",
    "dead": "floor",
    "correct": "floor",
    "floor": "correct",
    "play_on": "floor",
}
FLIPS = {
    "bets": {
        "unchanged": "returned",
        "returned": "unchanged",
        "pot": "returned_seat",
        "returned_seat": "pot",
        "uncalled_returned": "pot",
    },
    "button": {"unchanged": "corrected", "corrected": "unchanged"},
}
Data = dict[str, Any]


def mutants(book: Data) -> Iterator[tuple[str, Data]]:
    """Each mutant with what was done to it."""
    for place, rule in enumerate(book.get("rule", [])):
        name = " ".join(filter(None, (rule["id"], rule.get("variant") and f"({rule['variant']})")))
        for what, change in _of_rule(rule):
            mutant = copy.deepcopy(book)
            change(mutant["rule"][place])
            yield f"{name}: {what}", mutant
        if isinstance(rule.get("steps"), list):
            yield from _without_steps(book, name, ("rule", place, "steps"), rule["steps"])
    for name, steps in book.get("remedies", {}).items():
        yield from _without_steps(book, f"remedy {name}", ("remedies", name), steps)
    for name, text in book.get("predicates", {}).items():
        for what, other in _conditions(text):
            mutant = copy.deepcopy(book)
            mutant["predicates"][name] = other
            yield f"predicate {name}: {what}", mutant


def _of_rule(rule: Data) -> Iterator[tuple[str, Callable[[Data], None]]]:
    verdict = rule.get("verdict")
    if verdict is None:
        yield "does not join", lambda each: each.update(verdict="floor", joins=None)
    else:
        yield f"{verdict} is {OTHER[verdict]}", lambda each: each.update(verdict=OTHER[verdict])
        for key, flips in FLIPS.items():
            now = rule.get(key, "unchanged")
            yield f"{key} {now} is {flips[now]}", lambda each, key=key, to=flips[now]: each.update({key: to})
    for what, other in _conditions(rule.get("when", "True")):
        yield what, lambda each, other=other: each.update(when=other)


def _conditions(text: str) -> Iterator[tuple[str, str]]:
    """The condition the other way round, and without each of its parts."""
    yield f"not ({text})", f"not ({text})"
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp):
            for part in list(node.values):
                left = [each for each in node.values if each is not part]
                values, node.values = node.values, left
                shown = ast.unparse(tree if len(left) > 1 or node is not tree else left[0])
                yield f"without `{ast.unparse(part)}`", shown
                node.values = values


def _without_steps(
    book: Data, name: str, path: tuple[Any, ...], steps: list[Data]
) -> Iterator[tuple[str, Data]]:
    for number, step in enumerate(steps):
        mutant = copy.deepcopy(book)
        at: Any = mutant
        for key in path:
            at = at[key]
        del at[number]
        yield f"{name}: without step {number + 1}, {step['do']}", mutant
        if "if" in step:
            mutant = copy.deepcopy(book)
            at = mutant
            for key in path:
                at = at[key]
            del at[number]["if"]
            yield f"{name}: step {number + 1}, {step['do']}, always", mutant


def survives(name: str, mutant: Data) -> bool:
    """No test of the book notices. The child is a copy of this process, so nothing is loaded twice."""
    child = os.fork()
    if child == 0:
        read = rulebooks._read
        rulebooks._read = lambda file, shown: mutant if shown == f"{name}.toml" else read(file, shown)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = pytest.main(["-x", "-q", "-p", "no:cacheprovider", str(HERE / f"test_{name}.py")])
        os._exit(int(status != pytest.ExitCode.OK))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def main(names: list[str]) -> int:
    """Tells every survivor; 1 if there is one."""
    left = 0
    for asked in names or rulebooks.known():
        name, _, part = asked.partition(":")
        first, _, last = part.partition("-")
        numbers = range(int(first or 1), int(last or sys.maxsize) + 1)
        book = rulebooks._read(Path(rulebooks.__file__).parent / f"{name}.toml", name)
        total = 0
        for what, mutant in mutants(book):
            total += 1
            if total in numbers and survives(name, mutant):
                left += 1
                sys.stdout.write(f"{name}: survives: {total}, {what}\n")
                sys.stdout.flush()
        sys.stdout.write(f"{name}: {total} mutants\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
