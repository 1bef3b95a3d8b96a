#!/usr/bin/env python3
"""Puts the labs' pictures into the page's folder, with their titles in both languages. usage: pictures.py TREE SITE"""
import json
import pathlib
import re
import shutil
import sys

tree, site = (pathlib.Path(word) for word in sys.argv[1:3])
translations = (tree / "assets/translations/zh_CN.po").read_text()
(site / "pictures").mkdir()
pictures = []
for picture in sorted((tree / "docs/labs").glob("*.png")):
    lab = (tree / "app/labs" / picture.stem / f"{picture.stem}.md").read_text()
    title = re.search(r"^title: (.*)$", lab, re.MULTILINE)[1]
    chinese = re.search(rf'^msgid {re.escape(json.dumps(title, ensure_ascii=False))}\nmsgstr "(.*)"$', translations, re.MULTILINE)
    pictures.append([picture.stem, title, chinese[1]])
    shutil.copy(picture, site / "pictures")
script = site / "missing.js"
script.write_text(script.read_text().replace("PICTURES", json.dumps(pictures, ensure_ascii=False)))
