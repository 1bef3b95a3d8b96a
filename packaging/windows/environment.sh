# Sourced by the scripts beside it: where things lie, and the tools of the cross build.
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
tree=$(realpath "$here/../..")
work=$tree/build/windows
sources=$tree/build/sources        # tarballs, kept
unpacked=$work/unpacked      # a folder for each library while it is built
root=$work/root              # what the libraries install, as if it were /
prefix=/windows              # in there; no path of this machine is built in
libraries=$root$prefix
target=x86_64-w64-mingw32
jobs=${ATTNSCOPE_JOBS:-$(nproc)}

export CC=$target-gcc-posix CXX=$target-g++-posix AR=$target-ar RANLIB=$target-ranlib \
  STRIP=$target-strip WINDRES=$target-windres
export PKG_CONFIG_LIBDIR=$libraries/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=
export ATTNSCOPE_WINDOWS_LIBRARIES=$libraries
# The same input makes the same bytes: the time is that of the commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$tree" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8

say() { printf 'windows: %s\n' "$*" >&2; }
