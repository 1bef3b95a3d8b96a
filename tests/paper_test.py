#!/usr/bin/env python3
"""What leaves the program, of every page that a lab begins with: its figures as PDFs of 85 mm read by
poppler, its CSV by Python's own reader, its archive of arrays, its SVG with its text, and the handout.

usage: paper_test.py PROGRAM
"""
import base64
import csv
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

SKIPPED = 77
COLUMN = 85 / 25.4 * 72
LEAST_TYPE = 6
FAULTS = []


def check(good, said):
    if not good:
        FAULTS.append(said)


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise SystemExit(f"FAILED: {' '.join(map(str, words))}: {done.stderr[-500:]}")
    return done.stdout


class Refused(Exception):
    pass


class Server:
    """One process for all exports: what is computed for a page is computed once. Its bytes are those of the command
    line (tests/python/serve_test.py)."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def export(self, lab, out, **words):
        call = {"command": "export", "lab": lab, "format": Path(out).suffix[1:], **words}
        self.process.stdin.write(json.dumps(call).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise Refused(answer["error"])
        Path(out).write_bytes(base64.b64decode(answer["base64"]))

    def end(self):
        self.process.stdin.close()
        check(self.process.wait() == 0, "the server did not end well")


def words_of(pdf):
    """(text, x0, y0, x1, y1) of each word, and the page's size."""
    page = re.sub(r' xmlns="[^"]+"', "", run("pdftotext", "-bbox", pdf, "-"))
    root = xml.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", page))
    sheet = root.find(".//page")
    words = [(w.text or "", *(float(w.get(k)) for k in ("xMin", "yMin", "xMax", "yMax"))) for w in sheet.iter("word")]
    return words, float(sheet.get("width")), float(sheet.get("height"))


def overlap(a, b):
    """Of what letters cover: the middle of their lines."""
    def inner(w):
        room = (w[4] - w[2]) * 0.24
        return w[1] + 0.4, w[2] + room, w[3] - 0.4, w[4] - room
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = inner(a), inner(b)
    return ax0 < bx1 and bx0 < ax1 and ay0 < by1 and by0 < ay1


def a_column(name, pdf):
    words, width, height = words_of(pdf)
    check(abs(width - COLUMN) < 0.1, f"{name}: a page {width} points wide")
    check(len(words) > 0, f"{name}: no text")
    level = []
    for word in words:
        text, x0, y0, x1, y1 = word
        check(-0.5 <= x0 and x1 <= width + 0.5 and -0.5 <= y0 and y1 <= height + 0.5, f"{name}: cut: {word}")
        # Lines of the fonts are at least 1.16 times their size high.
        check(y1 - y0 > 1.16 * LEAST_TYPE, f"{name}: too small: {word}")
        if y1 - y0 < 12 and re.search(r"\w", text):  # names along an axis are turned
            level.append(word)
    for k, word in enumerate(level):
        for other in level[k + 1:]:
            check(not overlap(word, other), f"{name}: {word} over {other}")


def is_tagged(name, pdf):
    check("Tagged:          yes" in run("pdfinfo", pdf), f"{name}: no tags")


MANY = 50_000  # of so many rows each number is read
KNOWN = ["figure", "plot", "mark", "series", "row", "row_label", "column", "column_label", "x", "y", "x2", "y2", "value",
         "text", "x_axis", "y_axis"]


