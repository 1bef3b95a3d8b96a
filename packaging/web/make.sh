#!/usr/bin/env bash
# The program for a browser, on Debian 13: build/web/site, a folder for any host of files. usage: make.sh
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
"$here/libraries.sh"
"$here/program.sh" attnscope
exec "$here/site.sh"
