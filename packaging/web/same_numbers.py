#!/usr/bin/env python3
"""Two files of numbers of a page: the same parts, words and sizes, and numbers that differ by 1e-12 of the larger at most. Both
libraries of mathematics round the last digit of exp, log and sines each in its own way, and sums of floats are taken in vectors of
other widths, so that singles may differ by some of their own last digits.
usage: same_numbers.py NATIVE.json OTHER.json"""
import json
import sys

DOUBLE = 1e-12
faults, worst = [], 0.0


def compare(a, b, path):
    global worst
    number = (int, float)
    if isinstance(a, number) and isinstance(b, number) and not isinstance(a, bool):
        if a != b:
            off = abs(a - b) / max(abs(a), abs(b), 1)
            worst = max(worst, off)
            if off > DOUBLE:
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
    elif a != b:
        faults.append(f"{path}: {a!r} and {b!r}")


compare(*(json.load(open(name, encoding="utf-8")) for name in sys.argv[1:3]), "")
print(f"largest difference {worst:.1e}; {len(faults)} differ", *faults[:10], sep="\n")
sys.exit(1 if faults else 0)
