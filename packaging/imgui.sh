#!/usr/bin/env bash
# Dear ImGui from its own sources, with FreeType, as a static library that pkg-config finds: for a system that has no such
# package, and to try another version.
# usage: imgui.sh SOURCES FOLDER; then PKG_CONFIG_PATH=FOLDER cmake ...
set -euo pipefail
[ $# -eq 2 ] && [ -e "$1/imgui.cpp" ] || {
  echo "imgui.sh: expected a folder with Dear ImGui's sources and one to write to, got: $*" >&2
  exit 2
}
from=$(cd "$1" && pwd)
mkdir -p "$2"
to=$(cd "$2" && pwd)
version=$(sed -n 's/^#define IMGUI_VERSION  *"\(.*\)"/\1/p' "$from/imgui.h")
objects=()
read -r -a freetype <<<"$(pkg-config --cflags freetype2)"
for source in imgui imgui_draw imgui_tables imgui_widgets misc/cpp/imgui_stdlib misc/freetype/imgui_freetype; do
  object=$to/$(basename "$source").o
  "${CXX:-c++}" -O2 -std=c++17 -I"$from" "${freetype[@]}" -c "$from/$source.cpp" -o "$object"
  objects+=("$object")
done
rm -f "$to/libimgui.a"
ar rcs "$to/libimgui.a" "${objects[@]}"
cat >"$to/imgui.pc" <<END
Name: imgui
Description: Dear ImGui with FreeType
Version: $version
Requires: freetype2
Libs: -L$to -limgui
Cflags: -I$from -I$from/misc/cpp -I$from/misc/freetype
END
