#!/usr/bin/env python3
"""The first lab in a real window, with a real mouse and keyboard. Each step is checked by what the
program then holds (its control map) and by the files it writes.

usage: window_test.py PROGRAM
"""
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from dropping import drop_file  # noqa: E402
from limits import HANGS  # noqa: E402
from screen import pixels  # noqa: E402
from steps import chooses, settled, types, written  # noqa: E402


def has_an_icon(program):
    """The window's own, in the sizes that title bars and switchers ask for."""
    said = subprocess.run(["xprop", "-id", program.window, "-notype", "32c", "_NET_WM_ICON"], env=program.env,
                          check=True, capture_output=True, text=True).stdout
    numbers = [int(word) for word in said.split("=", 1)[1].split(",")]
    sizes = []
    while numbers:
        width, height = numbers[:2]
        picture = numbers[2:2 + width * height]
        check(len(set(picture)) > 8, "an icon of more than a few colours", len(set(picture)))
        sizes.append((width, height))
        del numbers[:2 + width * height]
    check({(16, 16), (48, 48)} <= set(sizes), "icons of 16 and 48 pixels", sizes)


def types_text(program):
    program.click("knob.text.value")
    program.key("ctrl+a")
    program.type("a rose is a rose is a rose")
    m = settled(program, lambda m: m["knobs"]["text"] == "a rose is a rose is a rose", "the typed text")
    check(m["plots"]["weights"]["shown"][1] == 8, "eight columns, one a word", m["plots"]["weights"])


def drags_heads(program):
    before = program.knob("heads")
    program.drag("knob.heads.slider", (0.3, 0.5), (0.85, 0.5))
    m = settled(program, lambda m: m["knobs"]["heads"] > before, "more heads after dragging to the right")
    program.drag("knob.heads.slider", (0.85, 0.5), (0.2, 0.5))
    settled(program, lambda m2: m2["knobs"]["heads"] < m["knobs"]["heads"], "fewer after dragging back")


def types_value(program):
    types(program, "heads", "99")
    m = program.wait(lambda m: "heads" in m["errors"], "99 heads refused")
    check(m["knobs"]["heads"] <= 32, "heads as they were", m["knobs"]["heads"])
    program.key("Escape")
    types(program, "heads", "4")
    settled(program, lambda m: m["knobs"]["heads"] == 4, "four heads")


def changes_choice(program):
    program.click("choice.mask")
    program.wait(lambda m: "choice.mask.full" in m["controls"], "the list of masks")
    program.click("choice.mask.full")
    settled(program, lambda m: m["knobs"]["mask"] == "full", "no mask")


def picks_and_unpins(program):
    columns = program.map()["plots"]["weights"]["shown"][1]
    program.click("plot.weights", x=2.5 / columns, y=5.5 / columns)
    settled(program, lambda m: m["knobs"]["query"] == 5 and m["knobs"]["key"] == 2, "the picked cell 5, 2")
    program.key("Escape")
    settled(program, lambda m: m["knobs"]["key"] == -1, "nothing pinned after Escape")


def undoes(program):
    program.key("ctrl+z")
    settled(program, lambda m: m["knobs"]["key"] == 2, "the pin back after undo")
    program.key("ctrl+shift+z")
    settled(program, lambda m: m["knobs"]["key"] == -1, "unpinned again after redo")


def zooms(program):
    whole = program.map()["plots"]["weights"]["shown"]
    program.wheel("plot.weights", 3, held="ctrl")
    m = settled(program, lambda m: m["plots"]["weights"]["shown"][1] - m["plots"]["weights"]["shown"][0]
                < whole[1] - whole[0], "a closer view after Ctrl and the wheel")
    check(m["plots"]["scores"]["shown"] == m["plots"]["weights"]["shown"],
          "linked plots to zoom together", m["plots"])
    program.double_click("plot.weights")
    settled(program, lambda m: m["plots"]["weights"]["shown"] == whole, "the whole again after a double click")


def scrolls(program):
    """The wheel alone moves the page, over a plot as anywhere."""
    program.resize(1600, 700)
    settled(program, lambda m: m["window"]["h"] == 700, "1600 x 700")
    program.into_view("plot.weights")
    m = program.map()
    top, shown = m["plots"]["weights"]["rect"][1], m["plots"]["weights"]["shown"]
    program.wheel("plot.weights", -2)
    m = program.wait(lambda m: m["plots"]["weights"]["rect"][1] < top, "the page moved up")
    check(m["plots"]["weights"]["shown"] == shown, "the same view", m["plots"]["weights"]["shown"])
    program.wheel("plot.weights", 2)
    program.wait(lambda m: m["plots"]["weights"]["rect"][1] == top, "the page back")
    program.resize(1600, 1000)
    settled(program, lambda m: m["window"]["h"] == 1000, "1600 x 1000")


