#!/usr/bin/env python3
"""Prints how many lines of each room were run by the tests of a build with --coverage (./dev coverage).

A line counts where gcc made code of it, once, however many sources include it.

usage: coverage.py SOURCE_FOLDER BUILD_FOLDER
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def room_of(path):
    """core/io, app/paper, app/ui/draw; of what lies loose in core, core."""
    folders = path.parent.parts
    return "/".join(folders[:3 if folders[:2] == ("app", "ui") else 2])


def counts_of(data):
    """What gcov says of one object: (file, line, how often), as JSON to each line of its output."""
    told = subprocess.run(["gcov", "--json-format", "--stdout", data.name], cwd=data.parent, capture_output=True,
                          check=True).stdout
    for said in told.splitlines():
        for file in json.loads(said)["files"]:
            for line in file["lines"]:
                yield file["file"], line["line_number"], line["count"]


def main():
    root, build = (Path(folder).resolve() for folder in sys.argv[1:3])
    data = [path for top in ("core", "app") for path in (build / top).rglob("*.gcda")]
    if not data:
        print(f"coverage.py: expected what a build with --coverage writes in {build}, got none", file=sys.stderr)
        return 1
    files, rooms = {}, {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for told in pool.map(lambda one: list(counts_of(one)), data):
            for name, line, count in told:
                if name not in files:
                    path = Path(build / name).resolve()
                    files[name] = path.relative_to(root) if path.is_relative_to(root) else None
                path = files[name]
                if path and path.parts[0] in ("core", "app"):
                    lines = rooms.setdefault(room_of(path), {})
                    lines[path, line] = lines.get((path, line), False) or count > 0
    print(f"{'room':24}{'lines':>8}{'run':>8}{'share':>9}")
    rooms["all"] = {where: ran for lines in rooms.values() for where, ran in lines.items()}
    for room, lines in sorted(rooms.items(), key=lambda one: (one[0] == "all", one[0])):
        ran = sum(lines.values())
        print(f"{room:24}{len(lines):8}{ran:8}{100 * ran / len(lines):8.1f}%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
