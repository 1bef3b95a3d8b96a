"""Attention as libraries give it, as one array of layers, sequences, heads, queries and keys."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import warnings
import weakref
from pathlib import Path
from typing import Any, Optional, Sequence

import numpy as np

from ._errors import Error, Note

# layer, batch, head, query, key; and of vectors token, width.
PAIRS, VECTORS = "lbhqk", "lbhtd"
WHAT = {"l": "layer", "b": "batch", "h": "head", "q": "query", "k": "key", "t": "token", "d": "width"}


def _array(name: str, value: Any) -> np.ndarray:
    """Of real numbers, from NumPy, PyTorch, JAX or TensorFlow."""
    if hasattr(value, "detach"):  # PyTorch's
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16":  # which NumPy has not
            value = value.float()
    try:
        array = np.asarray(value)
    except Exception as error:  # whatever a foreign array says
        raise Error(f"{name}: expected an array of numbers, got {type(value).__name__} ({error})") from None
    if array.dtype.kind == "b" or array.dtype.kind not in "fiu" or array.size == 0:
        raise Error(f"{name}: expected an array of numbers, got {_shown(value, array)}")
    return array if array.dtype == np.float64 else array.astype(np.float32)


def _shown(value: Any, array: np.ndarray) -> str:
    if array.dtype == object:
        return f"{type(value).__name__} of objects"
    return f"{'x'.join(map(str, array.shape)) or 'a single value'} of {array.dtype}"


def _layers(name: str, value: Any) -> Any:
    """A model's output as its layers; what is none is told."""
    if hasattr(value, "attentions"):  # a model's output
        return _layers(name, value.attentions)
    kinds = [one for one in ("encoder_attentions", "decoder_attentions", "cross_attentions") if hasattr(value, one)]
    if kinds:
        raise Error(f"{name}: expected one kind of attention, got an output with {', '.join(kinds)}: choose one of them")
    if value is None or isinstance(value, (list, tuple)) and any(one is None for one in value):
        raise Error(
            f"{name}: expected weights, got None: fused kernels give none; load the model with "
            'attn_implementation="eager" and call it with output_attentions=True'
        )
    return value


def whole(name: str, value: Any, axes: Optional[str], letters: str) -> np.ndarray:
    """The array with all axes, in their order; those that it lacks have size 1."""
    value = _layers(name, value)
    if isinstance(value, (list, tuple)):
        if not value:
            raise Error(f"{name}: expected at least one layer, got none")
        if any(isinstance(one, (list, tuple)) and one and hasattr(one[0], "shape") for one in value):
            raise Error(
                f"{name}: expected a tuple of layers, got a tuple of tuples, as generate() gives, one a step: choose a step"
            )
        if all(hasattr(one, "shape") for one in value):
            parts = [_array(f"{name}[{k}]", one) for k, one in enumerate(value)]
            shapes = {part.shape for part in parts}
            if len(shapes) > 1:
                shown = ", ".join(str(part.shape) for part in parts[:4])
                raise Error(f"{name}: expected layers of one shape, got {shown}{', …' if len(parts) > 4 else ''}")
            array = np.stack(parts)
            axes = axes or {3: "h", 4: "lh", 5: "lbh"}.get(array.ndim, "") + letters[-2:]
        else:
            array = _array(name, value)
    else:
        array = _array(name, value)
    if axes is None:
        axes = {2: "", 3: "h", 4: "bh", 5: "lbh"}.get(array.ndim, "?") + letters[-2:]
    axes = axes.replace(" ", "")
    each_once = len(axes) == array.ndim == len(set(axes))
    if not each_once or not set(letters[-2:]) <= set(axes) <= set(letters):
        kinds = ", ".join(f"{one} ({WHAT[one]})" for one in letters)
        if array.ndim not in range(2, 6):
            raise Error(f"{name}: expected 2 to 5 axes, of {kinds}, got {array.ndim}")
        raise Error(f'axes: expected a letter for each of the {array.ndim} axes of {name}, of {kinds}, got "{axes}"')
    array = array.transpose([axes.index(one) for one in letters if one in axes])
    for k, one in enumerate(letters):
        if one not in axes:
            array = np.expand_dims(array, k)
    return array


