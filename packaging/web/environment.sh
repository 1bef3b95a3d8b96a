# Sourced by the scripts beside it: where things lie, and the tools of the cross build (wasm32 with threads).
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
tree=$(realpath "$here/../..")
work=$tree/build/web
sources=$tree/build/sources  # tarballs, kept
unpacked=$work/unpacked      # a folder for each library while it is built
root=$work/root              # what the libraries install, as if it were /
prefix=/web                  # in there; no path of this machine is built in
libraries=$root$prefix
jobs=${ATTNSCOPE_JOBS:-$(nproc)}

# All that is linked together says the same of threads, exceptions and vectors.
flags="-O2 -pthread -fwasm-exceptions -sSUPPORT_LONGJMP=wasm -msimd128 -ffile-prefix-map=$work=."
export CC=emcc CXX=em++ AR=emar RANLIB=emranlib
export PKG_CONFIG_LIBDIR=$libraries/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=
export EM_PKG_CONFIG_PATH=$PKG_CONFIG_LIBDIR
export ATTNSCOPE_WEB_LIBRARIES=$libraries LC_ALL=C.UTF-8

say() { printf 'web: %s\n' "$*" >&2; }
