"""The process that answers calls: one a Python process, begun by the first call, begun again when it has ended."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
import warnings
from typing import Any, Optional

from ._errors import Error, Note
from ._program import program

PROTOCOL = 1
# Seconds in which it may end by itself when Python does.
PATIENCE = 2.0


class Server:
    """`attnscope serve --stdio`: a call is a line of JSON, and so is its answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._owner = 0
        self._folder = ""
        self._calls = 0
        self._hello: dict[str, Any] = {}

    def hello(self) -> dict[str, Any]:
        """What the program says of itself: version, protocol, options of an export."""
        with self._lock:
            self._begun()
            return self._hello

    def call(self, command: str, **words: Any) -> dict[str, Any]:
        """The answer to a call. Error: it was refused, or the process ended meanwhile."""
        with self._lock:
            self._begun()
            try:
                answer = self._answer(command, words)
            except BrokenPipeError:  # it ended before this call: a new one answers
                self._end()
                self._begun()
                answer = self._answer(command, words)
        for note in answer.get("notes", ()):
            warnings.warn(note, Note, stacklevel=4)
        if "error" in answer:
            raise Error(answer["error"])
        return answer

    def close(self) -> None:
        """Ends the process; the next call begins another one."""
        with self._lock:
            self._end()

    @property
    def pid(self) -> Optional[int]:
        """The process's number; None where none runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def _begun(self) -> subprocess.Popen[bytes]:
        if self._owner != os.getpid():  # the parent's own, whose pipes a fork has, too
            self._process = None
        folder = os.getcwd()  # from where paths count
        if self._process and (self._process.poll() is not None or folder != self._folder):
            self._end()
        if self._process:
            return self._process
        words = [program(), "serve", "--stdio"]
        # Its own session: an interrupt of the notebook's is not for it.
        apart: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **apart)
        except OSError as error:
            raise Error(f"{words[0]}: cannot be started: {error.strerror}") from None
        self._owner, self._folder = os.getpid(), folder
        try:
            self._hello = self._answer("hello", {}).get("result", {})
        except (Error, BrokenPipeError):
            self._end()
            raise Error(self._why(words)) from None
        if self._hello.get("protocol") != PROTOCOL:
            self._end()
            raise Error(f"{words[0]}: expected protocol {PROTOCOL}, got {self._hello.get('protocol')}")
        return self._process

    @staticmethod
    def _why(words: list[str]) -> str:
        """Why a process does not answer, as it says itself."""
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        said = done.stderr.strip().removeprefix("attnscope: ")
        return f"{words[0]} does not answer: {said or f'exit status {done.returncode}'}"

    def _answer(self, command: str, words: dict[str, Any]) -> dict[str, Any]:
        process = self._process
        assert process and process.stdin and process.stdout
        self._calls += 1
        call = {"id": self._calls, "command": command, **words}
        try:
            written = json.dumps(call, allow_nan=False).encode()
        except ValueError:
            raise Error("expected finite numbers, got NaN or infinite ones") from None
        try:
            process.stdin.write(written + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            raise
        except BaseException:  # an interrupt: its answer would be taken for the next call's
            self._end(patience=0)
            raise
        if not line.endswith(b"\n"):
            self._end()
            raise Error(f"attnscope ended before it answered, with exit status {process.returncode}")
        answer: dict[str, Any] = json.loads(line)
        if answer.get("id") != self._calls:
            self._end(patience=0)
            raise Error(f"expected the answer to call {self._calls}, got {answer.get('id')}")
        return answer

    def _end(self, patience: float = PATIENCE) -> None:
        process, self._process = self._process, None
        if not process:
            return
        for stream in (process.stdin, process.stdout):
            if stream:
                try:
                    stream.close()
                except OSError:
                    pass
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


server = Server()


def close() -> None:
    """Ends the process that answers calls; the next call begins another one."""
    server.close()


@atexit.register
def _close_own() -> None:
    if server._owner == os.getpid():
        server.close()
