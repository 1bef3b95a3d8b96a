#!/usr/bin/env python3
"""Two files of the numbers of a lab's page: the same parts, words and sizes, and numbers that differ by 1e-12 of the larger at most,
since libraries of mathematics round the last digit of exp, log and sines each in its own way. other_digits.csv has what differs by
more, and why.
usage: same_numbers.py LAB NATIVE.json OTHER.json"""
import csv
import json
import pathlib
import re
import sys

lab, native, other = sys.argv[1:4]
with open(pathlib.Path(__file__).with_name("other_digits.csv"), encoding="utf-8") as table:
    known = [(re.compile(row["where"]), float(row["off"])) for row in csv.DictReader(table) if row["lab"] == lab]
faults, worst = [], 0.0


def compare(a, b, path):
    global worst
    number = (int, float)
    most = max((off for where, off in known if where.match(path)), default=1e-12)
    if isinstance(a, number) and isinstance(b, number) and not isinstance(a, bool):
        off = abs(a - b) / max(abs(a), abs(b), 1)
        worst = max(worst, off)
        if off > most:
            faults.append(f"{path}: {a} and {b}")
    elif type(a) is not type(b):
        faults.append(f"{path}: {a!r} and {b!r}")
    elif isinstance(a, dict):
        for key in a.keys() | b.keys():
            if key in a and key in b:
                compare(a[key], b[key], f"{path}/{key}")
            else:
                faults.append(f"{path}/{key}: in one of them")
    elif isinstance(a, list):
        if len(a) != len(b):
            faults.append(f"{path}: {len(a)} and {len(b)}")
        for k, (x, y) in enumerate(zip(a, b)):
            compare(x, y, f"{path}[{k}]")
    elif a != b and most == 1e-12:
        faults.append(f"{path}: {a!r} and {b!r}")


with open(native, encoding="utf-8") as one, open(other, encoding="utf-8") as two:
    compare(json.load(one), json.load(two), "")
print(f"largest difference {worst:.1e}; {len(faults)} differ", *faults[:10], sep="\n")
sys.exit(1 if faults else 0)
