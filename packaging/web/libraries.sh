#!/usr/bin/env bash
# The libraries that the program is made of, static and for WebAssembly, from Debian's sources. What is
# done already is not done again. usage: libraries.sh [NAME...]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
. "$tree/packaging/sources.sh"
recipes="with_cmake with_meson package archive add_point cross_file" # that a library depends on

with_cmake() {
  emcmake cmake -G Ninja -S . -B cross -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_PREFIX_PATH="$libraries" -DCMAKE_FIND_ROOT_PATH="$libraries" -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@"
  cmake --build cross --parallel "$jobs"
  DESTDIR=$root cmake --install cross
}

with_meson() {
  env -u CC -u CXX -u AR -u RANLIB meson setup cross --cross-file "$work/cross.ini" --prefix "$prefix" --libdir lib \
    --buildtype release --default-library static --wrap-mode nodownload "$@"
  ninja -C cross -j "$jobs"
  DESTDIR=$root meson install -C cross --no-rebuild
}

# archive NAME OBJECT...: from the sources that were compiled here.
archive() {
  rm -f "$libraries/lib/$1"
  $AR rcs "$libraries/lib/$1" "${@:2}"
}

make_zlib() {
  $CC $flags -c adler32.c compress.c crc32.c deflate.c infback.c inffast.c inflate.c inftrees.c trees.c \
    uncompr.c zutil.c
  archive libz.a ./*.o
  cp zlib.h zconf.h "$libraries/include/"
  package zlib -lz "" "$(sed -n 's/^#define ZLIB_VERSION "\(.*\)"/\1/p' zlib.h)"
}
# Its CMake makes headers with flags of its own, which find no zlib.h.
make_libpng1.6() {
  cp scripts/pnglibconf.h.prebuilt pnglibconf.h
  local part
  for part in png pngerror pngget pngmem pngpread pngread pngrio pngrtran pngrutil pngset pngtrans pngwio pngwrite \
    pngwtran pngwutil; do
    $CC $flags -I. -I"$libraries/include" -c $part.c
  done
  archive libpng16.a ./*.o
  cp png.h pngconf.h pnglibconf.h "$libraries/include/"
  package libpng "-lpng16 -lz" "" "$(sed -n 's/^#define PNG_LIBPNG_VER_STRING "\(.*\)"/\1/p' png.h)"
}
make_freetype() {
  with_cmake -DFT_DISABLE_PNG=ON -DFT_REQUIRE_ZLIB=ON -DFT_DISABLE_HARFBUZZ=ON -DFT_DISABLE_BROTLI=ON \
    -DFT_DISABLE_BZIP2=ON
}
make_harfbuzz() {
  $CXX $flags -fno-exceptions -std=c++17 -DHAVE_FREETYPE -DHB_NO_MT=0 -DHB_TINY_NOT -I"$libraries/include/freetype2" \
    -c src/harfbuzz.cc -o harfbuzz.o
  archive libharfbuzz.a harfbuzz.o
  mkdir -p "$libraries/include/harfbuzz"
  cp src/hb*.h "$libraries/include/harfbuzz/"
  package harfbuzz -lharfbuzz "-I$prefix/include/harfbuzz" \
    "$(sed -n 's/^#define HB_VERSION_STRING "\(.*\)"/\1/p' src/hb-version.h)"
}
make_utf8proc() { with_cmake; }
make_libonig() { with_cmake -DINSTALL_DOCUMENTATION=OFF -DBUILD_TEST=OFF; }
make_xxhash() {
  $CC $flags -c xxhash.c
  archive libxxhash.a xxhash.o
  cp xxhash.h xxh3.h "$libraries/include/"
  package libxxhash -lxxhash "" 0.8.1
}
make_cgif() { with_meson -Dtests=false; }
make_fmtlib() { with_cmake -DFMT_TEST=OFF -DFMT_DOC=OFF; }
make_imgui() {
  local part
  mkdir beside
  ln -s /usr/include/stb beside/stb
  for part in imgui imgui_draw imgui_tables imgui_widgets misc/freetype/imgui_freetype misc/cpp/imgui_stdlib; do
    $CXX $flags -I. -Imisc/freetype -Imisc/cpp -Ibeside -Ibeside/stb -DIMGUI_ENABLE_FREETYPE \
      -DIMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS -I"$libraries/include/freetype2" -c "$part.cpp" -o "$(basename "$part").o"
  done
  archive libimgui.a ./*.o
  mkdir -p "$libraries/include/imgui"
  cp ./*.h misc/freetype/*.h misc/cpp/*.h "$libraries/include/imgui/"
  package imgui -limgui "-I$prefix/include/imgui" "$(sed -n 's/^#define IMGUI_VERSION *"\([0-9.]*\).*/\1/p' imgui.h)"
}
# Meson would have the program begin with so many threads of its own.
make_pixman() { with_meson -Dc_thread_count=0 -Dtests=disabled -Dgtk=disabled -Dlibpng=disabled; }
# add_point FILE BEFORE FUNCTION: Cairo calls functions of two arguments with three, which WebAssembly refuses: one of
# three calls it, and stands before another.
add_point() {
  sed -i -z "s/static cairo_status_t\n$2/static cairo_status_t\n$3_3(void *c, const cairo_point_t *p, const cairo_slope_t *s)\n{ return $3(c, p); }\n&/;
    s/(cairo_spline_add_point_func_t) *$3\b/$3_3/g" "src/$1"
  grep -q "$3_3" "src/$1"
}
make_cairo() {
  add_point cairo-path-fill.c _cairo_filler_curve_to _cairo_filler_line_to
  add_point cairo-path-in-fill.c _cairo_in_fill_curve_to _cairo_in_fill_line_to
  add_point cairo-path-stroke-traps.c curve_to_dashed line_to_dashed
  add_point cairo-path-stroke.c _cairo_stroker_curve_to _cairo_stroker_line_to_dashed
  add_point cairo-path-stroke.c _cairo_stroker_curve_to _cairo_stroker_line_to
  sed -i -z 's/(cairo_spline_add_point_func_t)cpf->line_to,\n\t*  *cpf->closure/_cpf_line_to_3, cpf/' src/cairo-path-fixed.c
  sed -i -z 's/static cairo_status_t\n_cpf_curve_to/static cairo_status_t\n_cpf_line_to_3(void *c, const cairo_point_t *p, const cairo_slope_t *s)\n{ cpf_t *cpf = c; return cpf->line_to(cpf->closure, p); }\n&/' \
    src/cairo-path-fixed.c
  mkdir cross
  cd cross
  CFLAGS="$flags -DCAIRO_HAS_PTHREAD=1 -DCAIRO_HAS_REAL_PTHREAD=1" CPPFLAGS="-I$libraries/include" LDFLAGS="-L$libraries/lib" emconfigure ../configure \
    --host=i686-pc-linux-gnu --prefix="$prefix" --enable-static --disable-shared --enable-png --enable-pdf \
    --enable-svg --enable-ft --disable-fc --disable-ps --disable-xlib --disable-xcb --disable-gobject --disable-trace \
    --disable-interpreter --disable-gtk-doc --disable-pthread --without-x ax_cv_c_float_words_bigendian=no
  make -C src -j "$jobs"
  make -C src DESTDIR="$root" install
  cp src/*.pc "$libraries/lib/pkgconfig/"
}

# What meson reads instead of the environment.
cross_file() {
  local list
  list=$(printf "'%s', " $flags)
  cat >"$work/cross.ini" <<EOF
[binaries]
c = 'emcc'
cpp = 'em++'
ar = 'emar'
pkgconfig = '/usr/bin/pkg-config'
[properties]
sys_root = '$root'
pkg_config_libdir = '$PKG_CONFIG_LIBDIR'
needs_exe_wrapper = true
[built-in options]
c_args = [${list% }'-I$libraries/include']
cpp_args = [${list% }'-I$libraries/include']
c_link_args = ['-pthread', '-fwasm-exceptions']
cpp_link_args = ['-pthread', '-fwasm-exceptions']
[host_machine]
system = 'emscripten'
cpu_family = 'wasm32'
cpu = 'wasm32'
endian = 'little'
EOF
}
if [ "${1:-}" = --make ]; then
  "make_$2"
  exit
fi
mkdir -p "$work"
cross_file
make_libraries ${*:-zlib libpng1.6 freetype utf8proc libonig xxhash cgif fmtlib imgui harfbuzz pixman cairo}
headers eigen3 nlohmann CLI doctest fast_float
