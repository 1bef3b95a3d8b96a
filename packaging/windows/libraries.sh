#!/usr/bin/env bash
# The libraries that the program is made of, static and for Windows, from Debian's sources. What is
# done already is not done again: a library is rebuilt when its source or this file's part of it has changed.
# usage: libraries.sh [NAME...]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

flags="-O2 -D_WIN32_WINNT=0x0A00 -ffile-prefix-map=$work=."

with_cmake() {
  cmake -G Ninja -S . -B cross -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_PREFIX_PATH="$libraries" -DBUILD_SHARED_LIBS=OFF "$@"
  cmake --build cross --parallel "$jobs"
  DESTDIR=$root cmake --install cross
}

with_meson() {
  env -u CC -u CXX -u AR -u RANLIB -u STRIP -u WINDRES meson setup cross --cross-file "$work/cross.ini" \
    --prefix "$prefix" --libdir lib --buildtype release --default-library static --wrap-mode nodownload "$@"
  ninja -C cross -j "$jobs"
  DESTDIR=$root meson install -C cross --no-rebuild
}

# with_make FOLDER [OPTION...]: only this folder of it is made.
with_make() {
  mkdir cross
  cd cross
  CFLAGS=$flags CPPFLAGS="-I$libraries/include" LDFLAGS="-L$libraries/lib" ../configure --host="$target" \
    --prefix="$prefix" --enable-static --disable-shared "${@:2}"
  make -C "$1" -j "$jobs"
  make -C "$1" DESTDIR="$root" install
}

# package NAME LIBRARY FLAGS VERSION: a .pc file for what brings none.
package() {
  printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s/lib %s\nCflags: -I%s/include %s\n' \
    "$1" "$1" "$4" "$prefix" "$2" "$prefix" "$3" >"$libraries/lib/pkgconfig/$1.pc"
}

# Users of a static library must say so in their sources: DEFINITION goes into its .pc file.
defined_by() { sed -i "s/^Cflags:.*/& -D$2/" "$libraries/lib/pkgconfig/$1.pc"; }

