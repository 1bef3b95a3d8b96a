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
from limits import HANGS  # noqa: E402


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
    program.told(str(path))
    program.wait(lambda m: "dialog.path" not in m["controls"], "the window closed")


def follows_the_paper(program):
    before = asks(program)
    preset(program, "slide")
    slide = program.wait(lambda m: abs(shape(m) - 16 / 9) < 0.03, "a slide of 16:9")
    check(abs(shape(before) - 16 / 9) > 0.1, "another paper before", shape(before))
    preset(program, "column")
    column = program.wait(lambda m: shape(m) < 1.5 and shape(m) != shape(slide), "a column")
    program.click("paper.caption")
    program.wait(lambda m: shape(m) > shape(column) + 0.02, "a lower paper without the caption")


def comes_nearer(program):
    """A click on the preview shows the paper at 100 %, a drag moves it, a double click shows all of it."""
    preset(program, "screen")
    whole = program.wait(lambda m: "paper.preview" in m["controls"] and m["controls"]["paper.preview"][2] > 0,
                         "the whole page")["controls"]["paper.preview"]
    program.click("paper.view", x=0.4, y=0.4)
    near = program.wait(lambda m: m["controls"]["paper.preview"][2] > 1.5 * whole[2], "100 %")["controls"]["paper.preview"]
    program.drag("paper.view", (0.6, 0.6), (0.3, 0.5))
    m = program.wait(lambda m: m["controls"]["paper.preview"][0] < near[0], "another part of it")
    check(m["controls"]["paper.preview"][2] == near[2], "as near as before", m["controls"]["paper.preview"])
    program.double_click("paper.view")
    program.wait(lambda m: m["controls"]["paper.preview"] == whole, "all of it")
    preset(program, "column")


def writes_what_was_asked(program):
    out = program.folder / "column.pdf"
    writes(program, out)
    info = subprocess.run(["pdfinfo", out], capture_output=True, text=True, check=True,
                          timeout=HANGS).stdout
    width = float(re.search(r"Page size:\s+([\d.]+)", info)[1])
    check(abs(width - 85 / 25.4 * 72) < 0.1, "a page of 85 mm", width)
    check("Tagged:          yes" in info, "tags", info)


def uses_the_keyboard(program):
    """The papers are reached by Tab and chosen by the arrow keys."""
    before = shape(asks(program))
    for _ in range(40):
        program.key("Tab", "Right")
        if abs(shape(program.still()) - before) > 0.05:
            break
        if "paper.preset.column" not in program.map()["controls"]:  # that was another tab of the window
            program.click("paper.tab.paper")
            program.key("Tab", "Tab", "Tab")
    check(abs(shape(program.map()) - before) > 0.05, "another paper by the keyboard", shape(program.map()))
    preset(program, "column")
    program.key("Escape")
    program.wait(lambda m: "dialog.path" not in m["controls"], "the window closed")


def opens_where_it_was_made(program, binary):
    """An export of a figure far down opens with that figure in view, and marked; .json too."""
    out = program.folder / "far.json"
    subprocess.run([binary, "export", "rotary", "--figure", "columns", "-o", out], check=True, timeout=HANGS)
    program.key("ctrl+o")
    program.wait(lambda m: "dialog.path" in m["controls"], "a dialog")
    program.key("ctrl+a")
    program.type(str(out))
    program.key("Return")
    program.wait(lambda m: m["lab"] == "rotary" and m["marked"] == "columns", "the figure marked")
    program.wait(lambda m: 0 <= m["controls"]["figure.columns"][1] < m["window"]["h"] - 80, "the figure in view")
    program.wait(lambda m: "opened.columns" not in m["controls"], "the mark gone after a while")


def remembers(program, display, binary):
    program.close()
    settings = json.loads((program.folder / ".config/attnscope/settings.json").read_text())
    check(abs(settings["paper_width"] - 85 / 25.4 * 72) < 0.1, "a column remembered", settings)
    check(settings["paper_title"] is True, "titles as they were", settings)


def main():
    binary = str(Path(sys.argv[1]).resolve())
    with Display() as display:
        with Program(display, binary) as program:
            follows_the_paper(program)
            comes_nearer(program)
            writes_what_was_asked(program)
            uses_the_keyboard(program)
            opens_where_it_was_made(program, binary)
            remembers(program, display, binary)
    print("export: all passed")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
