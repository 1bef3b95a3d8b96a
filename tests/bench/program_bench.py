#!/usr/bin/env python3
"""Times the whole program against matplotlib, and its window's start. Prints a table.

usage: program_bench.py PROGRAM
"""
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "ui"))
from driver import Display  # noqa: E402

MATPLOTLIB = """
import sys, numpy, matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot
weights = numpy.load(sys.argv[1])
figure, axes = pyplot.subplots(1, len(weights), figsize=(10, 1.6))
for head, (axis, matrix) in enumerate(zip(axes, weights)):
    axis.imshow(matrix, vmin=0, vmax=1)
    axis.set_title(str(head + 1))
    axis.set_axis_off()
figure.savefig(sys.argv[2], dpi=100)
"""
ROUNDS = 9


def whole_process(*commands):
    """Medians in ms of several commands, run in turn."""
    times = [[] for _ in commands]
    for _ in range(ROUNDS):
        for command, kept in zip(commands, times):
            begin = time.monotonic()
            subprocess.run(command, check=True, capture_output=True)
            kept.append(1000 * (time.monotonic() - begin))
    return [statistics.median(kept) for kept in times]


def exports(program, folder):
    script = folder / "peer.py"
    script.write_text(MATPLOTLIB)
    for n in (14, 512):
        size = ["--set", "input=random", "--set", f"length={n}"] if n != 14 else []
        numbers = folder / "weights.npy"
        subprocess.run([program, "export", "multi_head", "--figure", "heads", "-o", numbers, *size], check=True)
        ours = [program, "export", "multi_head", "--figure", "heads", "-o", folder / "ours.png", *size]
        peer = ["/usr/bin/python3", script, numbers, folder / "peer.png"]
        mine, other = whole_process(ours, peer)
        print(f"eight heads, {n:4d} tokens, PNG, whole process   {mine:7.1f} ms   matplotlib {other:7.1f} ms"
              f"   ratio {other / mine:5.1f}")


def window(program, folder):
    times = []
    with Display() as display:
        for _ in range(ROUNDS):
            controls = folder / "controls.json"
            controls.unlink(missing_ok=True)
            begin = time.monotonic()
            process = subprocess.Popen([program, "--control-map", controls],
                                       env={"DISPLAY": display.name, "HOME": str(folder), "PATH": "/usr/bin:/bin"})
            while not controls.exists():
                time.sleep(0.005)
            first = json.loads(controls.read_text())["first_page_monotonic_s"]
            times.append(1000 * (first - begin))
            process.terminate()
            process.wait(10)
    print(f"window, warm start to the first page on screen      {statistics.median(times[1:]):7.1f} ms")


def main():
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        try:
            exports(program, Path(folder))
        except subprocess.CalledProcessError as error:
            print(f"matplotlib is not at hand ({error}); install python3-matplotlib to compare")
        window(program, Path(folder))


if __name__ == "__main__":
    main()