make_zlib() {
  $CC $flags -c adler32.c compress.c crc32.c deflate.c infback.c inffast.c inflate.c inftrees.c trees.c \
    uncompr.c zutil.c
  $AR rcs "$libraries/lib/libz.a" ./*.o
  cp zlib.h zconf.h "$libraries/include/"
  package zlib -lz "" "$(sed -n 's/^#define ZLIB_VERSION "\(.*\)"/\1/p' zlib.h)"
}
make_libpng1.6() { with_cmake -DPNG_SHARED=OFF -DPNG_TESTS=OFF; }
make_expat() {
  [ ! -d expat ] || cd expat
  with_cmake -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_TOOLS=OFF -DEXPAT_BUILD_EXAMPLES=OFF -DEXPAT_SHARED_LIBS=OFF
}
make_freetype() {
  with_cmake -DFT_REQUIRE_PNG=ON -DFT_REQUIRE_ZLIB=ON -DFT_DISABLE_HARFBUZZ=ON -DFT_DISABLE_BROTLI=ON \
    -DFT_DISABLE_BZIP2=ON
}
make_pcre2() { with_cmake -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF; }
make_utf8proc() {
  with_cmake
  defined_by libutf8proc UTF8PROC_STATIC
}
make_libonig() {
  with_cmake -DINSTALL_DOCUMENTATION=OFF
  defined_by oniguruma ONIG_STATIC
}
make_xxhash() {
  $CC $flags -c xxhash.c
  $AR rcs "$libraries/lib/libxxhash.a" xxhash.o
  cp xxhash.h xxh3.h "$libraries/include/"
  package libxxhash -lxxhash "" 0.8.1
}
make_cgif() {
  with_meson -Dtests=false
}
make_fmtlib() { with_cmake -DFMT_TEST=OFF -DFMT_DOC=OFF; }
make_glfw3() { with_cmake -DGLFW_BUILD_DOCS=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_EXAMPLES=OFF; }
# As Debian's package is made of it: its three headers of stb from libstb-dev.
make_imgui() {
  local part
  mkdir beside
  ln -s /usr/include/stb beside/stb
  for part in imgui imgui_draw imgui_tables imgui_widgets misc/freetype/imgui_freetype misc/cpp/imgui_stdlib; do
    $CXX $flags -I. -Imisc/freetype -Imisc/cpp -Ibeside -Ibeside/stb -DIMGUI_ENABLE_FREETYPE \
      -I"$libraries/include/freetype2" -c "$part.cpp" -o "$(basename "$part").o"
  done
  $AR rcs "$libraries/lib/libimgui.a" ./*.o
  mkdir -p "$libraries/include/imgui"
  cp -a /usr/include/imgui/. "$libraries/include/imgui/"
  package imgui "-limgui -limm32" "-I$prefix/include/imgui" 1.86
}
make_libffi() {
  [ -x configure ] || autoreconf -fi
  with_make . --disable-docs
}
make_pixman() { with_meson -Dtests=disabled -Dgtk=disabled -Dlibpng=disabled; }
make_fribidi() {
  with_meson -Ddocs=false
  defined_by fribidi FRIBIDI_LIB_STATIC
}
make_fontconfig() {
  with_meson -Ddoc=disabled -Dnls=disabled -Dtests=disabled -Dtools=disabled -Dcache-build=disabled
}
make_glib2.0() {
  cp "$here/libintl/libintl.h" "$libraries/include/"
  $CC $flags -I"$here/libintl" -c "$here/libintl/libintl.c" -o intl.o
  $AR rcs "$libraries/lib/libintl.a" intl.o
  with_meson -Dtests=false -Dnls=disabled -Dlibmount=disabled -Dlibelf=disabled -Dselinux=disabled -Dxattr=false
}
make_harfbuzz() {
  # A font's path is UTF-8, whatever the C library takes letters for.
  sed -i 's/mbstowcs (wchar_file_name, file_name, size)/(size_t) MultiByteToWideChar (CP_UTF8, 0, file_name, -1, wchar_file_name, (int) size)/' \
    src/hb-blob.cc
  grep -q CP_UTF8 src/hb-blob.cc
  with_meson -Dtests=disabled -Ddocs=disabled -Dbenchmark=disabled -Dicu=disabled -Dcairo=disabled \
    -Dgobject=disabled -Dintrospection=disabled -Dglib=disabled -Dfreetype=enabled
}
# Its tests do not link, so that its library alone is made. A DLL's start sets its mutexes up, which a static
# library has not. Numbers are rounded as everywhere, not as the C library of Windows does it: halves to even.
make_cairo() {
  flags+=" -D__USE_MINGW_ANSI_STDIO=1"
  printf '\n__attribute__((constructor)) static void begin(void) { _cairo_mutex_initialize(); }\n' >>src/cairo-mutex.c
  with_make src --enable-png --enable-pdf --enable-svg --enable-ft --enable-fc --disable-ps --disable-xlib \
    --disable-xcb --disable-win32 --disable-win32-font --disable-gobject --disable-trace --disable-interpreter \
    --disable-gtk-doc --without-x
  mkdir -p "$libraries/lib/pkgconfig"
  cp src/*.pc "$libraries/lib/pkgconfig/"
  # Its checked functions of texts lie there.
  sed -i 's/^Libs:.*/& -lssp/' "$libraries/lib/pkgconfig/cairo.pc"
}
make_pango1.0() {
  sed -i -E "/^subdir\('(utils|examples|tests|tools)'\)/d" meson.build
  with_meson -Dintrospection=disabled -Dgtk_doc=false -Dfontconfig=enabled -Dfreetype=enabled -Dcairo=enabled \
    -Dxft=disabled -Dlibthai=disabled -Dinstall-tests=false
}

# Libraries that are headers alone, which are the same for every system, as this machine has them.
headers() {
  local to=$libraries/include from
  for from in eigen3 nlohmann CLI doctest; do
    rm -rf "${to:?}/$from"
    cp -a "/usr/include/$from" "$to/"
  done
  config Eigen3 Eigen3::Eigen "$to/eigen3" libeigen3-dev
  config nlohmann_json nlohmann_json::nlohmann_json "$to" nlohmann-json3-dev
  config CLI11 CLI11::CLI11 "$to" libcli11-dev
  config doctest doctest::doctest "$to" doctest-dev
}

