"""Where the program is."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from ._errors import Error

VARIABLE = "ATTNSCOPE_PROGRAM"


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def program() -> str:
    """The path of the program: what ATTNSCOPE_PROGRAM names, one beside this package, or one on the PATH."""
    name = "attnscope.exe" if sys.platform == "win32" else "attnscope"
    named = os.environ.get(VARIABLE)
    if named:
        if not _runs(Path(named)):
            raise Error(f'{VARIABLE}: expected the path of the program, got "{named}"')
        return named
    # The tree with its build, an archive that was unpacked, an installation: each holds both.
    for folder in list(Path(__file__).resolve().parents)[1:6]:
        for beside in (folder / name, folder / "bin" / name, folder / "build" / "release" / name):
            if _runs(beside):
                return str(beside)
    found = shutil.which(name)
    if found:
        return found
    raise Error(f"expected the program attnscope beside this package, on the PATH or in {VARIABLE}, got none")
