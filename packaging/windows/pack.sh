#!/usr/bin/env bash
# What is given away: build/attnscope-windows.zip, and with "installer" build/attnscope-windows-setup.exe.
# usage: pack.sh zip|installer VERSION
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
folder=$work/attnscope

# What travels in it besides the libraries, as this machine has it, and what the compiler brings.
packages=(fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-noto-cjk nlohmann-json3-dev libcli11-dev
  libeigen3-dev libstb-dev python3-glad mingw-w64-x86-64-dev gcc-mingw-w64-base)

licences() {
  local to=$folder/licences suite package file text
  mkdir -p "$to"
  cp "$tree/LICENSE" "$to/attnscope.txt"
  while IFS=, read -r suite package file _; do
    [ "$suite" != suite ] || continue
    while read -r text; do
      tar --extract --to-stdout --file "$sources/$file" "$text" | sed 's/\r$//' >>"$to/$package.txt"
    done < <(tar --list --file "$sources/$file" |
      grep -E '^[^/]+/((COPYING|LICEN[CS]E)[^/]*|docs/FTL\.TXT|LICENSES/[^/]+\.txt)$' | sort)
    [ -s "$to/$package.txt" ] || {
      say "the licence of $package is not in $file"
      exit 1
    }
  done <"$tree/packaging/sources.csv"
  for package in "${packages[@]}"; do
    cp "/usr/share/doc/$package/copyright" "$to/$package.txt"
  done
  cp /usr/share/common-licenses/{GPL-2,GPL-3,LGPL-2.1,Apache-2.0} "$to/"
}

fill() {
  local file
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "$work/program/attnscope.exe" "$folder/"
  $STRIP "$folder/attnscope.exe"
  mkdir -p "$folder/share/attnscope"
  cp -r "$tree/assets/language" "$folder/share/attnscope/"
  sed 's/$/\r/' "$here/README.txt" >"$folder/README.txt"
  cp -r "$tree/docs" "$folder/docs"
  rm -r "$folder/docs/developer"
  cp "$tree/README.md" "$tree/CHANGELOG.md" "$folder/docs/"
  licences
  # No DLL but the system's.
  for file in $($target-objdump -p "$folder/attnscope.exe" | sed -n 's/.*DLL Name: //p'); do
    case ${file,,} in
      kernel32.dll | user32.dll | gdi32.dll | shell32.dll | ole32.dll | advapi32.dll | msvcrt.dll | imm32.dll | ws2_32.dll | \
        shlwapi.dll | winmm.dll | iphlpapi.dll | dnsapi.dll | rpcrt4.dll | opengl32.dll | version.dll | comdlg32.dll) ;;
      *)
        say "attnscope.exe needs $file, which Windows does not have"
        exit 1
        ;;
    esac
  done
  find "$folder" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
}

fill
case $1 in
  zip)
    out=$tree/build/attnscope-windows.zip
    rm -f "$out.part"
    (cd "$work" && find attnscope -type f | LC_ALL=C sort | TZ=UTC zip -9 -X -q "$out.part" -@)
    mv "$out.part" "$out"
    ;;
  installer)
    out=$tree/build/attnscope-windows-setup.exe
    makensis -V2 -NOCD -DVERSION="$2" -DFOLDER="$folder" -DICON="$work/attnscope.ico" -DOUT="$out" "$here/installer.nsi"
    ;;
esac
ls -s --block-size=MB "$out"
