#!/usr/bin/env python3
"""Knobs in motion in a real window: a knob is set in motion, paused, scrubbed and followed by another; a touch
ends it and Escape takes it back; and it is written as an animated PNG.

usage: sweep_test.py PROGRAM
"""
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402


def swept(program, good, what):
    return program.wait(lambda m: m["sweep"] is not None and good(m), what)


def still(program):
    """The temperature, once the page of it is there."""
    return program.wait(lambda m: not m["busy"] and not m["stale"], "the page of the knobs")["knobs"]["temperature"]


def starts_from_the_label(program):
    program.click("lab.softmax")
    program.wait(lambda m: m["lab"] == "softmax" and not m["busy"], "the lab")
    program.before = still(program)
    program.click("label.temperature", button=3)
    program.wait(lambda m: "sweep.start" in m["controls"], "the knob's menu")
    program.click("sweep.start")
    m = swept(program, lambda m: m["sweep"]["playing"], "a sweep that plays")
    check(m["sweep"]["knobs"] == ["temperature"], "the knob that moves", m["sweep"])
    one = m["sweep"]["place"]
    swept(program, lambda m: abs(m["sweep"]["place"] - one) > 0.1, "time to pass")
    swept(program, lambda m: m["knobs"]["temperature"] != program.before, "the knob to follow")


def pauses_and_rests(program):
    program.click("sweep.play")
    m = swept(program, lambda m: not m["sweep"]["playing"], "the pause")
    still(program)
    place, value = program.map()["sweep"]["place"], program.knob("temperature")
    m = program.sleeps()
    check((m["sweep"]["place"], m["knobs"]["temperature"]) == (place, value), "all at rest", m["sweep"])


def is_scrubbed(program):
    program.click("sweep.place", x=0.75)
    m = swept(program, lambda m: abs(m["sweep"]["place"] - 0.75) < 0.03, "three quarters of the way")
    check(not m["sweep"]["playing"], "that it does not play", m["sweep"])
    late = still(program)
    program.click("sweep.place", x=0.25)
    swept(program, lambda m: abs(m["sweep"]["place"] - 0.25) < 0.03, "a quarter of the way")
    early = program.wait(lambda m: m["knobs"]["temperature"] < late and not m["busy"], "less there")
    check(early["knobs"]["temperature"] > 0, "a temperature", early["knobs"]["temperature"])


def takes_its_ends(program):
    program.click("sweep.from.temperature")
    program.xdo("key", "ctrl+a")
    program.type("0.5")
    program.key("Return")
    program.click("sweep.place", x=0.002)
    program.wait(lambda m: m["knobs"]["temperature"] == 0.5, "the new beginning")
    program.click("sweep.from.temperature")
    program.xdo("key", "ctrl+a")
    program.type("-1")
    program.key("Return")
    program.told("temperature")
    program.key("Escape")


def writes_a_film(program):
    """Small and quick: a short way of few pixels' change."""
    program.click("sweep.seconds")
    program.xdo("key", "ctrl+a")
    program.type("0.2")
    program.key("Return")
    program.click("sweep.export")
    program.wait(lambda m: "film.width" in m["controls"], "the question for a file, and how the film is")
    for box, text in (("film.width", "360"), ("film.fps", "20")):
        program.click(box)
        program.xdo("key", "ctrl+a")
        program.type(text)
        program.key("Return")
    program.click("dialog.path")
    program.xdo("key", "ctrl+a")
    out = program.folder / "film.png"
    program.type(str(out))
    program.key("Return")
    program.told("film.png")
    kinds, at, data = [], 8, out.read_bytes()
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"acTL":
            frames = struct.unpack(">I", data[at + 8:at + 12])[0]
        kinds.append(kind)
        at += 12 + size
    check(kinds[0] == b"IHDR" and kinds[-1] == b"IEND" and kinds.count(b"fcTL") == frames, "an APNG", kinds)
    check(frames == 8, "0.2 s there and back, 20 frames a second", frames)
    check(struct.unpack(">I", data[16:20])[0] == 360, "360 pixels wide", data[16:20])


def another_moves_along(program):
    program.click("sweep.more")
    program.wait(lambda m: "sweep.knob.count" in m["controls"], "the knobs there are")
    program.click("sweep.knob.count")
    swept(program, lambda m: m["sweep"]["knobs"] == ["temperature", "count"], "both")
    program.click("sweep.remove.count")
    swept(program, lambda m: m["sweep"]["knobs"] == ["temperature"], "one again")


def a_touch_ends_it(program):
    program.click("sweep.play")
    swept(program, lambda m: m["sweep"]["playing"], "that it plays")
    program.click("knob.temperature.slider", x=0.9)
    program.wait(lambda m: m["sweep"] is None, "the end of the sweep")
    touched = still(program)
    m = program.sleeps()
    check(m["knobs"]["temperature"] == touched, "the knob where it was put", m["knobs"]["temperature"])


def escape_takes_it_back(program):
    before = still(program)
    program.click("button.sweep")
    program.wait(lambda m: "sweep.knob.temperature" in m["controls"], "the list of knobs")
    program.click("sweep.knob.temperature")
    swept(program, lambda m: m["sweep"]["playing"] and m["knobs"]["temperature"] != before, "another sweep")
    program.key("Escape")
    program.wait(lambda m: m["sweep"] is None and m["knobs"]["temperature"] == before, "the knob as it was")


if __name__ == "__main__":
    sys.exit(run(starts_from_the_label, pauses_and_rests, is_scrubbed, takes_its_ends, another_moves_along,
                 writes_a_film, a_touch_ends_it, escape_takes_it_back))
