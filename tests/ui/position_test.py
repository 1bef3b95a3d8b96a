#!/usr/bin/env python3
"""The position labs in a real window, with a real mouse and keyboard: cells and points are picked,
handles dragged, knobs turned, and what the program then holds is checked.

usage: position_test.py PROGRAM
"""
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from limits import HANGS  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, picks_cell, settled, types, written  # noqa: E402


def absolute(program):
    opens(program, "absolute")
    picks_cell(program, "table_cells", 80, 40)
    settled(program, lambda m: (m["knobs"]["position"], m["knobs"]["column"]) == (80, 40), "the cell 80, 40")
    program.key("ctrl+z")
    settled(program, lambda m: (m["knobs"]["position"], m["knobs"]["column"]) == (37, 12),
            "the cell before, both its numbers back at once")
    chooses(program, "scheme", "floater")
    chooses(program, "scheme", "sinusoidal")
    chooses(program, "show", "similarity")
    types(program, "length", "1000000")
    settled(program, lambda m: m["knobs"]["length"] == 1000000, "a million positions")
    types(program, "base", "-1")
    program.wait(lambda m: "base" in m["errors"], "a base below 0 refused")
    check(program.knob("base") == 10000, "the base as it was", program.knob("base"))
    program.key("Escape")


def rotary(program):
    m = opens(program, "rotary")
    before = m["knobs"]["m"], m["knobs"]["n"]
    line = m["controls"]["plot.line"]
    for grip, knob in (("grip.line.0", "m"), ("grip.line.1", "n")):
        was = program.knob("m"), program.knob("n")
        width = program.map()["controls"][grip][2]
        share = 0.15 * line[2] / width
        program.drag(grip, (0.5, 0.5), (0.5 + share, 0.5))
        m = settled(program, lambda m: (m["knobs"]["m"], m["knobs"]["n"]) != was, f"{grip} to move a position")
    program.key("ctrl+z")
    program.key("ctrl+z")
    settled(program, lambda m: (m["knobs"]["m"], m["knobs"]["n"]) == before,
            "both positions back after two undos: one a drag")
    slides(program, *before)
    reaches(program, before[0])
    program.click("plot.dial_5")
    settled(program, lambda m: m["knobs"]["pair"] == 5, "pair 5 by its dial")
    program.drag("knob.base.slider", (0.4, 0.5), (0.8, 0.5))
    settled(program, lambda m: m["knobs"]["base"] > 10000, "a larger base")
    chooses(program, "pairing", "halves")


def reaches(program, q):
    """All of a million positions by the slider, and those near 0 finely."""
    def at(share, good, what):
        program.click("knob.m.slider", x=share)
        return settled(program, lambda m: good(m["knobs"]["m"]), what)["knobs"]["m"]
    middle = at(0.5, lambda m: 600 < m < 1600, "about a thousand in the middle of the slider")
    check(middle < 1000 or middle % 10 == 0, "three digits", middle)
    at(0.98, lambda m: m == 1000000, "the last position at the slider's end")
    at(0.2, lambda m: 8 < m < 24, "about fifteen at a fifth of the slider")
    program.key("ctrl+z", "ctrl+z", "ctrl+z")
    settled(program, lambda m: m["knobs"]["m"] == q, "the query back after three undos")


def slides(program, q, k):
    """The bar between query and key by itself and by its label: both move, what is between them stays."""
    def stand(m):
        return m["knobs"]["m"], m["knobs"]["n"]
    for grip in ("grip.line.2", "grip.line.3"):
        m = program.map()
        width = m["controls"][grip][2]
        program.drag(grip, (0.5, 0.5), (0.5 + 0.25 * m["controls"]["plot.line"][2] / width, 0.5))
        m = settled(program, lambda m: stand(m) != (q, k), f"{grip} to move both positions")
        check(m["knobs"]["n"] - m["knobs"]["m"] == k - q, f"the distance {k - q}", stand(m))
        check(abs(m["knobs"]["m"] - q - 32) <= 2, f"the query a quarter of 128 farther than {q}", stand(m))
        # Beyond the line's beginning: both stop together.
        left, _, width, _ = m["controls"][grip]
        program.drag(grip, (0.5, 0.5), ((m["controls"]["plot.line"][0] - 100 - left) / width, 0.5))
        settled(program, lambda m: stand(m) == (q - min(q, k), k - min(q, k)), "both at the line's beginning")
        program.key("ctrl+z", "ctrl+z")
        settled(program, lambda m: stand(m) == (q, k), "both positions back after two undos: one a drag")


def relative(program):
    opens(program, "relative")
    picks_cell(program, "term_1", 5, 3)
    settled(program, lambda m: (m["knobs"]["query"], m["knobs"]["key"]) == (5, 3), "the pair 5, 3")
    for scheme in ("t5", "alibi", "urpe", "deberta", "transformer_xl", "shaw"):
        chooses(program, "scheme", scheme)


def extrapolation(program):
    opens(program, "extrapolation")
    before = program.knob("pair")
    program.click("plot.turns", x=0.25, y=0.5)
    m = settled(program, lambda m: m["knobs"]["pair"] < before, "another pair by a click in the plot")
    program.drag("knob.length.slider", (0.5, 0.5), (1.0, 0.5))
    settled(program, lambda m2: m2["knobs"]["length"] > m["knobs"]["length"], "a longer context")
    for method in ("none", "ntk", "alibi"):
        chooses(program, "method", method)


def position_compare(program):
    opens(program, "position_compare")
    picks_cell(program, "map_2", 9, 4)
    settled(program, lambda m: (m["knobs"]["query"], m["knobs"]["key"]) == (9, 4), "the pair 9, 4")
    chooses(program, "scheme_3", "t5")
    program.key("ctrl+shift+e")
    file = written(program, "*.pdf")
    again = program.folder / "again.json"
    subprocess.run([program.binary, "export", "position_compare", "--session", file, "-o", again], check=True,
                   timeout=HANGS)
    values = json.loads(again.read_text())["session"]["values"]
    check((values["query"], values["key"], values["scheme_3"]) == (9, 4, "t5"),
          "the exported figure to hold the window's session", values)


if __name__ == "__main__":
    sys.exit(run(absolute, rotary, relative, extrapolation, position_compare, in_chinese_and_light))
