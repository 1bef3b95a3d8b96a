#!/usr/bin/env python3
"""The lab of decoding in a real window: a beam tree is grown step by step, branches are taken, undone and redone, a bar
is dragged, filters change places, and a trained model writes.

usage: decoding_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, settled, types  # noqa: E402


def hits(m, begins):
    return [c for c in m["controls"] if c.startswith("hit." + begins)]


def holds(program, knob, value):
    return settled(program, lambda m: m["knobs"][knob] == value and not m["stale"], f"{knob} {value!r}")


def grows(program):
    """Each click on the head lets the tree write one token more; boxes of the new step can be taken."""
    opens(program, "decoding")
    for steps in (3, 4):
        program.click(f"hit.steps={steps}")
        holds(program, "steps", steps)
    deep = "hit.taken=A B A explain=branch"
    settled(program, lambda m: deep in m["controls"], "a branch of three letters")
    before = len(hits(program.map(), "taken="))
    types(program, "width", "4")
    holds(program, "width", 4)
    settled(program, lambda m: len(hits(m, "taken=")) > before, "more branches in a wider beam")


def branches(program):
    """A click takes a branch; it is undone and redone as any knob."""
    for taken in ("C", "C A"):
        program.click(f"hit.taken={taken} explain=branch")
        holds(program, "taken", taken)
    program.key("ctrl+z")
    holds(program, "taken", "C")
    program.key("ctrl+z")
    holds(program, "taken", "")
    program.key("ctrl+y")
    program.key("ctrl+y")
    holds(program, "taken", "C A")
    program.click("hit.taken= explain=probability")
    holds(program, "taken", "")


def drags(program):
    """A bar is dragged up, and its number in the rules with it, as one step of undo."""
    before = program.knob("rules")
    program.into_view("grip.stage_0.1")
    program.drag("grip.stage_0.1", (0.5, 0.5), (0.5, -1.5))
    m = settled(program, lambda m: m["knobs"]["rules"] != before, "other rules")
    head = m["knobs"]["rules"].split(" C:")[0]
    check(head.startswith("A:0.4 B:0.") and float(head[8:]) > 0.3, "a larger number of B", m["knobs"]["rules"])
    check(m["knobs"]["rules"].endswith(before.split(" C:", 1)[1]), "all else as it was", m["knobs"]["rules"])
    dragged = m["knobs"]["rules"]
    # They add up to more than one now: a button writes what they are divided to.
    settled(program, lambda m: "page.offer" in m["controls"], "the button that writes shares")
    program.into_view("page.offer")
    program.click("page.offer")
    settled(program, lambda m: "page.offer" not in m["controls"] and m["knobs"]["rules"] != dragged, "shares")
    program.key("ctrl+z")
    holds(program, "rules", dragged)
    program.key("ctrl+z")
    holds(program, "rules", before)


def filters(program):
    """The order of filters is turned around by a button."""
    holds(program, "filters", "temperature t=0.7; top_p p=0.9")
    program.click("stack:filters:1:up")
    holds(program, "filters", "top_p p=0.9; temperature t=0.7")
    program.click("stack:filters:1:t.value")
    program.key("ctrl+a")
    program.type("0.25")
    program.key("Return")
    holds(program, "filters", "top_p p=0.9; temperature t=0.25")


def model(program):
    chooses(program, "from", "model")
    m = settled(program, lambda m: not m["stale"], "a page of the model")
    check(m["message"] == "", "no complaint", m["message"])
    check(len(hits(m, "taken=")) > 5, "a tree of letters", hits(m, "taken="))


def published(program):
    """A folder's model writes: a branch is taken by the numbers of its tokens."""
    chooses(program, "from", "published")
    m = settled(program, lambda m: m["knobs"]["from"] == "published" and not m["stale"], "a page of a published model")
    check(m["message"] == "", "no complaint", m["message"])
    branch = hits(m, "taken=")[-1]
    program.click(branch)
    m = settled(program, lambda m: m["knobs"]["taken"] != "" and not m["stale"], "a branch taken")
    check(all(word.isdigit() for word in m["knobs"]["taken"].split()), "numbers of tokens", m["knobs"]["taken"])
    program.key("ctrl+z")
    holds(program, "taken", "")


if __name__ == "__main__":
    sys.exit(run(grows, branches, drags, filters, model, published, in_chinese_and_light))
