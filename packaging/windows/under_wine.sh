#!/usr/bin/env bash
# attnscope.exe as if it were a program of this machine, for the tests of tests/ui: settings and data lie where they
# would here. usage: under_wine.sh WORD...; ATTNSCOPE_EXE names the program, WINEPREFIX is made already.
set -euo pipefail
home=$WINEPREFIX/drive_c/users/$(id -un)/AppData
if [ -n "${XDG_CONFIG_HOME:-}" ] && [ -n "${XDG_DATA_HOME:-}" ]; then
  mkdir -p "$XDG_CONFIG_HOME" "$XDG_DATA_HOME"
  [ "$(readlink "$home/Roaming")" = "$XDG_CONFIG_HOME" ] || {
    rm -rf "$home/Roaming" "$home/Local"
    ln -s "$XDG_CONFIG_HOME" "$home/Roaming"
    ln -s "$XDG_DATA_HOME" "$home/Local"
  }
fi
exec wine "$ATTNSCOPE_EXE" "$@"
