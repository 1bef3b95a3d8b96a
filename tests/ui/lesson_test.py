#!/usr/bin/env python3
"""A whole lesson in a real window: options, numbers, a knob that is turned, a curve that is drawn, with right
and wrong answers; left, and opened again where it was left.

usage: lesson_test.py PROGRAM
"""
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, restless, run  # noqa: E402
from dropping import drop_file  # noqa: E402
from limits import HANGS  # noqa: E402
from steps import types  # noqa: E402


def at_rest(program, good, what):
    """The control map once the stop has come to rest and good(lesson) holds."""
    def there(m):
        return (m["lesson"] is not None and not m["lesson"]["moving"] and (m["settled"] or restless(m))
                and not m["stale"] and good(m["lesson"]))
    return program.wait(there, what)


def phase(program, name, at):
    return at_rest(program, lambda l: l["phase"] == name and l["at"] == at, f"stop {at} {name}")


def leaves(program):
    """Escape asks first."""
    program.key("Escape")
    program.wait(lambda m: "dialog.go" in m["controls"], "the question")
    program.click("dialog.go")
    return program.wait(lambda m: m["lesson"] is None, "the lesson left")


def opens_from_the_list(program):
    program.click("list.lessons")
    program.wait(lambda m: "lesson:averaging" in m["controls"], "the list of lessons")
    program.click("lesson:averaging")
    m = phase(program, "asking", 0)
    check(m["lab"] == "pooling" and m["knobs"]["method"] == "kernel", "the first stop's scene", m["knobs"])


def chooses_wrongly(program):
    program.click("lesson.option.0")
    m = phase(program, "answered", 0)
    check(not m["lesson"]["right"], "a wrong answer", m["lesson"])
    check("lesson.said" in m["controls"] and "lesson.why" in m["controls"], "what is said to it", sorted(m["controls"]))
    program.click("lesson.next")
    phase(program, "asking", 1)


def types_a_number(program):
    program.click("lesson.number")
    program.type("0.02")
    program.key("Return")
    m = phase(program, "answered", 1)
    check(m["lesson"]["right"], "1/50 to be right", m["lesson"])
    program.key("space")
    phase(program, "waiting", 2)


def outlives_the_program(program):
    """What was answered is in the file while the program runs, whatever ends it."""
    settings = json.loads((program.folder / ".config/attnscope/settings.json").read_text())
    learned = settings["lessons"].get("averaging", {})
    check(len(learned.get("answers", [])) == 2, "both answers in the file of settings", learned)


def drags_the_query(program):
    """What is waited for is done on the figure."""
    controls = [id for id in program.map()["controls"] if id.startswith("grip.data")]
    check(controls, "the query's disc", sorted(program.map()["controls"]))
    x, y = program.center(controls[-1])
    left, top, width, height = program.map()["plots"]["data"]["rect"]
    program.point(x, y)
    program.press()
    for share in (0.7, 0.85, 0.97):
        program.point(round(left + width * share), y)
    program.release()
    m = phase(program, "done", 2)
    check(m["knobs"]["query"] > 40, "the query at the end", m["knobs"]["query"])
    program.key("space")
    phase(program, "asking", 3)


def says_true_or_false(program):
    program.click("lesson.false")
    m = phase(program, "answered", 3)
    check(m["lesson"]["right"], "false to be right", m["lesson"])
    program.key("space")
    phase(program, "asking", 4)


def types_a_known_mistake(program):
    program.click("lesson.number")
    program.type("36")
    program.click("lesson.answer")
    m = phase(program, "answered", 4)
    check(not m["lesson"]["right"] and "lesson.said" in m["controls"], "the mistake's sentence", m["lesson"])
    check(m["knobs"]["bandwidth"] == 0.02, "the narrow bandwidth", m["knobs"]["bandwidth"])
    program.key("space")
    phase(program, "asking", 5)


def draws(program):
    left, top, width, height = program.map()["plots"]["data"]["rect"]
    shown = program.map()["plots"]["data"]["shown"]
    share = (2.35 - shown[2]) / (shown[3] - shown[2])
    program.point(left + 2, round(top + height * share))
    program.press()
    for k in range(1, 13):
        program.point(left + round((width - 2) * k / 12), round(top + height * share) + k % 2)
    program.release()
    program.click("lesson.answer")
    m = phase(program, "answered", 5)
    check(m["lesson"]["right"], "a level line to be right", m["lesson"])
    program.key("BackSpace")
    phase(program, "answered", 4)
    program.key("space")
    phase(program, "answered", 5)
    program.key("space")
    phase(program, "waiting", 6)


def is_shown(program):
    program.click("lesson.show_me")
    m = phase(program, "done", 6)
    check(m["readouts"]["left_out_error"] < 0.37, "the error below 0.37", m["readouts"])
    program.key("space")
    phase(program, "asking", 7)


def goes_on_to_the_end(program):
    program.click("lesson.option.0")
    check(phase(program, "answered", 7)["lesson"]["right"], "w to grow", program.map()["lesson"])
    program.key("space")
    phase(program, "asking", 8)
    program.key("space")
    phase(program, "answered", 8)
    program.key("space")
    m = phase(program, "ended", 8)
    check("lesson.tally" in m["controls"] and "lesson.again.0" in m["controls"], "what was right at first",
          sorted(m["controls"]))
    program.key("space")
    m = program.wait(lambda m: m["lesson"] is None, "the lesson's end")
    check("lab.pooling" in m["controls"] or "lesson:averaging" in m["controls"], "the sidebar back",
          sorted(m["controls"]))


