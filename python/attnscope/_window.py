"""The program's window."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Any, Optional

from ._errors import Error
from ._program import program

# What opens no window ends within these many seconds: mostly, and where there is no display at all.
FIRST_LOOK, NO_DISPLAY = 0.4, 30.0

# Waits for the window, which may stay longer than Python, and removes its folder.
_KEEPER = """
import shutil, signal, subprocess, sys
window = subprocess.Popen(sys.argv[2:])
signal.signal(signal.SIGTERM, lambda *_: window.terminate())
status = window.wait()
shutil.rmtree(sys.argv[1], ignore_errors=True)
sys.exit(max(status, 0))
"""


def _has_display() -> bool:
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Window:
    """A window that was opened. It stays when Python ends."""

    def __init__(self, path: str, folder: str) -> None:
        """Opens the file; `folder` goes when the window is closed."""
        words = [sys.executable, "-c", _KEEPER, folder, program(), path]
        apart: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
        with tempfile.TemporaryFile() as said:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=said, **apart)
            try:
                status = self._process.wait(FIRST_LOOK if _has_display() else NO_DISPLAY)
            except subprocess.TimeoutExpired:
                return
            if status:
                said.seek(0)
                lines = said.read().decode(errors="replace").strip().splitlines() or [""]
                sentence = lines[-1].removeprefix("attnscope: ")
                raise Error(sentence or f"the window ended with exit status {status}")

    @property
    def is_open(self) -> bool:
        """Whether it is still open."""
        return self._process.poll() is None

    def wait(self, seconds: Optional[float] = None) -> None:
        """Waits until it is closed, or so long; Error when it ended with one."""
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return
        if status > 0:
            raise Error(f"the window ended with exit status {status}")

    def close(self) -> None:
        """Closes it."""
        if not self.is_open:
            return
        self._process.terminate()
        self._process.wait()

    def __repr__(self) -> str:
        return f"<attnscope window, {'open' if self.is_open else 'closed'}>"
