"""Serial ports: which there are, what holds them, and the programs that take them away.

Owns: the lines `ports`, `port`, `console`, `brltty`, `modemmanager`, `uart`, `user`. Refuses: opening one (`boards`).
"""

from __future__ import annotations

import grp
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tablectl.doctor.account import Account, owner
from tablectl.doctor.line import Line
from tablectl.doctor.machine import Machine, is_there

KINDS = ("/dev/ttyACM*", "/dev/ttyUSB*", "/dev/ttyAMA*", "/dev/ttyS0", "/dev/rfcomm*")
"""Where reader boards and PN532 turn up. Of the ttyS only the first: a PC has 32 of them that are nothing."""
NAMED_BY_NUMBER = re.compile(r"/dev/tty(USB|ACM)\d+")
CH340 = ("1a86:7523", "1a86:5523")
"""USB ids of WCH's serial chips, which brltty's rules take for a braille display (field failure 23)."""
UDEV = (
    "/etc/udev/rules.d",
    "/run/udev/rules.d",
    "/usr/local/lib/udev/rules.d",
    "/usr/lib/udev/rules.d",
    "/lib/udev/rules.d",
)
"""Where udev(7) reads rules."""
MODEM_IGNORED = re.compile(r'^[^#\n]*ENV\{ID_MM_DEVICE_IGNORE\}="1"', re.MULTILINE)
MINI_UART = "brcm,bcm2835-aux-uart"
"""`compatible` of the Pi's second UART in the device tree."""


def ports(machine: Machine) -> Iterator[Line]:
    """What is where (field failure 2: nfcpy#50, names swapped after an update): one line a port, and who holds it."""
    found = present(machine)
    if not found:
        do = "plug the reader boards in; if they are: lsusb, dmesg"
        yield Line("ports", "warning", "there is no serial port here", do)
        return
    for device in found:
        names = _links(machine).get(device, [])
        holders = machine.holds(device)
        held = f"; held by {', '.join(map(str, holders))}" if holders else ""
        usb = usb_of(machine, device)
        what = f" USB {usb[0]}" if usb else ""
        yield Line(
            "ports", "ok", f"{device}{what}{''.join(f', {name}' for name in names)}{held}", about=device
        )
    if machine.unseen:
        text = f"the open files of {machine.unseen} processes may not be seen by this user"
        yield Line("ports", "warning", text, "ask again with sudo to see who holds what", "hidden")


def present(machine: Machine) -> list[str]:
    """The serial devices that exist."""
    return [device for kind in KINDS for device in machine.glob(kind)]


def _links(machine: Machine) -> Mapping[str, list[str]]:
    """Device → the other names it has."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in (
        *machine.glob("/dev/serial/by-path/*"), *machine.glob("/dev/serial/by-id/*"), *machine.glob("/dev/serial[01]"),
        *machine.glob("/dev/tablectl/*"),
    ):  # fmt: skip
        found[machine.device(name)].append(name)
    return found


def usb_of(machine: Machine, device: str) -> tuple[str, str] | None:
    """(`vendor:product`, serial number) of the USB device behind a tty; None if there is none."""
    start = machine.path(f"/sys/class/tty/{device.rsplit('/', 1)[-1]}/device")
    try:
        at = start.resolve()
    except (OSError, RuntimeError):
        return None
    for folder in (at, *at.parents):
        if (folder / "idVendor").is_file():
            there = [(folder / name) for name in ("idVendor", "idProduct", "serial")]
            vendor, product, serial = (each.read_text().strip() if each.is_file() else "" for each in there)
            return f"{vendor}:{product}", serial
    return None


def configured(machine: Machine, names: Mapping[int, str]) -> Iterator[Line]:
    """How each reader's port is named, whether it is there, and whether its name will still be right tomorrow."""
    twins = _twins(machine)
    for number, name in names.items():
        about = f"reader {number}"
        if any(each in name for each in "*?["):
            yield Line("port", "ok", f"{name}: whatever fits", about=about)
            continue
        device = machine.device(name)
        if not is_there(machine.path(device)):
            yield Line("port", "fault", f"{name} is not there", _why_absent(machine), about)
        elif NAMED_BY_NUMBER.fullmatch(name):
            # Field failure 22: systemd/systemd#30574.
            path = next((each for each in _links(machine).get(device, ()) if "by-path" in each), None)
            better = f'port = "{path}"' if path else "name it by /dev/serial/by-path/…"
            text = f"{name}: the kernel may number it anew whenever something is plugged in"
            yield Line("port", "warning", text, better, about)
        elif "/by-id/" in name and device in twins:
            text = f"{name}: {' and '.join(twins[device])} are the same by id, so the name fits either"
            yield Line("port", "warning", text, "name both by /dev/serial/by-path/…", about)
        else:
            said = name if device == name else f"{name} → {device}"
            yield Line("port", "ok", said, about=about)
        yield from _uart(machine, name, device, about)