def chosen(name: str, array: np.ndarray, batch: Optional[int]) -> np.ndarray:
    """One sequence of the batch, from 0; negative ones from the end, as Python counts."""
    if batch is None:
        return array
    count = array.shape[1]
    if not -count <= batch < count:
        raise Error(f"batch: expected a number from 0 to {count - 1}, got {batch}")
    batch %= count
    return array[:, batch : batch + 1]


def kept_by(mask: Any, batch: int, queries: int, keys: int) -> np.ndarray:
    """Which keys of a sequence are no padding."""
    array = np.asarray(mask.detach().cpu() if hasattr(mask, "detach") else mask)
    rows = array[None] if array.ndim == 1 else array
    if rows.ndim != 2 or rows.shape[1] != keys:
        raise Error(f"mask: expected (batch, {keys}), got {array.shape}")
    if not -len(rows) <= batch < len(rows):
        raise Error(f"mask: expected a row for sequence {batch}, got {len(rows)} rows")
    if rows.dtype != bool and not np.isin(rows, (0, 1)).all():
        raise Error("mask: expected 1 for tokens and 0 for padding, got other numbers")
    kept = rows[batch].astype(bool)
    if not kept.any():
        raise Error(f"mask: expected at least one token in sequence {batch}, got none")
    return kept


def names_of(name: str, tokens: Any, batch: Optional[int], kept: Optional[np.ndarray], count: int) -> list[str]:
    """The tokens of the sequence, as many as there are."""
    if isinstance(tokens, str):
        tokens = tokens.split()
    names: Sequence[Any] = tokens.tolist() if hasattr(tokens, "tolist") else list(tokens)
    if names and isinstance(names[0], (list, tuple)):  # of the whole batch
        place = batch or 0
        if not -len(names) <= place < len(names):
            raise Error(f"{name}: expected a list for sequence {place}, got {len(names)} lists")
        names = names[place]
    wrong = next((one for one in names if not isinstance(one, str)), None)
    if wrong is not None:
        raise Error(f"{name}: expected texts, got {wrong!r}: tokenizer.convert_ids_to_tokens makes them of ids")
    if kept is not None and len(names) == len(kept):
        names = [one for one, is_kept in zip(names, kept) if is_kept]
    if len(names) != count:
        raise Error(f"{name}: expected {count}, got {len(names)}")
    return list(names)


def report_nan(name: str, array: np.ndarray) -> None:
    """Rows with NaN or infinite numbers are shown as they are, and said; nothing but such is no attention."""
    rows = array.reshape(-1, array.shape[-1])
    bad = int((~np.isfinite(rows)).any(axis=1).sum())
    if bad == len(rows):
        raise Error(f"{name}: expected numbers, got NaN or infinite ones in every row")
    if bad:
        said = f"{name}: {bad} of {len(rows)} rows hold NaN or infinite numbers, as those of padding do"
        warnings.warn(f"{said}; mask= leaves padding out", Note, stacklevel=4)


class Files:
    """The arrays as a file, and a session that names it, for as long as somebody holds them."""

    def __init__(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="attnscope-"))
        self._end = weakref.finalize(self, shutil.rmtree, self.folder, True)
        self._values = values
        np.savez(self.path, **arrays)

    @property
    def path(self) -> Path:
        """The file of tensors."""
        return self.folder / "attention.npz"

    def copy_to(self, folder: str) -> Path:
        """The same in another folder: the session to open."""
        to = Path(folder) / self.path.name
        try:
            os.link(self.path, to)
        except OSError:
            shutil.copyfile(self.path, to)
        session = {"attnscope": 1, "lab": "tensors", "values": {**self._values, "file": to.name}}
        path = Path(folder) / "attention.attn"
        path.write_text(json.dumps(session), encoding="utf-8")
        return path