def switches_theme_by_its_button(program):
    """The figures change with the rest: their cards are as light as the window is."""
    def brightness():
        x, y = program.center("figure.heads", 0.6, 1)  # its top may lie behind the page's head
        return sum(pixels(program.display.name, program.window, x, y - 6, 1, 1)[0][0])
    for theme, good in (("light", lambda b: b > 600), ("dark", lambda b: b < 200)):
        program.click("button.theme")
        program.wait(lambda m: m["theme"] == theme and good(brightness()), f"the {theme} theme and a {theme} card")


def switches_language_and_theme(program):
    program.key("ctrl+l")
    settled(program, lambda m: m["language"] == "zh_CN", "Chinese")
    program.key("ctrl+t")
    settled(program, lambda m: m["theme"] == "light", "the light theme")
    program.key("ctrl+l", "ctrl+t")
    settled(program, lambda m: m["language"] == "en" and m["theme"] == "dark", "both back")


def stands_alone(program):
    """One figure in the whole window, by F and by a double click on its title; Escape goes back."""
    program.resize(1920, 1080)
    settled(program, lambda m: m["window"]["w"] == 1920, "1920 x 1080")
    program.move("figure.heads", 0.5, 0.02)
    program.key("f")
    m = program.wait(lambda m: "button.back" in m["controls"], "one figure alone")
    check(m["controls"]["figure.heads"][3] >= 0.75 * 1080, "three quarters of the height", m["controls"]["figure.heads"])
    check("knob.heads.slider" in m["controls"], "its knobs", sorted(m["controls"]))
    program.key("Escape")
    program.wait(lambda m: "button.back" not in m["controls"], "the page again")
    program.double_click("figure.heads", 0.5, 0.03)
    program.wait(lambda m: "button.back" in m["controls"], "alone by a double click")
    program.click("button.back")
    program.wait(lambda m: "button.back" not in m["controls"], "the page again")
    program.resize(1600, 1000)
    settled(program, lambda m: m["window"]["w"] == 1600, "1600 x 1000")


def shows_little_at_first(program):
    """The other knobs unfold and fold; captions and introduction go and come."""
    m = program.map()
    few = [c for c in m["controls"] if c.startswith("knob.")]
    program.click("button.knobs")
    program.wait(lambda m: len([c for c in m["controls"] if c.startswith("knob.")]) > len(few), "more knobs")
    program.click("button.knobs")
    program.wait(lambda m: [c for c in m["controls"] if c.startswith("knob.")] == few, "the few again")
    check(any(c.startswith("caption.") for c in m["controls"]), "captions", sorted(m["controls"]))
    program.key("c")
    program.wait(lambda m: not any(c.startswith("caption.") for c in m["controls"]), "no captions")
    program.key("c")
    program.click("button.introduction")
    program.wait(lambda m: "page.introduction" not in m["controls"], "no introduction")
    program.click("button.introduction")
    program.wait(lambda m: "page.introduction" in m["controls"], "the introduction")


def resizes(program):
    program.resize(1280, 720)
    m = settled(program, lambda m: m["window"]["w"] == 1280 and m["window"]["h"] == 720, "1280 x 720")
    for name, rect in m["controls"].items():
        check(rect[0] + rect[2] <= 1281, f"{name} inside of the window", rect)
    check("page.introduction" in m["controls"], "the introduction", sorted(m["controls"]))
    # On a low page figures come first; the arrow unfolds the introduction, for this lab.
    program.resize(1280, 540)
    m = settled(program, lambda m: m["window"]["h"] == 540, "1280 x 540")
    check("page.introduction" not in m["controls"], "no introduction", sorted(m["controls"]))
    check(m["controls"]["figure.heads"][1] < 0.4 * 540, "a figure in view", m["controls"]["figure.heads"])
    program.click("button.introduction")
    program.wait(lambda m: "page.introduction" in m["controls"], "the introduction after all")
    program.click("button.introduction")
    program.wait(lambda m: "page.introduction" not in m["controls"], "folded again")
    program.resize(1600, 1000)
    settled(program, lambda m: m["window"]["w"] == 1600, "1600 x 1000")


