#!/bin/sh
# Makes the environment in which a table runs, complete or not at all, and puts it in the place of an older one.
#
#   venv.sh PYTHON PLACE ROOT PIP-ARGUMENTS…
#
# PLACE is where it will be found (/opt/tablectl), ROOT what stands before it while it is made (DESTDIR, or empty). The pip
# arguments say what goes in. A table that runs in the older one goes on; it finds the new one when it is restarted.
set -eu
umask 022

python=$1 place=$2 root=$3
shift 3
new=$root$place.new old=$root$place.old

rm -rf "$new" "$old"
trap 'rm -rf "$new"' EXIT
mkdir -p "$(dirname "$new")"
"$python" -m venv "$new"
for arguments in "$@"; do
    # One string, one call of pip: its words are ours, and hold no blanks.
    # shellcheck disable=SC2086
    "$new/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --use-pep517 $arguments
done
"$new/bin/python" -m pip --disable-pip-version-check check >/dev/null || true
# What installs is not needed to run.
"$new/bin/python" -m pip --disable-pip-version-check uninstall --quiet --yes setuptools pip 2>/dev/null
rm -f "$new"/bin/activate* "$new"/bin/Activate*
# A script's first line names its Python: where it will be, not where it was made.
for script in "$new"/bin/*; do
    if [ -f "$script" ] && [ ! -L "$script" ]; then
        sed -i "1s|^#!$new/|#!$place/|" "$script"
    fi
done
sed -i "s|$new|$place|g" "$new/pyvenv.cfg"
# The service cannot write here, so what Python would keep is made now.
"$new/bin/python" -m compileall -q -j 0 -s "$new" -p "$place" "$new"/lib/python*/site-packages
if [ -e "$root$place" ]; then
    mv "$root$place" "$old"
fi
mv "$new" "$root$place"
rm -rf "$old"
trap - EXIT
