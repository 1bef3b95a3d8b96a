#!/usr/bin/python3
"""catalogue.py names what a catalogue lacks and what it has too much, and brings it up to date in its own order.

usage: catalogue_test.py SOURCE_DIR
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve()
HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
# In the order of the source: what is new stands at first, after `one`, and at the end.
TEMPLATE = [HEAD, '#: a.cpp:1\nmsgid "new at first"\nmsgstr ""\n', '#: a.cpp:2\nmsgid "one"\nmsgstr ""\n',
            '#: a.cpp:3 b.cpp:7\nmsgid ""\n"new, a long \\"one\\" "\n"in two lines"\nmsgstr ""\n',
            '#: b.cpp:8\nmsgid "new too"\nmsgstr ""\n', '#: b.cpp:9\nmsgid "two"\nmsgstr ""\n',
            '#: c.cpp:1\nmsgid "three"\nmsgstr ""\n']
ONE, TWO, THREE = ('msgid ""\n"o"\n"ne"\nmsgstr "一"\n', 'msgid "two"\nmsgstr "二"\n', 'msgid "three"\nmsgstr "三"\n')
GONE = 'msgid "gone"\nmsgstr "没了"\n'


class Catalogue(unittest.TestCase):
    def run_on(self, entries, *words, template=TEMPLATE):
        with tempfile.TemporaryDirectory() as folder:
            catalogue, pot = Path(folder, "zh.po"), Path(folder, "all.pot")
            catalogue.write_text("\n".join(entries), encoding="utf-8")
            pot.write_text("\n".join(template), encoding="utf-8")
            done = subprocess.run([SOURCE / "tests/catalogue.py", catalogue, pot, *words], capture_output=True,
                                  text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout, catalogue.read_text(encoding="utf-8")

    def test_names_each_missing_message_as_an_entry(self):
        code, said, left = self.run_on([HEAD, THREE, ONE, TWO])
        self.assertEqual(code, 1)
        self.assertIn('# a.cpp:3 b.cpp:7\nmsgid ""\n"new, a long \\"one\\" "\n"in two lines"\nmsgstr ""\n', said)
        self.assertIn('msgid "new too"\nmsgstr ""\n', said)
        self.assertNotIn('"three"', said)
        self.assertEqual(left, "\n".join([HEAD, THREE, ONE, TWO]))

    def test_names_what_is_too_much_guessed_or_empty(self):
        whole = [HEAD, *(entry for entry in TEMPLATE[1:])]
        filled = [entry.replace('msgstr ""', 'msgstr "字"') for entry in whole[1:]]
        self.assertEqual(self.run_on([HEAD, *filled])[:2], (0, ""))
        for more in (GONE, "#, fuzzy\n" + GONE):
            code, said, _ = self.run_on([HEAD, *filled, more])
            self.assertEqual(code, 1)
            self.assertIn('msgid "gone"', said)
        code, said, _ = self.run_on(whole)
        self.assertEqual(code, 1)
        self.assertIn('without a translation', said)
        self.assertEqual(self.run_on([HEAD], template=[HEAD])[0], 1)  # no messages were read

    def test_update_keeps_the_order(self):
        code, said, left = self.run_on([HEAD, THREE, ONE, GONE, TWO], "--update")
        new, long, too = ("\n".join(line for line in TEMPLATE[k].splitlines() if not line.startswith("#:")) + "\n"
                          for k in (1, 3, 4))
        self.assertEqual(left, "\n".join([HEAD, new, THREE, ONE, long, too, TWO]))
        self.assertEqual(code, 0)
        self.assertIn("to be translated in it: 3\n", said)

    def test_update_of_what_is_complete_changes_nothing(self):
        catalogue = SOURCE / "assets/translations/zh_CN.po"
        text = catalogue.read_text(encoding="utf-8")
        entries = text.rstrip("\n").split("\n\n")
        untranslated = sorted(entries[1:])  # in another order
        _, said, left = self.run_on([text], "--update", template=[HEAD, *(e + "\n" for e in untranslated)])
        self.assertEqual(said, "")
        self.assertEqual(left, text)


if __name__ == "__main__":
    unittest.main()