def _why_absent(machine: Machine) -> str:
    do = "plug the board in and look at its lamp"
    if machine.running("brltty"):
        do += "; brltty runs and takes such ports away"
    there = [name for names in _links(machine).values() for name in names if "by-path" in name]
    return f"{do}; here are: {', '.join(there)}" if there else do


def _twins(machine: Machine) -> Mapping[str, list[str]]:
    """Device → all devices that nothing but their place tells from it: same vendor, product and serial number."""
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for device in present(machine):
        usb = usb_of(machine, device)
        if usb is not None:
            alike[usb].append(device)
    return {device: group for group in alike.values() if len(group) > 1 for device in group}


def _uart(machine: Machine, name: str, device: str, about: str) -> Iterator[Line]:
    """The mini-UART's baud rate follows the core clock (field failure 27: raspberrypi/linux#4123)."""
    node = machine.text(f"/sys/class/tty/{device.rsplit('/', 1)[-1]}/device/of_node/compatible")
    if node is not None and MINI_UART in node:
        text = f"{name} is the mini-UART, whose speed moves with the Pi's clock"
        do = (
            "use a board on USB; or dtoverlay=disable-bt in config.txt, which gives the good UART to the pins"
        )
        yield Line("uart", "warning", f"{text}; test it: tablectl doctor --loopback {name}", do, about)


def console(machine: Machine, names: Sequence[str]) -> Iterator[Line]:
    """A kernel console or a login on a reader's port: both write there."""
    wanted = {machine.device(name): name for name in names}
    consoles = re.findall(r"\bconsole=([\w/]+)", machine.text("/proc/cmdline") or "")
    logins = [
        part for each in machine.running("agetty", "getty") for part in each.command[1:] if "tty" in part
    ]
    clear = True
    for kind, taken, do in (
        (
            "a kernel console",
            consoles,
            "raspi-config, Interface, Serial Port: no login shell; or edit cmdline.txt",
        ),
        ("a login", logins, "sudo systemctl disable --now serial-getty@{tty}"),
    ):
        for tty in taken:
            device = machine.device(f"/dev/{tty.removeprefix('/dev/')}")
            if device in wanted:
                clear = False
                text = f"{kind} writes on {wanted[device]}"
                yield Line("console", "fault", text, do.format(tty=tty.rsplit("/", 1)[-1]), tty)
    if clear:
        yield Line("console", "ok", "no console and no login on a reader's port")


def thieves(machine: Machine) -> Iterator[Line]:
    """Programs that take serial ports for something else."""
    usb = [usb_of(machine, device) for device in present(machine)]
    braille = machine.running("brltty")
    # Field failure 23: arduino/arduino-ide#1788. It detaches the driver, so that the port is gone altogether.
    if braille:
        worse = not usb or any(each and each[0] in CH340 for each in usb)
        text = f"{braille[0]} takes USB serial chips for braille displays (CH340: the port vanishes)"
        yield Line(
            "brltty",
            "fault" if worse else "warning",
            text,
            "sudo apt remove brltty, then plug the board in anew",
        )
    else:
        yield Line("brltty", "ok", "brltty does not run")
    managers = machine.running("ModemManager")
    if managers and not _left_alone(machine):
        text = f"{managers[0]} asks every new USB port whether it is a modem"
        do = "install tablectl's udev rules (the .deb, or sudo make install); or systemctl disable --now ModemManager"
        yield Line("modemmanager", "warning", text, do)
    else:
        yield Line("modemmanager", "ok", "ModemManager leaves the ports alone")


def _left_alone(machine: Machine) -> bool:
    rules = [rule for folder in UDEV for rule in machine.glob(f"{folder}/*tablectl*.rules")]
    return any(MODEM_IGNORED.search(machine.text(each) or "") for each in rules)


def user(
    machine: Machine, names: Sequence[str], *, pins: bool, service: Account | None = None
) -> Iterator[Line]:
    """Whether this user, or for root the service's, may use the ports, and the pins if the panel needs them."""
    chips = machine.glob("/dev/gpiochip*") if pins else []
    there = [name for name in (*names, *chips) if is_there(machine.path(machine.device(name)))]
    who = service if machine.user == 0 else None
    barred = [name for name in there if not machine.may_use(name, who)]
    for name in barred:
        group = _group(machine, name)
        if who is None:
            text = f"{name} may not be used by this user"
            do = (
                f"sudo usermod -aG {group} $USER, then log in anew (the unit has SupplementaryGroups={group})"
            )
        else:
            text = f"{name} ({owner(machine, machine.path(machine.device(name)).stat())}) may not be used by {who.name}"
            text += ", as whom tablectl.service runs"
            do = "its group must be dialout (a pin's: gpio), its mode 660: udev sets both, so plug it in anew"
            if group != "root":
                do = f"sudo usermod -aG {group} {who.name}; sudo systemctl restart tablectl; or {do}"
        yield Line("user", "fault", text, do, name)
    if not barred:
        said = f"{who.name}, as whom tablectl.service runs," if who else f"this user (number {machine.user})"
        yield Line("user", "ok", f"{said} may use what is there")


def _group(machine: Machine, name: str) -> str:
    number = machine.path(machine.device(name)).stat().st_gid
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
