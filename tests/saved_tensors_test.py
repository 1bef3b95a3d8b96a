#!/usr/bin/env python3
"""What the lab of one's own tensors says of saving them is done with the real libraries, and opened. Without NumPy
nothing can be tried: exit status 77, as ctest is told. Without PyTorch its part is left out.

usage: saved_tensors_test.py PROGRAM
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from arrays import np, softmax, torch


def check(good, expected, came):
    if not good:
        raise SystemExit(f"expected {expected}, got {came}")


def exported(program, folder, **knobs):
    out = folder / "page.json"
    words = [w for k, v in knobs.items() for w in ("--set", f"{k}={v}")]
    done = subprocess.run([program, "export", "tensors", "-o", out, *words], capture_output=True, text=True,
                          timeout=900)
    check(done.returncode == 0, "an export", done.stderr)
    return json.loads(out.read_text())


def readouts(page):
    return {name: one["value"] for name, one in page["readouts"].items()}


def code(page, library):
    """The lines that the page shows for a library."""
    text = json.dumps(page)
    check(library in text, f"a row for {library}", "none")
    table = next(p for f in page["figures"] if f["id"] == "saving" for p in f["plots"])
    for row in table["marks"][0]["rows"]:
        if row[0] == library or row[0] == [library]:
            return row[1] if isinstance(row[1], str) else "\n".join(row[1])
    raise SystemExit(f"expected the lines for {library}, got {table}")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        page = exported(program, folder)
        weights = softmax(np.random.default_rng(1).normal(size=(2, 3, 5, 5))).astype(np.float32)
        words = ["the", "cat", "sat", "on", "it"]
        exec(code(page, "NumPy"), {"np": np, "weights": weights, "words": words})
        got = readouts(exported(program, folder, file=folder / "heads.npz", layer=2, head=3, query=3, key=1))
        check(abs(got["weight"] - float(weights[1, 2, 3, 1])) < 1e-6, weights[1, 2, 3, 1], got)
        check(got["rows_not_one"] == 0, "sound rows", got)
        for dtype in ("<f2", "<f8", ">f4"):
            np.save("typed.npy", np.asfortranarray(weights.astype(dtype)))
            got = readouts(exported(program, folder, file=folder / "typed.npy", layer=2, head=3, query=3, key=1))
            check(abs(got["weight"] - float(weights[1, 2, 3, 1])) < 1e-3, weights[1, 2, 3, 1], (dtype, got))
        np.savez_compressed("packed.npz", attention=weights)
        got = readouts(exported(program, folder, file=folder / "packed.npz", layer=1, head=2, query=2, key=4))
        check(abs(got["weight"] - float(weights[0, 1, 2, 4])) < 1e-6, weights[0, 1, 2, 4], got)
        if torch is None:
            print("PyTorch is not here: its lines were not tried")
            return 0
        torch.manual_seed(1)
        mha = torch.nn.MultiheadAttention(16, 4, batch_first=True)
        x = torch.randn(1, 7, 16)
        scope = {"np": np, "torch": torch, "mha": mha, "x": x}
        exec(code(page, "PyTorch"), scope)
        got = readouts(exported(program, folder, file=folder / "heads.npy", head=4, query=5, key=6))
        want = float(scope["weights"][0, 3, 5, 6])
        check(abs(got["weight"] - want) < 1e-6, want, got)
        check(got["rows_not_one"] == 0, "sound rows", got)
        return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
