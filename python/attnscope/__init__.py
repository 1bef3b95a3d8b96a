"""attnscope, an oscilloscope for attention, from Python and notebooks.

    attnscope.show(attention, tokens=words)       your own weights, in the window or the notebook
    attnscope.figure("multi_head", heads=4)       a figure: .svg, .png, .pdf, .numbers()
    attnscope.labs()                              what there is: labs, their knobs, presets and figures

The program itself is found by the environment variable ATTNSCOPE_PROGRAM, beside this package, or on the PATH. One
process of it answers all calls; it ends with Python.
"""

from __future__ import annotations

from ._errors import Error, Note
from ._figure import Figure, figure, options
from ._labs import Lab, Labs, Parameter, labs
from ._program import program
from ._server import close
from ._show import show
from ._window import Window

__version__ = "0.1.0"

__all__ = [
    "Error",
    "Figure",
    "Lab",
    "Labs",
    "Note",
    "Parameter",
    "Window",
    "close",
    "figure",
    "labs",
    "options",
    "program",
    "show",
]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
