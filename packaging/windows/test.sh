#!/usr/bin/env bash
# The program for Windows under Wine, beside this machine's own program where both are to give the same.
# usage: test.sh NATIVE_BUILD [PART...]; parts: core reference digest export words paths app
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
native=$(realpath "$1")
shift
parts=${*:-core reference digest export words paths app}
built=$work/program
out=$work/test
failures=0 checks=0
rm -rf "$out"
mkdir -p "$out"
cd "$out" || exit 1

# No window of Wine's own, no crash dialog, and a display only where one is wanted.
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LIBGL_ALWAYS_SOFTWARE=1
unset DISPLAY WAYLAND_DISPLAY
[ -d "$WINEPREFIX" ] || wineboot --init >/dev/null 2>&1

# check NAME COMMAND...: whether it succeeds; what it said is shown where it does not.
check() {
  local name=$1 begun=$SECONDS
  shift
  checks=$((checks + 1))
  if "$@" >"$out/last.log" 2>&1; then
    say "ok: $name ($((SECONDS - begun)) s)"
  else
    failures=$((failures + 1))
    tail -n 40 "$out/last.log" >&2
    say "FAILED: $name"
  fi
}

wanted() { [[ " $parts " == *" $1 "* ]]; }
windows() { wine "$built/attnscope.exe" "$@"; }

# same NAME WORDS...: both programs write the same to the standard output.
same() {
  windows "$@" >windows.txt && "$native/attnscope" "$@" >native.txt && cmp windows.txt native.txt
}

# same_file NAME WORDS...: both write the same file.
same_file() {
  rm -f "windows-$1" "native-$1"
  windows "${@:2}" -o "windows-$1" && "$native/attnscope" "${@:2}" -o "native-$1" && cmp "windows-$1" "native-$1"
}

# refused STATUS TEXT WORDS...: this status, and this text on the standard error.
refused() {
  local status=0
  windows "${@:3}" 2>said.txt || status=$?
  cat said.txt
  [ "$status" -eq "$1" ] && grep -qF "$2" said.txt
}

# left NAME...: the folder holds these files and no others.
left() { [ "$(ls -A "$1")" = "$2" ]; }

if wanted core; then
  check "core's tests" wine "$built/core_tests.exe"
fi
if wanted reference; then
  for file in "$tree"/tests/reference/*.json; do
    topic=$(basename "$file" .json)
    [ "$topic" = index ] ||
      check "reference: $topic" wine "$built/reference_check.exe" "$tree/tests/reference" --topic "$topic"
  done
fi
if wanted digest; then
  digest() {
    wine "$built/page_digest.exe" | tr -d '\r' >digest-windows.txt
    "$native/page_digest" >digest-native.txt
    diff digest-native.txt digest-windows.txt
  }
  check "what every page shows" digest
fi
if wanted export; then
  for lab in $("$native/attnscope" labs --json | python3 -c 'import json, sys
print(*(lab["id"] for lab in json.load(sys.stdin)["labs"]))'); do
    check "picture of $lab" same_file "$lab.png" export "$lab"
  done
  check "a vector graphic" same_file a.svg export multi_head
  check "numbers as CSV" same_file a.csv export multi_head --figure weights
  check "numbers as NumPy" same_file a.npz export multi_head
  check "a handout" same_file rope.html lesson rope
  check "a handout in Chinese" same_file rope-zh.html lesson rope --lang zh_CN
  check "a film" same_file a.gif sweep pooling --param bandwidth=0.05:5 --figure data --frames 4 --size 480x0
  pdf() {
    windows export multi_head --lang zh_CN -o a.pdf && pdffonts a.pdf && ! pdffonts a.pdf | grep ' no  *no '
    pdftotext a.pdf - | grep -q 注意力
  }
  check "a PDF with its fonts and Chinese text" pdf
fi
if wanted words; then
  check "labs as JSON" same labs --json
  check "help in Chinese" same --help --lang zh_CN
  check "an unknown lab" refused 2 'expected' export no-such-lab -o a.png
  check "a word that is not meant" refused 2 'see attnscope --help' --nothing
  check "no such folder" refused 1 'there is no such file or folder' export multi_head -o none/a.png
  mkdir -p folder.png
  check "a folder" refused 1 'it is a folder' export multi_head -o folder.png
  version() { windows --version | grep '^attnscope ' && windows --diagnose; }
  check "version" version
fi
if wanted paths; then
  chinese() {
    mkdir -p 图/注意力
    windows export multi_head --set 'text=我 喜欢 猫' -o 图/注意力/结果.png &&
      left 图/注意力 结果.png && windows export multi_head --session 图/注意力/结果.png -o 图/又.png && cmp 图/注意力/结果.png 图/又.png
  }
  check "Chinese paths" chinese
  long() {
    local folder
    folder=$PWD/$(printf 'd%.0s' {1..100})/$(printf 'e%.0s' {1..100})/$(printf 'f%.0s' {1..100})
    mkdir -p "$folder" && windows export multi_head -o "$folder/a.png" && left "$folder" a.png &&
      windows export multi_head --session "$folder/a.png" -o b.png && cmp "$folder/a.png" b.png
  }
  check "a path of 300 characters" long
  protected() {
    echo old >old.png
    chmod 444 old.png
    refused 1 'it is write-protected' export multi_head -o old.png && [ "$(cat old.png)" = old ]
  }
  check "a file that is write-protected" protected
  # Nothing is forbidden to root.
  no_entry() {
    local folder user=()
    folder=$(mktemp -d)
    mkdir "$folder/closed"
    chmod 555 "$folder/closed"
    cp "$built/attnscope.exe" "$folder/"
    [ "$(id -u)" -ne 0 ] || {
      chown -R nobody "$folder"
      chmod 555 "$folder/closed"
      user=(setpriv --reuid=nobody --clear-groups)
    }
    local status=0
    (cd "$folder" && HOME=$folder WINEPREFIX=$folder/wine "${user[@]}" wine attnscope.exe export multi_head \
      -o closed/a.png) 2>said.txt || status=$?
    cat said.txt
    left "$folder/closed" "" && rm -rf "$folder" && [ "$status" -eq 1 ] && grep -q 'permission denied' said.txt
  }
  check "a folder that is read-only" no_entry
  full() {
    mkdir -p small
    mountpoint -q small || mount -t tmpfs -o size=100k none small || return 77
    refused 1 'the disk is full' export multi_head -o small/a.png
    local status=$?
    left small "" || status=1
    umount small
    return "$status"
  }
  [ "$(id -u)" -ne 0 ] || check "a disk that is full" full
fi
if wanted app; then
  for box in words param figure system sweep lesson; do
    [ ! -e "$built/app_${box}_tests.exe" ] || check "app/$box's tests" wine "$built/app_${box}_tests.exe"
  done
fi
wineserver --wait
say "$((checks - failures)) of $checks passed"
[ "$failures" -eq 0 ]
