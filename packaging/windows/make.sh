#!/usr/bin/env bash
# The program for Windows, from Debian's sources on. usage: make.sh NATIVE_BUILD [zip | installer | test [PART...]]
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
native=$1 wanted=${2:-zip}
case $wanted in
  zip | installer | test) ;;
  *)
    echo "windows: expected zip, installer or test, got \"$wanted\"" >&2
    exit 2
    ;;
esac
"$here/libraries.sh"
case $wanted in
  test)
    targets=(attnscope core_tests reference_check page_digest app_words_tests app_param_tests app_figure_tests
      app_session_tests app_system_tests app_paper_tests app_sweep_tests app_lesson_tests app_state_tests)
    "$here/program.sh" "$native" "${targets[@]}"
    exec "$here/test.sh" "$native" "${@:3}"
    ;;
  *)
    "$here/program.sh" "$native" attnscope
    exec "$here/pack.sh" "$wanted" "$("$native/attnscope" --version | sed -n '1s/attnscope //p')"
    ;;
esac
