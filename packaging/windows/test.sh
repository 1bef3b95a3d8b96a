#!/usr/bin/env bash
# The program for Windows under Wine, beside this machine's own program where both are to give the same.
# usage: test.sh NATIVE_BUILD [PART...]; parts: core reference digest export words paths app window installer
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
native=$(realpath "$1")
shift
parts=${*:-core reference digest export words paths app window installer}
built=$work/program
out=$work/test
. "$tree/packaging/checks.sh"
mkdir -p "$out/home"

# No window of Wine's own, no crash dialog, and a display only where one is wanted.
# Wine's Windows has its menu and the folders of documents from the home folder: not those of whoever runs this.
export HOME=$out/home
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LIBGL_ALWAYS_SOFTWARE=1
unset DISPLAY WAYLAND_DISPLAY
[ -d "$WINEPREFIX" ] || wineboot --init >/dev/null 2>&1

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

core_checks wine exe
if wanted export; then
  for lab in $(labs); do
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
  # As a person types it: the console that it is started from shows what it says, and has its status.
  console() {
    TERM=xterm script -qec "stty rows 50 cols 200; wine '$built/attnscope.exe' --help --lang zh_CN; echo status \$?" \
      console.txt </dev/null
    grep -q '示波器' console.txt && grep -q 'status 0' console.txt
    TERM=xterm script -qec "stty rows 50 cols 200; wine '$built/attnscope.exe' export none -o 图.png --lang zh_CN; \
      echo status \$?" console.txt </dev/null
    grep -q '应为' console.txt && grep -q 'status 2' console.txt
  }
  check "a console" console
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
  handout() {
    mkdir -p 讲义
    windows lesson rope --lang zh_CN -o 讲义/位置.html && "$native/attnscope" lesson rope --lang zh_CN -o native.html &&
      cmp 讲义/位置.html native.html
  }
  check "a handout under a Chinese name" handout
  # What the page reads is named from where the session lies, on both systems.
  sessions() {
    mkdir -p 会话/数据
    printf 'x,y\n0,1\n1,2\n2,5\n' >会话/数据/点.csv
    windows export pooling --set file=会话/数据/点.csv --set bandwidth=0.5 -o 会话/一.png && mv 会话 moved &&
      windows export pooling --session moved/一.png -o two.csv --figure data 2>said.txt &&
      "$native/attnscope" export pooling --session moved/一.png -o native.csv --figure data 2>>said.txt &&
      cat said.txt && cmp two.csv native.csv && [ "$(grep -c 'which has not changed' said.txt)" -eq 2 ] &&
      "$native/attnscope" export pooling --session moved/一.png -o moved/二.json &&
      windows export pooling --session moved/二.json -o two.json 2>said.txt &&
      [ "$(grep -o '"written": *[0-9]*' two.json)" = "$(grep -o '"written": *[0-9]*' moved/二.json)" ]
  }
  check "a session that reads a file, moved with it" sessions
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
  # An archive that was unpacked half: the program alone is whole, half of it is no program.
  half() {
    local status=0
    mkdir -p alone cut
    cp "$built/attnscope.exe" alone/ && (cd alone && wine ./attnscope.exe lesson rope -o rope.html) &&
      cmp alone/rope.html native-rope.html
    head -c $(($(stat -c %s "$built/attnscope.exe") / 2)) "$built/attnscope.exe" >cut/attnscope.exe
    (cd cut && wine ./attnscope.exe export multi_head -o a.png) || status=$?
    left cut attnscope.exe && [ "$status" -ne 0 ]
  }
  "$native/attnscope" lesson rope -o native-rope.html
  check "an archive that was unpacked half" half
fi
if wanted app; then
  for box in words param figure session system paper sweep lesson state; do
    check "app/$box's tests" wine "$built/app_${box}_tests.exe"
  done
fi
if wanted window; then
  if command -v Xvfb xdotool >/dev/null; then
    window() {
      ATTNSCOPE_EXE=$built/attnscope.exe WINEPREFIX=$out/window-prefix "$here/window_test.py" "$here/under_wine.sh" \
        "$native/attnscope" "$out/pictures" >window.txt
      local status=$?
      cat window.txt
      WINEPREFIX=$out/window-prefix wineserver --kill
      return "$status"
    }
    WINEPREFIX=$out/window-prefix wineboot --init
    WINEPREFIX=$out/window-prefix wineserver --wait # it has no screen; the next one has
    check "the window, with mouse and keyboard" window
    grep '^first picture' window.txt >&2
  else
    say "SKIPPED: the window (xvfb and xdotool are not installed)"
  fi
