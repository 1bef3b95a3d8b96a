#!/usr/bin/env python3
"""Files and the window's end, in a real window: what is asked before something is lost, what is never
waited for, and a window larger than any picture.

usage: files_test.py PROGRAM
"""
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import Display, Failure, Program, check, ends  # noqa: E402
from dropping import drop_file  # noqa: E402
from limits import HANGS  # noqa: E402
from steps import chooses, settled, types  # noqa: E402


def answers(program, path):
    """A path into the dialog's box, and Enter."""
    program.wait(lambda m: "dialog.path" in m["controls"], "a dialog")
    program.key("ctrl+a")
    program.type(str(path))
    program.key("Return")


def saves(program, path):
    program.key("ctrl+s")
    answers(program, path)


def replaces_only_when_told(program):
    theirs = program.folder / "thesis.tex"
    theirs.write_text("chapter one")
    saves(program, theirs)
    program.wait(lambda m: "dialog.said" in m["controls"], "why it cannot be saved so")
    program.key("Escape", "Escape")
    program.wait(lambda m: "dialog.path" not in m["controls"], "the dialog closed")
    check(theirs.read_text() == "chapter one", "the file as it was", theirs.read_text()[:40])
    other = program.folder / "other.attn"
    other.write_text("theirs")
    saves(program, other)
    program.wait(lambda m: "dialog.replace" in m["controls"], "a question")
    check(other.read_text() == "theirs", "the file as it was", other.read_text()[:40])
    program.click("dialog.replace")
    program.wait(lambda m: "dialog.path" not in m["controls"], "the dialog closed")
    check(other.read_text().startswith("{"), "a session", other.read_text()[:40])


def never_waits_for_a_pipe(program):
    pipe = program.folder / "pipe.attn"
    os.mkfifo(pipe)
    program.key("ctrl+o")
    answers(program, pipe)
    program.told("pipe.attn")
    program.key("ctrl+t", "ctrl+t")
    huge = program.folder / "huge.attn"
    huge.touch()
    os.truncate(huge, 4 << 30)
    check(drop_file(program.display.name, program.window, huge), "the drop to be taken", False)
    program.told("512")
    huge.unlink()


def outlives_its_control_map(program):
    """The folder of the control map goes and comes again. While it is gone nothing tells when the program has found
    that out, so that it goes again when the program was too slow to."""
    folder = program.map_file.parent
    end = time.monotonic() + HANGS
    while True:
        before = program.map()
        os.rename(folder, program.folder / "gone")
        program.xdo("key", "ctrl+t")
        time.sleep(0.5)
        check(program.process.poll() is None, "the window still there", program.process.poll())
        os.rename(program.folder / "gone", folder)
        program.xdo("key", "ctrl+l")
        m = settled(program, lambda m: m["language"] != before["language"], "the other language")
        if any("controls.json" in one["text"] for one in m["said"]):
            break
        check(time.monotonic() < end, "word of the control map", m["said"])
    for key, known in (("ctrl+l", m["language"] == "en"), ("ctrl+t", m["theme"] == "dark")):
        if not known:
            program.key(key)
    settled(program, lambda m: m["language"] == "en" and m["theme"] == "dark", "English, dark")


def stays_within_any_picture(program):
    before = program.map()["window"]
    program.xdo("windowsize", program.window, 32000, 32000)
    m = program.wait(lambda m: m["window"]["w"] > before["w"], "a larger window")
    check(m["window"]["w"] <= 16384 and m["window"]["w"] * m["window"]["h"] <= 1 << 26,
          "a window that can be drawn", m["window"])
    program.xdo("windowsize", program.window, before["w"], before["h"])
    program.wait(lambda m: m["window"] == before, "its size again")


def asks_before_it_loses_changes(program):
    saves(program, program.folder / "mine.attn")
    program.wait(lambda m: "dialog.path" not in m["controls"], "the dialog closed")
    heads = program.knob("heads")
    program.drag("knob.heads.slider", (0.3, 0.5), (0.8, 0.5))
    settled(program, lambda m: m["knobs"]["heads"] != heads, "other heads")
    program.ask_to_close()
    program.wait(lambda m: "dialog.stay" in m["controls"], "a question")
    program.click("dialog.stay")
    program.wait(lambda m: "dialog.stay" not in m["controls"], "the dialog closed")
    saved = (program.folder / "mine.attn").read_text()
    program.ask_to_close()
    program.wait(lambda m: "dialog.save" in m["controls"], "a question")
    program.move("dialog.save")
    program.xdo("click", 1)
    check(ends(program.process) == 0, "exit status 0", program.process.returncode)
    check((program.folder / "mine.attn").read_text() != saved, "the changes saved", saved)


