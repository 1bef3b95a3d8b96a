#!/usr/bin/env python3
"""The labs that look into a model, in a real window: boxes of the Transformer are opened, tensors picked and taken
apart, the loss is walked back; words of a document are left out and put back, and it is read anew; the induction head
of a decoder is knocked out by a click and given back.

usage: inside_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, picks_cell, settled, types, unfolds  # noqa: E402


def hit(program, begins):
    """What can be clicked that sets something that begins so."""
    m = settled(program, lambda m: any(c.startswith("hit." + begins) for c in m["controls"]), f"a place of {begins}")
    return min(c for c in m["controls"] if c.startswith("hit." + begins))


def boxes(program):
    """A click opens a box, a click on a picture shows its tensor, a cell is taken apart, and undo closes it."""
    opens(program, "transformer")
    program.click(hit(program, "opened=encoder_self"), x=0.1)  # beside its picture
    settled(program, lambda m: m["knobs"]["opened"] == "encoder_self", "an open box")
    program.click(hit(program, "block=encoder_self part=weights"))
    m = settled(program, lambda m: m["knobs"]["block"] == "encoder_self" and m["knobs"]["part"] == "weights",
                "the weights large")
    check(m["knobs"]["opened"] == "encoder_self", "the box still open", m["knobs"]["opened"])
    picks_cell(program, "tensor", 2, 4)
    settled(program, lambda m: (m["knobs"]["row"], m["knobs"]["col"]) == (2, 4), "a cell picked")
    while program.knob("opened") != "none":
        before = program.knob("opened"), program.knob("part"), program.knob("row"), program.knob("block")
        program.key("ctrl+z")
        settled(program, lambda m: tuple(m["knobs"][k] for k in ("opened", "part", "row", "block")) != before, "undone")


def backward(program):
    """The loss is walked back through the same drawing, with other norms and depths."""
    unfolds(program, "backward")
    program.click("knob.backward")
    settled(program, lambda m: m["knobs"]["backward"], "walked back")
    chooses(program, "norm", "before")
    types(program, "encoder_layers", "48")
    settled(program, lambda m: m["knobs"]["encoder_layers"] == 48 and not m["stale"], "48 layers")
    types(program, "layer", "48")
    m = settled(program, lambda m: m["knobs"]["layer"] == 48 and not m["stale"], "the last of them")
    check(m["message"] == "", "no complaint", m["message"])


def documents(program):
    """A word is left out by a click and put back; another document is typed; average pooling learns beside."""
    opens(program, "documents")
    first = hit(program, "deleted=")
    program.click(first)
    m = settled(program, lambda m: m["knobs"]["deleted"] != "", "a word left out")
    check("hit.deleted=" in m["controls"], "its box puts it back", [c for c in m["controls"] if "deleted" in c])
    program.click("hit.deleted=")
    settled(program, lambda m: m["knobs"]["deleted"] == "", "the word again")
    unfolds(program, "text")
    program.click("knob.text.value")
    program.key("ctrl+a")
    program.type("the soup was not good. we went home.")
    settled(program, lambda m: m["knobs"]["text"].startswith("the soup"), "a text of one's own")
    chooses(program, "weights", "here")
    program.wait(lambda m: m["trainings"], "a training")
    types(program, "steps", "20")
    m = settled(program, lambda m: m["knobs"]["steps"] == 20 and not m["stale"] and
                all(run["state"] != "training" for run in m["trainings"].values()), "a training that is done")
    check(all(run["reached"] >= 20 for run in m["trainings"].values()), "20 steps", m["trainings"])


def decoder(program):
    """Repeats are right until the induction head is knocked out; what is typed is read; a bar is taken apart."""
    opens(program, "gpt_inside")
    m = settled(program, lambda m: m["readouts"].get("accuracy", 0) > 0.98, "repeats that are right")
    check(m["knobs"]["knocked"] == "", "no head knocked out", m["knobs"]["knocked"])
    program.click("hit.knocked=2.1")
    m = settled(program, lambda m: m["knobs"]["knocked"] == "2.1" and m["readouts"]["accuracy"] < 0.2, "repeats lost")
    check(m["readouts"]["accuracy_before"] > 0.98, "what it was before", m["readouts"])
    program.click("hit.knocked=")
    settled(program, lambda m: m["readouts"]["accuracy"] > 0.98, "the head given back")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["knocked"] == "2.1" and m["readouts"]["accuracy"] < 0.2, "undone")
    program.click("hit.knocked=1.1 2.1")
    settled(program, lambda m: m["knobs"]["knocked"] == "1.1 2.1", "both out")
    program.key("ctrl+z", "ctrl+z")
    settled(program, lambda m: m["knobs"]["knocked"] == "", "none out")
    picks_cell(program, "map", 20, 5)
    settled(program, lambda m: (m["knobs"]["token"], m["knobs"]["key"]) == (20, 5), "a weight picked")
    chooses(program, "view", "stream")
    program.click(hit(program, "part=0"))
    settled(program, lambda m: m["knobs"]["part"] == 0, "a bar taken apart")
    program.click("knob.text.value")
    program.type("abcabcab")
    m = settled(program, lambda m: m["knobs"]["text"] == "abcabcab", "a text of one's own")
    check((m["knobs"]["token"], m["message"]) == (20, ""), "all left alone while one types", m["message"])
    program.key("Return")
    settled(program, lambda m: m["knobs"]["token"] == 7, "the last token of the text that was typed")
    said = program.told(": 7 now, the most in ")
    check(said.count("; it was ") == 1, "one sentence, once", said)
    program.close_message()
    chooses(program, "view", "circuits")
    settled(program, lambda m: "circuit" in m["plots"] and not m["stale"], "the map")
    picks_cell(program, "circuit", 7, 7)
    settled(program, lambda m: (m["knobs"]["row"], m["knobs"]["col"]) == (7, 7), "a cell of the map")


def published(program):
    """A published model's head is knocked out and given back; a bar of its stream is taken apart."""
    opens(program, "gpt_inside")
    chooses(program, "view", "heads")
    types(program, "token", "-1")  # its pieces of the text are others
    chooses(program, "from", "published")
    m = settled(program, lambda m: m["knobs"]["from"] == "published" and not m["stale"], "a published model")
    check(m["message"] == "", "no complaint", m["message"])
    before = m["readouts"]["logit"]
    program.click("hit.knocked=1.1")
    settled(program, lambda m: m["knobs"]["knocked"] == "1.1" and m["readouts"]["logit"] != before, "another logit")
    program.click("hit.knocked=")
    settled(program, lambda m: m["knobs"]["knocked"] == "" and m["readouts"]["logit"] == before, "the same logit again")
    chooses(program, "view", "stream")
    program.click(hit(program, "part=0"))
    settled(program, lambda m: m["knobs"]["part"] == 0, "a bar taken apart")


if __name__ == "__main__":
    sys.exit(run(boxes, backward, documents, decoder, published, in_chinese_and_light))
