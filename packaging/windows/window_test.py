#!/usr/bin/env python3
"""The window of attnscope.exe under Wine, with a real mouse and keyboard in an X server of its own: opened by the start
page, turned, saved and dropped under Chinese names, with a clipboard that other programs share; then what is said where
there is no OpenGL 3.3. Checked by what the program then holds (its control map), by the files that it writes, by its
exit status and against this machine's own program.

usage: window_test.py UNDER_WINE NATIVE_PROGRAM FOLDER_FOR_PICTURES
"""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "ui"))
from driver import Display, Failure, Program, check  # noqa: E402
from dropping import CURRENT_TIME, SELECTION_NOTIFY, SELECTION_REQUEST, Event, Source, drop_file  # noqa: E402
from limits import HANGS  # noqa: E402
from screen import pixels, write_png  # noqa: E402
from steps import settled  # noqa: E402

WIDTH, HEIGHT = 1280, 720
SENTENCE = "我 喜欢 这只 猫"
LOOKS = (("en", "dark", ()), ("zh_CN", "light", ("ctrl+l", "ctrl+t")))
SHOWN = {}  # by language
ATOM = 4
UNDER_WINE, NATIVE = (str(Path(word).resolve()) for word in sys.argv[1:3])
PICTURES = Path(sys.argv[3]).resolve()


class Clipboard(Source):
    """A program that holds a text for whoever pastes it, until the block's end."""

    def __init__(self, display_name, text):
        super().__init__(display_name, "")
        self.data = text.encode()
        self.x.XSetSelectionOwner(self.display, ctypes.c_ulong(self.atom("CLIPBOARD")),
                                  ctypes.c_ulong(self.window), CURRENT_TIME)
        self.x.XFlush(self.display)
        self.ended = False
        self.serving = threading.Thread(target=self.serve)

    def __enter__(self):
        self.serving.start()
        return self

    def __exit__(self, *_):
        self.ended = True
        self.serving.join()
        self.close()

    def serve(self):
        event = Event()
        while not self.ended:
            if not self.x.XPending(self.display):
                time.sleep(0.01)
                continue
            self.x.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.give(event.request)

    def give(self, request):
        """What forms there are, or the text."""
        if request.target != self.atom("TARGETS"):
            self.answer(request)
            return
        forms = (ctypes.c_long * 2)(self.atom("TARGETS"), self.atom("UTF8_STRING"))
        self.x.XChangeProperty(self.display, ctypes.c_ulong(request.requestor), ctypes.c_ulong(request.property),
                               ctypes.c_ulong(ATOM), 32, 0, forms, 2)
        kept, self.data, request.target = self.data, b"", self.atom("TARGETS")
        self.notify(request)
        self.data = kept

    def notify(self, request):
        event = Event()
        for name, _ in type(event.notify)._fields_:
            setattr(event.notify, name, getattr(request, name))
        event.notify.type = SELECTION_NOTIFY
        self.x.XSendEvent(self.display, ctypes.c_ulong(request.requestor), 0, ctypes.c_long(0), ctypes.byref(event))
        self.x.XFlush(self.display)


def clipboard(display_name):
    """The text that a program of this machine pastes."""
    asking = Source(display_name, "")
    into, own = ctypes.c_ulong(asking.atom("ATTNSCOPE_TEST")), ctypes.c_ulong(asking.window)
    asking.x.XConvertSelection(asking.display, ctypes.c_ulong(asking.atom("CLIPBOARD")),
                               ctypes.c_ulong(asking.atom("UTF8_STRING")), into, own, CURRENT_TIME)
    event, end = Event(), time.monotonic() + HANGS
    while event.type != SELECTION_NOTIFY and time.monotonic() < end:
        if asking.x.XPending(asking.display):
            asking.x.XNextEvent(asking.display, ctypes.byref(event))
        else:
            asking.x.XFlush(asking.display)
            time.sleep(0.01)
    kind, count, left = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_ulong()
    bits, data = ctypes.c_int(), ctypes.c_void_p()
    asking.x.XGetWindowProperty(asking.display, own, into, ctypes.c_long(0), ctypes.c_long(1000), 0, ctypes.c_ulong(0),
                                *map(ctypes.byref, (kind, bits, count, left, data)))
    text = ctypes.string_at(data, count.value).decode() if data else None
    asking.close()
    return text


def picture(program):
    return pixels(program.display.name, program.window, 0, 0, WIDTH, HEIGHT)


