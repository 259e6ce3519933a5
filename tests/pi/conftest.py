"""The emulated Pi for tests: cards, the machine that boots from one, and what its display says."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pi_card
import pi_product
import pytest
from pi_card import Boot
from pi_debian import debian
from pi_machine import Machine
from pi_table import Dealt

LOGS = pi_product.ROOT / "dist/pi"
"""Console and edges of every machine that ran, and what was measured."""
CACHE = pi_product.ROOT / ".venv/pi"
"""Downloads and what is made of them; git knows nothing of it, and `make clean` takes it away."""


@pytest.fixture(scope="session")
def boot() -> Boot:
    """Kernel, first root and device tree."""
    return pi_card.boot_files(debian(CACHE), CACHE / "boot")


@pytest.fixture(scope="session")
def deb() -> Path:
    """The package, by its one command."""
    return pi_product.package()


@pytest.fixture(scope="session")
def card(deb: Path) -> Path:
    """A card with the package on it, put there from outside."""
    root = pi_card.root_of(debian(CACHE), CACHE / "root")
    pi_product.at_once(root, deb)
    pi_product.configure(root)
    return pi_card.card(root, CACHE / "card.img")


@pytest.fixture(scope="session")
def installed(deb: Path, boot: Boot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A card on which the package was installed as a technician does it: `dpkg -i` on the Pi itself."""
    digest = hashlib.sha256(deb.read_bytes() + repr(pi_card.SETTINGS).encode()).hexdigest()[:12]
    done = CACHE / f"installed-{digest}.img"
    if not done.exists():
        root = pi_card.root_of(debian(CACHE), CACHE / "root")
        shutil.copy(deb, root / "root/tablectl.deb")
        making = pi_card.card(root, tmp_path_factory.mktemp("card") / "card.img")
        with Machine(boot, making, LOGS / "installing") as machine:
            machine.booted()
            (LOGS / "dpkg.log").write_text(machine.shell("dpkg -i /root/tablectl.deb"))
            for name, text in pi_product.configuration().items():
                machine.shell(f"mkdir -p {Path(name).parent}; cat > {name} <<'end'\n{text}\nend")
            machine.shell("systemctl enable tablectl; sync")
            machine.shut_down()
        shutil.move(making, done)
    return done


@pytest.fixture(scope="module")
def power(boot: Boot, request: pytest.FixtureRequest) -> Iterator[Callable[[Path], Machine]]:
    """Powers a Pi with a card; all are off after the module."""
    with ExitStack() as on:
        names = (LOGS / f"{request.module.__name__.rpartition('.')[2]}-{number}" for number in count(1))

        def give(card_file: Path) -> Machine:
            return on.enter_context(Machine(boot, card_file, next(names)))

        yield give


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[Callable[..., Dealt]]:
    """Plugs a simulated table into a machine; all are gone after the module."""
    dealt: list[Dealt] = []

    def deal(machine: Machine, script: str, *options: str) -> Dealt:
        folder = LOGS / f"{request.module.__name__.rpartition('.')[2]}-table-{len(dealt) + 1}"
        dealt.append(Dealt(machine, folder, script, *options))
        return dealt[-1]

    yield deal
    for each in dealt:
        each.close()
