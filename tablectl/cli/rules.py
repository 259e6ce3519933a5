"""The commands about rulebooks: what a book says, what is wrong with it, and where books differ.

Owns: `rules show`, `rules lint` and `rules compare`, and how they look on a terminal, in Markdown and as JSON.
Refuses: the checks (`rulebooks.lint`) and the comparison (`rulebooks.compare`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tablectl.cli.options import console

if TYPE_CHECKING:
    from tablectl.core.decisions import Ruling
    from tablectl.core.rulebook import Rule, Rulebook
    from tablectl.core.steps import StepTemplate
    from tablectl.rulebooks.compare import Line
    from tablectl.rulebooks.lint import Coverage, Report

SILENCE = "–"
"""Stands where a book has no rule."""
WIDTH = 132
"""Columns of the tables where the terminal has fewer or there is none."""

app = typer.Typer(
    help="Rulebooks: what they say, what is wrong with them, where they differ.",
    no_args_is_help=True,
    epilog="Example: tablectl rules compare nl pl",
)

Book = Annotated[str, typer.Argument(metavar="BOOK", help="The name of a rulebook, or the path of a file.")]
Books = Annotated[
    list[str] | None, typer.Argument(metavar="[BOOK]…", help="Names or paths; all that come with tablectl.")
]
AsJson = Annotated[bool, typer.Option("--json", help="As one JSON object.")]


def _write_json(found: Any) -> None:
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")


# --- show ---------------------------------------------------------------------------------------------------


@app.command("show", epilog="Example: tablectl rules show nl NL-H3a")
def show(
    book: Book,
    rules: Annotated[
        list[str] | None, typer.Argument(metavar="[RULE]…", help="Only these rules or statements, by id.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Every rule of a book in order of precedence: trigger, condition, verdict, decider, steps, its source; then
    what became of the statements that are no rules of their own.
    """
    from tablectl import rulebooks
    from tablectl.core.schema import nearest
    from tablectl.errors import UsageError

    loaded = rulebooks.load(book)
    ids = {rule.id for rule in loaded.rules if rule.id is not None}
    for ident in rules or ():
        if ident not in ids and ident not in loaded.statements:
            near = nearest(ident.upper(), sorted(ids)) or f" known are {', '.join(sorted(ids))}"
            raise UsageError(f"{loaded.name} has no rule {ident!r};{near}")
    chosen = [rule for rule in loaded.rules if not rules or rule.id in rules]
    named = {ident: why for ident, why in loaded.statements.items() if not rules or ident in rules}
    if as_json:
        found = {"book": _head(loaded), "rules": [_rule_as_json(rule) for rule in chosen]}
        _write_json(found | {"statements": named})
        return
    out = console()
    if not rules:
        for label, text in _head(loaded).items():
            out.print(Text.assemble((f"{label:<11}", "bold"), _words(text)))
    for rule in chosen:
        out.print()
        _print_rule(out, rule)
    if named:
        out.print()
        out.print(Text("statements that are no rules of their own", "bold"))
    for ident, why in named.items():
        out.print(Text.assemble((f"  {ident:<12}", "bold cyan"), why))


def _head(book: Rulebook) -> dict[str, Any]:
    return {
        "name": book.name,
        "title": book.title,
        "source": book.source,
        "games": sorted(book.games),
        "decides": book.decider,
        "authority": book.authority,
        "parameters": dict(book.parameters),
        "predicates": {name: each.text for name, each in book.predicates.items()},
    }


def _print_rule(out: Console, rule: Rule) -> None:
    style = {"void": "bold red", "misdeal": "bold red", "dead": "red", "correct": "green"}.get(
        rule.verdict, "bold"
    )
    told = f"joins {rule.joins}" if rule.joins else rule.verdict if rule.id else "no rule"
    out.print(Text.assemble((rule.name if rule.id else "silent", "bold cyan"), "  ", (told, style)))
    for label, text in _rule_lines(rule):
        out.print(Text.assemble((f"  {label:<9}", "dim"), text))


def _rule_lines(rule: Rule) -> Iterator[tuple[str, str]]:
    found = _rule_as_json(rule)
    yield "kinds", ", ".join(found["kinds"])
    yield "games", ", ".join(found["games"])
    for label in ("about", "when", "source", "mark", "reading"):
        if found.get(label):
            yield label, _words(found[label])
    if rule.id is not None and rule.joins is None:
        yield "decides", f"{rule.decider}; bets {rule.bets}, button {rule.button}, burns {rule.burns}"
    for number, step in enumerate(found["steps"], 1):
        yield "steps" if number == 1 else "", f"{number}. {step}"
    for hint in found["hints"]:
        yield "hint", hint["say"] + (f"  [if {hint['if']}]" if "if" in hint else "")


def _rule_as_json(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "variant": rule.variant,
        "source": rule.source,
        "mark": rule.mark,
        "games": sorted(rule.games),
        "kinds": sorted(rule.kinds),
        "about": list(rule.about),
        "when": None if rule.when.text == "True" else rule.when.text,
        "verdict": None if rule.joins else rule.verdict,
        "joins": rule.joins,
        "decider": rule.decider,
        "steps": [_template(step) for step in rule.steps],
        "bets": rule.bets,
        "button": rule.button,
        "burns": rule.burns,
        "reading": list(rule.reading),
        "hints": [
            {"say": hint.say} if hint.when.text == "True" else {"if": hint.when.text, "say": hint.say}
            for hint in rule.hints
        ],
    }


