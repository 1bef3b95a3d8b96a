#!/usr/bin/env python3
"""Holding in a real window: a page is held, a knob turned, both values read in the tip and in the numbers,
the difference shown, the divider dragged, the hold named, undone, dropped, and a drag holds by itself.

usage: hold_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, settled  # noqa: E402


def holds(program):
    opens(program, "multi_head")
    m = program.map()
    check("holds" not in m["controls"], "no room taken while nothing is held", m["controls"].get("holds"))
    program.key("h")
    program.wait(lambda m: len(m["holds"]["names"]) == 1 and m["holds"]["ready"] and "hold.0" in m["controls"],
                 "a page that is held, with its chip")
    program.key("h")
    program.told("already")
    check(len(program.map()["holds"]["names"]) == 1, "it once", program.map()["holds"])


def tells_both(program):
    """The tip and the numbers tell both values."""
    chooses(program, "position", "none")
    program.wait(lambda m: "divider.weights" in m["controls"] and not m["stale"], "a divided heatmap")
    program.move("plot.weights", 0.2, 0.3)
    m = program.wait(lambda m: len(m["tip"]) > 1 and m["tip"][1].startswith("held "), "both values in the tip")
    now, held, difference = float(m["tip"][0]), *(float(part.split()[-1]) for part in m["tip"][1].split(" · "))
    check(abs(now - held - difference) < 2e-6 and difference != 0, "a difference of the two", m["tip"])
    check(any(c.startswith("held.") for c in m["controls"]), "held numbers in the panel", "none")


def differs(program):
    program.click("hold.cells.difference")
    program.wait(lambda m: m["holds"]["cells"] == "difference" and "divider.weights" not in m["controls"],
                 "the difference, with no divider")
    program.click("hold.cells.split")
    program.wait(lambda m: m["holds"]["cells"] == "split" and "divider.weights" in m["controls"], "the divider")


def divides(program):
    program.into_view("plot.weights", 0.2)
    left, top, width, height = program.map()["controls"]["plot.weights"]
    x, y = program.center("divider.weights", 0.5, 0.2)
    query = program.knob("query")
    program.point(x, y)
    program.press()
    program.point(left + width // 4, y)
    m = program.wait(lambda m: abs(m["holds"]["split"] - 0.25) < 0.02, "the divider at a quarter")
    program.release()
    check(m["knobs"]["query"] == query, "nothing picked", m["knobs"]["query"])


def is_named(program):
    program.click("hold.0.more")
    program.click("hold.0.rename")
    program.wait(lambda m: "hold.0.name" in m["controls"], "a box for its name")
    program.type("with rope")
    program.key("Return")
    program.wait(lambda m: m["holds"]["names"] == ["with rope"], "its name")


def drops(program):
    program.click("hold.0.drop")
    program.wait(lambda m: m["holds"]["names"] == [] and "hold.0" not in m["controls"], "nothing held")
    program.key("ctrl+z")
    program.wait(lambda m: m["holds"]["names"] == ["with rope"] and m["holds"]["ready"], "it held again")
    program.key("ctrl+y")
    program.wait(lambda m: m["holds"]["names"] == [], "it dropped again")


def drag_holds(program):
    """While a knob is dragged, and no longer."""
    opens(program, "pooling")
    x, y = program.center("knob.bandwidth.slider", 0.5, 0.5)
    program.point(x, y)
    program.press()
    program.point(x + 20, y)
    m = program.wait(lambda m: m["holds"]["by_drag"], "what was shown, while the knob is dragged")
    check(m["holds"]["names"] == [] and "hold.0" not in m["controls"], "no chip", m["holds"])
    program.release()
    program.wait(lambda m: not m["holds"]["by_drag"] and not m["holds"]["ready"], "nothing afterwards")


def chinese(program):
    program.key("h")
    settled(program, lambda m: len(m["holds"]["names"]) == 1, "a page that is held")
    in_chinese_and_light(program)
    settled(program, lambda m: m["holds"]["ready"], "its page in the other language")


if __name__ == "__main__":
    sys.exit(run(holds, tells_both, differs, divides, is_named, drops, drag_holds, chinese))
