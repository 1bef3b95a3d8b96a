"""Builds the package as pip asks for it (PEP 517 and 660), with the standard library alone."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Optional

HERE = Path(__file__).resolve().parent
TAG = "py3-none-any"
# The same sources are the same bytes.
DATE = (1980, 1, 1, 0, 0, 0)


def _setting(name: str) -> str:
    found = re.search(rf'^{name} = "([^"]*)"$', (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.M)
    if not found:
        raise RuntimeError(f"pyproject.toml: expected {name}, got none")
    return found[1]


def _metadata() -> str:
    head = [
        "Metadata-Version: 2.1",
        f"Name: {_setting('name')}",
        f"Version: {_setting('version')}",
        f"Summary: {_setting('description')}",
        "License: MIT",
        f"Requires-Python: {_setting('requires-python')}",
        "Requires-Dist: numpy",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + (HERE / "README.md").read_text(encoding="utf-8")


def _name() -> str:
    return f"{_setting('name')}-{_setting('version')}"


def _wheel(folder: str, files: dict[str, bytes]) -> str:
    info = f"{_name()}.dist-info"
    files = dict(files)
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: attnscope\nRoot-Is-Purelib: true\nTag: {TAG}\n".encode()
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}")
    record.append(f"{info}/RECORD,,")
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()
    wheel = f"{_name()}-{TAG}.whl"
    with zipfile.ZipFile(Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)
    return wheel


def _sources() -> list[Path]:
    return [p for p in sorted((HERE / "attnscope").iterdir()) if p.suffix == ".py" or p.name == "py.typed"]


def build_wheel(folder: str, settings: Optional[dict[str, Any]] = None, metadata: Optional[str] = None) -> str:
    return _wheel(folder, {f"attnscope/{path.name}": path.read_bytes() for path in _sources()})


def build_editable(folder: str, settings: Optional[dict[str, Any]] = None, metadata: Optional[str] = None) -> str:
    return _wheel(folder, {"attnscope_editable.pth": f"{HERE}\n".encode()})


def build_sdist(folder: str, settings: Optional[dict[str, Any]] = None) -> str:
    name = f"{_name()}.tar.gz"
    with tarfile.open(Path(folder) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        tops = [HERE / one for one in ("pyproject.toml", "README.md", "build_wheel.py")]
        for path in [*tops, *_sources()]:
            archive.add(path, f"{_name()}/{path.relative_to(HERE)}")
        data = _metadata().encode()
        info = tarfile.TarInfo(f"{_name()}/PKG-INFO")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return name
