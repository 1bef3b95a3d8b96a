#!/usr/bin/env python3
"""The mask workbench in a real window, with a real mouse and keyboard: a mask is painted, erased and
un-painted, its patterns are added, changed, moved and removed, and what the program then holds is
checked.

usage: masks_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from steps import in_chinese_and_light, opens, picks_cell, settled  # noqa: E402


def place(program, plot, row, col):
    """Where a cell lies, as shares of its plot."""
    x0, x1, y0, y1 = program.map()["plots"][plot]["shown"]
    return (col + 0.5 - x0) / (x1 - x0), (row + 0.5 - y0) / (y1 - y0)


def paints(program, start, end):
    """A stroke from cell to cell, each (row, column)."""
    program.drag("plot.mask", place(program, "mask", *start), place(program, "mask", *end), steps=12)


def holds(program, knob, value):
    return settled(program, lambda m: m["knobs"][knob] == value, f"{knob} {value!r}")


def painting(program):
    opens(program, "masks")
    program.click("button.presets")
    program.wait(lambda m: "preset.painted" in m["controls"], "the presets")
    program.click("preset.painted")
    before = holds(program, "stack", "causal; minus painted")["knobs"]["painted"]
    kept = before
    # A brush of two cells from (10, 2) to (10, 6): rows 10 and 11, columns 2 to 7.
    paints(program, (10, 2), (10, 6))
    holds(program, "painted", "10-11:2-7;" + kept)
    check(program.knob("key") == -1, "nothing pinned by painting", program.knob("key"))
    program.key("ctrl+z")
    holds(program, "painted", before)
    program.key("ctrl+y")
    holds(program, "painted", "10-11:2-7;" + kept)
    program.counted("keys", 1, "keydown", "shift")
    paints(program, (10, 4), (10, 4))
    program.xdo("keyup", "shift")
    holds(program, "painted", "10-11:2-3,6-7;" + kept)
    # Escape gives a stroke up while the button is still down.
    x, y = program.center("plot.mask", *place(program, "mask", 2, 2))
    x1, _ = program.center("plot.mask", *place(program, "mask", 2, 20))
    program.point(x, y)
    program.press()
    program.point(x1, y)
    settled(program, lambda m: m["knobs"]["painted"].startswith("2-3:"), "the stroke while it is painted")
    program.key("Escape")
    holds(program, "painted", "10-11:2-3,6-7;" + kept)
    program.release()
    holds(program, "painted", "10-11:2-3,6-7;" + kept)
    # With the flag off a click pins, as on every heatmap.
    program.click("knob.paint")
    holds(program, "paint", False)
    picks_cell(program, "mask", 30, 12)
    settled(program, lambda m: (m["knobs"]["query"], m["knobs"]["key"]) == (30, 12), "query 30, key 12")
    check(program.knob("painted") == "10-11:2-3,6-7;" + kept, "nothing painted", program.knob("painted"))


def building(program):
    program.click("stack:stack:add")
    program.wait(lambda m: "stack:stack:add:atrous" in m["controls"], "the patterns")
    program.click("stack:stack:add:atrous")
    holds(program, "stack", "causal; minus painted; or atrous step=4")
    program.click("stack:stack:2:up")
    holds(program, "stack", "causal; or atrous step=4; minus painted")
    program.click("stack:stack:1:up")
    holds(program, "stack", "atrous step=4; or causal; minus painted")
    program.click("stack:stack:1:operation")
    program.wait(lambda m: "stack:stack:1:operation:and" in m["controls"], "the operations")
    program.click("stack:stack:1:operation:and")
    holds(program, "stack", "atrous step=4; and causal; minus painted")
    program.click("stack:stack:0:step.value")
    program.key("ctrl+a")
    program.type("7")
    program.key("Return")
    holds(program, "stack", "atrous step=7; and causal; minus painted")
    program.click("stack:stack:2:remove")
    holds(program, "stack", "atrous step=7; and causal")
    for _ in range(6):
        program.key("ctrl+z")
    holds(program, "stack", "causal; minus painted")


if __name__ == "__main__":
    sys.exit(run(painting, building, in_chinese_and_light))
