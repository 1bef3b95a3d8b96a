#!/usr/bin/env python3
"""Instructions of kernels, layouts and first pages, counted by callgrind and held within 3 % of counts.json. They are
those of one compiler and one instruction set; with another nothing is held.

usage: counts_test.py PROGRAM COUNTS.json [--write]

Who changes a number on purpose writes it anew with --write, and says why in the commit.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
WITHIN = 0.03


def compiler(program):
    """As the program's own comment says it: "GCC: (Debian 12.2.0-14) 12.2.0"."""
    done = subprocess.run(["readelf", "-p", ".comment", program], capture_output=True, text=True)
    found = re.search(r"GCC: .*\) (\d+)\.", done.stdout)
    return f"g++ {found[1]}" if found else "another compiler"


def counted(program):
    """The number of instructions of each, by its name."""
    with tempfile.TemporaryDirectory(prefix="attnscope-counts-") as folder:
        out = Path(folder) / "counts"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}", program],
            capture_output=True, text=True, timeout=3600)
        if done.returncode:
            raise SystemExit(f"FAILED: {done.stderr[-2000:]}")
        counts = {}
        for file in sorted(Path(folder).glob("counts.*"), key=lambda one: int(one.suffix[1:] or 0)):
            text = file.read_text(errors="replace")
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
            total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
            if name and total:
                counts[name[1]] = int(total[1])
        return counts


def main():
    program, path = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    if not shutil.which("valgrind"):
        print("SKIPPED: valgrind is not installed")
        return SKIPPED
    held = json.loads(path.read_text()) if path.exists() else {"compiler": "", "counts": {}}
    own = compiler(program)
    if "--write" not in sys.argv and held["compiler"] != own:
        print(f"SKIPPED: the counts are of {held['compiler']}, and this is {own}")
        return SKIPPED
    counts = counted(program)
    if "--write" in sys.argv:
        path.write_text(json.dumps({"compiler": own, "counts": counts}, indent=1) + "\n")
        print(f"wrote {len(counts)} counts")
        return 0
    faults = []
    for name in sorted(set(counts) | set(held["counts"])):
        now, then = counts.get(name), held["counts"].get(name)
        if then is None:
            faults.append(f"{name} has no count yet; ./dev counts --write writes it: {now}")
        elif now is None:
            faults.append(f"{name} is counted no more; ./dev counts --write takes it out")
        elif abs(now - then) > WITHIN * then:
            faults.append(f"{name}: expected {then} within {WITHIN:.0%}, got {now} ({now / then - 1:+.1%})")
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{len(counts)} counts, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
