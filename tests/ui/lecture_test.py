#!/usr/bin/env python3
"""A lecture in a real window: in by F5, on by Page Down, the sentence off, a black screen, a stroke of the pen
that is in the picture written, the lecturer's notes, and out by Escape with the looks as before; then a stop is
added to a lesson of one's own, and the file is changed on disk.

usage: lecture_test.py PROGRAM
"""
import struct
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, restless, run  # noqa: E402

LOOKS = {}


def rest(program, good, what):
    return program.wait(lambda m: (m["settled"] or restless(m)) and not m["stale"] and good(m), what)


def leaves(program):
    """Escape asks before it leaves a lesson."""
    program.key("Escape")
    program.wait(lambda m: "dialog.go" in m["controls"], "the question")
    program.click("dialog.go")
    rest(program, lambda m: m["lesson"] is None, "the lesson left")


def lecture(program, good, what):
    return rest(program, lambda m: m["lecture"] is not None and good(m["lecture"]), what)


def pixels(path):
    """Rows of RGB of a PNG of 8 bits without interlacing."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    step = {2: 3, 6: 4}[color]
    raw, rows, last = zlib.decompress(packed), [], bytes(width * step)
    for y in range(height):
        line = bytearray(raw[y * (width * step + 1):(y + 1) * (width * step + 1)])
        kind, line = line[0], line[1:]
        for x in range(len(line)):
            a, b = line[x - step] if x >= step else 0, last[x]
            c = last[x - step] if x >= step else 0
            near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[x] = (line[x] + (0, a, b, (a + b) // 2, near)[kind]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, len(line), step)])
        last = bytes(line)
    return rows


def begins(program):
    program.click("list.lessons")
    program.wait(lambda m: "lesson:averaging" in m["controls"], "the list of lessons")
    program.click("lesson:averaging")
    m = rest(program, lambda m: m["lesson"] is not None, "the lesson")
    LOOKS.update(theme=m["theme"], scale=m["scale"])
    program.key("F5")
    m = lecture(program, lambda l: l["at"] == 0, "the lecture")
    check((m["theme"], m["scale"]) == ("light", 2), "light and 200 %", (m["theme"], m["scale"]))
    check("button.export" not in m["controls"] and "status" not in m["controls"], "the figures alone",
          sorted(m["controls"]))


def goes_on(program):
    for at, phase in ((0, "answered"), (1, "asking"), (1, "answered"), (2, "waiting")):
        program.key("Next")
        rest(program, lambda m: (m["lesson"]["at"], m["lesson"]["phase"]) == (at, phase) and not m["lesson"]["moving"],
             f"stop {at} {phase}")
    program.key("s")
    m = lecture(program, lambda l: not l["sentence"], "no sentence")
    check("lecture.words" not in m["controls"] and "figure.data" in m["controls"], "the figure alone",
          sorted(m["controls"]))
    program.key("b")
    lecture(program, lambda l: l["blank"] == "black", "a black screen")
    program.key("Prior")
    m = lecture(program, lambda l: l["blank"] == "none", "the picture back")
    check(m["lesson"]["at"] == 2, "the same stop", m["lesson"])


def draws(program):
    program.key("p")
    lecture(program, lambda l: l["tool"] == "pen", "the pen")
    program.drag("figure.data", (0.2, 0.25), (0.8, 0.25))
    lecture(program, lambda l: l["strokes"] == 1, "a stroke")
    program.key("ctrl+z")
    lecture(program, lambda l: l["strokes"] == 0, "the stroke undone")
    program.key("ctrl+shift+z")
    lecture(program, lambda l: l["strokes"] == 1, "the stroke again")
    x, y = program.center("figure.data", 0.5, 0.25)
    picture = program.folder / "stroke.png"
    program.key("p", "ctrl+e")
    program.wait(lambda m: "dialog.accept" in m["controls"], "the question where to")
    program.key("ctrl+a")
    program.type(str(picture))
    program.key("Return")
    program.wait(lambda m: picture.exists(), "the picture written")
    rows = pixels(picture)
    m = program.map()
    check((len(rows[0]), len(rows)) == (m["window"]["w"], m["window"]["h"]), "the window's size",
          (len(rows[0]), len(rows)))
    r, g, b = rows[y][x]
    check(r > 150 and r - max(g, b) > 60, "a red stroke in the picture", (r, g, b))


def has_notes(program):
    program.key("n")
    lecture(program, lambda l: l["notes"], "the notes")
    names = program.xdo("search", "--sync", "--onlyvisible", "--name", "attnscope: notes").split()
    check(len(names) == 1, "a second window", names)
    program.key("n")
    lecture(program, lambda l: not l["notes"], "no notes")


def ends(program):
    program.key("Escape")
    m = rest(program, lambda m: m["lecture"] is None, "the lecture's end")
    check({k: m[k] for k in LOOKS} == LOOKS, "the looks as before", (m["theme"], m["scale"]))
    check(m["lesson"]["at"] == 2 and "lesson.next" in m["controls"], "the same stop", m["lesson"])


def adds_a_stop(program):
    mine = program.folder / "mine.md"
    leaves(program)
    query, lab = program.knob("query"), program.map()["lab"]
    program.click("button.export")
    program.wait(lambda m: "export.stop" in m["controls"], "the menu")
    program.click("export.stop")
    program.wait(lambda m: "stop.title" in m["controls"], "what is asked")
    program.type("Here")
    program.click("stop.sentence")
    program.type("Look at the query.")
    program.click("dialog.path")
    program.key("ctrl+a")
    program.type(str(mine))
    program.click("dialog.accept")
    m = rest(program, lambda m: m["lesson"] is not None, "the lesson of one's own")
    check(m["lesson"]["name"] == str(mine) and m["lesson"]["stop"] == "Here", "its stop", m["lesson"])
    check(m["knobs"]["query"] == query, "the scene", m["knobs"]["query"])
    text = mine.read_text()
    check(f"## Here\nlab: {lab}\n" in text and "Look at the query." in text, "the stop in the file", text)
    mine.write_text(text.replace("## Here", "## There"))
    program.click("lesson.title")
    rest(program, lambda m: m["lesson"] is not None and m["lesson"]["stop"] == "There", "the file read again")
    mine.write_text(text.replace("lab: pooling\n\n## ", "lab: pooling\n\n## ").replace("about:", "abuot:"))
    program.click("lesson.title")
    program.told("mine.md, line 2")
    check(program.map()["lesson"]["stop"] == "There", "the lesson as it was read before", program.map()["lesson"])
    leaves(program)


if __name__ == "__main__":
    sys.exit(run(begins, goes_on, draws, has_notes, ends, adds_a_stop))
