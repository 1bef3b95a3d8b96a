#!/usr/bin/env bash
# The program for a browser, on Debian 13: build/web/site, a folder for any host of files; with "tested" what test.sh
# runs, too; "benched": what bench.sh runs, alone. usage: make.sh [tested | benched]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
"$here/libraries.sh"
[ "${1:-}" != benched ] || exec "$here/program.sh" attention_bench page_bench
"$here/program.sh" attnscope
"$here/site.sh"
[ "${1:-}" != tested ] || exec "$here/program.sh" attnscope_node core_tests reference_check page_digest
