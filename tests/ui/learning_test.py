#!/usr/bin/env python3
"""The labs that learn from pairs in a real window, with a real mouse and keyboard: a model is trained, paused,
scrubbed, asked about a typed text, taken apart by a click, saved and opened again.

usage: learning_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from dropping import drop_file  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, picks_cell, settled, types, unfolds  # noqa: E402


def writes(program, text):
    """A text typed into the box of what is read."""
    unfolds(program, "source")
    program.click("knob.source.value")
    program.key("ctrl+a")
    program.type(text)
    return settled(program, lambda m: m["knobs"]["source"] == text, f"the text {text}")


def shipped(program):
    """What was trained before works at once; a cell and a written token are picked."""
    opens(program, "alignment")
    picks_cell(program, "alignment", 3, 2)
    m = settled(program, lambda m: m["pinned"] == {"token": 2}, "the cell's token pinned")
    check(m["knobs"]["row"] == 3 and m["knobs"]["explain"] == "weight", "row 3 taken apart", m["knobs"])
    program.key("Escape")
    settled(program, lambda m: m["pinned"] == {}, "nothing pinned")


def of_training(name, run_name):
    return lambda m: m["trainings"].get(run_name, {}).get(name)


def training(program):
    """From nothing: it learns while another knob turns, is paused, stepped and scrubbed back."""
    state, reached = of_training("state", "alignment"), of_training("reached", "alignment")
    chooses(program, "task", "reversal")
    chooses(program, "weights", "here")
    types(program, "steps", "3000")
    program.wait(lambda m: "training.pause" in m["controls"] and (reached(m) or 0) > 3, "a training that goes on")
    types(program, "row", "1")
    settled_row = program.wait(lambda m: m["knobs"]["row"] == 1 and state(m) == "training", "a row turned meanwhile")
    check(reached(settled_row) < 3000, "not yet at its end", reached(settled_row))
    program.click("training.pause")
    # The one with a fixed context beside it, too.
    program.wait(lambda m: state(m) == "paused" and
                 all(run["state"] != "training" for run in m["trainings"].values()), "paused trainings")
    held = reached(settled(program, lambda m: not m["stale"], "a page of the step it is at"))
    program.click("training.step")
    settled(program, lambda m: reached(m) == held + 1 and state(m) == "paused", "one step more")
    types(program, "step", "2")
    m = settled(program, lambda m: m["knobs"]["step"] == 2 and not m["stale"], "an early step")
    check(reached(m) == held + 1, "nothing trained anew", reached(m))
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["step"] != 2, "the step before")


def slowly(program):
    """A step of training is walked through by its buttons."""
    unfolds(program, "stage")
    program.click("play.stage.forward")
    settled(program, lambda m: m["knobs"]["stage"] == 1, "the first stage")
    program.click("plot.norms", x=0.5, y=0.5)


def saved(program):
    """The trained model is saved by the menu, dropped on the window, and asked about another text."""
    opens(program, "translation")
    chooses(program, "task", "reversal")
    path = program.folder / "mine.safetensors"
    program.click("button.export")
    program.wait(lambda m: "export.safetensors" in m["controls"], "a model among what can be exported")
    program.click("export.safetensors")
    program.wait(lambda m: "dialog.path" in m["controls"], "the dialog that exports")
    program.click("dialog.path")
    program.key("ctrl+a")
    program.type(str(path))
    program.click("dialog.accept")
    program.wait(lambda _: path.exists(), "the model's file")
    check(drop_file(program.display.name, program.window, path), "the drop taken", "refused")
    settled(program, lambda m: m["knobs"]["transformer_file"] == str(path), "the file in its knob")
    m = writes(program, "window")
    check("expected" not in m["message"], "no complaint", m["message"])
    bad = program.folder / "bad.safetensors"
    bad.write_bytes(b"not a model")
    check(drop_file(program.display.name, program.window, bad), "the drop taken", "refused")
    program.told("bad.safetensors")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["transformer_file"] == str(path), "the good file again")



def induction(program):
    """A decoder learns from nothing: the score of its heads rises, suddenly, and falls again as the step goes back."""
    opens(program, "gpt_training")
    m = settled(program, lambda m: m["readouts"].get("induction", 0) > 0.9, "what was trained before")
    chooses(program, "weights", "here")
    m = program.wait(lambda m: m["knobs"]["weights"] == "here" and not m["stale"] and
                     all(run["state"] != "training" for run in m["trainings"].values()), "250 steps")
    check(m["readouts"]["induction"] > 0.9 and m["readouts"]["accuracy"] > 0.98, "induction learned", m["readouts"])
    types(program, "step", "60")
    m = settled(program, lambda m: m["knobs"]["step"] == 60 and m["readouts"].get("induction", 1) < 0.3, "not yet")
    types(program, "step", "250")
    settled(program, lambda m: m["readouts"].get("induction", 0) > 0.9, "learned again")
    picks_cell(program, "map", 20, 4)
    m = settled(program, lambda m: (m["knobs"]["place"], m["knobs"]["token"]) == (20, 4), "a weight picked")
    program.click("knob.text.value")
    program.type("abcdeabcd")
    m = settled(program, lambda m: m["knobs"]["text"] == "abcdeabcd" and "parameters" in m["readouts"],
                "a text of one's own")
    check((m["knobs"]["place"], m["message"]) == (20, ""), "all left alone while one types", m["message"])
    program.key("Return")
    m = settled(program, lambda m: m["knobs"]["place"] == 8, "the last place of the text that was typed")
    said = program.told(": 8 now, the most in ")
    check(said.count("; it was ") == 1, "one sentence, once", said)
    program.close_message()


def inside(program):
    """What was trained here is looked into and left to write, and the way leads back."""
    program.click("jump.gpt_inside")
    m = settled(program, lambda m: m["lab"] == "gpt_inside" and m["knobs"]["story_file"].endswith(".safetensors"),
                "the lab that looks inside, with the model")
    settled(program, lambda m: m["readouts"].get("accuracy", 0) > 0.98, "what was learned")
    program.click("jump.back")
    settled(program, lambda m: m["lab"] == "gpt_training" and m["knobs"]["text"] == "abcdeabcd", "the training, as left")
    program.click("jump.decoding")
    m = settled(program, lambda m: m["lab"] == "decoding" and m["knobs"]["story_file"].endswith(".safetensors"),
                "the lab that writes, with the model")
    check(m["message"] == "", "no complaint", m["message"])
    program.click("jump.back")


if __name__ == "__main__":
    sys.exit(run(shipped, training, slowly, saved, induction, inside, in_chinese_and_light))
