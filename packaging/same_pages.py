#!/usr/bin/env python3
"""Whether page_digest of two systems finds the same on every page: the same words, and numbers that differ by no more
than rounding does.

The C libraries of Linux, Windows and browsers round exp, sin, tanh and their like in the last digit, here and there in
another way (on Windows one call in 1000 of exp, one in 25 of tanh). So a number may differ by that, measured against the
largest of its line: FAR, as floats are computed with, too. What a page trains from such numbers goes apart with every step, until
other words are written: those labs are not compared, nor the sign of a NaN, which IEEE 754 leaves open.

usage: same_pages.py NATIVE OTHER [LAB...]: programs, with their words
"""
import itertools
import math
import re
import shlex
import subprocess
import sys

FAR = 1e-6
TRAINED = {"alignment", "documents"}
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
# A temporary file, named as the system does, and how many bytes its name has made of a page.
OF_THE_RUN = re.compile(r"(\S*attnscope-test-\d+[/\\]+)|(?<=\.model = )\d+(?= bytes)|-(?=NaN)")


def lines(program, *words):
    with subprocess.Popen([*shlex.split(program), *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as made:
        for line in made.stdout:
            yield OF_THE_RUN.sub("", line.decode().rstrip("\r\n"))
    if made.returncode != 0:
        sys.exit(f"{program}: status {made.returncode}")


def pages(program, lab):
    """Each page's name, and its lines; a name begins a line, and a text of several lines goes on without one."""
    name = None

    def page_of(line):
        nonlocal name
        words = line.split(".", 1)[0].split()
        if len(words) == 3 and words[0] == lab and words[2] in ("en", "zh_CN"):
            name = " ".join(words)
        return name

    for page, of_page in itertools.groupby(lines(program, "--values", "--what", lab), page_of):
        yield page, list(of_page)


def distance(one, other):
    """How far the lines' numbers are apart, as a part of the largest; infinite: their words differ."""
    if one == other:
        return 0
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return math.inf
    both = [(float(a), float(b)) for a, b in zip(NUMBER.findall(one), NUMBER.findall(other))]
    largest = max((abs(a) for a, _ in both if math.isfinite(a)), default=0)
    return max(0 if a == b else abs(a - b) / largest if largest else math.inf for a, b in both)


def compare(lab, native, foreign):
    """How many pages there are, how many are equal, the largest distance, and which pages are too far apart."""
    count, equal, largest, far = 0, 0, 0, []
    for (page, one), (other_page, other) in itertools.zip_longest(pages(native, lab), pages(foreign, lab),
                                                                 fillvalue=(None, [])):
        count += 1
        equal += one == other
        if page != other_page or len(one) != len(other):
            far.append(f"{page} and {other_page}: {len(one)} and {len(other)} lines")
            continue
        worst = max(zip(map(distance, one, other), one, other), default=(0, "", ""))
        largest = max(largest, worst[0])
        if worst[0] > FAR:
            far.append(f"{worst[0]:.1e}: {worst[1][:300]}\n  | {worst[2][:300]}")
    return count, equal, largest, far


def main():
    native, foreign = sys.argv[1:3]
    # The first line of a lab's page begins with its name.
    labs = sys.argv[3:] or list(dict.fromkeys(line.split()[0] for line in lines(native)))
    failures = 0
    for lab in labs:
        if lab in TRAINED:
            print(f"{lab}: trained, not compared", flush=True)
            continue
        count, equal, largest, far = compare(lab, native, foreign)
        print(f"{lab}: {equal} of {count} pages equal, others to {largest:.0e}", *far[:5], sep="\n  ", flush=True)
        failures += len(far)
    print(f"{failures} pages are too far apart")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
