#!/usr/bin/python3
"""Holds a catalogue of translations against the messages of the source: names what is missing, untranslated or no
longer shown, as entries ready to paste or to delete.

usage: catalogue.py CATALOGUE TEMPLATE [--update]

--update writes into the catalogue what is missing, behind the message that stands before it in the source, with an empty
translation, and takes out what nobody shows any more. Everything else stays as it stands, letter by letter.
"""
import json
import re
import sys
from pathlib import Path

FIELD = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) (".*")$')


class Entry:
    """A message as it is written, with the places in the source that show it."""

    def __init__(self, text):
        self.text, fields, name = text, {}, None
        for line in text.splitlines():
            if found := FIELD.match(line):
                name = found[1]
                fields[name] = ""
                line = found[2]
            if name and line.startswith('"'):
                fields[name] += json.loads(line)
        self.key = (fields.get("msgctxt"), fields.get("msgid"))
        self.is_message = bool(fields.get("msgid"))
        self.is_fuzzy = bool(re.search(r"^#,.*\bfuzzy\b", text, re.M))
        self.translated = all(value for name, value in fields.items() if name.startswith("msgstr"))
        self.places = " ".join(re.findall(r"^#: (.*)$", text, re.M))

    def without_places(self):
        return "\n".join(line for line in self.text.splitlines() if not line.startswith("#:"))


def read(path):
    blocks = re.split(r"\n{2,}", Path(path).read_text(encoding="utf-8").strip("\n"))
    return [Entry(block) for block in blocks]


def updated(catalogue, template):
    """The catalogue's entries with those of the template that it lacks, and without those that the template lacks."""
    shown = {entry.key for entry in template if entry.is_message}
    kept = [entry for entry in catalogue if not entry.is_message or entry.key in shown]
    at = {entry.key: k for k, entry in enumerate(kept)}
    behind, before = {}, None  # what is new, by the kept message that it follows
    for entry in template:
        if entry.key in at and entry.is_message:
            before = at[entry.key]
        elif entry.is_message:
            behind.setdefault(before, []).append(Entry(entry.without_places()))
    first = next((k for k, entry in enumerate(kept) if entry.is_message), len(kept))
    result = kept[:first] + behind.get(None, [])
    for k in range(first, len(kept)):
        result += [kept[k], *behind.get(k, [])]
    return result


def tell(what, path, entries):
    if entries:
        print(f"FAILED: {path} {what}:\n")
        for entry in entries:
            if entry.places:
                print(f"# {entry.places}")
            print(entry.without_places() + "\n")
    return len(entries)


def main():
    path, template = Path(sys.argv[1]), read(sys.argv[2])
    catalogue = read(path)
    if sys.argv[3:] == ["--update"]:
        catalogue = updated(catalogue, template)
        path.write_text("\n\n".join(entry.text for entry in catalogue) + "\n", encoding="utf-8")
        missing = sum(1 for entry in catalogue if entry.is_message and not entry.translated)
        if missing:
            print(f"{path} has every message of the source; to be translated in it: {missing}")
        return 0
    held = {entry.key for entry in catalogue}
    shown = {entry.key for entry in template}
    messages = [entry for entry in catalogue if entry.is_message]
    faults = tell("lacks these messages; fill them in and paste them, or add them by tests/translations_test.sh . --update",
                  path, [entry for entry in template if entry.is_message and entry.key not in held])
    faults += tell("has these messages without a translation", path, [e for e in messages if not e.translated])
    faults += tell("has guessed (fuzzy) translations", path, [entry for entry in messages if entry.is_fuzzy])
    faults += tell("has these messages, which nothing shows any more; delete them", path,
                   [entry for entry in messages if entry.key not in shown])
    # Were nothing read, nothing would be missing.
    if not shown - {(None, "")}:
        print("FAILED: expected messages in the source, got none")
        faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
