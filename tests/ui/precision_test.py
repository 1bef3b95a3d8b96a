#!/usr/bin/env python3
"""The precision labs in a real window, with a real mouse and keyboard: a number is dragged, its bits
toggled, ids picked, formats chosen, and what the program then holds is checked.

usage: precision_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import Failure, check, run  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, settled, types  # noqa: E402


def number_line(program):
    opens(program, "number_line")
    x = program.knob("x")
    line, grip = (program.map()["controls"][name] for name in ("plot.line", "grip.line.0"))
    program.drag("grip.line.0", (0.5, 0.5), (0.5 + 0.2 * line[2] / grip[2], 0.5))
    m = settled(program, lambda m: m["knobs"]["x"] > x, "a larger number after dragging it to the right")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["x"] == x, "the number before: the drag was one step")
    types(program, "x", "1.5")
    settled(program, lambda m: m["knobs"]["x"] == 1.5, "1.5")
    x0, x1, y0, y1 = program.map()["plots"]["bits"]["shown"]
    program.click("plot.bits", x=0.02, y=0.3)  # the sign, the first of the bits
    settled(program, lambda m: m["knobs"]["x"] == -1.5, "-1.5 after a click on the sign")
    for name in ("float16", "e5m2", "float32"):
        chooses(program, "format", name)


def position_ids(program):
    opens(program, "position_ids")
    before = program.knob("id")
    program.click("plot.stairs", x=0.8, y=0.5)
    settled(program, lambda m: m["knobs"]["id"] > before, "a larger id by a click in the staircase")
    # The strips are zoomed, and the staircase follows them the right way up; a double click on
    # either restores both.
    whole = {name: program.map()["plots"][name]["shown"] for name in ("stairs", "strips")}
    program.wheel("plot.strips", 3, held="ctrl")
    m = program.wait(lambda m: m["plots"]["strips"]["shown"] != whole["strips"], "a part of the strips")
    shown = m["plots"]["stairs"]["shown"]
    check(shown[:2] != whole["stairs"][:2], "the staircase to follow", shown)
    check(shown[2:] == whole["stairs"][2:], "its heights as they were", shown)
    program.double_click("plot.stairs", 0.3, 0.3)
    program.wait(lambda m: all(m["plots"][name]["shown"] == whole[name] for name in whole), "both whole again")
    program.drag("knob.length.slider", (0.6, 0.5), (1.0, 0.5))
    settled(program, lambda m: m["knobs"]["length"] > 500000, "about a million ids")
    types(program, "length", "0")
    program.wait(lambda m: "length" in m["errors"], "a length of 0 refused")
    program.key("Escape")


def the_others(program):
    """Each opens, computes, and takes another format."""
    for lab in ("rope_rounding", "alibi_rounding", "low_precision_math"):
        if f"lab.{lab}" not in program.map()["controls"]:
            raise Failure(f"expected the lab {lab} in the sidebar, got none")
        opens(program, lab)
        chooses(program, "format", "float16")


if __name__ == "__main__":
    sys.exit(run(number_line, position_ids, the_others, in_chinese_and_light))
