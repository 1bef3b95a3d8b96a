#!/usr/bin/env bash
# Every message that the program can show stands translated in every catalogue, and no catalogue
# holds a message that nobody shows any more.
# usage: translations_test.sh SOURCE_DIR [--update]    --update: see catalogue.py
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$1"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
# fmt::format builds what is not translated; Words::format what is. xgettext sees names only, so the
# former get another one.
find app core \( -name '*.cpp' -o -name '*.h' \) -print0 | xargs -0 cp --parents -t "$folder"
find "$folder" -type f -print0 |
  xargs -0 sed -i -e 's/fmt::format(/untranslated(/g' -e 's/words()(/words(/g'
# What labs say of themselves stands in texts.
/usr/bin/python3 tests/lab_messages.py . "$folder"
(cd "$folder" && find app core -type f | sort) |
  xgettext --directory="$folder" --files-from=- --language=C++ --from-code=UTF-8 \
    --keyword --keyword=N_ --keyword=w --keyword=words --keyword=words_ --keyword=w_ --keyword=tr \
    --keyword=format --output="$folder/all.pot" 2>"$folder/said" ||
  {
    cat "$folder/said"
    exit 1
  }
# No dates: a catalogue changes when its words do. Formats are fmt's, so that a % is just a %.
sed -i -e '/^"Report-Msgid-Bugs-To/d' -e '/^"POT-Creation-Date/d' -e '/^#, c-format$/d' "$folder/all.pot"
status=0
for catalogue in assets/translations/*.po; do
  /usr/bin/python3 tests/catalogue.py "$catalogue" "$folder/all.pot" "${@:2}" || status=1
  msgfmt --check-format --check-header -o /dev/null "$catalogue"
done
[ "$status" = 0 ] || exit 1
echo "every message is translated"
