#!/usr/bin/env bash
# The program for a browser, beside this machine's own where both are to give the same: under node, and in a headless
# browser. usage: test.sh NATIVE_BUILD [PART...]; parts: core reference digest numbers page firefox; page:NAME is one
# of page_test.py's.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
native=$(realpath "$1")
shift
parts=${*:-core reference digest numbers page firefox}
built=$work/program
out=$work/test
failures=0 checks=0
# Sums in vectors of four, as here.
export ATTNSCOPE_ISA=baseline
rm -rf "$out"
mkdir -p "$out"
cd "$out" || exit 1

# check NAME COMMAND...: whether it succeeds; what it said is shown where it does not.
check() {
  local name=$1 begun=$SECONDS
  shift
  checks=$((checks + 1))
  if "$@" >"$out/last.log" 2>&1; then
    say "ok: $name ($((SECONDS - begun)) s)"
  else
    failures=$((failures + 1))
    tail -n 40 "$out/last.log" >&2
    say "FAILED: $name"
  fi
}

wanted() { [[ " $parts " == *" $1 "* ]]; }

if wanted core; then
  check "core's tests" node "$built/core_tests.js"
fi
if wanted reference; then
  for file in "$tree"/tests/reference/*.json; do
    topic=$(basename "$file" .json)
    [ "$topic" = index ] ||
      check "reference: $topic" node "$built/reference_check.js" "$tree/tests/reference" --topic "$topic"
  done
fi
if wanted digest; then
  digest() { "$tree/packaging/same_pages.py" "$native/page_digest" "node $built/page_digest.js"; }
  check "what every page shows" digest
fi
if wanted numbers; then
  for lab in $("$native/attnscope" labs --json | python3 -c 'import json, sys
print(*(lab["id"] for lab in json.load(sys.stdin)["labs"]))'); do
    numbers() {
      node "$built/attnscope_node.js" export "$lab" -o web.json && "$native/attnscope" export "$lab" -o native.json &&
        python3 "$here/same_numbers.py" "$lab" native.json web.json
    }
    check "numbers of $lab" numbers
  done
fi
mapfile -t pages < <(tr ' ' '\n' <<<"$parts" | sed -n 's/^page://p')
if wanted page || [ "${#pages[@]}" -gt 0 ]; then
  check "the page" python3 "$here/page_test.py" "$work/site" "$native/attnscope" "$tree" "${pages[@]}"
  cat last.log >&2
fi
if wanted firefox; then
  check "the page in Firefox" env LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a python3 "$here/firefox_test.py" "$work/site"
fi
say "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
