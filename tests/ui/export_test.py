#!/usr/bin/env python3
"""Exporting in a real window: the preview follows the paper, the file is what was asked for, and the
paper is remembered.

usage: export_test.py PROGRAM
"""
import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import Display, Failure, Program, check  # noqa: E402


def shape(m):
    """Width by height of the paper in the preview."""
    _, _, w, h = m["controls"]["paper.preview"]
    return w / h


def asks(program):
    program.key("ctrl+e")
    return program.wait(lambda m: "paper.preview" in m["controls"], "a preview")


def preset(program, name):
    program.click(f"paper.preset.{name}")


def writes(program, path):
    program.click("dialog.path")
    program.key("ctrl+a")
    program.type(str(path))
    program.key("Return")
    program.wait(lambda m: "dialog.path" not in m["controls"] and str(path) in m["message"], "the file written", 30)


def follows_the_paper(program):
    before = asks(program)
    preset(program, "slide")
    slide = program.wait(lambda m: abs(shape(m) - 16 / 9) < 0.03, "a slide of 16:9")
    check(abs(shape(before) - 16 / 9) > 0.1, "another paper before", shape(before))
    preset(program, "column")
    column = program.wait(lambda m: shape(m) < 1.5 and shape(m) != shape(slide), "a column")
    program.click("paper.caption")
    program.wait(lambda m: shape(m) > shape(column) + 0.02, "a lower paper without the caption")


def writes_what_was_asked(program):
    out = program.folder / "column.pdf"
    writes(program, out)
    info = subprocess.run(["pdfinfo", out], capture_output=True, text=True, check=True).stdout
    width = float(re.search(r"Page size:\s+([\d.]+)", info)[1])
    check(abs(width - 85 / 25.4 * 72) < 0.1, "a page of 85 mm", width)
    check("Tagged:          yes" in info, "tags", info)


def uses_the_keyboard(program):
    """Presets by arrow keys, switches by space, the file by Enter."""
    asks(program)
    for _ in range(60):
        program.key("Tab")
        if program.map()["focus"].startswith("paper.preset"):
            break
    check(program.map()["focus"].startswith("paper.preset"), "a preset reached by Tab", program.map()["focus"])
    program.key("Right")
    program.wait(lambda m: shape(m) is not None, "a preview")
    program.key("Escape", "Escape")
    program.wait(lambda m: "dialog.path" not in m["controls"], "the window closed")


def remembers(program, display, binary):
    program.close()
    settings = json.loads((program.folder / ".config/attnscope/settings.json").read_text())
    check(abs(settings["paper_width"] - 85 / 25.4 * 72) < 0.1, "a column remembered", settings)
    check(settings["paper_caption"] is False, "no captions remembered", settings)


def main():
    binary = sys.argv[1]
    with Display() as display:
        with Program(display, binary) as program:
            follows_the_paper(program)
            writes_what_was_asked(program)
            remembers(program, display, binary)
    print("export: all passed")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
