#!/usr/bin/env python3
"""Figures whose text is TeX: two files that belong together, with every word that the SVG has; set by pdflatex where there
is one.

usage: tex_test.py PROGRAM
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
FAULTS = []
DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}\usepackage{graphicx,color}
\begin{document}
Before. \input{%s}

{\def\attnscopewidth{0.5\linewidth}\input{%s}}
\end{document}
"""


def check(good, said):
    if not good:
        FAULTS.append(said)


def run(*words, cwd=None):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, errors="replace", timeout=900, cwd=cwd)
    if done.returncode:
        raise SystemExit(f"FAILED: {' '.join(map(str, words))}: {(done.stderr + done.stdout)[-1500:]}")
    return done.stdout


def braces(text):
    """How many are open at the end; negative where one was closed too often."""
    depth = 0
    for one in re.findall(r"\\.|[{}]", re.sub(r"(?m)(?<!\\)%.*$", "", text)):
        depth += {"{": 1, "}": -1}.get(one, 0)
        if depth < 0:
            return depth
    return depth


def main():
    program = sys.argv[1]
    pdflatex = shutil.which("pdflatex")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in {
                "heads": ["multi_head", "--figure", "weights", "--set", r"text=50%_of \end {a} $x$ #1 & ^2 ~ it's", "--width", "85mm"],
                "decay": ["rotary", "--figure", "decay"],
                "bits": ["number_line", "--figure", "bits", "--no-title"],
                "tree": ["decoding", "--figure", "tree"],
        }.items():
            out = Path(folder) / f"{name}.tex"
            run(program, "export", *words, "-o", out)
            tex = out.read_text("utf-8")
            svg = run(program, "export", *words, "-o", "-", "--format", "svg")
            pdf = out.with_suffix(".pdf").read_bytes()
            check(braces(tex) == 0, f"{name}: braces {braces(tex)}")
            puts, texts = tex.count(r"\makebox[0pt]"), svg.count("<text ")
            check(puts == texts > 0, f"{name}: {puts} texts, {texts} in the SVG")
            check(tex.count(r"\begin{picture}") == tex.count(r"\end{picture}") == 1, f"{name}: its picture")
            check(f"{{{name}.pdf}}" in tex, f"{name}: the drawing's name")
            check(b"/Font " not in pdf and b"/FontFile" not in pdf, f"{name}: text in the drawing")
            if pdflatex:
                document = Path(folder) / f"{name}_document.tex"
                document.write_text(DOCUMENT % (name, name), "utf-8")
                run(pdflatex, "-interaction=nonstopmode", "-halt-on-error", document.name, cwd=folder)
                if shutil.which("pdftotext"):
                    said = run("pdftotext", document.with_suffix(".pdf"), "-")
                    check("Before." in said and len(said.split()) > 20, f"{name}: {said[:200]}")
    for fault in FAULTS[:40]:
        print("FAILED:", fault)
    if FAULTS:
        raise SystemExit(1)
    if not pdflatex:
        print("no pdflatex: the files were read, not set")
        raise SystemExit(SKIPPED)
    print("figures for TeX are whole, and are set")


main()
