#!/usr/bin/env python3
"""Cuts a CJK font down to GB 2312 and to what the translations use; with --own to what the texts use alone.

usage: subset_font.py [--own] SOURCE.ttc OUT.otf TEXT...
"""
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

SIMPLIFIED_CHINESE = 2  # face of NotoSansCJK: 0 JP, 1 KR, 2 SC, 3 TC, 4 HK


def gb2312():
    """The characters of GB 2312 rows 1 to 87: punctuation and 6763 hanzi."""
    for row in range(0xA1, 0xF8):
        for cell in range(0xA1, 0xFF):
            try:
                yield bytes((row, cell)).decode("gb2312")
            except UnicodeDecodeError:
                pass


def main():
    own = sys.argv[1] == "--own"
    source, out, *texts = sys.argv[2 if own else 1 :]
    text = set() if own else set(gb2312())
    for one in texts:
        with open(one, encoding="utf-8") as lines:
            text |= {c for c in lines.read() if ord(c) > 0x2000}
    # cairo leaves out of a PDF a subroutine that a glyph needs (a page lost its 如): there are none.
    options = subset.Options(
        layout_features=[], layout_closure=False, notdef_outline=True, desubroutinize=True
    )
    font = TTFont(source, fontNumber=SIMPLIFIED_CHINESE)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(sorted(text)))
    subsetter.subset(font)
    font.save(out)


if __name__ == "__main__":
    main()
