"""The commands that need no hardware: simulate, demo.

Owns: arguments and what a person reads. Refuses: the work itself.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from tablectl.cli.options import DONE, FOUND_FAULT, Language, Noise, Seed

app = typer.Typer()


@app.command(
    "simulate",
    epilog='Example: tablectl simulate --link /tmp/t1 --script "clean*2, wrong_seat, premature_card@turn" '
    "--inputs http://127.0.0.1:8080/input",
)
def simulate_table(
    *,
    link: Annotated[Path, typer.Option(metavar="DIR", help="Gets reader0, reader1, …, table.toml, decks/.")],
    seats: Annotated[int, typer.Option(help="2 to 10.")] = 9,
    boards: Annotated[int, typer.Option(help="Reader boards that share the antennas.")] = 2,
    game: Annotated[str, typer.Option(help="holdem, omaha, omaha5, stud5 or stud7.")] = "holdem",
    betting: Annotated[str, typer.Option(help="actions, rounds or none.")] = "actions",
    rulebook: Annotated[str, typer.Option(metavar="NAME", help="For table.toml.")] = "pl",
    mode: Annotated[str, typer.Option(help="blind or open.")] = "blind",
    language: Language = None,
    noise: Noise = "light",
    seed: Seed = 1,
    script: Annotated[
        str | None, typer.Option(metavar="HANDS", help="Hands as a list; clean hands without end by default.")
    ] = None,
    slips: Annotated[float, typer.Option(help="Without --script: share of hands with a slip, 0 to 1.")] = 0.0,
    pace: Annotated[str | None, typer.Option(help="Cards per second, such as 3 or 1.5-5.")] = None,
    brisk: Annotated[bool, typer.Option("--brisk", help="Players and dealer do not pause.")] = False,
    truth: Annotated[Path | None, typer.Option(metavar="FILE", help="Gets what really happened.")] = None,
    inputs: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the dealer's entries go: a URL or a file.")
    ] = None,
    panel: Annotated[str, typer.Option(help="For table.toml: simulated or none.")] = "none",
    display_port: Annotated[int | None, typer.Option(help="For table.toml.")] = None,
    optical: Annotated[
        bool, typer.Option("--optical", help="A sensor at the shoe sees every card and its face.")
    ] = False,
    by_hand: Annotated[
        bool,
        typer.Option("--by-hand", help="Nobody deals: on standard input, lay seat:3, lay seat:3 2, lift."),
    ] = False,
    stay: Annotated[bool, typer.Option("--stay", help="Go on polling after the last hand.")] = False,
    any_user: Annotated[bool, typer.Option("--any-user", help="Let other users open the ports.")] = False,
) -> None:
    """A simulated table: reader boards on serial ports that any program can open, and a dealer.

    On standard input: unplug 0, replug 0, restart 1, dead 0.3, mend 0.3, quit.
    """
    from tablectl.simulate import run_of, simulate

    given = {
        "seats": seats, "boards": boards, "game": game, "betting": betting,
        "rulebook": rulebook, "mode": mode, "language": language, "noise": noise, "seed": seed, "script": script,
        "slips": slips, "pace": pace, "truth": truth, "inputs": inputs, "panel": panel, "display_port": display_port,
        "optical": optical, "by_hand": by_hand, "stay": stay, "any_user": any_user,
    }  # fmt: skip

    def say(text: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # nobody listens; the table goes on
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    raise typer.Exit(simulate(run_of(link, given, brisk=brisk), say))


@app.command("demo", epilog="Example: tablectl demo --headless")
def demo_table(
    *,
    headless: Annotated[
        bool, typer.Option("--headless", help="Deal briskly, print the results and end.")
    ] = False,
    hands: Annotated[
        str | None, typer.Option(metavar="HANDS", help='What is dealt, such as "clean, wrong_seat".')
    ] = None,
    seats: Annotated[int | None, typer.Option(help="2 to 10.")] = None,
    noise: Noise = "light",
    seed: Seed = 1,
    port: Annotated[int | None, typer.Option(help="The display's port.")] = None,
    language: Language = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the truth, the journal and the logs here.")
    ] = None,
) -> None:
    """A simulated table with a dealer who errs, the real controller, and a list of what it found.

    Exit status 0: every irregularity was found and nothing was invented. 1: not so.
    """
    from tablectl.demo.show import show

    chosen = {
        "hands": hands, "seats": seats, "noise": noise, "seed": seed, "port": port, "language": language,
        "keep": keep,
    }  # fmt: skip
    perfect = show({name: value for name, value in chosen.items() if value is not None}, headless=headless)
    raise typer.Exit(DONE if perfect else FOUND_FAULT)
