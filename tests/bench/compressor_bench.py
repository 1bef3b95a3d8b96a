#!/usr/bin/env python3
"""How well others guess what language models were held to: bits a byte of each source's held-out text, primed with what
was learned from. Prints a table, and adds its numbers to FOLDER/last/comparison.json, where the training wrote the model's
own.

usage: compressor_bench.py FOLDER    (build/language/english, as ./dev models makes it)

PPMd (7-Zip) of order 12 and 6: the bytes of both texts in one file minus those of the first alone. zstd: level 22 with
the first as dictionary. 5-gram: bytes after the four before them, by Witten and Bell (1991), method C, backing off down
to one byte; what was guessed is learned, too, as PPMd does.
"""
import collections
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

ORDER = 5


def size_of_7z(parts, order, folder):
    text, packed = folder / "text", folder / "packed.7z"
    text.write_bytes(b"".join(parts))
    packed.unlink(missing_ok=True)
    subprocess.run(["7z", "a", f"-m0=PPMd:o={order}:mem=1024m", packed, text], check=True, stdout=subprocess.DEVNULL)
    return packed.stat().st_size


def ppmd(learned, held, order, folder):
    return size_of_7z([learned, held], order, folder) - size_of_7z([learned], order, folder)


def zstd(learned, held, folder):
    before, text, packed = folder / "before", folder / "text", folder / "packed.zst"
    before.write_bytes(learned)
    text.write_bytes(held)
    subprocess.run(["zstd", "-q", "-f", "--ultra", "-22", "--long=27", f"--patch-from={before}", text, "-o", packed],
                   check=True)
    return packed.stat().st_size


class Grams:
    """Counts of the bytes behind each context of up to ORDER - 1 bytes."""

    def __init__(self):
        self.counts = [collections.defaultdict(collections.Counter) for _ in range(ORDER)]

    def learn(self, text, at):
        for length in range(min(ORDER, at + 1)):
            self.counts[length][text[at - length:at]][text[at]] += 1

    def chance(self, text, at):
        chance = 1 / 256
        for length in range(min(ORDER, at + 1)):
            found = self.counts[length].get(text[at - length:at])
            if not found:
                break
            total, kinds = found.total(), len(found)
            chance = (found.get(text[at], 0) + kinds * chance) / (total + kinds)
        return chance


def grams(learned, held):
    model = Grams()
    for at in range(len(learned)):
        model.learn(learned, at)
    bits = 0.0
    for at in range(len(held)):
        bits -= math.log2(model.chance(held, at))
        model.learn(held, at)
    return bits / 8


GUESSERS = [("ppmd", 12), ("ppmd", 6), ("zstd", 22), ("grams", ORDER)]


def add_to(path, bits):
    """Of each source, and of all ("") the bits a byte of GUESSERS, behind the model's in the file."""
    told = json.loads(path.read_text())
    told["measured by"] = ", ".join([told["measured by"].split(",")[0], "tests/bench/compressor_bench.py"])
    told["guessers"][1:] = [{"id": name, "setting": setting} for name, setting in GUESSERS]
    for source in told["held out of"] + [told["all"]]:
        source["bits a byte"][1:] = [round(each, 4) for each in bits[source["id"]]]
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n")
    fresh.replace(path)


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "texts").is_dir():
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    texts = Path(sys.argv[1]) / "texts"
    names = sorted(path.name.removesuffix("-held.txt") for path in texts.glob("*-held.txt"))
    print(f"{'bits a byte of':16}{'bytes':>10}{'PPMd 12':>10}{'PPMd 6':>10}{'zstd 22':>10}{'5-gram':>10}")
    sums, everything, bits = collections.Counter(), 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            learned, held = ((texts / f"{name}-{part}.txt").read_bytes() for part in ("learned", "held"))
            sizes = {"PPMd 12": ppmd(learned, held, 12, Path(folder)), "PPMd 6": ppmd(learned, held, 6, Path(folder)),
                     "zstd 22": zstd(learned, held, Path(folder)), "5-gram": grams(learned, held)}
            sums.update(sizes)
            everything += len(held)
            bits[name] = [8 * size / len(held) for size in sizes.values()]
            print(f"{name:16}{len(held):10}" + "".join(f"{8 * size / len(held):10.3f}" for size in sizes.values()),
                  flush=True)
    print(f"{'all':16}{everything:10}" + "".join(f"{8 * size / everything:10.3f}" for size in sums.values()))
    bits[""] = [8 * size / everything for size in sums.values()]
    comparison = Path(sys.argv[1]) / "last" / "comparison.json"
    if comparison.exists():
        add_to(comparison, bits)
    return 0


sys.exit(main())
