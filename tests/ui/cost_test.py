#!/usr/bin/env python3
"""The lab of costs in a real window: a size is dragged, the figure at the top chosen, a crossing taken
apart, this machine measured and a longer measurement cancelled.

usage: cost_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, settled, types  # noqa: E402


def sizes(program):
    opens(program, "cost")
    before = program.knob("n")
    program.drag("knob.n.slider", (0.4, 0.5), (0.7, 0.5))
    settled(program, lambda m: m["knobs"]["n"] != before, "another length")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["n"] == before, "the length before: the drag was one step")
    types(program, "d", "0")
    program.wait(lambda m: "d" in m["errors"], "a width of 0 refused")
    program.key("Escape")


def leads(program):
    """What is shown first stands above the others; the crossing's knobs wake up with it."""
    chooses(program, "lead", "kernels")
    settled(program, lambda m: "plot.kernels" in m["controls"], "the kernels in sight")
    controls = program.map()["controls"]
    lowest = min(rect[1] for name, rect in controls.items() if name.startswith("plot."))
    check(controls["plot.kernels"][1] == lowest, "the kernels at the top", controls["plot.kernels"])
    chooses(program, "explain", "crossover")
    chooses(program, "other", "convolution")
    chooses(program, "axis", "width")


def measures(program):
    check("plot.times" not in program.map()["controls"], "nothing timed before it is asked for", "times")
    types(program, "longest", "512")
    program.click("knob.measurement")
    settled(program, lambda m: m["knobs"]["measurement"] == 1 and "plot.times" in m["controls"], "times")
    types(program, "longest", "16384")
    program.wait(lambda m: m["busy"] and "button.cancel" in m["controls"], "a way to cancel")
    program.click("button.cancel")
    settled(program, lambda m: "button.cancel" not in m["controls"], "the measurement cancelled")


if __name__ == "__main__":
    sys.exit(run(sizes, leads, measures, in_chinese_and_light))