fi
if wanted installer; then
  # The setup program of what was built, in a Windows of its own: installed, used, replaced by itself, removed.
  person=$out/setup/drive_c/users/$(id -un)
  place=$person/AppData/Local/Programs/attnscope
  own() { WINEPREFIX=$out/setup "$@"; }
  # What a person's Windows holds of programs: classes of files, what can be removed, and files.
  holds() {
    own wine reg export 'HKCU\Software\Classes' classes.reg /y && own wine reg export \
      'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall' programs.reg /y
    cat classes.reg programs.reg | iconv -f UTF-16 -t UTF-8 | tr -d '\r' | grep -v '^$' | sort
    (cd "$person" && find . -not -path './Temp/*' | sort) # where the one that removes has itself copied to
  }
  # key KEY TEXT [WORD...]: below it stands this.
  key() { own wine reg query "HKCU\\Software\\$1" "${@:3}" | grep -F "$2"; }
  setup() { own wine "$tree/build/attnscope-windows-setup.exe" /S && own wineserver --wait; }
  installs() {
    "$here/pack.sh" installer "$("$native/attnscope" --version | sed -n '1s/attnscope //p')" || return
    own wineboot --init
    own wine reg add 'HKCU\Software\Classes\.npy\OpenWithProgids' /v theirs /f # another program's
    own wine reg add 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\theirs' /f
    holds >before.txt
    mkdir -p "$place/docs"
    echo old >"$place/docs/of-an-older-version.md"
    setup || return
    rm -rf given && cp -r "$work/attnscope" given && diff -r given "$place" | tee differences.txt
    [ "$(cat differences.txt)" = "Only in $place: uninstall.exe" ] &&
      grep -q attnscope.exe "$person/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/attnscope.lnk"
  }
  opens_with() {
    local ending
    key Classes\\attnscope.file\\shell\\open\\command 'Programs\attnscope\attnscope.exe" "%1"' /ve &&
      key Classes\\.attn attnscope.file /ve || return
    for ending in attn npy npz safetensors md; do
      key "Classes\\.$ending\\OpenWithProgids" attnscope.file &&
        key Classes\\Applications\\attnscope.exe\\SupportedTypes ".$ending" || return
    done
    key Microsoft\\Windows\\CurrentVersion\\Uninstall\\attnscope 'attnscope\uninstall.exe" /S' /v QuietUninstallString
  }
  installed() {
    own wine "$place/attnscope.exe" export multi_head -o "$person/图.png" &&
      "$native/attnscope" export multi_head -o native.png && cmp "$person/图.png" native.png
  }
  # Sessions, settings and what a person has put beside the program stay.
  removes() {
    mkdir -p "$person/AppData/Roaming/attnscope" "$person/AppData/Local/attnscope/fonts" "$person/AppData/Local/attnscope/models"
    echo '{}' | tee "$person/AppData/Roaming/attnscope/settings.json" "$person/AppData/Local/attnscope/models/a.safetensors" \
      "$place/mine.attn" >"$person/AppData/Local/attnscope/fonts/a.otf"
    own wine "$place/uninstall.exe" /S && own wineserver --wait
    holds >after.txt
    diff before.txt after.txt | grep '^[<>]' | tee differences.txt
    printf '> %s\n' ./AppData/Local/Programs ./AppData/Local/Programs/attnscope ./AppData/Local/Programs/attnscope/mine.attn \
      ./AppData/Local/attnscope ./AppData/Local/attnscope/models ./AppData/Local/attnscope/models/a.safetensors \
      ./AppData/Roaming/attnscope ./AppData/Roaming/attnscope/settings.json ./图.png | sort >expected.txt
    sort differences.txt | diff expected.txt -
  }
  check "the setup program installs" installs
  check "menu, open with, removal are registered" opens_with
  check "what was installed runs" installed
  check "it installs over itself" setup
  check "it is removed, and what is the person's stays" removes
fi
wineserver --wait
verdict
