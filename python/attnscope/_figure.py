"""Figures."""

from __future__ import annotations

import base64
import json
import math
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping, Optional, Union

import numpy as np

from ._errors import Error
from ._server import server
from ._window import Window
from ._words import plain, settings

FORMATS = ("svg", "png", "pdf", "html", "csv", "json", "npy", "npz", "safetensors")


def options() -> dict[str, str]:
    """Every option of a figure with what it does: "width", "font", "theme" and so on, those of `attnscope export`."""
    return dict(server.hello()["options"])


class Figure:
    """A figure of a lab. A notebook shows it; `.svg`, `.png` and `.pdf` are files of it, `.numbers()` its numbers."""

    def __init__(self, lab: str, words: Mapping[str, Any], holds: Any = None) -> None:
        """`words`: of the call. `holds`: what must stay as long as the figure does."""
        self._lab = lab
        self._words = dict(words)
        self._holds = holds
        self._files: dict[str, bytes] = {}
        self.window: Optional[Window] = None  # that was opened with it
        self.file("svg")  # what is wrong with the words is said now

    @property
    def lab(self) -> str:
        """The id of its lab."""
        return self._lab

    def file(self, format: str) -> bytes:
        """A file of it: svg, png, pdf, html, csv, json, npy, npz, or safetensors, a trained model."""
        if format not in self._files:
            answer = server.call("export", lab=self._lab, format=format, **self._words)
            self._files[format] = base64.b64decode(answer["base64"])
        return self._files[format]

    @property
    def svg(self) -> bytes:
        """The figure as an SVG file."""
        return self.file("svg")

    @property
    def png(self) -> bytes:
        """The figure as a PNG file."""
        return self.file("png")

    @property
    def pdf(self) -> bytes:
        """The figure as a PDF file."""
        return self.file("pdf")

    def numbers(self) -> dict[str, np.ndarray]:
        """Its numbers: an array a plot by the plot's id, where a plot has several "plot.lines" and so on.

        A heatmap is (rows, columns), bars are (n,), lines and points (k, 2, n): x and y. A masked cell is NaN.
        """
        answer = server.call("export", lab=self._lab, format="arrays", **self._words)
        return {
            one["name"]: np.frombuffer(base64.b64decode(one["base64"]), "<f8").reshape(one["shape"]).copy()
            for one in answer["arrays"]
        }

    def details(self) -> dict[str, Any]:
        """All that stands on it: titles, captions, axes, labels of cells, readouts, and the session that made it."""
        found: dict[str, Any] = json.loads(self.file("json"))
        return found

    def save(self, path: Union[str, "os.PathLike[str]"]) -> Path:
        """Writes a file; its ending says which: .svg, .png, .pdf, .html, .csv, .json, .npy, .npz."""
        path = Path(path)
        format = path.suffix[1:].lower()
        if format not in FORMATS:
            raise Error(f"{path}: expected a name that ends in one of {', '.join('.' + f for f in FORMATS)}")
        path.write_bytes(self.file(format))
        return path

    def open(self) -> Window:
        """Opens the window where this figure was made."""
        folder = tempfile.mkdtemp(prefix="attnscope-")
        try:
            if self._holds is not None:
                path = self._holds.copy_to(folder)
            else:
                path = Path(folder) / "figure.attn"
                path.write_text(json.dumps(self._session()), encoding="utf-8")
            return Window(str(path), folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _session(self) -> dict[str, Any]:
        """Where it was made, with files by their whole paths."""
        from ._labs import labs

        session: Optional[dict[str, Any]] = self.details()["session"]
        if session is None:
            raise Error("expected a figure with its session, got one without")
        for one in labs()[self._lab].parameters.values():
            if one.type == "file" and session["values"].get(one.id):
                session["values"][one.id] = os.path.abspath(session["values"][one.id])
        return session

    def _repr_svg_(self) -> str:
        return self.svg.decode()

    def _repr_html_(self) -> str:
        # As a picture of its own: several on a page do not share the names inside of them.
        data = base64.b64encode(self.svg).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="attnscope: {self._lab}" style="max-width:100%">'

    def __repr__(self) -> str:
        given = ("file", "order", "vector_order") if self._holds is not None else ()
        knobs = {name: value for name, value in self._words.get("set", {}).items() if name not in given}
        words = [f"{name}={value!r}" for name, value in knobs.items()]
        return f"<attnscope figure of {self._lab}{': ' if words else ''}{', '.join(words)}>"


def call_words(
    lab: str,
    figure: Union[None, str, Iterable[str]],
    knobs: Optional[Mapping[str, Any]],
    words: Mapping[str, Any],
) -> dict[str, Any]:
    """What goes into a call: options by their names, all other words as knobs."""
    known = server.hello()["options"]
    given: dict[str, Any] = {}
    turned: dict[str, Any] = {}
    for name, value in words.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise Error(f"{name}: expected a number, got {value}")
        if name in known:
            given[name] = settings(value) if isinstance(value, Mapping) else plain(name, value)
        else:
            turned[name] = value
    if isinstance(knobs, Mapping):
        for name in turned:
            if name in knobs:
                raise Error(f"set: expected {name} once, got it twice")
    turned.update(knobs if knobs is not None and isinstance(knobs, Mapping) else settings(knobs or {}))
    if figure is not None:
        given["figure"] = [figure] if isinstance(figure, str) else [str(one) for one in figure]
    if turned:
        given["set"] = settings(turned)
    return {name: value for name, value in given.items() if value is not None}


def figure(
    lab: str,
    *,
    figure: Union[None, str, Iterable[str]] = None,
    set: Optional[Mapping[str, Any]] = None,
    **words: Any,
) -> Figure:
    """A figure of a lab, such as `figure("multi_head", heads=4, width="85mm")`.

    lab      its id; `attnscope.labs()` has them all
    figure   the id of a figure or plot of its page, or several; none: the whole page
    words    knobs of the lab (heads=4), and options:
             preset="first_look", session="figure.svg", pick="weights:12,10"   where to begin
             width="85mm", height="60mm", font="8pt", dpi=300                  the paper
             theme="dark", lang="zh_CN"
             no_title=True, no_caption=True, no_parameters=True, transparent=True, crop=True, outlines=True
             compare={"position": "none"}, compare_as="difference"
             style="neurips", font_family="DejaVu Serif", title="Loss", x_label="step", x_ticks="0 50 100",
             colors="magma", vmax=0.5, dashes=True, only="head 1, head 3"         how it looks
             `attnscope.options()` has them all with what they do
    set      knobs whose names are those of options, too: set={"width": 8}

    Error, with one sentence, where a word is wrong.
    """
    if not isinstance(lab, str):
        raise Error(f"lab: expected the id of a lab, got {type(lab).__name__}")
    return Figure(lab, call_words(lab, figure, set, words))