def exports(program):
    program.key("ctrl+shift+e")
    file = written(program, "*.pdf")
    check(file.read_bytes()[:5] == b"%PDF-", "a PDF", file.read_bytes()[:16])
    again = program.folder / "again.json"
    subprocess.run([program.binary, "export", "multi_head", "--session", file, "-o", again], check=True, timeout=HANGS)
    values = json.loads(again.read_text())["session"]["values"]
    knobs = program.map()["knobs"]
    check(values["heads"] == knobs["heads"] and values["text"] == knobs["text"],
          "the exported figure to hold the window's session", values)


def saves_and_opens_by_dialog(program):
    """Saved under a name typed into the dialog, changed, and opened again by the mouse."""
    heads = program.knob("heads")
    program.key("ctrl+s")
    program.wait(lambda m: "dialog.path" in m["controls"], "the dialog that saves")
    program.key("ctrl+a")
    program.type(str(program.folder / "mine.attn"))
    program.click("dialog.accept")
    program.wait(lambda m: "dialog.path" not in m["controls"], "the dialog closed")
    saved = json.loads((program.folder / "mine.attn").read_text())
    check(saved["values"]["heads"] == heads, f"{heads} heads in the session", saved["values"])
    program.drag("knob.heads.slider", (0.3, 0.5), (0.9, 0.5))
    settled(program, lambda m: m["knobs"]["heads"] != heads, "another number of heads")
    program.key("ctrl+o")
    program.wait(lambda m: "dialog.path" in m["controls"], "the dialog that opens")
    program.key("ctrl+a")
    program.type(str(program.folder / "mine.attn"))
    program.click("dialog.accept")
    settled(program, lambda m: m["knobs"]["heads"] == heads, "the saved number of heads")


def drops(program):
    """A session dropped on the window opens; what is none is refused in the reader's language."""
    heads = program.knob("heads")
    program.drag("knob.heads.slider", (0.3, 0.5), (0.9, 0.5))
    settled(program, lambda m: m["knobs"]["heads"] != heads, "another number of heads")
    check(drop_file(program.display.name, program.window, program.folder / "mine.attn"), "the drop to be taken", False)
    settled(program, lambda m: m["knobs"]["heads"] == heads, "the dropped session's heads")
    broken = program.folder / "broken.attn"
    broken.write_text("no session")
    program.key("ctrl+l")
    program.wait(lambda m: m["language"] == "zh_CN", "Chinese")
    check(drop_file(program.display.name, program.window, broken), "the drop to be taken", False)
    program.told("无法")
    program.key("ctrl+l")
    m = settled(program, lambda m: m["language"] == "en", "English")
    check(m["knobs"]["heads"] == heads, "nothing changed by the broken file", m["knobs"]["heads"])


def files_of(program):
    """But for the control map, which is always being written anew."""
    return sorted(f for f in program.folder.rglob("*") if "controls.json" not in f.name)


def cancels_an_export(program):
    """Numbers of 4096 tokens take seconds to write: the window answers meanwhile, and what is cancelled
    leaves nothing behind."""
    chooses(program, "input", "random")
    types(program, "length", "4096")
    settled(program, lambda m: m["knobs"]["length"] == 4096, "4096 tokens")
    before = files_of(program)
    program.click("button.export")
    program.wait(lambda m: "export.json" in m["controls"], "the list of formats")
    program.click("export.json")
    program.wait(lambda m: "dialog.path" in m["controls"], "the dialog that exports")
    program.key("ctrl+a")
    program.type(str(program.folder / "large.json"))
    program.click("dialog.accept")
    program.wait(lambda m: "dialog.replace" in m["controls"], "a question about so many bytes")
    program.click("dialog.replace")
    program.wait(lambda m: "button.cancel" in m["controls"], "a way to cancel")
    program.key("ctrl+t")
    program.wait(lambda m: m["busy"] and m["theme"] == "light", "the light theme while it writes")
    program.key("ctrl+t")
    program.click("button.cancel")
    program.told("Cancelled")
    program.still()
    check(files_of(program) == before, "no file more than before", files_of(program))


STEPS = [has_an_icon, types_text, drags_heads, types_value, changes_choice, picks_and_unpins, undoes, zooms, scrolls,
         switches_theme_by_its_button, switches_language_and_theme, shows_little_at_first, stands_alone, resizes,
         saves_and_opens_by_dialog]


if __name__ == "__main__":
    sys.exit(run(*STEPS, drops, exports, cancels_an_export))
