#!/usr/bin/env bash
# Kernels and pages under node beside this machine's own, both with vectors of four: one run after the other. "before"
# is the native time over node's. usage: bench.sh NATIVE_BUILD
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
native=$(realpath "$1")
built=$work/program
export ATTNSCOPE_ISA=baseline
times=$(mktemp)
trap 'rm -f "$times"' EXIT
say "native"
"$native/attnscope_bench" --quick --alone --json "$times"
"$native/page_bench"
say "under node $(node --version)"
node "$built/attention_bench.js" --quick --alone --against "$times"
node "$built/page_bench.js"
