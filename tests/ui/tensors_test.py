#!/usr/bin/env python3
"""One's own tensors in a real window: a file is dropped, opened by the command line's word and chosen in, a head and a
cell are picked, filters hide tokens, a bad file is refused in a sentence, and a session tells a long one by its contents.

usage: tensors_test.py PROGRAM
"""
import json
import os
import struct
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import Program, check, run  # noqa: E402
from dropping import drop_file  # noqa: E402
from steps import chooses, in_chinese_and_light, opens, picks_cell, settled, types, unfolds  # noqa: E402

LAYERS, HEADS, N = 2, 3, 6


def write_npy(path, shape, numbers):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                     struct.pack(f"<{len(numbers)}f", *numbers))
    return path


def heads(path):
    """Causal rows that are all alike, but head 2.3, which looks at the first token alone."""
    numbers = []
    for head in range(LAYERS * HEADS):
        for query in range(N):
            row = [1 / (query + 1) if key <= query else 0 for key in range(N)]
            numbers += [1.0 if key == 0 else 0.0 for key in range(N)] if head == 5 else row
    return write_npy(path, (LAYERS, HEADS, N, N), numbers)


def drops(program):
    """Dropped on another lab, the file opens this one."""
    opens(program, "multi_head")
    path = heads(program.folder / "heads.npy")
    check(drop_file(program.display.name, program.window, path), "the drop taken", "refused")
    m = settled(program, lambda m: m["lab"] == "tensors" and m["readouts"].get("rows") == N, "the file's heads")
    check(m["knobs"]["file"] == str(path), "the file's name", m["knobs"]["file"])
    tokens = program.folder / "words.txt"
    tokens.write_text("<s>\nthe\ncat\nsat\non\nit\n")
    check(drop_file(program.display.name, program.window, tokens), "the drop taken", "refused")
    settled(program, lambda m: m["knobs"]["tokens_file"] == str(tokens), "names of tokens")


def picks_a_head(program):
    program.click("plot.head_2.3")
    m = settled(program, lambda m: (m["knobs"]["layer"], m["knobs"]["head"]) == (2, 3), "head 2.3")
    check(m["readouts"]["first"] == 1, "all on the first token", m["readouts"])
    chooses(program, "view", "statistics")
    settled(program, lambda m: "sorted" in m["plots"], "the statistics")
    chooses(program, "view", "head")
    settled(program, lambda m: "links" in m["plots"], "the head")
    picks_cell(program, "map", 4, 2)
    settled(program, lambda m: (m["knobs"]["query"], m["knobs"]["key"]) == (4, 2), "a cell")


def filters(program):
    types(program, "head", "1")
    m = settled(program, lambda m: m["knobs"]["head"] == 1 and not m["stale"], "head 2.1")
    check(abs(m["readouts"]["weight"] - 1 / 5) < 1e-6, "a fifth", m["readouts"])
    unfolds(program, "hidden")
    program.click("knob.hidden.value")
    program.type("<s>")
    settled(program, lambda m: m["knobs"]["hidden"] == "<s>" and abs(m["readouts"]["weight"] - 1 / 4) < 1e-6, "a fourth")
    program.key("ctrl+z")
    settled(program, lambda m: abs(m["readouts"]["weight"] - 1 / 5) < 1e-6, "undone")


def refuses(program):
    bad = write_npy(program.folder / "bad.npy", (4,), [1, 2, 3, 4])
    check(drop_file(program.display.name, program.window, bad), "the drop taken", "refused")
    program.told("two to five axes")
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["file"].endswith("heads.npy") and m["message"] == "", "the file before")


def saves_a_long_file(program):
    """More than is read at once: told by length and time at first, and then by its contents."""
    n = 2000
    path = program.folder / "long.npy"
    write_npy(path, (2, n, n), [])
    with path.open("ab") as file:
        for _ in range(2 * n):
            file.write(struct.pack("<f", 1 / n) * n)
    hour_ago = time.time() - 3600
    os.utime(path, (hour_ago, hour_ago))
    check(drop_file(program.display.name, program.window, path), "the drop taken", "refused")
    settled(program, lambda m: m["knobs"]["file"] == str(path) and not m["stale"], "the long file")
    saved = program.folder / "long.attn"
    program.key("ctrl+s")
    program.wait(lambda m: "dialog.path" in m["controls"], "a dialog")
    program.key("ctrl+a")
    program.type(str(saved))
    program.key("Return")
    program.told("long.npy", "long.attn")
    program.wait(lambda m: "contents" in json.loads(saved.read_text())["files"]["file"], "its contents")
    check(json.loads(saved.read_text())["files"]["file"]["bytes"] == path.stat().st_size, "its length", saved.read_text())
    with path.open("r+b") as file:
        file.seek(12_000_000)
        file.write(b"other")
    os.utime(path, (hour_ago + 60, hour_ago + 60))
    check(drop_file(program.display.name, program.window, saved), "the session's drop taken", "refused")
    program.told("contents have changed since")


def by_the_command_line(program):
    path = heads(program.folder / "named.npy")
    with Program(program.display, program.binary, str(path)) as other:
        m = settled(other, lambda m: m["lab"] == "tensors" and not m["stale"], "the file's page")
        check(m["knobs"]["file"] == str(path) and m["readouts"]["rows"] == N, "the file's heads", m["knobs"])


if __name__ == "__main__":
    sys.exit(run(drops, picks_a_head, filters, refuses, saves_a_long_file, by_the_command_line, in_chinese_and_light))
