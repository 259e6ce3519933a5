#!/bin/sh
# Builds dist/tablectl_VERSION_ARCH.deb, which carries all that it needs: the wheels of .locks/table.txt for the Pythons of
# Debian bookworm and trixie, and of Raspberry Pi OS.      ARCH=arm64 (default) or amd64   PYTHON=python3
set -eu
umask 022

here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$(dirname "$here")")
arch=${ARCH:-arm64}
python=${PYTHON:-python3}
pythons="3.11 3.13"

fail() {
    echo "tablectl: $*" >&2
    exit 2
}

case $arch in
arm64) machine=aarch64 ;;
amd64) machine=x86_64 ;;
*) fail "ARCH=$arch: must be arm64 or amd64 (for other machines not every package of the lock has a wheel)" ;;
esac
command -v dpkg-deb >/dev/null || fail "dpkg-deb is missing: apt-get install dpkg"
"$python" -c 'import venv, ensurepip' 2>/dev/null || fail "python3-venv is missing: apt-get install python3-venv"
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$source/tablectl/__init__.py")
[ -n "$version" ] || fail "tablectl/__init__.py says no version"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tablectl
share=$tree/usr/share/tablectl
doc=$tree/usr/share/doc/tablectl
mkdir -p "$share/wheels" "$doc/config" "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/share/lintian/overrides"

echo "fetching the wheels for $machine, Python $pythons …"
"$python" -m venv "$work/builder"
pip="$work/builder/bin/python -m pip --disable-pip-version-check"
$pip install --quiet --require-hashes --no-deps -r "$source/.locks/build.txt"
# shellcheck disable=SC2086
"$work/builder/bin/python" "$here/wheels.py" "$source/.locks/table.txt" "$share/wheels" "$machine" $pythons
$pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$share/wheels" "$source"
own=$(basename "$share"/wheels/tablectl-*.whl)
sum=$(sha256sum "$share/wheels/$own" | cut -d ' ' -f 1)
for each in $pythons; do
    echo "tablectl==$version --hash=sha256:$sum" >>"$share/wheels/$each.txt"
done

for unit in "$source"/systemd/*.service "$source"/systemd/*.timer; do
    install -D -m 644 "$unit" "$tree/usr/lib/systemd/system/$(basename "$unit")"
done
install -D -m 644 "$source/systemd/90-tablectl.rules" "$tree/usr/lib/udev/rules.d/90-tablectl.rules"
install -D -m 644 "$source/systemd/tablectl.sysusers" "$tree/usr/lib/sysusers.d/tablectl.conf"
install -D -m 644 "$source/systemd/tablectl.tmpfiles" "$tree/usr/lib/tmpfiles.d/tablectl.conf"
install -m 755 "$source/systemd/venv.sh" "$share/venv.sh"
ln -s /opt/tablectl/bin/tablectl "$tree/usr/bin/tablectl"

install -m 644 "$source/README.md" "$source/SECURITY.md" "$source/CHANGELOG.md" "$doc"
install -m 644 "$source/systemd/README.md" "$doc/installation.md"
install -m 644 "$source"/systemd/config/* "$doc/config"
install -m 644 "$here/copyright" "$doc/copyright"
{
    echo "tablectl ($version) stable; urgency=medium"
    printf '\n  * What changed stands in /usr/share/doc/tablectl/CHANGELOG.md.\n\n'
    echo " -- The tablectl contributors <tablectl@localhost>  $(date -R -r "$source/tablectl/__init__.py")"
} | gzip -9n >"$doc/changelog.gz"
install -m 644 "$here/lintian-overrides" "$tree/usr/share/lintian/overrides/tablectl"

for script in preinst postinst prerm postrm; do
    install -m 755 "$here/$script" "$tree/DEBIAN/$script"
done
install -m 644 "$here/triggers" "$tree/DEBIAN/triggers"
size=$(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
sed -e "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@SIZE@/$size/" "$here/control" >"$tree/DEBIAN/control"
(cd "$tree" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$work/md5sums"
install -m 644 "$work/md5sums" "$tree/DEBIAN/md5sums"

mkdir -p "$source/dist"
dpkg-deb --root-owner-group -Zxz --build "$tree" "$source/dist/tablectl_${version}_$arch.deb" >/dev/null
echo "dist/tablectl_${version}_$arch.deb"