def is_left_and_found_again(program):
    before = program.map()
    program.click("lesson:root_d")
    phase(program, "asking", 0)
    program.key("space", "space")
    phase(program, "asking", 1)
    m = leaves(program)
    check((m["lab"], m["knobs"]) == (before["lab"], before["knobs"]), "the page that was there before", m["lab"])
    program.click("lesson:root_d")
    phase(program, "asking", 1)
    leaves(program)


def goes_on_from_a_knob(program):
    """What is being typed is taken over by a click elsewhere, which does its own, and Space is the lesson's."""
    def stands(at):
        return at_rest(program, lambda l: l["at"] == at, f"stop {at}")
    program.click("lesson:averaging")
    program.wait(lambda m: m["lesson"] is not None, "the lesson")
    program.click("lesson.stops")
    program.click("lesson.stop.2")
    stands(2)
    program.click("knob.query.value")
    program.type("45")
    program.click("lesson.stops")
    program.wait(lambda m: "lesson.stop.3" in m["controls"] and m["knobs"]["query"] == 45, "45 and the list of stops")
    program.key("Escape")
    program.click("knob.query.value")
    program.click("lesson.next")
    stands(3)
    program.key("BackSpace")
    stands(2)
    program.click("knob.query.slider", 0.9)
    program.key("space")
    stands(3)
    leaves(program)


def leads_the_page_on(program):
    """After an answer the knobs are the learner's: what was asked about may be gone, and the language another."""
    program.click("lesson:first_steps")
    phase(program, "asking", 0)
    program.click("lesson.number")
    program.type("0.86")
    program.key("Return")
    m = phase(program, "answered", 0)
    said = m["lesson"]["said"]
    check(said and not m["lesson"]["right"], "a sentence for the two alone", m["lesson"])
    program.key("ctrl+l")
    m = at_rest(program, lambda l: l["said"] not in ("", said), "the sentence in Chinese")
    check(not m["lesson"]["right"] and m["language"] == "zh_CN", "the answer still wrong", m["lesson"])
    program.key("ctrl+l")
    at_rest(program, lambda l: l["said"] == said, "the sentence in English")
    program.click("lesson.whole")
    program.wait(lambda m: "button.export" in m["controls"], "the whole page")
    types(program, "text", "the cat sat")
    m = at_rest(program, lambda l: program.knob("text") == "the cat sat", "a text that has no word 12")
    check(m["lesson"]["phase"] == "answered" and m["lesson"]["said"] == said and "lesson.truth" in m["controls"],
          "the answer as it was judged", m["lesson"])
    leaves(program)


def adds_a_scene_that_has_gone(program):
    """A session that is dropped takes the window elsewhere while a stop is asked about."""
    other = program.folder / "other.attn"
    other.write_text('{"attnscope": 1, "lab": "cost", "values": {}}')
    program.key("Escape")  # the start page: the lessons before were begun there
    program.wait(lambda m: "button.export" in m["controls"], "a page")
    program.click("button.export")
    program.wait(lambda m: "export.stop" in m["controls"], "the menu")
    lab = program.map()["lab"]
    program.click("export.stop")
    program.wait(lambda m: "stop.title" in m["controls"], "what is asked")
    program.type("Gone")
    drop_file(program.display.name, program.window, str(other))
    program.wait(lambda m: m["lab"] == "cost", "another lab behind the dialog")
    program.click("stop.sentence")
    program.type("It was here.")
    program.click("dialog.accept")
    m = at_rest(program, lambda l: l["stop"] == "Gone", "the stop that was added")
    check(m["lab"] == lab, "the scene that was asked for", m["lab"])
    leaves(program)


def opens_a_file(program):
    good, bad = program.folder / "mine.md", program.folder / "wrong.md"
    good.write_text("# Mine\nabout: a\nminutes: 1\nlab: softmax\n## One\nWords.\n")
    bad.write_text("# Mine\nabout: a\nminutes: 1\nlab: softmax\n## One\nset: cuont=3\nWords.\n")
    drop_file(program.display.name, program.window, str(bad))
    program.told("wrong.md, line 6")
    drop_file(program.display.name, program.window, str(good))
    at_rest(program, lambda l: l["name"] == str(good), "the file's lesson")
    leaves(program)


def writes_handouts(program):
    def words(*args):
        done = subprocess.run([program.binary, "lesson", *args], cwd=program.folder, env=program.env,
                              capture_output=True, text=True, timeout=HANGS)
        return done.returncode, done.stdout, done.stderr
    check(words("averaging", "-o", "a.html")[0] == 0, "a handout", words("averaging", "-o", "a.html"))
    page = (program.folder / "a.html").read_text()
    check(page.count("<img") >= 5 and "Answers" in page and "http-equiv" not in page, "pictures and answers",
          page[:300])
    check(words("averaging", "-o", "a.md", "--lang", "zh_CN")[0] == 0, "a handout in Chinese", "")
    check("答案" in (program.folder / "a.md").read_text(), "answers in Chinese", "")
    check(len(list(program.folder.glob("a-*.svg"))) >= 5, "its pictures", sorted(program.folder.iterdir()))
    status, _, said = words("averagin")
    check(status == 2 and "averaging" in said, "the lessons there are", (status, said))
    status, _, said = words("wrong.md", "--check")
    check(status == 2 and "line 6" in said, "the line that is wrong", (status, said))
    check(words("mine.md", "--check")[0] == 0, "nothing wrong", words("mine.md", "--check"))
    check("readout:entropy" in words("softmax", "--names")[1], "names", "")


if __name__ == "__main__":
    sys.exit(run(opens_from_the_list, chooses_wrongly, types_a_number, outlives_the_program, drags_the_query,
                 says_true_or_false, types_a_known_mistake, draws, is_shown, goes_on_to_the_end,
                 is_left_and_found_again, goes_on_from_a_knob, leads_the_page_on, adds_a_scene_that_has_gone,
                 opens_a_file, writes_handouts))
