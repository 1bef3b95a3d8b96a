#!/usr/bin/env python3
"""Steps a second of the GPT lab's own trainings, as they run in a real window that draws them, beside one bare step of
the same decoder in PyTorch (the best of its threads and its BLAS's). Both take turns. Prints a table: of the first
seconds, in which states are kept of every step and memory is asked for, and of those after them.

usage: learning_bench.py PROGRAM [ROUNDS]
"""
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "ui"))
from driver import Display, Program  # noqa: E402

SECONDS = 2  # of each of the two; a small one has made all of its 4,000 steps after five
# Title, knobs, and what torch_peer.py calls the same: d, layers, feed-forward, heads, batch, vocabulary; length.
TRAININGS = [
    ("induction, d 32, 2 layers", dict(task="induction", d_head=32, heads=1, layers=2, d_ff=0, batch=32),
     "decoder:32:2:0:1:32:32", 48),
    ("text, d 64, 2 layers", dict(task="text_english", length=32, d_head=16, heads=4, layers=2, d_ff=256, batch=32),
     "decoder:64:2:256:4:32:32", 32),
    ("text, d 128, 4 layers", dict(task="text_english", length=64, d_head=32, heads=4, layers=4, d_ff=512, batch=32),
     "decoder:128:4:512:4:32:32", 64),
    ("text, d 256, 6 layers", dict(task="text_english", length=128, d_head=32, heads=8, layers=6, d_ff=512, batch=8),
     "decoder:256:6:512:8:8:32", 128),
]


class Peer:
    def __init__(self):
        script = Path(__file__).parent / "torch_peer.py"
        self.process = subprocess.Popen(["/usr/bin/python3", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        first = self.process.stdout.readline()
        self.there = first.startswith("ready")
        if first.startswith("unfit"):
            sys.exit(first[6:].strip())

    def step(self, name, length):
        """Seconds of its quickest step over all settings, each given a second or so."""
        best = None
        for threads in (1, 2):
            for blas in (1, 2):
                once = min(self.ask(name, length, threads, blas, 2))
                best = min([best or once, *self.ask(name, length, threads, blas, max(3, int(0.7 / once)))])
        return best

    def held(self, held):
        """Its threads look about for work between two steps, and would take the other's time."""
        self.process.send_signal(signal.SIGSTOP if held else signal.SIGCONT)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        return [float(word) for word in self.process.stdout.readline().split()]


def standing(program):
    run = next(iter(program.map()["trainings"].values()))
    return run["state"], run["reached"]


def steps_a_second(display, binary, knobs):
    """Of the first seconds, and of the next ones."""
    values = dict(knobs, weights="here", made="own", positions="learned", steps=4000, step=4000)
    with tempfile.TemporaryDirectory() as folder:
        session = Path(folder) / "training.attn"
        session.write_text(json.dumps({"attnscope": 1, "lab": "gpt_training", "values": values}))
        program = Program(display, binary, str(session), folder=folder)
        try:
            program.wait(lambda m: any(r["reached"] > 5 for r in m["trainings"].values()), "a training", 60)
            rates = []
            state, before = standing(program)
            for _ in range(2):
                begin = time.monotonic()
                time.sleep(SECONDS)
                state, now = standing(program)
                if state != "training":
                    sys.exit(f"{knobs}: expected a longer training, got {now} steps")
                rates.append((now - before) / (time.monotonic() - begin))
                before = now
            return rates
        finally:
            program.process.terminate()
            program.process.wait(20)


def main():
    binary = str(Path(sys.argv[1]).resolve())
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    peer = Peer()
    print(f"{'training in the window, drawing included':40} {'steps/s: first, then':>21} {'peer':>7}"
          f" {'ratios':>12}  (medians)")
    with Display(1920, 1080) as display:
        for title, knobs, name, length in TRAININGS:
            own, other = [], []
            for _ in range(rounds):
                peer.held(True)
                own.append(steps_a_second(display, binary, knobs))
                peer.held(False)
                if peer.there:
                    other.append(1 / peer.step(name, length))
            first, then = (statistics.median(one[k] for one in own) for k in range(2))
            line = f"{title:40} {first:12.1f} {then:8.1f}"
            if other:
                best = statistics.median(other)
                line += f" {best:7.1f} {first / best:6.2f} {then / best:5.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