# config NAME TARGET INCLUDES PACKAGE: what find_package(NAME) reads.
config() {
  local folder=$libraries/lib/cmake/$1 version
  version=$(dpkg-query -W -f '${source:Upstream-Version}' "$4" | sed 's/[+~].*//')
  mkdir -p "$folder"
  cat >"$folder/$1Config.cmake" <<EOF
if(NOT TARGET $2)
  add_library($2 INTERFACE IMPORTED)
  set_target_properties($2 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$3")
endif()
EOF
  printf 'set(PACKAGE_VERSION "%s")\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n' "$version" \
    >"$folder/$1ConfigVersion.cmake"
}

# What meson reads instead of the environment.
cross_file() {
  cat >"$work/cross.ini" <<EOF
[binaries]
c = '$CC'
cpp = '$CXX'
ar = '$AR'
strip = '$STRIP'
windres = '$WINDRES'
pkgconfig = '/usr/bin/pkg-config'
[properties]
sys_root = '$root'
pkg_config_libdir = '$PKG_CONFIG_LIBDIR'
needs_exe_wrapper = true
[built-in options]
c_args = ['-I$libraries/include', '-D_WIN32_WINNT=0x0A00', '-ffile-prefix-map=$work=.']
cpp_args = ['-I$libraries/include', '-D_WIN32_WINNT=0x0A00', '-ffile-prefix-map=$work=.']
c_link_args = ['-L$libraries/lib']
cpp_link_args = ['-L$libraries/lib']
[host_machine]
system = 'windows'
cpu_family = 'x86_64'
cpu = 'x86_64'
endian = 'little'
EOF
}

# fetch SUITE PACKAGE FILE SHA256: the tarball lies in the folder of sources and is the one that is meant.
fetch() {
  local file=$sources/$3 folder
  if [ ! -e "$file" ]; then
    mkdir -p "$sources"
    folder=$(mktemp -d -p "$work")
    source_index
    (cd "$folder" && apt-get "${apt[@]}" -qq source --download-only --tar-only "$2/$1") || {
      rm -r "$folder"
      say "the source of $2 could not be fetched; what apt-get said stands above. Run the same command again: it goes on from here"
      exit 1
    }
    [ ! -e "$folder/$3" ] || mv "$folder/$3" "$file"
    rm -r "$folder"
    [ -e "$file" ] || {
      say "expected $3 as the source of $2, but $1 has another version of it now"
      exit 1
    }
  fi
  echo "$4  $file" | sha256sum --check --status || {
    say "$file is not what sources.csv names: expected SHA-256 $4, got $(sha256sum "$file" | cut -d' ' -f1). Delete it to fetch it anew"
    exit 1
  }
}

# The index of Debian's sources, from where this machine has its packages, in a folder of its own.
source_index() {
  local etc=$work/apt/etc file suite
  apt=(-o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$etc" -o "Dir::State::lists=$work/apt/lists"
    -o "Dir::Cache=$work/apt/cache" -o "APT::Sandbox::User=root")
  [ ! -e "$work/apt/done" ] || return 0
  mkdir -p "$etc" "$work/apt/lists/partial" "$work/apt/cache"
  for suite in bookworm trixie; do
    for file in /etc/apt/sources.list.d/debian.sources; do
      [ ! -e "$file" ] || sed "s/^Types:.*/Types: deb-src/; s/\b\(bookworm\|trixie\)/$suite/g" "$file" >"$etc/$suite.sources"
    done
    [ ! -e /etc/apt/sources.list ] ||
      sed -n "s/\b\(bookworm\|trixie\)/$suite/g; s/^deb /deb-src /p" /etc/apt/sources.list >"$etc/$suite.list"
  done
  apt-get "${apt[@]}" -qq update
  touch "$work/apt/done"
}

# What a library is made from, so that a change makes it anew.
state_of() {
  {
    echo "$4 $flags"
    declare -f "make_$2" with_cmake with_meson with_make package defined_by cross_file
  } | sha256sum
}

make_library() {
  local name=$2 done=$work/done/$2 log=$work/log/$2.log begun=$SECONDS
  fetch "$@"
  [ "$(cat "$done" 2>/dev/null)" != "$(state_of "$@")" ] || return 0
  rm -rf "${unpacked:?}/$name"
  mkdir -p "$unpacked/$name"
  tar --extract --file "$sources/$3" --directory "$unpacked/$name" --strip-components=1
  # A subshell of its own shell: what fails in it ends it.
  if (cd "$unpacked/$name" && bash "$here/libraries.sh" --make "$name") >"$log" 2>&1; then
    state_of "$@" >"$done"
    say "$name: $((SECONDS - begun)) s"
    [ -n "${ATTNSCOPE_KEEP:-}" ] || rm -rf "${unpacked:?}/$name"
  else
    tail -n 25 "$log" >&2
    say "$name could not be made: $log"
    exit 1
  fi
}

if [ "${1:-}" = --make ]; then
  "make_$2"
  exit
fi
mkdir -p "$work/log" "$work/done" "$unpacked" "$libraries/lib/pkgconfig" "$libraries/include"
cross_file
while IFS=, read -r suite package file hash; do
  [ "$suite" != suite ] || continue
  [ $# -eq 0 ] || [[ " $* " == *" $package "* ]] || continue
  make_library "$suite" "$package" "$file" "$hash"
done <"$here/sources.csv"
headers
