#!/usr/bin/env bash
# The libraries that the program is made of, static and for Windows, from Debian's sources. What is
# done already is not done again: a library is rebuilt when its source or this file's part of it has changed.
# usage: libraries.sh [NAME...]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
. "$tree/packaging/sources.sh"
recipes="with_cmake with_meson with_make package defined_by cross_file" # that a library depends on

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

if [ "${1:-}" = --make ]; then
  "make_$2"
  exit
fi
mkdir -p "$work"
cross_file
make_libraries "$@"
headers eigen3 nlohmann CLI doctest
