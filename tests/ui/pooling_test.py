#!/usr/bin/env python3
"""The lab of attention pooling in a real window, with a real mouse and keyboard: the query is dragged,
points are clicked, dragged and taken away, training is played and scrubbed, files are dropped, and what
the program then holds is checked.

usage: pooling_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from dropping import drop_file  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, picks_cell, settled, types  # noqa: E402


def place(program, plot, x, y):
    """A place in data units as shares of the plot's rectangle; y grows upwards."""
    x0, x1, y0, y1 = program.map()["plots"][plot]["shown"]
    return (x - x0) / (x1 - x0), (y - y0) / (y1 - y0)


def the_query(program):
    opens(program, "pooling")
    before = program.knob("query")
    program.drag("plot.data", (0.3, 0.2), (0.85, 0.2))
    m = settled(program, lambda m: m["knobs"]["query"] > before + 10, "a query further to the right")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["query"] == before, "the query before: one step of undo")
    picks_cell(program, "attention", 7, 12)
    m = settled(program, lambda m: m["pinned"] == {"key": 12}, "key 12 pinned")
    check(m["knobs"]["query"] == 7, "query 7", m["knobs"]["query"])
    program.click("plot.sweep", x=0.5, y=0.5)
    settled(program, lambda m: m["knobs"]["bandwidth"] < 1, "a smaller bandwidth by a click")


def points(program):
    chooses(program, "source", "points")
    count = len(program.knob("points"))
    x, y = place(program, "data", 3.25, 4.5)
    program.click("plot.data", x, y)
    m = settled(program, lambda m: len(m["knobs"]["points"]) == count + 1, "one point more")
    px, py = m["knobs"]["points"][-1]
    check(abs(px - 3.25) < 0.05 and abs(py - 4.5) < 0.1, "a point near (3.25, 4.5)", (px, py))
    program.drag("plot.data", (x, y), place(program, "data", 4, 4.5))
    settled(program, lambda m: abs(m["knobs"]["points"][-1][0] - 4) < 0.05, "the point dragged to 4")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["points"][-1] == [px, py], "the point where it was")
    program.click("plot.data", *place(program, "data", px, py), button=3)
    settled(program, lambda m: len(m["knobs"]["points"]) == count, "the point taken away")
    program.key("ctrl+z")
    settled(program, lambda m: len(m["knobs"]["points"]) == count + 1, "the point back")
    program.move("plot.data", *place(program, "data", px, py))
    program.key("Delete")
    settled(program, lambda m: len(m["knobs"]["points"]) == count, "the point taken away by a key")
    chooses(program, "source", "generated")


def training(program):
    chooses(program, "method", "parametric")
    types(program, "epochs", "20")
    settled(program, lambda m: m["knobs"]["epochs"] == 20, "20 epochs")
    program.click("play.step.start")
    settled(program, lambda m: m["knobs"]["step"] == 0, "step 0")
    program.click("play.step.toggle")
    program.wait(lambda m: m["playing"] == "step" or m["knobs"]["step"] > 0, "playing")
    settled(program, lambda m: m["knobs"]["step"] == 20 and m["playing"] == "", "the last step")
    program.click("plot.loss", x=0.25, y=0.5)
    settled(program, lambda m: m["knobs"]["step"] == 5, "step 5 by a click in the loss")
    program.click("figure.data.play.forward")
    settled(program, lambda m: m["knobs"]["step"] == 6, "step 6 by the button at the figure")
    program.click("play.step.speed")
    program.click("play.step.speed.4")
    program.wait(lambda m: m["speed"] == 4, "four times as fast")
    program.key("ctrl+z", "ctrl+z")
    settled(program, lambda m: m["knobs"]["step"] == 20, "what was before the click")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["step"] == 0, "what was before playing, in one step of undo")


def of_training(name):
    return lambda m: m["trainings"].get("pooling", {}).get(name)


def long_training(program):
    """A training that takes seconds goes on while other knobs turn; it is paused and stepped."""
    state, reached = of_training("state"), of_training("reached")
    types(program, "n", "100000")
    chooses(program, "loss", "mean")
    types(program, "epochs", "200")
    m = program.wait(lambda m: "training.pause" in m["controls"], "a training that takes a while")
    before = reached(m)
    program.click("plot.data", x=0.8, y=0.4)
    program.wait(lambda m: m["knobs"]["query"] > 35 and reached(m) > before + 2,
                 "another query, and more steps all the same")
    program.click("training.pause")
    program.wait(lambda m: state(m) == "paused", "a paused training")
    held = reached(settled(program, lambda m: not m["stale"], "a page of the step it is at"))
    program.click("training.step")
    settled(program, lambda m: reached(m) == held + 1 and state(m) == "paused", "one step more")
    program.click("training.go_on")
    program.wait(lambda m: reached(m) > held + 1, "a training that goes on")
    types(program, "epochs", str(held + 5))
    settled(program, lambda m: state(m) == "waiting", "a nearer end")
    types(program, "n", "50")
    chooses(program, "loss", "sum")


