"""What goes wrong."""

from __future__ import annotations


class Error(Exception):
    """What attnscope cannot do, in one sentence: what was expected, and what it got."""


class Note(UserWarning):
    """What attnscope says beside its work."""
