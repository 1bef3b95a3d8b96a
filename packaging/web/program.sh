#!/usr/bin/env bash
# The program for a browser, in build/web/program. usage: program.sh [TARGET...]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
build=$work/program

launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
[ -e "$build/build.ninja" ] || emcmake cmake -G Ninja -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_PREFIX_PATH="$libraries" -DATTNSCOPE_TESTS=ON -DATTNSCOPE_BENCH=OFF \
  -DATTNSCOPE_PCH=OFF -DATTNSCOPE_TREE="${ATTNSCOPE_TREE:-$tree}" "${launcher[@]}"
cmake --build "$build" --parallel "$jobs" --target "${@:-attnscope}" -- -k 0