def colours(rows):
    return len({pixel for row in rows for pixel in row})


def unlike(rows, others):
    """The share of pixels that differ by more than a shade."""
    far = sum(max(abs(a - b) for a, b in zip(p, q)) > 8 for row, other in zip(rows, others) for p, q in zip(row, other))
    return far / (WIDTH * HEIGHT)


def first_picture(display, binary, folder):
    """Milliseconds from the start of the program to a window that shows something."""
    source = Source(display.name, "")
    root = source.x.XDefaultRootWindow(source.display)
    source.close()
    home = dict(os.environ, DISPLAY=display.name, HOME=str(folder), XDG_CONFIG_HOME=f"{folder}/.config",
                XDG_DATA_HOME=f"{folder}/.local")
    begun = time.monotonic()
    process = subprocess.Popen([binary, "--size", f"{WIDTH}x{HEIGHT}"], env=home, cwd=folder, stderr=subprocess.DEVNULL)
    try:
        while time.monotonic() < begun + HANGS:
            # Of the screen, which is black before; a window that is about to appear has no pixels to ask for.
            if colours(pixels(display.name, root, 0, HEIGHT // 2, WIDTH, 20)) > 8:
                return round(1000 * (time.monotonic() - begun))
            check(process.poll() is None, "a window", process.returncode)
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    raise Failure(f"expected a picture, got none in {HANGS} s")


def opens_a_lab_by_the_start_page(program):
    program.wait(lambda m: "start.page" in m["controls"], "the start page")
    program.click("start.picture.pooling")
    settled(program, lambda m: m["lab"] == "pooling" and "figure.data" in m["controls"], "the lab pooling")


def drags_a_slider(program):
    before, shown = program.knob("bandwidth"), picture(program)
    program.drag("knob.bandwidth.slider", (0.3, 0.5), (0.8, 0.5))
    settled(program, lambda m: m["knobs"]["bandwidth"] != before, "another bandwidth")
    check(unlike(shown, picture(program)) > 0.001, "another picture", unlike(shown, picture(program)))


def shows_both_looks(program):
    for language, theme, keys in LOOKS:
        program.key(*keys)
        program.point(WIDTH - 2, HEIGHT - 2)
        settled(program, lambda m, l=language, t=theme: (m["language"], m["theme"]) == (l, t), f"{language} {theme}")
        program.close_message()
        program.wait(lambda m: m["sleeps"], "a window that rests")
        SHOWN[language] = picture(program)
        write_png(PICTURES / f"window-{language}-{theme}.png", SHOWN[language])
    program.key("ctrl+l", "ctrl+t")
    settled(program, lambda m: (m["language"], m["theme"]) == ("en", "dark"), "both back")


def looks_as_elsewhere(display):
    """As the window of this machine's own program with the same session, but for how long things took."""
    for language, theme, _ in LOOKS:
        words = ["--size", f"{WIDTH}x{HEIGHT}", "--lang", language, "--theme", theme, PICTURES / "window.attn"]
        with Program(display, NATIVE, *words) as program:
            program.point(WIDTH - 2, HEIGHT - 2)
            program.close_message()
            program.wait(lambda m: m["sleeps"], "a window that rests")
            other = picture(program)
            program.close()
        write_png(PICTURES / f"window-{language}-{theme}-native.png", other)
        share = unlike(SHOWN[language], other)
        print(f"{language}, {theme}: {100 * share:.2f} % of the pixels differ", flush=True)
        check(share < 0.01, "nearly the same pixels", share)


def saves_under_a_chinese_name(program):
    """Pasted: these are letters that no key has."""
    folder = program.folder / "课 件"
    folder.mkdir()
    session = folder / "注意力.attn"
    program.key("ctrl+s")
    program.wait(lambda m: "dialog.path" in m["controls"], "the dialog")
    with Clipboard(program.display.name, str(session)):
        program.key("ctrl+a", "ctrl+v")
        program.key("Return")
        program.wait(lambda m: "dialog.path" not in m["controls"], "the dialog closed")
    saved = json.loads(session.read_text())
    check(saved["values"]["bandwidth"] == program.knob("bandwidth"), "the session of the page", saved)
    check([f.name for f in folder.iterdir()] == [session.name], "no other file", list(folder.iterdir()))
    shutil.copy(session, PICTURES / "window.attn")
    made = []
    for name in (program.binary, NATIVE):
        out = program.folder / f"{len(made)}.png"
        subprocess.run([name, "export", "pooling", "--session", session, "-o", out], check=True, timeout=HANGS)
        made.append(out.read_bytes())
    check(made[0] == made[1], "the same picture of it as elsewhere", [len(one) for one in made])


def takes_a_drop_with_a_chinese_name(program):
    kept = program.knob("bandwidth")
    program.drag("knob.bandwidth.slider", (0.8, 0.5), (0.2, 0.5))
    settled(program, lambda m: m["knobs"]["bandwidth"] != kept, "another bandwidth")
    session = program.folder / "课 件" / "注意力.attn"
    check(drop_file(program.display.name, program.window, session), "the drop to be taken", False)
    settled(program, lambda m: m["knobs"]["bandwidth"] == kept, "the dropped session's bandwidth")


def shares_the_clipboard(program):
    program.click("lab.multi_head")
    settled(program, lambda m: m["lab"] == "multi_head", "the lab multi_head")
    program.click("knob.text.value")
    with Clipboard(program.display.name, SENTENCE):
        program.key("ctrl+a", "ctrl+v")
        settled(program, lambda m: m["knobs"]["text"] == SENTENCE, "the pasted sentence")
    program.key("ctrl+a", "ctrl+c", "Escape")
    program.wait(lambda _: clipboard(program.display.name) == SENTENCE, "the sentence copied")


def remembers(program):
    program.key("ctrl+t")
    settled(program, lambda m: m["theme"] == "light", "light")
    program.close()
    settings = program.folder / ".config" / "attnscope" / "settings.json"
    kept = json.loads(settings.read_text())
    check(kept["theme"] == "light", "the theme in %APPDATA%", kept)
    files = [one.get("file", "") for one in kept["recent"]]
    check(any("注意力.attn" in file for file in files), "the session among the last", files)


def says_what_is_missing(display, folder, language):
    """By a click, with no console: in a window of the system, which its button closes; the status is 1."""
    env = dict(os.environ, DISPLAY=display.name, HOME=str(folder), MESA_GL_VERSION_OVERRIDE="2.1", LC_ALL="C.UTF-8")
    words = ["wine", "start", "/wait", "/unix", os.environ["ATTNSCOPE_EXE"], "--lang", language]
    process = subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        found, end = [], time.monotonic() + HANGS
        while not found and time.monotonic() < end:
            check(process.poll() is None, "a message", process.returncode)
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^attnscope$"], env=env,
                                   capture_output=True, text=True).stdout.split()
            time.sleep(0.1)
        check(found, "a window that says it", "none")
        time.sleep(1)
        said = subprocess.run(["xdotool", "getwindowgeometry", "--shell", found[0]], env=env, check=True,
                              capture_output=True, text=True, timeout=HANGS).stdout
        width, height = (int(dict(line.split("=") for line in said.split())[side]) for side in ("WIDTH", "HEIGHT"))
        shown = pixels(display.name, found[0], 0, 0, width, height)
        write_png(PICTURES / f"no-opengl-{language}.png", shown)
        check(colours(shown) > 8, "a text", colours(shown))
        close = ["xdotool", "windowfocus", "--sync", found[0], "key", "Return"]
        subprocess.run(close, env=env, check=True, timeout=HANGS)
        check(process.wait(HANGS) == 1, "status 1", process.returncode)
    finally:
        if process.poll() is None:
            process.kill()


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    steps = [opens_a_lab_by_the_start_page, drags_a_slider, saves_under_a_chinese_name,
             takes_a_drop_with_a_chinese_name, shows_both_looks, shares_the_clipboard, remembers]
    with Display() as display, tempfile.TemporaryDirectory(prefix="attnscope-test-") as made:
        for name in (UNDER_WINE, UNDER_WINE, NATIVE):
            print(f"first picture after {first_picture(display, name, made)} ms: {Path(name).name}", flush=True)
        with Program(display, UNDER_WINE, "--size", f"{WIDTH}x{HEIGHT}", start=True) as program:
            for step in steps:
                step(program)
                print(f"passed {step.__name__}", flush=True)
        looks_as_elsewhere(display)
        print("passed looks_as_elsewhere", flush=True)
        for language, _, _ in LOOKS:
            says_what_is_missing(display, made, language)
            print(f"passed says_what_is_missing {language}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Failure, subprocess.SubprocessError) as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
