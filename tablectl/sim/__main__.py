"""`python -m tablectl.sim LINK_DIR`: a simulated table on ptys, in a process of its own.

Owns: the arguments. Refuses: everything else.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from random import Random
from typing import Any

from tablectl.errors import TablectlError, UsageError
from tablectl.sim import script
from tablectl.sim.games import GAMES
from tablectl.sim.habits import Habits
from tablectl.sim.noise import PRESETS, preset
from tablectl.sim.process import Run, operator, serve
from tablectl.sim.setup import BETTING, DEALT_BY, MODES, TableSetup

SIMULATED_PANEL: dict[str, Any] = {
    "pins": "simulated",
    "buzzer": 18,
    "alarm_led": 17,
    "buttons": {"round_closed": 23, "acknowledge": 24, "call_floor": 25},
}
SEAT_PINS = (5, 6, 13, 19, 26, 16, 20, 21, 12, 22)
"""BCM pins of the seat lights, seat 1 first."""

EXAMPLE = """example:
  python -m tablectl.sim /tmp/table --noise light --script "clean, wrong_seat:next, premature_card@turn" \\
      --truth /tmp/table/truth.jsonl --inputs http://127.0.0.1:8080/input
  tablectl run /tmp/table/table.toml

a script lists hands: clean*3, a slip with :variant @street +deal_on, near:NAME, each with &all_in &absent
&seat_change &dead_button &new_deck, or a board: unplug:0 replug:0 restart:1 dead:0.3 mend:0.3, with +8000 that
many ms into the next hand.
On standard input: unplug 0, replug 0, restart 1, dead 0.3, mend 0.3, quit; with --by-hand also lay seat:3,
lay seat:3 2 (two on each other), lift."""


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tablectl.sim",
        description="A simulated poker table: reader boards on ptys, a dealer, and what really happened.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("link_dir", type=Path, help="folder for reader0, reader1, …, table.toml and decks/")
    add("--seats", type=int, default=9)
    add("--eligible", help="seats that are taken, such as 1,2,3,5; all by default")
    add("--boards", type=int, default=2, help="reader boards (2)")
    add("--game", choices=tuple(GAMES), default="holdem")
    add("--dealt-by", choices=DEALT_BY, default="dealer", help="the house's dealer, or the players in turn")
    add("--betting", choices=BETTING, default="actions")
    add("--rulebook", default="pl")
    add("--language", default="en")
    add("--mode", choices=MODES, default="blind")
    add("--id", default="SIM1", help="the table's name")
    add("--noise", choices=tuple(PRESETS), default="light")
    add("--seed", type=int, default=1)
    add("--pace", help="cards per second, such as 3 or 1.5-5")
    add("--script", help="hands as a list, see below; clean hands without end by default")
    add("--slips", type=float, default=0.0, help="without --script: share of hands with a slip, 0 to 1")
    add("--truth", type=Path, help="file for what really happened, JSON lines")
    add("--inputs", help="where the dealer's entries go: http://HOST:PORT/input or a file")
    add("--panel", choices=("simulated", "none"), default="none", help="the [panel] of table.toml")
    add("--display-port", type=int, help="the port of the [display] of table.toml")
    add("--optical", action="store_true", help="a sensor at the shoe mouth sees every card and its face")
    add(
        "--by-hand",
        action="store_true",
        help="nobody deals: cards are laid as standard input says, see below",
    )
    add("--stay", action="store_true", help="go on polling after the last hand")
    add("--any-user", action="store_true", help="let other users of this machine open the lines")
    return parser


def run_from(args: argparse.Namespace) -> Run:
    """The run that the arguments describe. UsageError if it cannot be."""
    setup = TableSetup(
        id=args.id,
        seats=args.seats,
        boards=args.boards,
        game=args.game,
        dealt_by=args.dealt_by,
        betting=args.betting,
        rulebook=args.rulebook,
        language=args.language,
        mode=args.mode,
        optical=args.optical,
    )
    sections: dict[str, dict[str, Any]] = {}
    if args.panel == "simulated":
        sections["panel"] = {**SIMULATED_PANEL, "seat_leds": list(SEAT_PINS[: args.seats])}
    if args.display_port is not None:
        sections["display"] = {"port": args.display_port}
    endless = script.endless(Random(args.seed), args.slips)  # noqa: S311 - repeatable on purpose
    return Run(
        link_dir=args.link_dir,
        setup=setup,
        noise=preset(args.noise),
        steps=() if args.by_hand else script.parse(args.script) if args.script else endless,
        seed=args.seed,
        truth=args.truth,
        inputs=args.inputs,
        habits=Habits(pace=_pace(args.pace)) if args.pace else Habits(),
        sections=sections,
        stay=args.stay or args.by_hand,
        by_hand=args.by_hand,
        any_user=args.any_user,
        eligible=_seats(args.eligible) if args.eligible else None,
    )


def _pace(text: str) -> tuple[float, float]:
    low, _, high = text.partition("-")
    try:
        return float(low), float(high or low)
    except ValueError:
        raise UsageError(f"--pace {text}: must be cards per second, such as 3 or 1.5-5") from None


def _seats(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() for part in parts):
        raise UsageError(f"--eligible {text}: must be seat numbers, such as 1,2,3,5")
    return tuple(int(part) for part in parts)


def main(argv: list[str] | None = None) -> int:
    """Run; exit status 0 done, 1 entries were not taken, 2 bad usage."""
    args = arguments().parse_args(argv)
    try:
        return serve(run_from(args), _say, operator())
    except TablectlError as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2


def _say(text: str) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody listens; the table goes on
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