def closes_while_it_writes(program):
    """Closing gives the export up at once, and the old file stays whole."""
    chooses(program, "input", "random")
    types(program, "length", "4096")
    settled(program, lambda m: m["knobs"]["length"] == 4096, "4096 tokens")
    large = program.folder / "large.json"
    program.key("ctrl+e")
    answers(program, large)
    program.wait(lambda m: "dialog.replace" in m["controls"], "a question about so many bytes")
    program.click("dialog.replace")
    program.wait(lambda m: "button.cancel" in m["controls"], "an export that goes on")
    program.ask_to_close()
    check(ends(program.process) == 0, "exit status 0", program.process.returncode)
    check(not large.exists() and not list(program.folder.glob(".*tmp")), "nothing left behind",
          list(program.folder.iterdir()))
    check("large.json" in program.process.stderr.read(), "word of what was not written", "")


def remembers_how_it_looks(display, binary, folder):
    """Theme, language, scale and captions are as they were left, unless the command line says otherwise."""
    file = folder / ".config" / "attnscope" / "settings.json"
    def looks(m):
        return m["theme"], m["language"], m["scale"]
    with Program(display, binary, folder=folder, start=True) as program:
        check(looks(program.map()) == ("dark", "en", 1), "the defaults", looks(program.map()))
        check("start.page" in program.map()["controls"], "the start page", sorted(program.map()["controls"]))
        check(not file.exists(), "nothing written yet", file)
        program.close()
        check(not file.exists(), "nothing written where nothing was changed", file)
    with Program(display, binary, folder=folder, start=True) as program:
        program.key("Escape", "ctrl+t", "ctrl+l", "ctrl+plus", "c")
        settled(program, lambda m: looks(m) == ("light", "zh_CN", 1.25), "light, Chinese, 125 %")
        program.close()
    check(json.loads(file.read_text())["captions"] is False, "no captions", file.read_text())
    with Program(display, binary, "--theme", "dark", folder=folder) as program:
        program.key("Escape")
        m = settled(program, lambda m: m["language"] == "zh_CN" and "figure.heads" in m["controls"], "Chinese again")
        check(looks(m) == ("dark", "zh_CN", 1.25), "dark, as asked for", looks(m))
        check(not any(c.startswith("caption.") for c in m["controls"]), "no captions", m["controls"])
        program.close()
    check(json.loads(file.read_text())["theme"] == "light", "the theme that was chosen", file.read_text())
    file.write_text("{oops")
    with Program(display, binary, folder=folder) as program:
        program.told("settings.json")
        check(looks(program.map()) == ("dark", "en", 1), "the defaults", looks(program.map()))
        program.close()
    check(file.read_text() == "{oops", "the file left alone", file.read_text())
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("in the way")
    with Program(display, binary, folder=folder, start=True) as program:
        program.key("ctrl+t")
        settled(program, lambda m: m["theme"] == "light", "light")
        errors = program.close()
        check("cannot" in errors, "word of what was not kept", errors)


def main():
    binary = str(Path(sys.argv[1]).resolve())
    runs = [[replaces_only_when_told, never_waits_for_a_pipe, outlives_its_control_map,
             stays_within_any_picture, asks_before_it_loses_changes], [closes_while_it_writes]]
    try:
        with Display() as display:
            for steps in runs:
                with tempfile.TemporaryDirectory(prefix="attnscope-test-") as made:
                    folder = Path(made)
                    (folder / "map").mkdir()
                    with Program(display, binary, folder=folder, map_folder=folder / "map") as program:
                        for step in steps:
                            step(program)
                            print(f"passed {step.__name__}", flush=True)
            with tempfile.TemporaryDirectory(prefix="attnscope-test-") as made:
                remembers_how_it_looks(display, binary, Path(made))
                print("passed remembers_how_it_looks", flush=True)
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
