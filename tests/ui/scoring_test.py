#!/usr/bin/env python3
"""The labs of softmax and scores in a real window: a logit is dragged by its bar, the edge of a valid
length, a key and the query; a weight is picked, a key clicked into the plane and taken away; all of it
is undone and exported.

usage: scoring_test.py PROGRAM
"""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from limits import HANGS  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, settled, types  # noqa: E402


def moved(program, grip, plot, x=0.0, y=0.0):
    """Drags a grip by shares of a plot's width and height."""
    controls = program.map()["controls"]
    area, disc = controls[f"plot.{plot}"], controls[grip]
    program.drag(grip, (0.5, 0.5), (0.5 + x * area[2] / disc[2], 0.5 + y * area[3] / disc[3]))


def softmax(program):
    opens(program, "softmax")
    before = program.knob("logit_2")
    moved(program, "grip.logits.1", "logits", y=-0.2)
    settled(program, lambda m: m["knobs"]["logit_2"] > before, "a larger logit after dragging its bar up")
    settled(program, lambda m: m["knobs"]["weight"] == 2, "the dragged logit picked")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["logit_2"] == before, "the logit before: the drag was one step")
    program.click("plot.weights", x=0.5, y=0.9)  # the third of five bars
    settled(program, lambda m: m["knobs"]["weight"] == 3, "weight 3 picked by a click on its bar")
    types(program, "temperature", "0")
    program.wait(lambda m: "temperature" in m["errors"], "a temperature of 0 refused")
    program.key("Escape")
    for view in ("jacobian", "loss", "masks", "fills", "lengths"):
        chooses(program, "view", view)
    length = program.knob("length_1")
    moved(program, "grip.scores_1.0", "scores_1", x=0.4)
    settled(program, lambda m: m["knobs"]["length_1"] > length, "a longer sequence after dragging its edge")


def plane(program):
    opens(program, "scoring")
    keys = program.knob("keys")
    moved(program, "grip.field.0", "field", x=-0.2)
    settled(program, lambda m: m["knobs"]["keys"] != keys, "another place of the dragged key")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["keys"] == keys, "the key where it was")
    program.click("plot.field", x=0.5, y=0.12)
    more = settled(program, lambda m: len(m["knobs"]["keys"]) == len(keys) + 1, "one key more")
    grip = f"grip.field.{len(more['knobs']['keys']) - 1}"
    program.click(grip, button=3)
    settled(program, lambda m: m["knobs"]["keys"] == keys, "the new key taken away")
    x = program.knob("q_x")
    moved(program, f"grip.field.{len(keys)}", "field", x=-0.25)
    settled(program, lambda m: m["knobs"]["q_x"] < x, "the query further left")
    program.click("plot.weights_gaussian", x=0.375, y=0.8)  # the second of four bars
    settled(program, lambda m: m["knobs"]["score"] == "gaussian" and m["knobs"]["key"] == 1,
            "the Gaussian weight of key 1 picked")
    for view in ("heights", "width"):
        chooses(program, "view", view)
    types(program, "d", "1")
    program.wait(lambda m: "d" in m["errors"], "a width of 1 refused")
    program.key("Escape")


def exported(program):
    """The same page from the command line, numbers and picture."""
    for ending in ("json", "svg"):
        out = program.folder / f"scores.{ending}"
        done = subprocess.run([program.binary, "export", "scoring", "--preset", "heights", "-o", str(out)],
                              capture_output=True, text=True, timeout=HANGS)
        check(done.returncode == 0 and out.stat().st_size > 1000, f"an export as {ending}", done.stderr)


if __name__ == "__main__":
    sys.exit(run(softmax, plane, exported, in_chinese_and_light))
