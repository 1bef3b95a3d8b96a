#!/usr/bin/env python3
"""Holds every translation to the glossary and to the rules of Chinese typography.

usage: glossary_test.py SOURCE_DIR

assets/translations/glossary.csv has a row for each term of the field: its forms, apart by |, where
a plural s needs none of its own; the word it is translated by, or one for each sense, apart by |;
what stands nowhere, as patterns apart by |; a note. A term inside of a longer one is not looked
at: a "base model" has no "base".
assets/translations/glossary_exceptions.csv: a term, or "punctuation"; a message that may do without
its word, or its rules; and why.
"""
import csv
import re
import sys
from pathlib import Path

HAN = r"[\u3400-\u9fff]"
PLACE = r"\{[^{}]*\}"
# What is typed or read by a machine: --set, id=value, "lab", "lab:", weights:12,10, knob:mask = causal,
# f(X), [MASK].
CODE = re.compile(r'--\w+|\w+=\w+|"\w+:?"|\w+:\w+(?: = \w+)?|\w+\([A-Za-z]\b|\[[A-Z]+\]')
# A name that is spelt like a term: inside of a sentence, "Windows" is the system.
NAME = re.compile(r"(?<!^)(?<![.?!:] )\bWindows\b")
ESCAPES = {"n": "\n", "t": "\t"}


def messages(path):
    """The messages of a catalogue with their translations, in its order."""
    found, key, texts = [], None, {}
    for line in path.read_text(encoding="utf-8").splitlines() + [""]:
        named = re.match(r'(msgid|msgstr) (".*")$', line)
        if named:
            key = named[1]
            texts[key] = ""
        quoted = re.search(r'"(.*)"$', line)
        if key and quoted:
            texts[key] += re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), quoted[1])
        if not line:
            if texts.get("msgid"):
                found.append((texts["msgid"], texts["msgstr"]))
            key, texts = None, {}
    return found


