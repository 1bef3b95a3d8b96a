#!/usr/bin/env python3
"""A published model in a real window: a folder is dropped and typed, a text is typed, a head is picked and a weight
taken apart, the model's own numbers open another lab, and a button leads back.

usage: checkpoint_test.py PROGRAM
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import Program, check, run  # noqa: E402
from dropping import drop_file  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, picks_cell, settled, types, unfolds  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LLAMA, GPT2 = ROOT / "assets/checkpoints/llama", ROOT / "tests/reference/checkpoints/gpt2"


def folders(program):
    """A folder is dropped, another typed; what a text must be without a tokenizer is told."""
    opens(program, "checkpoint")
    settled(program, lambda m: m["readouts"].get("tokens", 0) > 5, "the model at first")
    check(drop_file(program.display.name, program.window, LLAMA), "a window that takes it", "none")
    settled(program, lambda m: m["knobs"]["folder"] == str(LLAMA) and m["readouts"]["parameters"] > 50000, "it opened")
    program.click("knob.folder.value")
    program.key("ctrl+a")
    program.type(str(GPT2 / "config.json"))
    program.key("Return")
    m = settled(program, lambda m: m["knobs"]["folder"].endswith("gpt2/config.json") and m["readouts"]["tokens"] == 12,
                "twelve tokens of the other folder")
    check(m["message"] == "", "no complaint", m["message"])
    program.click("knob.text.value")
    program.type("cats")
    program.told("expected token ids")
    program.key("Escape")
    program.key("ctrl+z")
    settled(program, lambda m: not m["stale"], "the text before")
    program.click("knob.folder.clear")
    settled(program, lambda m: m["knobs"]["folder"] == "" and not m["stale"], "the small models again")


def heads(program):
    """A text is typed, a head is picked on the sheet, and a weight is taken apart."""
    opens(program, "checkpoint")
    chooses(program, "model", "llama")
    program.click("knob.text.value")
    program.key("ctrl+a")
    program.type("the dog sat by the cat")
    m = settled(program, lambda m: m["knobs"]["text"].endswith("cat") and not m["stale"], "a text of one's own")
    check(m["message"] == "", "no complaint", m["message"])
    program.click("plot.head_2.3")
    settled(program, lambda m: (m["knobs"]["layer"], m["knobs"]["head"]) == (2, 3), "head 2.3")
    picks_cell(program, "map", 4, 2)
    settled(program, lambda m: (m["knobs"]["token"], m["knobs"]["key"]) == (4, 2) and "weight" in m["readouts"],
            "a weight taken apart")
    chooses(program, "view", "next")
    settled(program, lambda m: m["readouts"].get("written", 0) > 0, "a continuation")


def another_lab(program):
    """The model's base, width and context open RoPE under rounding; a button and undo lead back."""
    opens(program, "checkpoint")
    chooses(program, "model", "llama")
    chooses(program, "view", "positions")
    settled(program, lambda m: m["readouts"].get("largest_change", 0) > 0, "what rounding does")
    types(program, "offset", "0")
    settled(program, lambda m: m["readouts"].get("largest_change") == 0, "nothing at the beginning")
    program.click("jump.rope_rounding")
    m = settled(program, lambda m: m["lab"] == "rope_rounding" and not m["stale"], "RoPE under rounding")
    check((m["knobs"]["d"], m["knobs"]["base"], m["knobs"]["length"]) == (16, 10000, 16384),
          "the model's numbers", m["knobs"])
    program.click("jump.back")
    m = settled(program, lambda m: m["lab"] == "checkpoint" and not m["stale"], "the way back")
    check((m["knobs"]["view"], m["knobs"]["offset"]) == ("positions", 0), "as it was left", m["knobs"])
    program.click("jump.rotary")
    settled(program, lambda m: m["lab"] == "rotary" and m["knobs"]["pairing"] == "halves", "another lab")
    program.key("ctrl+z")
    settled(program, lambda m: m["lab"] == "checkpoint", "undone")


def as_tensors(program):
    """The weights as arrays, in the lab of one's own: rollout of a published model, and a button back."""
    opens(program, "checkpoint")
    chooses(program, "model", "bert")
    chooses(program, "view", "heads")
    settled(program, lambda m: "jump.tensors" in m["controls"] and not m["stale"], "the way to the arrays")
    tokens = program.map()["readouts"]["tokens"]
    program.click("jump.tensors")
    m = settled(program, lambda m: m["lab"] == "tensors" and not m["stale"], "the arrays")
    check(m["knobs"]["file"].endswith(".safetensors") and m["knobs"]["tokens_file"].endswith(".json"),
          "files of the model's numbers", m["knobs"])
    chooses(program, "view", "head")
    chooses(program, "combine", "rollout")
    m = settled(program, lambda m: not m["stale"] and m["message"] == "", "attention rollout")
    x0, x1, y0, y1 = m["plots"]["map"]["shown"]
    check(abs(x1 - x0) == tokens and abs(y1 - y0) == tokens, f"{tokens} tokens each way", m["plots"]["map"])
    program.click("jump.back")
    settled(program, lambda m: m["lab"] == "checkpoint" and m["knobs"]["model"] == "bert", "the way back")


def decoders(program):
    """The folder and the text are opened in the labs of decoders; a button leads back from each."""
    opens(program, "checkpoint")
    chooses(program, "model", "llama")
    chooses(program, "view", "next")
    program.click("knob.text.value")
    program.key("ctrl+a")
    program.type("the cat sat")
    settled(program, lambda m: m["knobs"]["text"] == "the cat sat" and not m["stale"], "a text of one's own")
    program.click("jump.decoding")
    m = settled(program, lambda m: m["lab"] == "decoding" and not m["stale"], "decoding")
    check((m["knobs"]["from"], m["knobs"]["published"], m["knobs"]["prompt"]) == ("published", "llama", "the cat sat"),
          "the model and the text", m["knobs"])
    check(m["message"] == "", "no complaint", m["message"])
    program.click("jump.back")
    settled(program, lambda m: m["lab"] == "checkpoint" and not m["stale"], "the way back")
    program.click("jump.gpt_inside")
    m = settled(program, lambda m: m["lab"] == "gpt_inside" and not m["stale"], "inside")
    check((m["knobs"]["from"], m["knobs"]["published"], m["knobs"]["text"]) == ("published", "llama", "the cat sat"),
          "the model and the text", m["knobs"])
    check("shares" in m["plots"], "what adds up", sorted(m["plots"]))
    program.click("jump.back")
    m = settled(program, lambda m: m["lab"] == "checkpoint" and not m["stale"], "the way back")
    check(m["knobs"]["text"] == "the cat sat", "as it was left", m["knobs"])


def by_the_command_line(program):
    with Program(program.display, program.binary, str(LLAMA)) as other:
        m = settled(other, lambda m: m["lab"] == "checkpoint" and not m["stale"], "the folder's page")
        check(m["knobs"]["folder"] == str(LLAMA) and m["readouts"]["parameters"] > 50000, "its model", m["knobs"])


if __name__ == "__main__":
    sys.exit(run(folders, heads, another_lab, as_tensors, decoders, by_the_command_line, in_chinese_and_light))
