#!/usr/bin/env bash
# The program for Windows, in build/windows/program. The icon is made by this machine's own program.
# usage: program.sh NATIVE_BUILD [TARGET...]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
native=$(realpath "$1")
build=$work/program

picture() { echo "$work/desktop/share/icons/hicolor/$1x$1/apps/attnscope.png"; }
"$native/attnscope" desktop-files "$work/desktop" --program attnscope
icon=$work/attnscope.ico
python3 "$here/icon.py" "$icon.new" "$(picture 16)" "$(picture 24)" "$(picture 32)" "$(picture 48)" \
  "$(picture 64)" "$(picture 128)" "$(picture 256)"
cmp -s "$icon.new" "$icon" || cp "$icon.new" "$icon"

launcher=()
if command -v ccache >/dev/null; then
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  export CXXFLAGS=-fpch-preprocess # so that it sees what a precompiled header was made of
fi
cmake -G Ninja -S "$tree" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$libraries" -DATTNSCOPE_TESTS=ON -DATTNSCOPE_BENCH=OFF -DATTNSCOPE_ICON="$icon" \
  "${launcher[@]}" >/dev/null
cmake --build "$build" --parallel "$jobs" --target "${@:2}"
