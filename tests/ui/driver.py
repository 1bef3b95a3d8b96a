"""Drives the real program in a real window: Xvfb, mouse and keyboard by xdotool, and the control map
that the program keeps up to date. Every wait is for something that the map tells; its limit only ends what
would hang for ever. Standard library only."""
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dropping import close_window
from limits import HANGS, LINES


class Failure(AssertionError):
    """What was expected and what came, in one sentence."""


def check(good, expected, came):
    if not good:
        raise Failure(f"expected {expected}, got {came!r}"[:4000])


def ends(process):
    """The exit status of what ends by itself; what does not is killed."""
    try:
        return process.wait(HANGS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise Failure(f"expected the end of {process.args[0]}, got none in {HANGS} s") from None


def told_last(m):
    """What a map says, in a few lines, for a person who looks for what went wrong."""
    if m is None:
        return "no control map yet"
    lines = ["the control map said last:"]
    for key in ("lab", "busy", "stale", "settled", "sleeps", "frames", "window", "input", "message", "errors", "trainings",
                "sweep", "lesson", "lecture", "holds", "readouts", "knobs"):
        if m.get(key) not in (None, "", {}, []):
            lines.append(f"  {key}: {json.dumps(m[key], ensure_ascii=False)}"[:240])
    lines.append(f"  controls: {' '.join(m['controls'])}"[:1200])
    return "\n".join(lines[:LINES])


class Display:
    """An X server of its own, ended with the block."""

    def __init__(self, width=1920, height=1200):
        self.size = f"{width}x{height}x24"

    def __enter__(self):
        read, write = os.pipe()
        # No key repeats by itself: how long one is down depends on how busy the machine is.
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", self.size, "-noreset", "-r", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            ready, _, _ = select.select([number], [], [], HANGS)
            self.name = ":" + (number.readline().strip() if ready else "")
        if self.name == ":":
            self.__exit__()
            raise Failure("expected an X server, got none: Xvfb did not start")
        return self

    def __exit__(self, *_):
        self.server.terminate()
        ends(self.server)


class Program:
    """The running program. Control ids are those of the control map. It opens with a lab, as for who has switched
    the start page off, unless `start` is asked for or there are settings already."""

    def __init__(self, display, binary, *words, folder=None, map_folder=None, start=False):
        self.display, self.binary = display, binary
        # One of its own goes with the program.
        self.own = None if folder else tempfile.TemporaryDirectory(prefix="attnscope-test-")
        self.folder = Path(folder or self.own.name)
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
        self.heard = 0  # the number of the last sentence that was waited for
        self.wait(lambda m: m["settled"] and m["version"] > 0, "a first page")
        found = self.xdo("search", "--sync", "--onlyvisible", "--name", "attnscope").split()
        self.window = found[0]

    def xdo(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.env, check=True,
                              capture_output=True, text=True, timeout=HANGS).stdout

    def map(self):
        try:
            return json.loads(self.map_file.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return None

    def wait(self, good, what):
        """The control map once good(map) holds."""
        end = time.monotonic() + HANGS
        while True:
            # What ended may have left its last word in the map, so it is read after that.
            ended = self.process.poll() is not None
            last = self.map()
            if last is not None and holds(good, last):
                return last
            if ended:
                raise Failure(f"expected {what}, got the program's end with {self.process.returncode}: "
                              + "\n".join(self.process.stderr.read()[-2000:].splitlines()[-LINES:]))
            if time.monotonic() > end:
                raise Failure(f"expected {what}, got nothing of the kind in {HANGS} s; {told_last(last)}")
            time.sleep(0.03)

    def told(self, *parts):
        """The sentence with these parts that was told after the one that was waited for before, once there is one.
        It need not be on screen any more."""
        def said(m):
            return [one for one in m["said"]
                    if one["number"] > self.heard and all(part in one["text"] for part in parts)]
        one = said(self.wait(said, f"a sentence with {' and '.join(parts)}"))[0]
        self.heard = one["number"]
        return one["text"]

    def sleeps(self):
        """The map of a window that has nothing to do: nothing of its own changes it, it draws nothing, and none of its
        threads runs. Whether they do is looked at over and over: what never rests fails."""
        end = time.monotonic() + HANGS
        before = None
        while time.monotonic() < end:
            m = self.wait(lambda m: m["sleeps"], "a window that sleeps")
            now = m["frames"], self.turns()
            if now == before:
                return m
            before = now
            time.sleep(0.7)
        raise Failure(f"expected a window that sleeps, got one that goes on; {told_last(m)}")

    def turns(self):
        """How often each of the program's threads has been given a processor or given it back."""
        turns = {}
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            for line in (task / "status").read_text().splitlines():
                if "ctxt_switches" in line:
                    turns[task.name, line.split(":")[0]] = int(line.split()[1])
        return turns

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
        # In a lecture the window forgets a pointer that rests.
        self.wait(lambda m: all(abs(at - to) <= 1 for at, to in zip(m["input"]["pointer"], (x, y))) or
                  (m["lecture"] is not None and m["input"]["pointer"] == [-1, -1]), f"the pointer at {x}, {y}")

    def press(self, button=1):
        self.xdo("mousedown", button)
        self.wait(lambda m: len(m["input"]["down"]) > 0, "a button held down")

    def release(self, button=1):
        self.xdo("mouseup", button)
        self.wait(lambda m: m["input"]["down"] == [], "no button held down")

    def double_click(self, control, x=0.5, y=0.5):
        """Two clicks are one double click only when the second comes soon enough: else they are made again."""
        self.move(control, x, y)
        first = self.map()["input"]["double_clicks"]
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            before = self.map()["input"]["clicks"]
            self.xdo("click", "--repeat", 2, "--delay", 20, 1)
            m = self.wait(lambda m: m["input"]["clicks"] >= before + 2 and m["input"]["down"] == [], "two clicks")
            if m["input"]["double_clicks"] > first:
                return
        raise Failure(f"expected a double click, got single ones alone in {HANGS} s")

    def uncovered(self, x, y):
        """Closes a sentence that lies over this place; how long it would stay is a matter of time."""
        m = self.map()
        if "message" not in m["controls"]:
            return
        left, top, width, height = m["controls"]["message"]
        if left - 2 <= x <= left + width + 2 and top - 2 <= y <= top + height + 2:
            self.close_message()

    def close_message(self):
        """Closes the sentence that is on screen, if there still is one."""
        cross = self.map()["controls"].get("message.close")
        if cross is None:
            return
        self.point(round(cross[0] + cross[2] / 2), round(cross[1] + cross[3] / 2))
        if "message.close" in self.map()["controls"]:
            self.press()
            self.release()
        self.wait(lambda m: "message" not in m["controls"], "the sentence closed")

    def into_view(self, control, y=0.5):
        """Scrolls the page, the start page, the knobs or a list until this part of a control can be seen."""
        if scrolled(self.map(), control) is None:
            return
        for _ in range(1000):
            m = self.still()
            room = scrolled(m, control)
            if room is None:
                return
            first, last = room
            left, top, width, height = m["controls"][control]
            at = top + height * y
            if first <= at < last or (control.startswith("choice.") and at >= last):
                return
            self.point(round(left + width / 2), (first + last) // 2)
            self.counted("wheels", 1, "click", 5 if at >= last else 4)
            self.wait(lambda n: n["controls"].get(control, [0, top])[1] != top, f"{control} to move")
        raise Failure(f"expected {control} in view, got it not in a thousand turns of the wheel")

    def still(self):
        """The map of a page that has come to rest, or of one that changes all the time."""
        return self.wait(lambda m: m["settled"] or restless(m), "a page that is done")

    def move(self, control, x=0.5, y=0.5):
        self.into_view(control, y)
        to = self.center(control, x, y)
        if not control.startswith("message"):
            self.uncovered(*to)
        self.point(*to)

    def click(self, control, x=0.5, y=0.5, button=1):
        self.move(control, x, y)
        self.press(button)
        self.release(button)

    def drag(self, control, start, end, steps=8):
        """From `start` to `end`, both shares of the control's width and height."""
        self.into_view(control, start[1])
        self.uncovered(*self.center(control, *start))
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
            self.counted("keys", key.count("+") + 1, "key", "--delay", 1, key)

    def type(self, text):
        """In ASCII: other characters are keys that xdotool has to make first."""
        self.counted("characters", len(text), "type", "--delay", 1, "--", text)

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
        """The map of the window with this size."""
        self.xdo("windowsize", self.window, width, height)
        return self.wait(lambda m: m["window"] == {"w": width, "h": height} and m["settled"], f"{width} x {height}")

    def ask_to_close(self):
        """As a window manager does: WM_DELETE_WINDOW."""
        close_window(self.display.name, self.window)

    def close(self):
        """Ends the program by its key; changes of a saved session are not kept."""
        self.xdo("key", "ctrl+q")
        if self.asks_to_leave():
            self.move("dialog.discard")
            self.xdo("click", 1)
        status = ends(self.process)
        errors = self.process.stderr.read()
        check(status == 0, "exit status 0", (status, errors[-2000:]))
        return errors

    def asks_to_leave(self):
        """Whether the program asks before it ends, or has ended."""
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                return False
            m = self.map()
            if m is not None and "dialog.discard" in m["controls"]:
                return True
            time.sleep(0.03)
        raise Failure(f"expected the program's end or a question, got none; {told_last(self.map())}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            ends(self.process)
        if self.own:
            self.own.cleanup()


def scrolled(m, control):
    """Between which heights a control can be seen that is scrolled; None when nothing scrolls it."""
    if control not in m["controls"] or "dialog.close" in m["controls"]:
        return None
    if control.startswith(("knob.", "button.knobs")) and "panel.knobs" in m["controls"]:
        _, first, _, room = m["controls"]["panel.knobs"]
        return first, first + room
    if control.startswith(("lab.", "lesson:", "found.")) and "list" in m["controls"]:
        _, first, _, room = m["controls"]["list"]
        return first, first + room
    if control.startswith("start.") and "start.page" in m["controls"]:
        return 0, m["window"]["h"] - 20
    if control.startswith(("figure.", "plot.", "grip.", "hit.", "choice.", "button.introduction", "page.", "jump.")):
        return 60, m["window"]["h"] - 40
    return None


def holds(good, m):
    """What is asked of a control may not have come to be there yet."""
    try:
        return good(m)
    except (KeyError, IndexError, TypeError):
        return False


def restless(m):
    """A page that plays or learns comes never to rest. What plays has always another page to make."""
    learns = any(run["state"] == "training" for run in m["trainings"].values())
    plays = m["playing"] != "" or (m["sweep"] is not None and m["sweep"]["playing"])
    return plays or (learns and not m["busy"])


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
        except (Failure, subprocess.SubprocessError) as failure:
            print(f"FAILED: {failure}")
            return 1
    return 0
