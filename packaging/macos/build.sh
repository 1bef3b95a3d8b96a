#!/usr/bin/env bash
# Untried: nobody has built attnscope on a Mac yet. With Homebrew's packages; builds the program and core's tests and runs
# those.
# usage: build.sh FONTS, a folder with what /usr/share/fonts holds on a Debian that has fonts-inter, fonts-jetbrains-mono,
# fonts-dejavu-core and fonts-noto-cjk
set -euo pipefail
[ $# -eq 1 ] && [ -e "$1/opentype/inter" ] || {
  echo "build.sh: expected a folder of fonts with opentype/inter in it, got: $*" >&2
  exit 2
}
fonts=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# The compiler is LLVM's own: Apple's library lacks parts of C++20.
brew install cmake ninja pkgconf gettext python llvm glfw freetype eigen nlohmann-json cli11 fmt libpng cairo pango \
  utf8proc oniguruma xxhash cgif doctest
export CC=$(brew --prefix llvm)/bin/clang CXX=$(brew --prefix llvm)/bin/clang++
"$(brew --prefix python)/bin/python3" -m venv build/python
build/python/bin/pip install glad2 fonttools
export PATH=$PWD/build/python/bin:$PATH
# Homebrew's Dear ImGui comes without FreeType.
[ -d build/imgui/source ] ||
  git clone --depth 1 --branch v1.92.2b https://github.com/ocornut/imgui build/imgui/source
packaging/imgui.sh build/imgui/source build/imgui/library
export PKG_CONFIG_PATH=$PWD/build/imgui/library
cmake --preset release -DATTNSCOPE_BENCH=OFF "-DATTNSCOPE_FONTS=$fonts" "-DATTNSCOPE_PYTHON=$PWD/build/python/bin/python3"
cmake --build --preset release --target attnscope core_tests
build/release/core_tests
