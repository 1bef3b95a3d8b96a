"""The guide's notebook, run by Jupyter: every cell that draws has a picture. Where there is no nbconvert, nothing can be
tried: exit status 77, as ctest is told.

usage: notebook_test.py SOURCE_FOLDER PROGRAM
"""

import base64
import os
import re
import sys
import tempfile
from pathlib import Path

try:
    import ipykernel  # noqa: F401
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor
except ImportError as missing:
    print(f"skipped: there is no {missing.name} here, so that nobody runs the notebook")
    sys.exit(77)

SOURCE, PROGRAM = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()


def main():
    book = nbformat.read(SOURCE / "docs/user/python.ipynb", 4)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(ATTNSCOPE_PROGRAM=str(PROGRAM), PYTHONPATH=str(SOURCE / "python"), PYTHONDONTWRITEBYTECODE="1",
                          IPYTHONDIR=folder, JUPYTER_RUNTIME_DIR=folder, LC_ALL="C.UTF-8", PYDEVD_DISABLE_FILE_VALIDATION="1")
        ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(book, {"metadata": {"path": folder}})
    pictures = 0
    for cell in book.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error" or output.get("name") == "stderr":
                raise SystemExit(f"expected no error, got {output}")
            html = output.get("data", {}).get("text/html", "")
            for one in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", html):
                pictures += 1
                if b"<svg" not in base64.b64decode(one):
                    raise SystemExit("expected a picture, got none")
    if pictures < 3:
        raise SystemExit(f"expected at least 3 pictures, got {pictures}")
    print(f"{pictures} pictures")


if __name__ == "__main__":
    main()
