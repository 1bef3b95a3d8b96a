"""Drives the real program in a real window: Xvfb, mouse and keyboard by xdotool, and the control map
that the program keeps up to date. Standard library only."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dropping import close_window


class Failure(AssertionError):
    """What was expected and what came, in one sentence."""


def check(good, expected, came):
    if not good:
        raise Failure(f"expected {expected}, got {came!r}")


class Display:
    """An X server of its own, ended with the block."""

    def __init__(self, width=1920, height=1200):
        self.size = f"{width}x{height}x24"

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", self.size, "-noreset", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.name = ":" + number.readline().strip()
        check(self.name != ":", "an X server", "none: Xvfb did not start")
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(10)


class Program:
    """The running program. Control ids are those of the control map. It opens with a lab, as for who has switched
    the start page off, unless `start` is asked for or there are settings already."""

    def __init__(self, display, binary, *words, folder=None, map_folder=None, start=False):
        self.display, self.binary = display, binary
        self.folder = Path(folder or tempfile.mkdtemp(prefix="attnscope-test-"))
        self.map_file = (map_folder or self.folder) / "controls.json"
        self.map_file.unlink(missing_ok=True)
        self.env = dict(os.environ, DISPLAY=display.name, HOME=str(self.folder),
                        XDG_CONFIG_HOME=str(self.folder / ".config"),
                        XDG_DATA_HOME=str(self.folder / ".local"))
        settings = self.folder / ".config" / "attnscope" / "settings.json"
        if not start and not settings.exists():
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.write_text('{"show_start": false}')
        self.process = subprocess.Popen(
            [binary, "--control-map", str(self.map_file), *words], env=self.env, cwd=self.folder,
            stderr=subprocess.PIPE, text=True)
        self.wait(lambda m: not m["busy"] and m["version"] > 0, "a first page", 30)
        found = self.xdo("search", "--sync", "--onlyvisible", "--name", "attnscope").split()
        self.window = found[0]

    def xdo(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.env, check=True,
                              capture_output=True, text=True, timeout=30).stdout

    def map(self):
        try:
            return json.loads(self.map_file.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return None

    def wait(self, good, what, seconds=10):
        """The control map once good(map) holds; fails after some seconds."""
        end = time.monotonic() + seconds
        last = None
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Failure(f"expected {what}, got the program's end with {self.process.returncode}: "
                              f"{self.process.stderr.read()[-2000:]}")
            last = self.map()
            if last is not None and good(last):
                return last
            time.sleep(0.03)
        raise Failure(f"expected {what} within {seconds} s, got {str(last)[:1500]}")

    def knob(self, name):
        return self.map()["knobs"][name]

    def center(self, control, x=0.5, y=0.5):
        # It may be drawn in the next frame only.
        controls = self.wait(lambda m: control in m["controls"], f"a control {control}")["controls"]
        left, top, width, height = controls[control][:4]
        return round(left + width * x), round(top + height * y)

    def point(self, x, y):
        """The pointer to a place of the window, in its pixels."""
        self.xdo("mousemove", "--window", self.window, x, y)
        self.wait(lambda m: all(abs(at - to) <= 1 for at, to in zip(m["input"]["pointer"], (x, y))),
                  f"the pointer at {x}, {y}")

    def press(self, button=1):
        self.xdo("mousedown", button)
        self.wait(lambda m: len(m["input"]["down"]) > 0, "a button held down")

    def release(self, button=1):
        self.xdo("mouseup", button)
        self.wait(lambda m: m["input"]["down"] == [], "no button held down")

    def into_view(self, control, y=0.5):
        """Scrolls the page, the start page, the knobs or a list until this part of a control can be seen."""
        while True:
            m = self.map()
            if control not in m["controls"] or "dialog.close" in m["controls"]:
                return
            left, top, width, height = m["controls"][control]
            first, last = 60, m["window"]["h"] - 40
            if control.startswith(("knob.", "button.knobs")) and "panel.knobs" in m["controls"]:
                _, first, _, room = m["controls"]["panel.knobs"]
                last = first + room
            elif control.startswith(("lab.", "lesson:", "found.")) and "list" in m["controls"]:
                _, first, _, room = m["controls"]["list"]
                last = first + room
            elif control.startswith("start.") and "start.page" in m["controls"]:
                first, last = 0, m["window"]["h"] - 20
            elif not control.startswith(("figure.", "plot.", "grip.", "hit.", "choice.", "button.introduction", "page.",
                                             "jump.")):
                return
            at = top + height * y
            if first <= at < last or (control.startswith("choice.") and at >= last):
                return
            self.point(round(left + width / 2), (first + last) // 2)
            self.counted("wheels", 1, "click", 5 if at >= last else 4)
            self.wait(lambda n: n["controls"].get(control, [0, top])[1] != top, f"{control} to move")

    def move(self, control, x=0.5, y=0.5):
        self.into_view(control, y)
        self.point(*self.center(control, x, y))

    def click(self, control, x=0.5, y=0.5, button=1):
        self.move(control, x, y)
        self.press(button)
        self.release(button)

    def drag(self, control, start, end, steps=8):
        """From `start` to `end`, both shares of the control's width and height."""
        self.into_view(control, start[1])
        (x0, y0), (x1, y1) = self.center(control, *start), self.center(control, *end)
        self.point(x0, y0)
        self.press()
        words = []
        for i in range(1, steps):
            words += ["mousemove", "--window", self.window, x0 + (x1 - x0) * i // steps,
                      y0 + (y1 - y0) * i // steps, "sleep", 0.03]
        if words:
            self.xdo(*words)
        self.point(x1, y1)
        self.release()

    def counted(self, kind, count, *words):
        """Input of which the program counts `count` more before this answers."""
        before = self.map()["input"][kind]
        self.xdo(*words)
        self.wait(lambda m: m["input"][kind] >= before + count, f"{count} {kind} more than {before}")

    def key(self, *keys):
        for key in keys:
            self.counted("keys", key.count("+") + 1, "key", "--delay", 30, key)

    def type(self, text):
        self.counted("keys", len(text), "type", "--delay", 15, "--", text)

    def wheel(self, control, clicks, x=0.5, y=0.5, held=None):
        """`held`: a key that is held down meanwhile, such as ctrl."""
        self.move(control, x, y)
        if held:
            self.counted("keys", 1, "keydown", held)
        for _ in range(abs(clicks)):
            self.counted("wheels", 1, "click", 4 if clicks > 0 else 5)
        if held:
            self.xdo("keyup", held)

    def resize(self, width, height):
        self.xdo("windowsize", "--sync", self.window, width, height)

    def ask_to_close(self):
        """As a window manager does: WM_DELETE_WINDOW."""
        close_window(self.display.name, self.window)

    def close(self):
        """Ends the program by its key; changes of a saved session are not kept."""
        self.xdo("key", "ctrl+q")
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.move("dialog.discard")
            self.xdo("click", 1)
            status = self.process.wait(10)
        errors = self.process.stderr.read()
        check(status == 0, "exit status 0", (status, errors[-2000:]))
        return errors

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)


def run(*steps):
    """A window test: each step in the same program, whose binary the command line names, then a clean
    end. Answers with the exit status."""
    binary = str(Path(sys.argv[1]).resolve())
    with Display() as display, Program(display, binary) as program:
        try:
            for step in steps:
                step(program)
                print(f"passed {step.__name__}", flush=True)
            errors = program.close()
            check("GL" not in errors, "no GL error", errors)
            print("passed closes")
        except (Failure, subprocess.CalledProcessError) as failure:
            print(f"FAILED: {failure}")
            return 1
        finally:
            shutil.rmtree(program.folder, ignore_errors=True)
    return 0
