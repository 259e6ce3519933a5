#!/bin/sh
# Puts tablectl onto this machine, or takes it away: what `sudo make install` and `sudo make uninstall` do.
#
#   install.sh install | uninstall      DESTDIR=… (a folder to install into)   PYTHON=python3   PURGE=1 (with uninstall)
#
# The table's own files (/etc/tablectl, /var/lib/tablectl, /var/backups/tablectl) are never touched but by PURGE=1.
# Nothing is started: `systemctl enable --now tablectl` does that, once there is a configuration.
set -eu
umask 022

here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
root=${DESTDIR:-}
python=${PYTHON:-python3}
place=/opt/tablectl
lib=$root/usr/local/lib
units="tablectl.service tablectl-kiosk.service tablectl-backup.service tablectl-backup.timer"
theirs="/etc/tablectl /var/lib/tablectl /var/backups/tablectl"
# What systemd has made for them: nobody misses it.
traces="/var/log/tablectl /var/lib/systemd/timers/stamp-tablectl-backup.timer"

fail() {
    echo "tablectl: $*" >&2
    exit 2
}

# A machine that systemd runs, and that is the one to install on.
live() {
    [ -z "$root" ] && [ -d /run/systemd/system ]
}

needs() {
    [ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "this needs root: sudo make $1"
    if [ "$1" = uninstall ]; then
        return
    fi
    [ ! -e "$root/usr/lib/systemd/system/tablectl.service" ] && [ ! -e "$root/lib/systemd/system/tablectl.service" ] ||
        fail "the package tablectl is installed here; apt-get remove tablectl first, or install the newer package"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        fail "Python 3.11 or newer is needed; '$python' is $("$python" --version 2>/dev/null || echo missing)"
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || fail "python3-venv is missing: apt-get install python3-venv"
        echo "installing python3-venv …"
        { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv; } \
            >/dev/null || fail "python3-venv could not be installed"
    fi
}

install_all() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    echo "installing tablectl to $root$place …"
    # The package is built by the locked builder, in a place that is gone afterwards.
    "$python" -m venv "$work/builder"
    pip="$work/builder/bin/python -m pip --disable-pip-version-check"
    $pip install --quiet --require-hashes --no-deps -r "$source/.locks/build.txt"
    $pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work" "$source"
    cp "$source/.locks/table.txt" "$work/table.txt"
    sh "$here/venv.sh" "$python" "$place" "$root" \
        "--require-hashes --no-deps -r $work/table.txt" "--no-deps --no-index $(echo "$work"/tablectl-*.whl)"
    documents "$root$place/share/doc/tablectl"
    for unit in $units; do
        install -D -m 644 "$here/$unit" "$lib/systemd/system/$unit"
    done
    install -D -m 644 "$here/tablectl.sysusers" "$lib/sysusers.d/tablectl.conf"
    install -D -m 644 "$here/tablectl.tmpfiles" "$lib/tmpfiles.d/tablectl.conf"
    install -D -m 644 "$here/90-tablectl.rules" "$lib/udev/rules.d/90-tablectl.rules"
    mkdir -p "$root/usr/local/bin"
    ln -sfn "$place/bin/tablectl" "$root/usr/local/bin/tablectl"
    [ -n "$root" ] || settle
}

documents() {
    mkdir -p "$1/config"
    install -m 644 "$source/README.md" "$source/CHANGELOG.md" "$source/SECURITY.md" "$source/LICENSE" "$1"
    install -m 644 "$here/README.md" "$1/installation.md"
    install -m 644 "$here"/config/* "$1/config"
}

# User, folders, units and rules as they are now; a table that ran goes on with the new version.
settle() {
    systemd-sysusers "$lib/sysusers.d/tablectl.conf"
    systemd-tmpfiles --create "$lib/tmpfiles.d/tablectl.conf"
    if live; then
        systemctl daemon-reload
        udevadm control --reload 2>/dev/null || true
        udevadm trigger --subsystem-match=tty --subsystem-match=usb 2>/dev/null || true
        systemctl try-restart tablectl.service tablectl-kiosk.service tablectl-backup.timer
    fi
    if dpkg-query -W -f '${Status}' brltty 2>/dev/null | grep -q ' installed'; then
        echo "note: brltty is installed and may take USB adapters for braille displays; without need of it: apt-get remove brltty"
    fi
    if [ -e /etc/tablectl/table.toml ]; then
        echo "installed. /etc/tablectl is as it was; a table that ran was restarted."
    else
        echo "installed. Nothing is started: there is no /etc/tablectl/table.toml yet. Samples: $place/share/doc/tablectl/config"
    fi
}

uninstall_all() {
    # shellcheck disable=SC2086
    if live; then
        systemctl disable --now $units 2>/dev/null || true
    elif command -v systemctl >/dev/null; then
        systemctl ${root:+"--root=$root"} disable $units 2>/dev/null || true
    fi
    for unit in $units; do
        gone "$lib/systemd/system/$unit"
    done
    gone "$lib/sysusers.d/tablectl.conf"
    gone "$lib/tmpfiles.d/tablectl.conf"
    gone "$lib/udev/rules.d/90-tablectl.rules"
    rm -f "$root/usr/local/bin/tablectl"
    rm -rf "$root$place"
    if live; then
        systemctl daemon-reload
        systemctl reset-failed "tablectl*" 2>/dev/null || true
        udevadm control --reload 2>/dev/null || true
    fi
    if [ "${PURGE:-0}" = 1 ]; then
        for each in $theirs $traces; do
            rm -rf "$root$each"
        done
        # The users stay: another user must not get the number that owns a backup on another disk.
        echo "removed, with configuration, journal and backups. The users tablectl and tablectl-kiosk stay, without a login."
        return
    fi
    echo "removed. Kept, until PURGE=1 takes them:"
    for each in $theirs; do
        [ ! -e "$root$each" ] || echo "  $root$each"
    done
}

# The file, and the folders that were made for it alone.
gone() {
    rm -f "$1"
    folder=$(dirname "$1")
    while [ "$folder" != "$lib" ] && rmdir "$folder" 2>/dev/null; do
        folder=$(dirname "$folder")
    done
}

case ${1:-} in
install)
    needs install
    install_all
    ;;
uninstall)
    needs uninstall
    uninstall_all
    ;;
*)
    fail "install.sh install, or install.sh uninstall"
    ;;
esac
