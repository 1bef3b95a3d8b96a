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
# Sums in vectors of four, as here.
export ATTNSCOPE_ISA=baseline
. "$tree/packaging/checks.sh"

core_checks node js
if wanted numbers; then
  for lab in $(labs); do
    numbers() {
      node "$built/attnscope_node.js" export "$lab" -o web.json && "$native/attnscope" export "$lab" -o native.json &&
        /usr/bin/python3 "$here/same_numbers.py" "$lab" native.json web.json
    }
    check "numbers of $lab" numbers
  done
fi
mapfile -t pages < <(tr ' ' '\n' <<<"$parts" | sed -n 's/^page://p')
if wanted page || [ "${#pages[@]}" -gt 0 ]; then
  check "the page" /usr/bin/python3 "$here/page_test.py" "$work/site" "$native/attnscope" "$tree" "${pages[@]}"
  cat last.log >&2
fi
if wanted firefox; then
  check "the page in Firefox" env LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a /usr/bin/python3 "$here/firefox_test.py" "$work/site"
fi
verdict
