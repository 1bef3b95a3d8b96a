#!/usr/bin/env python3
"""The start page and Ctrl K in a real window: a route begun and gone on with, a sentence typed, a picture opened,
everything found by its name, what was opened last; and a window that sleeps once its pictures are made.

usage: start_test.py PROGRAM
"""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import Display, Failure, Program, check  # noqa: E402
from dropping import drop_file  # noqa: E402


def opens_with_it(program):
    program.wait(lambda m: "start.page" in m["controls"], "the start page")
    program.into_view("start.picture.pooling")
    m = program.wait(lambda m: "start.made.pooling" in m["controls"], "its first pictures")
    check("start.route.first_steps" in m["controls"], "the routes", sorted(m["controls"]))
    check(m["plots"] == {}, "no page under it", m["plots"])


def sleeps_when_all_is_drawn(program):
    program.into_view("start.picture.checkpoint")
    program.wait(lambda m: "start.made.checkpoint" in m["controls"], "the last picture")
    program.point(640, 4)
    program.sleeps()


def leaves(program):
    """Escape asks before it leaves a lesson."""
    program.key("Escape")
    program.wait(lambda m: "dialog.go" in m["controls"], "the question")
    program.click("dialog.go")
    program.wait(lambda m: m["lesson"] is None, "the lesson left")


def begins_a_route_and_goes_on(program):
    program.click("start.route.first_steps.go")
    m = program.wait(lambda m: m["lesson"] is not None and not m["busy"], "a lesson")
    check(m["lesson"]["name"] == "first_steps" and m["lesson"]["at"] == 0, "the first stop", m["lesson"])
    program.key("space", "space")
    program.wait(lambda m: m["lesson"]["at"] == 1, "the second stop")
    leaves(program)
    program.click("start")
    program.click("start.route.first_steps.go")
    m = program.wait(lambda m: m["lesson"] is not None, "the lesson again")
    check(m["lesson"]["at"] == 1, "where it was left", m["lesson"])
    leaves(program)


def types_a_sentence(program):
    program.click("start")
    program.click("start.sentence")
    program.type("dogs chase other dogs")
    program.key("Return")
    m = program.wait(lambda m: m["lab"] == "gpt_inside" and not m["busy"] and "figure.next" in m["controls"],
                     "what a trained model does with the sentence")
    check(m["knobs"]["text"] == "dogs chase other dogs", "its words", m["knobs"]["text"])
    check(m["knobs"]["published"] == "english", "the English model", m["knobs"]["published"])


def opens_a_picture(program):
    program.click("start")
    program.click("start.picture.masks")
    m = program.wait(lambda m: m["lab"] == "masks" and not m["busy"] and "figure.mask" in m["controls"], "masks")
    check("start.page" not in m["controls"], "the start page left", sorted(m["controls"]))


def finds(program, text, good, what):
    program.key("ctrl+k")
    program.wait(lambda m: "palette" in m["controls"], "the list of everything")
    program.type(text)
    program.key("Return")
    return program.wait(lambda m: "palette" not in m["controls"] and good(m), what)


def finds_everything(program):
    finds(program, "turning instead of adding", lambda m: m["lesson"] and m["lesson"]["name"] == "rope", "a lesson")
    m = finds(program, "what attention is", lambda m: m["lesson"] and m["lesson"]["name"] == "averaging", "a stop")
    check(m["lesson"]["at"] == 8, "that stop", m["lesson"])
    leaves(program)
    finds(program, "light theme", lambda m: m["theme"] == "light", "an action done")
    m = finds(program, "bandwidth", lambda m: m["lab"] == "pooling" and "knob.bandwidth" in m["controls"], "a knob")
    top = m["controls"]["panel.knobs"]
    program.wait(lambda m: top[1] <= m["controls"]["knob.bandwidth"][1] <= top[1] + top[3], "the knob in view")
    program.key("ctrl+k", "Down", "Up", "Escape")
    program.wait(lambda m: "palette" not in m["controls"], "the list closed")


def finds_lessons_in_the_sidebar(program):
    program.key("ctrl+f")
    program.type("turning instead")
    program.wait(lambda m: "found.0" in m["controls"], "results")
    program.key("Return")
    program.wait(lambda m: m["lesson"] and m["lesson"]["name"] == "rope", "the lesson")
    leaves(program)


def remembers_what_was_opened(program):
    session = program.folder / "mine.attn"
    program.key("ctrl+s")
    program.wait(lambda m: "dialog.path" in m["controls"], "a dialog")
    program.key("ctrl+a")
    program.type(str(session))
    program.key("Return")
    program.told("mine.attn")
    program.click("lab.cost")
    program.wait(lambda m: m["lab"] == "cost" and not m["busy"], "another lab")
    program.click("start")
    program.click("start.recent.0")
    program.wait(lambda m: "start.page" not in m["controls"] and m["lab"] != "cost", "the session opened")
    session.unlink()
    program.click("start")
    program.click("start.recent.0")
    program.told("mine.attn", "cannot read")
    check("start.page" in program.map()["controls"], "the start page still there", sorted(program.map()["controls"]))
    note = program.folder / "own.md"
    note.write_text("# Mine\nabout: a\nminutes: 1\nlab: softmax\n## One\nWords.\n")
    check(drop_file(program.display.name, program.window, note), "the drop to be taken", False)
    m = program.wait(lambda m: m["lesson"] is not None, "the dropped lesson")
    check("start.page" not in m["controls"], "the start page left", sorted(m["controls"]))
    leaves(program)


def is_switched_off(program):
    program.click("start")
    program.click("start.show")
    program.key("Escape")
    program.close()


def stays_off_and_is_remembered(display, binary, folder):
    with Program(display, binary, folder=folder) as program:
        m = program.map()
        check("start.page" not in m["controls"] and "figure.heads" in m["controls"], "a lab", sorted(m["controls"]))
        program.click("start")
        m = program.wait(lambda m: "start.recent.0" in m["controls"], "what was opened the last time")
        program.click("start.recent.0")
        program.wait(lambda m: m["lesson"] is not None, "the lesson in a file again")
        program.close()


def fits_a_small_screen(binary):
    with Display(1280, 720) as small:
        with Program(small, binary) as program:
            check(program.map()["window"] == {"w": 1280, "h": 720}, "a window of the screen's size", program.map()["window"])
            program.close()
        with Program(small, binary, "--size", "1500x600") as program:
            check(program.map()["window"] == {"w": 1500, "h": 600}, "the size that was asked for", program.map()["window"])
            program.close()


def main():
    binary = str(Path(sys.argv[1]).resolve())
    steps = [opens_with_it, sleeps_when_all_is_drawn, begins_a_route_and_goes_on, types_a_sentence, opens_a_picture,
             finds_everything, finds_lessons_in_the_sidebar, remembers_what_was_opened, is_switched_off]
    with tempfile.TemporaryDirectory(prefix="attnscope-test-") as made, Display() as display:
        folder = Path(made)
        with Program(display, binary, "--size", "1280x720", folder=folder, start=True) as program:
            for step in steps:
                step(program)
                print(f"passed {step.__name__}", flush=True)
        stays_off_and_is_remembered(display, binary, folder)
        print("passed stays_off_and_is_remembered")
    fits_a_small_screen(binary)
    print("passed fits_a_small_screen")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
