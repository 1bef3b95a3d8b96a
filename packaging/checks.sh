# Sourced by the tests of the program for another system, after its environment.sh: checks, and those that every such
# program has. Wants `native` (this machine's own build), `built` (the other's), `parts` (which to check) and `out`, a
# folder that is made anew and entered.
failures=0 checks=0
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

# Ids of the labs.
labs() {
  "$native/attnscope" labs --json | python3 -c 'import json, sys
print(*(lab["id"] for lab in json.load(sys.stdin)["labs"]))'
}

# core_checks RUNNER ENDING: parts core, reference and digest, by programs that RUNNER runs.
core_checks() {
  local runner=$1 ending=$2 file topic
  if wanted core; then
    check "core's tests" "$runner" "$built/core_tests.$ending"
  fi
  if wanted reference; then
    for file in "$tree"/tests/reference/*.json; do
      topic=$(basename "$file" .json)
      [ "$topic" = index ] ||
        check "reference: $topic" "$runner" "$built/reference_check.$ending" "$tree/tests/reference" --topic "$topic"
    done
  fi
  if wanted digest; then
    check "what every page shows" \
      "$tree/packaging/same_pages.py" "$native/page_digest" "$runner $built/page_digest.$ending"
  fi
}

# How many passed; whether all did.
verdict() {
  say "$((checks - failures)) of $checks passed"
  [ "$failures" -eq 0 ]
}
