"""What is given in Python, as the program's words."""

from __future__ import annotations

import os
from typing import Any, Mapping

from ._errors import Error


def plain(name: str, value: Any) -> Any:
    """A value as JSON has it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # NumPy's and PyTorch's
        return plain(name, value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(name, one) for one in value]
    raise Error(f"{name}: expected a text, a number, True or False, got {type(value).__name__}")


def settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """Knobs and their values."""
    if not isinstance(values, Mapping):
        raise Error(f"set: expected a dictionary of knobs, got {type(values).__name__}")
    return {str(name): plain(str(name), value) for name, value in values.items() if value is not None}