def rows(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


class Term:
    def __init__(self, row):
        self.name = row["term"]
        self.forms = self.name.lower().split("|")
        self.words = row["zh_CN"].split("|")
        self.never = [word for word in row["never"].split("|") if word]

    def met_by(self, text):
        return any(word.lower() in text.lower() for word in self.words)


class Glossary:
    def __init__(self, terms):
        self.terms = terms
        self.by_form = {form: term for term in terms for form in term.forms}
        longest_first = map(re.escape, sorted(self.by_form, key=len, reverse=True))
        self.any_form = re.compile(rf"(?<![\w^])({'|'.join(longest_first)})s?(?![\w^])")
        self.never = re.compile("|".join(word for term in terms for word in term.never))

    def terms_in(self, message):
        """The terms of a message; where two begin at one place, the longer one."""
        found = self.any_form.findall(NAME.sub("#", CODE.sub("#", message)).lower())
        return {self.by_form[form] for form in found}

    def faults(self):
        """Forms that stand in two rows, and terms without a word."""
        forms = [form for term in self.terms for form in term.forms]
        for form in sorted({form for form in forms if forms.count(form) > 1}):
            yield f'"{form}" stands twice in the glossary', "", ""
        for term in self.terms:
            if not all(term.words):
                yield f'"{term.name}" has no word', "", ""


def wrong_terms(catalogue, glossary, exceptions):
    """Messages without the word of one of their terms, or with one that stands nowhere."""
    unused = set(exceptions)
    for message, text in catalogue:
        for term in sorted(glossary.terms_in(message), key=lambda term: term.name):
            if term.met_by(text):
                continue
            if (term.name, message) in unused:
                unused.remove((term.name, message))
                continue
            yield f'"{term.name}" is {" or ".join(term.words)}', message, text
        for word in glossary.never.findall(text):
            yield f"{word} stands nowhere", message, text
    for name, message in sorted(unused):
        yield f'an exception of "{name}" that is not needed', message, ""


# What is wrong with punctuation, as patterns: the name of the fault and where it shows.
FAULTS = [
    ("a straight quotation mark", re.compile(r'"')),
    ("a half-width stop after Chinese", re.compile(rf"(?<={HAN}|[”）])[,:;?!](?!\w*=)")),
    ("a half-width stop before Chinese", re.compile(rf"[,;?!:](?= ?{HAN})")),
    ("a half-width full stop after Chinese", re.compile(rf"(?<={HAN}|[”）])\.(?!\w)")),
    ("three dots instead of ……", re.compile(r"\.\.\.")),
    ("a single … among Chinese",
     re.compile(rf"(?<={HAN}|、)…(?!…)(?=.)|(?<!…)…(?={HAN})|^… ")),
    ("a space beside a full-width stop", re.compile(r" (?=[，。：；？！、）”])|(?<=[，。：；？！、（]) ")),
    ("a space between quotation marks and Chinese", re.compile(rf"(?<={HAN}) “|” (?={HAN})")),
    ("a space between Chinese characters", re.compile(rf"(?<={HAN}) (?={HAN})")),
    ("no space between Chinese and letters or digits",
     re.compile(rf"{HAN}(?=[A-Za-z0-9Α-Ωα-ω√Σ∞])|[A-Za-z0-9Α-Ωα-ω√Σ∞²³](?={HAN})")),
    ("a half-width parenthesis around Chinese words", re.compile(rf"\({HAN}+\)")),
    ("a half-width parenthesis at Chinese", re.compile(rf"(?<={HAN}|[”）])\(|\)(?={HAN})")),
    # A formula's: one letter, (a); a tuple, (x, y); a factor, (r/2), or what is squared.
    ("a half-width parenthesis that is no formula's",
     re.compile(rf"(?<={HAN}) \((?![a-z]\)|[^()]*,|[^()]*/\d)[^()]*\)(?![²^·/=√×])")),
    ("a full-width stop inside of a formula", re.compile(r"[＝＋－０-９Ａ-Ｚａ-ｚ]")),
    ("two stops in a row", re.compile(r"[，；：、][，。；：？！、]|。。")),
    ("a percent sign without its space", re.compile(r"[\d}]%")),
    ("unlike quotation marks", re.compile(r"[「」『』‘’]")),
]
ENDS = {".": "。", ":": "：", "?": "？", "!": "！"}


def wrong_punctuation(catalogue, exceptions):
    unused = set(exceptions)
    for message, text in catalogue:
        if not re.search(HAN, text):
            continue
        faults = [f"{name}: …{text[max(0, m.start() - 6):m.end() + 6]}…"
                  for name, form in FAULTS for m in [form.search(text)] if m]
        end = ENDS.get(message[-1])
        if end and text[-1] != end and not (end == "。" and text[-1] in "）”……"):
            faults.append(f"it should end with {end}, as the message does with {message[-1]}")
        if text.count("（") != text.count("）") or text.count("“") != text.count("”"):
            faults.append("unpaired parentheses or quotation marks")
        if faults and ("punctuation", message) in unused:
            unused.remove(("punctuation", message))
            continue
        for fault in faults:
            yield fault, message, text
    for _, message in sorted(unused):
        yield "an exception of punctuation that is not needed", message, ""


def wrong_places(catalogue):
    """A translation has the places of its message, each once."""
    def specs(text):
        return sorted(re.sub(r"^\{\d*", "{", place) for place in re.findall(PLACE, text))

    for message, text in catalogue:
        if specs(message) != specs(text):
            yield "its places {} are not the message's", message, text


def wrong_rules():
    """What this test itself finds in messages, where it would be easy to find too much or too little."""
    window = Glossary([Term({"term": "window", "zh_CN": "窗口", "never": ""})])
    for message, wanted in [("a window of 8 keys", 1), ("the windows overlap", 1), ("Window", 1), ("Windows of 8 keys", 1),
                            ("It slides. Windows overlap", 1), ("on Windows the setup program", 0), ("Linux, Windows", 0),
                            ("on Windows a window", 1), ("windowed", 0)]:
        got = len(window.terms_in(message))
        if got != wanted:
            yield f"expected {wanted} terms, got {got}", message, ""


def main():
    folder = Path(sys.argv[1]) / "assets" / "translations"
    glossary = Glossary([Term(row) for row in rows(folder / "glossary.csv")])
    excepted = rows(folder / "glossary_exceptions.csv")
    exceptions = {(row["term"], row["message"]) for row in excepted}
    stops = {pair for pair in exceptions if pair[0] == "punctuation"}
    catalogue = messages(folder / "zh_CN.po")
    faults = [*wrong_rules(), *glossary.faults(), *wrong_terms(catalogue, glossary, exceptions - stops),
              *wrong_punctuation(catalogue, stops), *wrong_places(catalogue)]
    faults += [("an exception without its reason", row["message"], "") for row in excepted
               if not row["reason"]]
    for fault, message, text in faults:
        print(f"FAILED: {fault}\n  {message}\n  {text}")
    if faults:
        sys.exit(f"{len(faults)} faults")
    print(f"{len(catalogue)} translations keep to {len(glossary.terms)} terms, "
          f"{len(exceptions)} exceptions")


if __name__ == "__main__":
    main()