def another_rate(program):
    """A training is thrown out; a button takes the step back that did it, with a tenth of its rate."""
    chooses(program, "method", "parametric")
    for knob, text in (("rate", "0.5"), ("epochs", "12"), ("change_at", "5"), ("rate_after", "1e9"), ("step", "12")):
        types(program, knob, text)
    m = program.wait(lambda m: of_training("state")(m) == "stopped" and "training.offer" in m["controls"],
                     "a training that stopped, and a way on")
    check("training.restart" not in m["controls"], "nothing that comes to the same end", m["controls"].keys())
    check(of_training("reached")(m) == 5, "five good steps", of_training("reached")(m))
    rate = 1e9
    while "training.offer" in m["controls"]:
        rate /= 10
        program.click("training.offer")
        m = settled(program, lambda m: m["knobs"]["rate_after"] == rate and not m["stale"], f"a rate of {rate}")
    m = settled(program, lambda m: of_training("state")(m) == "waiting" and "training.offer" not in m["controls"],
                "a training that came to its end")
    check(m["knobs"]["change_at"] == 5 and m["knobs"]["step"] == 12, "step 12 with another rate from 5 on", m["knobs"])
    before = m["knobs"]["change_at"]
    program.drag("knob.change_at", (0.45, 0.5), (0.95, 0.5))
    m = settled(program, lambda m: m["knobs"]["change_at"] > before, "a later change by the slider")
    check(m["knobs"]["change_at"] <= 11, "no later than the last step", m["knobs"]["change_at"])
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["change_at"] == before, "the change where it was, in one step of undo")


def dropped(program):
    good, bad = program.folder / "good.csv", program.folder / "bad.csv"
    good.write_text("height,weight\n160,52\n170,60\n175,70\n180,75\n190,88\n")
    bad.write_text("1,2\n3,4\n5\n")
    check(drop_file(program.display.name, program.window, good), "the drop taken", "refused")
    settled(program, lambda m: m["knobs"]["file"] == str(good), "the file in its knob")
    check(drop_file(program.display.name, program.window, bad), "the drop taken", "refused")
    said = program.told("bad.csv")
    check(said == f"{bad}, line 3: expected 2 columns, got 1", "its sentence", said)
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["file"] == str(good), "the good file again")
    program.click("knob.file.clear")
    settled(program, lambda m: m["knobs"]["file"] == "", "no file")
    program.click("knob.file.choose")
    program.wait(lambda m: "dialog.accept" in m["controls"], "a dialog")
    program.key("Escape", "Escape")
    program.wait(lambda m: "dialog.accept" not in m["controls"], "no dialog")


def columns(program):
    """A file of many columns: one is searched and picked, another by the keyboard; one that is gone is kept."""
    wide, narrow = program.folder / "wide.csv", program.folder / "narrow.csv"
    names = ["who"] + [f"column_{k}" for k in range(30)]
    rows = [",".join(["somebody"] + [str(r * (k + 1) % 17) for k in range(30)]) for r in range(12)]
    wide.write_text("\n".join([",".join(names)] + rows) + "\n")
    narrow.write_text("column_1,column_2\n1,2\n2,3\n4,4\n")
    check(drop_file(program.display.name, program.window, wide), "the drop taken", "refused")
    program.told("expected a number")
    m = program.still()
    check(m["missing"] == [], "no name missing", m["missing"])
    program.click("choice.x_column")
    program.wait(lambda m: "knob.x_column.search" in m["controls"], "a list with a search")
    program.type("mn_17")
    program.wait(lambda m: "choice.x_column.column_17" in m["controls"] and
                 "choice.x_column.column_1" not in m["controls"], "the one that was typed")
    program.click("choice.x_column.column_17")
    m = settled(program, lambda m: m["knobs"]["x_column"] == "column_17", "column 17 as x")
    check(m["knobs"]["file"] == str(wide) and not m["stale"], "a page of it", m["message"])
    program.click("choice.y_column")
    program.wait(lambda m: "knob.y_column.search" in m["controls"], "a list with a search")
    program.key("Down", "Down", "Return")  # the second is the one before anything is chosen
    settled(program, lambda m: m["knobs"]["y_column"] == "column_2" and not m["stale"], "the fourth as y")
    check(drop_file(program.display.name, program.window, narrow), "the drop taken", "refused")
    m = settled(program, lambda m: m["missing"] == ["x_column"], "x marked as missing")
    check(m["knobs"]["x_column"] == "column_17" and "missing.x_column" in m["controls"], "it kept and said", m["knobs"])
    program.key("ctrl+z")
    settled(program, lambda m: m["missing"] == [] and not m["stale"] and m["knobs"]["file"] == str(wide),
            "the file that has it")
    program.click("choice.x_column")
    program.wait(lambda m: "knob.x_column.search" in m["controls"], "the list again")
    program.key("Escape")
    program.wait(lambda m: "knob.x_column.search" not in m["controls"], "no list")
    program.key("ctrl+z", "ctrl+z", "ctrl+z")
    settled(program, lambda m: m["knobs"]["file"] == "", "no file, as before")


if __name__ == "__main__":
    sys.exit(run(the_query, points, training, long_training, another_rate, dropped, columns, in_chinese_and_light))