def a_table(name, path, figures):
    text = Path(path).read_text(encoding="utf-8")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    header = rows[0]
    check(header == [k for k in KNOWN if k in header], f"{name}: header {header}")
    check(all(len(row) == len(header) for row in rows), f"{name}: not rectangular")
    check(len(text.splitlines()) == len(rows), f"{name}: a cell of several lines")
    numbers = [header.index(k) for k in ("row", "column", "x", "y", "x2", "y2", "value") if k in header]
    for row in rows[1::max(1, len(rows) // MANY)]:
        for k in numbers:
            try:
                float(row[k] or 0)
            except ValueError:
                check(False, f"{name}: {header[k]} is {row[k]!r}")
    if "figure" in header:
        told = {row[header.index("figure")] for row in rows[1:]}
        # What shows what a training has said yet has nothing to tell before it.
        check(told <= set(figures) and len(told) >= len(figures) - 1, f"{name}: figures {sorted(told ^ set(figures))}")
    return len(rows) - 1


def a_drawing(name, path, titles):
    text = Path(path).read_text(encoding="utf-8")
    root = xml.fromstring(text)
    said = "".join("".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text"))
    for title in titles:
        check(title.replace(" ", "") in said.replace(" ", ""), f"{name}: the title is no text: {title}")
    check("<symbol" not in text, f"{name}: text as shapes")


def a_handout(program, folder, lang):
    out = folder / f"handout_{lang}.pdf"
    run(program, "gallery", "--handout", out, "--lang", lang)
    info = run("pdfinfo", out)
    pages = int(re.search(r"Pages:\s+(\d+)", info)[1])
    labs = len(json.loads(run(program, "labs", "--json"))["labs"])
    check(labs < pages < 60, f"handout {lang}: {pages} pages")
    check("Tagged:          yes" in info, f"handout {lang}: no tags")
    text = run("pdftotext", "-layout", out, "-")
    for word in ("click", "Click", "drag", "Drag", "点击", "拖动"):
        check(word not in text, f"handout {lang}: a word for the pointer: {word}")
    for said in {"en": ["Common statements", "Sources"], "zh_CN": ["常见说法", "出处"]}[lang]:
        check(text.count(said) > labs // 2, f"handout {lang}: {text.count(said)} times {said}")
    # Every statement has its verdict.
    verdicts = {"en": ["It is false.", "As stated, it is not true.", "It is true."],
                "zh_CN": ["这是错的。", "照字面说不对。", "这是对的。"]}[lang]
    flat = re.sub(r"\s", "", text)
    said = sum(flat.count(re.sub(r"\s", "", one)) for one in verdicts)
    check(said > 3 * labs, f"handout {lang}: {said} verdicts")
    # Bookmarks: one a lab, and the contents.
    check(out.read_bytes().count(b"/Title") >= labs + 1, f"handout {lang}: bookmarks")


def main():
    program = str(Path(sys.argv[1]).resolve())
    if not shutil.which("pdftotext"):
        print("SKIPPED: poppler-utils are not installed")
        return SKIPPED
    labs = json.loads(run(program, "labs", "--json"))["labs"]
    figures = records = 0
    with tempfile.TemporaryDirectory(prefix="attnscope-paper-") as made:
        folder = Path(made)
        server = Server(program)
        for lab in labs:
            name, out = lab["id"], folder / lab["id"]
            for figure in lab["figures"]:
                server.export(name, f"{out}.pdf", width="85mm", figure=[figure["id"]])
                a_column(f"{name}/{figure['id']}", f"{out}.pdf")
                figures += 1
            is_tagged(name, f"{out}.pdf")
            ids = [figure["id"] for figure in lab["figures"]]
            server.export(name, f"{out}.csv")
            records += a_table(name, f"{out}.csv", ids)
            server.export(name, f"{out}.csv", figure=[ids[0]], lang="zh_CN")
            records += a_table(f"{name} zh_CN", f"{out}.csv", ids)
            server.export(name, f"{out}.svg", width="85mm")
            a_drawing(name, f"{out}.svg", [figure["title"] for figure in lab["figures"]])
            try:
                server.export(name, f"{out}.npz")
            except Refused as refused:
                check("no array" in str(refused), f"{name}: {refused}")
            else:
                with zipfile.ZipFile(f"{out}.npz") as archive:
                    check(archive.testzip() is None, f"{name}: a damaged archive")
                    check(all(archive.read(n).startswith(b"\x93NUMPY") for n in archive.namelist()), f"{name}: no arrays")
        server.end()
        for lang in ("en", "zh_CN"):
            a_handout(program, folder, lang)
    for said in FAULTS[:60]:
        print(f"FAILED: {said}")
    print(f"{figures} figures, {records} records, {len(FAULTS)} faults")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
