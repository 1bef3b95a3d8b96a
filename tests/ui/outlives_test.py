#!/usr/bin/env python3
"""What ends the window and what does not: other programs that vanish in the midst of asking for the
clipboard or of dropping a file, pipes that nobody reads, and a window that is too small for anything.

usage: outlives_test.py PROGRAM
"""
import ctypes
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from driver import check, run  # noqa: E402
from dropping import CURRENT_TIME, SELECTION_NOTIFY, Event, Source  # noqa: E402
from limits import HANGS  # noqa: E402
from steps import opens, settled  # noqa: E402

ANY_TYPE = 0  # of a property


def stopped(program):
    """The program, stopped with all that comes from the X server still before it, until the block's end."""
    class Stopped:
        def __enter__(self):
            program.process.send_signal(signal.SIGSTOP)

        def __exit__(self, *_):
            program.process.send_signal(signal.SIGCONT)
    return Stopped()


def lives(program, language):
    """It answers to a key."""
    program.key("ctrl+l")
    settled(program, lambda m: m["language"] == language, f"the language {language}")


def copies(program):
    """The text's box copied: the clipboard is the window's."""
    program.click("knob.text.value")
    program.key("ctrl+a", "ctrl+c", "Escape")


class Asking(Source):
    """A client that asks for the clipboard's text."""

    def __init__(self, display_name):
        super().__init__(display_name, "")
        self.into = ctypes.c_ulong(self.atom("ATTNSCOPE_TEST"))
        self.own = ctypes.c_ulong(self.window)
        self.x.XConvertSelection(self.display, ctypes.c_ulong(self.atom("CLIPBOARD")),
                                 ctypes.c_ulong(self.atom("UTF8_STRING")), self.into, self.own, CURRENT_TIME)
        self.x.XSync(self.display, 0)

    def answer(self):
        event, end = Event(), time.monotonic() + HANGS
        while event.type != SELECTION_NOTIFY:
            check(time.monotonic() < end, "an answer", "none")
            if self.x.XPending(self.display):
                self.x.XNextEvent(self.display, ctypes.byref(event))
            else:
                time.sleep(0.01)
        kind, count, left = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_ulong()
        bits, data = ctypes.c_int(), ctypes.c_void_p()
        self.x.XGetWindowProperty(self.display, self.own, self.into, ctypes.c_long(0), ctypes.c_long(1000), 0,
                                  ctypes.c_ulong(ANY_TYPE), *map(ctypes.byref, (kind, bits, count, left, data)))
        return ctypes.string_at(data, count.value).decode() if data else None


def serves_the_clipboard(program):
    """One who vanishes before it is served ends nothing, and the next one gets the text."""
    copies(program)
    text = program.knob("text")
    for language in ("zh_CN", "en"):
        with stopped(program):
            Asking(program.display.name).close()
        lives(program, language)
        asking = Asking(program.display.name)
        answer = asking.answer()
        asking.close()
        check(answer == text, f"the text {text!r}", answer)


def takes_a_drop_whose_source_is_gone(program):
    for language, until in (("zh_CN", "XdndEnter"), ("en", "XdndPosition"), ("zh_CN", "XdndDrop"), ("en", "XdndDrop")):
        source = Source(program.display.name, "file:///tmp/nothing.attn")
        uri_list, copy = source.atom("text/uri-list"), source.atom("XdndActionCopy")
        source.x.XSetSelectionOwner(source.display, ctypes.c_ulong(source.atom("XdndSelection")),
                                    ctypes.c_ulong(source.window), CURRENT_TIME)
        window = int(program.window)
        with stopped(program):
            source.send(window, "XdndEnter", 5 << 24, uri_list)
            if until != "XdndEnter":
                source.send(window, "XdndPosition", 0, 400 << 16 | 300, CURRENT_TIME, copy)
            if until == "XdndDrop":
                source.send(window, "XdndDrop", 0, CURRENT_TIME)
            source.x.XSync(source.display, 0)
            source.close()
        lives(program, language)


def writes_to_a_pipe_that_nobody_reads(program):
    program.process.send_signal(signal.SIGPIPE)
    lives(program, "zh_CN")
    lives(program, "en")


def has_a_least_size(program):
    """Window managers keep to it; it grows with the scale."""
    def least():
        hints = subprocess.run(["xprop", "-id", program.window, "WM_NORMAL_HINTS"], env=program.env, check=True,
                               capture_output=True, text=True).stdout
        found = re.search(r"minimum size: (\d+) by (\d+)", hints)
        return [int(side) for side in found.groups()] if found else hints
    program.wait(lambda _: least() == [480, 360], "a least size of 480 by 360")
    program.key("ctrl+plus")
    settled(program, lambda m: m["scale"] == 1.25 and least() == [600, 450], "600 by 450 at 125 %")
    program.key("ctrl+0")
    settled(program, lambda m: m["scale"] == 1, "100 %")


def is_as_small_as_can_be(program):
    """Where there is no window manager: nothing falls, and it is whole again."""
    opens(program, "softmax")
    for width, height in ((50, 1200), (110, 1150), (1, 1), (1600, 8), (3, 1000), (300, 300)):
        program.resize(width, height)
        settled(program, lambda m: [m["window"]["w"], m["window"]["h"]] == [width, height], f"{width} x {height}")
    program.resize(1600, 1000)
    settled(program, lambda m: m["window"]["w"] == 1600, "1600 x 1000")


if __name__ == "__main__":
    sys.exit(run(serves_the_clipboard, takes_a_drop_whose_source_is_gone, writes_to_a_pipe_that_nobody_reads,
                 has_a_least_size, is_as_small_as_can_be))
