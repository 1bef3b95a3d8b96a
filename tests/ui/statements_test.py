#!/usr/bin/env python3
"""What is commonly said, in a real window: one statement is judged rightly and one wrongly, by mouse and by
keyboard, the figure that settles it is shown, what was answered outlasts another lab, and all is told at
once to who wants it so.

usage: statements_test.py PROGRAM
"""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import Failure, check, run  # noqa: E402
from limits import HANGS  # noqa: E402
from steps import in_chinese_and_light, opens, settled  # noqa: E402


def brings(program, part):
    """Scrolls the panel until this part of a statement can be clicked."""
    program.click("button.statements")
    program.wait(lambda m: part in m["controls"], part)
    for _ in range(100):
        m = program.still()
        left, top, width, height = m["controls"][part]
        if top + height <= m["window"]["h"]:
            return
        program.point(left + 5, m["window"]["h"] - 20)
        program.counted("wheels", 1, "click", 5)
        program.wait(lambda n: n["controls"][part][1] != top, f"{part} to move")
    raise Failure(f"expected {part} in view, got it not in a hundred turns of the wheel")


def click(program, part):
    brings(program, part)
    program.click(part)


def asks(program):
    opens(program, "scoring")
    controls = program.map()["controls"]
    check("statement.variance.said" in controls, "a statement about the variance", sorted(controls))
    check("statement.variance.truth" not in controls, "no truth before an answer", sorted(controls))
    for button in ("true", "false", "tell"):
        check(f"statement.variance.{button}" in controls, f"a button {button}", sorted(controls))


def right(program):
    click(program, "statement.variance.false")
    m = program.wait(lambda m: "statement.variance.truth" in m["controls"], "the truth after the answer")
    check("statement.variance.right" in m["controls"], "a right answer", sorted(m["controls"]))


def shown(program):
    """The preset opens, and its figure comes into view."""
    click(program, "statement.variance.show")
    settled(program, lambda m: m["knobs"]["view"] == "width" and m["knobs"]["d"] == 64 and not m["stale"],
            "the preset that settles it")

    def in_view(m):
        _, top, _, height = m["controls"]["figure.variance"]
        return top >= 40 and top + height <= m["window"]["h"]
    m = program.wait(in_view, "its figure in view")
    check(abs(m["readouts"]["variance"] - 64) < 6, "a variance near 64", m["readouts"]["variance"])
    check("statement.variance.right" in m["controls"], "the answer as it was", sorted(m["controls"]))

    def read(m):  # between the knobs and the window's end, though the numbers above it are others
        _, top, _, room = m["controls"]["panel.knobs"]
        at = m["controls"]["statement.variance.said"][1]
        return top + room <= at < m["window"]["h"] - 40
    program.wait(read, "the statement still in view")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["view"] != "width", "the page before, by one undo")


def wrong(program):
    """By keyboard: the answer, and on to the button that shows it."""
    brings(program, "statement.longer_key.tell")
    click(program, "statement.longer_key.tell")
    program.wait(lambda m: "statement.longer_key.told" in m["controls"], "a truth without an answer")
    program.key("Tab", "Return")  # the next statement's "true"
    m = program.wait(lambda m: "statement.query_of_zero.right" in m["controls"], "an answer by keyboard")
    check("statement.query_of_zero.truth" in m["controls"], "its truth", sorted(m["controls"]))
    click(program, "statement.probability.true")
    m = program.wait(lambda m: "statement.probability.truth" in m["controls"], "the truth of a wrong answer")
    check("statement.probability.wrong" in m["controls"], "a wrong answer", sorted(m["controls"]))


def kept(program):
    opens(program, "softmax")
    opens(program, "scoring")
    controls = program.map()["controls"]
    for part in ("variance.right", "longer_key.told", "probability.wrong"):
        check(f"statement.{part}" in controls, f"{part} after another lab", sorted(controls))
    click(program, "statements.again")
    program.wait(lambda m: "statement.variance.true" in m["controls"], "all asked again")


def told(program):
    """Who lectures may want all of them told; that is remembered."""
    program.click("button.scale")
    program.wait(lambda m: "view.ask_first" in m["controls"], "the menu")
    program.click("view.ask_first")
    m = program.wait(lambda m: "statement.variance.told" in m["controls"], "all told")
    check("statement.variance.true" not in m["controls"], "no question", sorted(m["controls"]))
    check("statement.variance.show" in m["controls"], "a button to show it", sorted(m["controls"]))


def exported(program):
    out = program.folder / "said.json"
    done = subprocess.run([program.binary, "export", "position_ids", "-o", str(out)], capture_output=True,
                          text=True, timeout=HANGS)
    check(done.returncode == 0 and '"verdict":"holds"' in out.read_text(), "statements with their truth in .json",
          done.stderr)


if __name__ == "__main__":
    sys.exit(run(asks, right, shown, wrong, kept, told, exported, in_chinese_and_light))
