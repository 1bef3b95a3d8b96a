#!/usr/bin/env python3
"""Handouts of lessons as PDF, read by poppler: A4, tagged, titled, bookmarks by stop, all within the margins, no
small type, nothing for a mouse, every question with its answer after the last stop; and as one HTML file.

usage: lesson_paper_test.py PROGRAM
"""
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

SKIPPED = 77
LESSONS = ["averaging", "masks", "bits"]
A4 = (595.28, 841.89)
LEAST_TYPE = 6
ANSWERS = {"en": "Answers", "zh_CN": "答案"}
SOURCES = {"en": "Sources", "zh_CN": "出处"}
FAULTS = []


def check(good, said):
    if not good:
        FAULTS.append(said)


def run(*words, status=0):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=900)
    if done.returncode != status:
        raise SystemExit(f"FAILED: {' '.join(map(str, words))}: {done.returncode} {done.stderr[-500:]}")
    return done.stdout + done.stderr


def stops_of(lesson, lang):
    """(title, whether it asks) of each stop, from the lesson's own text."""
    text = (Path(__file__).parent.parent / "assets" / "lessons" / lang / f"{lesson}.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.M)
    return parts[0].splitlines()[0][2:].strip(), [(p.splitlines()[0].strip(), "\n? " in p) for p in parts[1:]]


def a_pdf(name, pdf, title, stops, lang):
    info = run("pdfinfo", pdf)
    check(re.search(rf"Title:\s+{re.escape(title)}\n", info), f"{name}: title {info[:80]}")
    check("Tagged:          yes" in info, f"{name}: no tags")
    check("(A4)" in info, f"{name}: no A4")
    page_text = re.sub(r"<!DOCTYPE[^>]*>", "", re.sub(r' xmlns="[^"]+"', "", run("pdftotext", "-bbox", pdf, "-")))
    pages = list(xml.fromstring(page_text).iter("page"))
    check(len(pages) <= 2 * len(stops), f"{name}: {len(pages)} pages for {len(stops)} stops")
    for number, page in enumerate(pages, 1):
        words = list(page.iter("word"))
        check(words, f"{name}: page {number} is empty")
        for word in words:
            x0, y0, x1, y1 = (float(word.get(k)) for k in ("xMin", "yMin", "xMax", "yMax"))
            check(30 <= x0 and x1 <= A4[0] - 30 and 20 <= y0 and y1 <= A4[1] - 15, f"{name} {number}: cut: {word.text}")
            check(y1 - y0 > 1.16 * LEAST_TYPE or x1 - x0 < 1.16 * LEAST_TYPE,
                  f"{name} {number}: too small: {word.text} {y1 - y0:.1f}")
    text = run("pdftotext", "-layout", pdf, "-")
    flat = re.sub(r"\s", "", text)
    for word in ("click", "Click", "drag", "Drag", "mouse", "点击", "拖动", "鼠标"):
        check(word not in text, f"{name}: a word for the mouse: {word}")
    before, _, after = flat.partition(ANSWERS[lang])
    check(after and SOURCES[lang] in after, f"{name}: answers, then sources")
    at = 0
    for k, (stop, asks) in enumerate(stops, 1):
        heading = re.sub(r"\s", "", f"{k}{stop}")
        at = before.find(heading, at)
        check(at >= 0, f"{name}: stop {heading} in its order")
        check((heading in after) == asks, f"{name}: an answer to {heading}: {asks}")
        at = max(at, 0)
    # One for the lesson, the answers and the sources, and one for each stop.
    check(pdf.read_bytes().count(b"/Title") >= len(stops) + 3, f"{name}: bookmarks")


def a_page(name, html, title, stops):
    text = html.read_text(encoding="utf-8")
    check(f"<title>{title}</title>" in text, f"{name}: title")
    check(not re.search(r"(src|href)=\"(?!data:)", text), f"{name}: something from elsewhere")
    check(text.count("<img") >= len(stops) // 2, f"{name}: {text.count('<img')} pictures")
    check(text.count("<h2>") >= len(stops), f"{name}: a heading for each stop")


def main():
    program = str(Path(sys.argv[1]).resolve())
    if not shutil.which("pdftotext"):
        print("SKIPPED: poppler-utils are not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="attnscope-lesson-") as folder:
        for lesson in LESSONS:
            for lang in ("en", "zh_CN"):
                name = f"{lesson} {lang}"
                title, stops = stops_of(lesson, lang)
                pdf, html = Path(folder) / f"{lesson}_{lang}.pdf", Path(folder) / f"{lesson}_{lang}.html"
                run(program, "lesson", lesson, "--lang", lang, "-o", pdf)
                a_pdf(name, pdf, title, stops, lang)
                if lesson == LESSONS[0]:
                    run(program, "lesson", lesson, "--lang", lang, "-o", html)
                    a_page(name, html, title, stops)
        said = run(program, "lesson", "averaging", "-o", Path(folder) / "a.docx", status=2)
        check(".pdf, .html or .md" in said, f"another ending: {said}")
        check(run(program, "lesson", "averaging", "-o", Path(folder) / "none" / "a.pdf", status=1), "no such folder")
    for said in FAULTS[:40]:
        print(f"FAILED: {said}")
    print(f"{2 * len(LESSONS)} handouts, {len(FAULTS)} faults")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
