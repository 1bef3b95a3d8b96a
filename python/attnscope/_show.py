"""One's own attention."""

from __future__ import annotations

import builtins
import warnings
from typing import Any, Mapping, Optional

import numpy as np

from ._errors import Error, Note
from ._figure import Figure, call_words
from ._given import PAIRS, VECTORS, Files, chosen, kept_by, names_of, report_nan, whole


def in_notebook() -> bool:
    """Whether what an expression returns is shown in a notebook."""
    shell = getattr(builtins, "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def show(
    attention: Any = None,
    tokens: Any = None,
    *,
    queries: Any = None,
    keys: Any = None,
    key_tokens: Any = None,
    mask: Any = None,
    batch: Optional[int] = None,
    axes: Optional[str] = None,
    window: Optional[bool] = None,
    set: Optional[Mapping[str, Any]] = None,
    **words: Any,
) -> Figure:
    """Shows attention: a notebook gets a figure, elsewhere the window opens.

    attention  weights or scores: a model's output, a tuple of layers (batch, heads, queries, keys), or one array
               (queries, keys), (heads, …), (batch, heads, …) or (layers, batch, heads, …); of NumPy, PyTorch or others
    tokens     the names of its tokens: a list, one list a sequence, or a text with spaces
    queries, keys   beside or instead of weights: (…, heads, tokens, width); keys may have fewer heads
    key_tokens      names of the keys where they are not the queries, as in cross-attention
    mask       1 for tokens and 0 for padding, (batch, tokens), as tokenizers give it: padding is left out
    batch      the sequence of the batch, counted from 0; with a mask the first, else all of them are there
    axes       a letter an axis where that is another order: l(ayer), b(atch), h(ead), q(uery), k(ey); t(oken), d (width)
    window     True opens the window in a notebook as well, False nowhere; without a display only True is an Error
    words      knobs of the lab "tensors" (layer=3, head=2, counted from 1; view="statistics"), figure="links" of its
               page, and options (width="85mm")

    The figure that is returned has .svg, .png, .pdf, .numbers() and .open(). Error, with one sentence, for what does
    not fit; nothing is repaired.
    """
    if attention is None and (queries is None or keys is None):
        raise Error("attention: expected weights, or queries and keys, got neither")
    vectors = {"q": ("queries", queries), "k": ("keys", keys)}
    arrays = {} if attention is None else {"attention": whole("attention", attention, axes, PAIRS)}
    for name, (said, value) in vectors.items():
        if value is not None:
            arrays[name] = whole(said, value, axes if attention is None else None, VECTORS)
    if mask is not None and batch is None:
        batch = 0
    arrays = {name: chosen(name, array, batch) for name, array in arrays.items()}
    if attention is not None:
        n, m = arrays["attention"].shape[-2:]
    else:
        n, m = arrays["q"].shape[-2], arrays["k"].shape[-2]
    kept = None
    if mask is not None:
        kept = kept_by(mask, batch or 0, n, m)
        both = n == m
        for name in arrays:
            arrays[name] = _without_padding(name, arrays[name], kept, both)
        n, m = int(kept.sum()) if both else n, int(kept.sum())
    for name, array in arrays.items():
        report_nan(name, array)
    values: dict[str, Any] = {}
    if "attention" in arrays:
        values["order"] = PAIRS
    if "q" in arrays or "k" in arrays:
        values["vector_order"] = VECTORS
    if tokens is not None:
        arrays["tokens"] = np.array(names_of("tokens", tokens, batch, kept if n == m else None, n))
    if key_tokens is not None:
        arrays["key_tokens"] = np.array(names_of("key_tokens", key_tokens, batch, kept, m))
    if attention is None:
        values["holds"] = "vectors"
    knobs = dict(set or {})
    if "view" not in words and "view" not in knobs and ("head" in words or "layer" in words):
        values["view"] = "head"
    figures = words.pop("figure", None)
    if figures is None and "view" not in words and "view" not in knobs:
        figures = _first_figures(arrays, values)
    words.setdefault("no_parameters", True)
    call = call_words("tensors", figures, {**values, **knobs}, words)
    call["no_session"] = True  # its file goes with this process
    files = Files(arrays, call["set"])
    call["set"] = {**call["set"], "file": str(files.path)}
    figure = Figure("tensors", call, files)
    if window or window is None and not in_notebook():
        try:
            figure.window = figure.open()
        except Error as error:
            if window:
                raise
            why = str(error).partition(";")[0]
            warnings.warn(f"{why}: the figure has .save(), .svg and .pdf", Note, stacklevel=2)
    return figure


def _first_figures(arrays: Mapping[str, np.ndarray], values: Mapping[str, Any]) -> list[str]:
    """Every head beside the first one's map, or the map of the one that is asked for."""
    heads = arrays.get("attention", arrays.get("q"))
    one = values.get("view") == "head" or heads is None or heads.shape[0] * heads.shape[2] == 1
    return ["map"] if one else ["heads", "map"]


def _without_padding(name: str, array: np.ndarray, kept: np.ndarray, both: bool) -> np.ndarray:
    if name == "attention":
        array = array[..., kept]
        return array[..., kept, :] if both else array
    return array[..., kept, :] if array.shape[-2] == len(kept) else array