def _template(step: StepTemplate) -> str:
    """A step as the book has it: `deal street turn, count 1`."""
    args = ", ".join(f"{name} {_words(value)}" for name, value in step.args)
    condition = f"  [if {step.condition.text}]" if step.condition is not None else ""
    return f"{step.do} {args}".strip() + condition


def _words(value: Any) -> str:
    """Any value of a book in one line."""
    if isinstance(value, dict):
        return "; ".join(f"{name} = {_words(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    return f"${value.text}" if hasattr(value, "text") else str(value)


# --- lint ---------------------------------------------------------------------------------------------------


@app.command("lint", epilog="Example: tablectl rules lint nl club.toml")
def lint_books(books: Books = None, *, as_json: AsJson = False) -> None:
    """What is wrong with rulebooks: unknown facts, rules that never decide, triggers without an answer, and
    statements of the source that are neither a rule nor named as something else.

    Exit status 0: nothing is wrong. 1: something is.
    """
    from tablectl import rulebooks
    from tablectl.rulebooks.lint import lint

    reports = [lint(name) for name in books or rulebooks.known()]
    if as_json:
        _write_json({"books": [report.as_json() for report in reports]})
    else:
        out = console()
        for report in reports:
            _print_report(out, report)
    raise typer.Exit(1 if any(report.troubles for report in reports) else 0)


def _print_report(out: Console, report: Report) -> None:
    good = not report.troubles
    mark = ("✓ ", "bold green") if good else ("✗ ", "bold red")
    said = "" if report.coverage is None else f": {report.rules} rules, {_covered(report.coverage)}"
    out.print(Text.assemble(mark, (report.name, "bold"), said))
    if report.coverage is not None:
        for ident, why in report.coverage.excluded.items():
            out.print(Text.assemble(("    left out ", "dim"), f"{ident}: {why}"))
    for trouble in report.troubles:
        where = f"{trouble.where}: " if trouble.where else ""
        out.print(Text.assemble((f"    {trouble.check}: ", "bold red"), f"{where}{trouble.what}"))


def _covered(coverage: Coverage) -> str:
    parts = f"{len(coverage.rules)} are rules, {len(coverage.carried)} part of rules, {len(coverage.excluded)} left out"
    return f"{coverage.total} statements, {coverage.share:.0%} covered ({parts})"


# --- compare ------------------------------------------------------------------------------------------------


@app.command("compare", epilog="Example: tablectl rules compare nl pl --markdown")
def compare_books(
    books: Books = None,
    *,
    markdown: Annotated[bool, typer.Option("--markdown", help="As a table for a document.")] = False,
    as_json: AsJson = False,
) -> None:
    """The conflict table: the same hands decided by each book, rows where they order different things marked ≠."""
    from tablectl import rulebooks
    from tablectl.errors import UsageError
    from tablectl.rulebooks.compare import compare

    if markdown and as_json:
        raise UsageError("--markdown and --json: the table is printed in one form; give one of them")
    loaded = [rulebooks.load(name) for name in books or rulebooks.known()]
    lines = compare(loaded)
    if as_json:
        _write_json({"rows": [line.as_json(loaded) for line in lines]})
    elif markdown:
        for row in _markdown(loaded, lines):
            sys.stdout.write(row + "\n")
    else:
        out = Console(highlight=False, markup=False, emoji=False)
        if not out.is_terminal or out.width < WIDTH:
            out.width = WIDTH
        out.print(_conflicts(loaded, lines))


def _conflicts(books: Sequence[Rulebook], lines: Sequence[Line]) -> Table:
    table = Table(show_lines=True)
    for name in ("", "trigger", *(book.name for book in books)):
        table.add_column(name, overflow="fold")
    for line in lines:
        cells = [Text("\n").join(map(Text, _cell(cell))) for cell in line.rulings]
        table.add_row(Text(_row(line), style="bold red" if line.differ else ""), _trigger(line), *cells)
    return table


def _markdown(books: Sequence[Rulebook], lines: Sequence[Line]) -> Iterator[str]:
    yield f"| # | trigger | {' | '.join(book.name for book in books)} |"
    yield "|---" * (len(books) + 2) + "|"
    for line in lines:
        cells = ["<br>".join(_cell(cell)) for cell in line.rulings]
        yield f"| {' | '.join(each.replace('|', '/') for each in (_row(line), _trigger(line), *cells))} |"


def _row(line: Line) -> str:
    return f"{line.case.row} ≠" if line.differ else line.case.row


def _trigger(line: Line) -> str:
    return line.case.trigger + (f": {line.case.what}" if line.case.what else "")


def _cell(rulings: Sequence[Ruling]) -> list[str]:
    """Verdict, rule and decider, and below it the steps; a dash where the book is silent."""
    from tablectl.timeline import step

    out: list[str] = []
    for each in rulings:
        if each.rule is None:
            out.append(SILENCE)
            continue
        asks = ", asks" if each.provisional else ""
        out.append(f"{each.verdict.replace('_', ' ').upper()} {each.rule} ({each.decider}{asks})")
        if each.verdict in ("correct", "floor", "play_on") and each.steps:
            out.append("; ".join(map(step, each.steps)))
    return list(dict.fromkeys(out)) or [SILENCE]
