#!/usr/bin/env bash
# A portable archive of an installed program: unpack and run, no root, no packages.
# usage: archive.sh BUILD_DIR OUT.tar.gz
#
# Every library that the program needs travels along, but for glibc. Two sorts: those of the first
# are always used; those of the second are shared with graphics drivers, which are the machine's,
# and are used only where the machine has none of its own.
set -euo pipefail
build=$1 out=$(realpath -m "$2")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
name=$(basename "$out" .tar.gz)
root=$folder/$name
cmake --install "$build" --prefix "$root" --component program --strip >/dev/null

shared_with_drivers='libX11|libxcb|libXau|libXdmcp|libXext|libXrender|libbsd|libmd|libEGL|libGLdispatch|libexpat|libz|libffi|libselinux|libmount|libblkid|libstdc\+\+|libgcc_s'
glibc='linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt'
mkdir -p "$root/lib" "$root/lib/where-missing"
mv "$root/bin/attnscope" "$root/lib/attnscope"
rmdir "$root/bin"
patchelf --set-rpath '$ORIGIN' "$root/lib/attnscope"
copyrights=$root/share/doc/attnscope/copyright
while read -r library path; do
  [[ $library =~ ^($glibc)[.-] || $library =~ ^($glibc)\.so ]] && continue
  to=$root/lib
  # A folder each: what the machine has is not to be found here.
  [[ $library =~ ^($shared_with_drivers)[-.] ]] && to=$root/lib/where-missing/$library
  mkdir -p "$to"
  cp -L "$path" "$to/$library"
  strip --strip-unneeded "$to/$library"
  # It looks for others beside itself first.
  [ "$to" = "$root/lib" ] && patchelf --set-rpath '$ORIGIN' "$to/$library"
  # Each library's licence travels along.
  package=$(dpkg -S "*/$(basename "$(realpath "$path")")" | head -n 1 | cut -d: -f1)
  if ! grep -qF "Library of $package:" "$copyrights"; then
    printf '\n\nLibrary of %s:\n\n' "$package" >>"$copyrights"
    cat "/usr/share/doc/$package/copyright" >>"$copyrights"
  fi
done < <(ldd "$root/lib/attnscope" | awk '$3 ~ /^\// { print $1, $3 }')

cat >"$root/attnscope" <<'LAUNCHER'
#!/bin/sh
# Starts attnscope from where it was unpacked.
ATTNSCOPE_LAUNCHER=$(readlink -f "$0")
export ATTNSCOPE_LAUNCHER
here=${ATTNSCOPE_LAUNCHER%/*}
[ -e "$here/whole" ] || {
  echo "attnscope: $here holds only a part of the archive: unpack it again" >&2
  exit 1
}
known=$(/sbin/ldconfig -p 2>/dev/null)
for folder in "$here"/lib/where-missing/*; do
  case $known in
  *"${folder##*/} "*) ;; # the machine's own is used
  *) LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
  esac
done
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/lib/fonts.conf"
[ -z "$LD_LIBRARY_PATH" ] || export LD_LIBRARY_PATH
exec "$here/lib/attnscope" "$@"
LAUNCHER
chmod +x "$root/attnscope"
# Where fonts lie, for a machine that does not say it.
cat >"$root/lib/fonts.conf" <<'FONTS'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
FONTS

# The last of it by name, so that an archive unpacked in part lacks it.
touch "$root/whole"
# The same input makes the same archive.
mkdir -p "$(dirname "$out")"
tar --create --directory "$folder" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" "$name" | gzip -9n >"$out.part"
mv "$out.part" "$out"
