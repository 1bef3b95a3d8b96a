"""The peer that the benchmarks of computing measure themselves against: PyTorch, in a process of its own.

Prints "ready VERSION", or "unfit" and why it would be no fair peer, and then answers each line
"case n torch_threads blas_threads repeats" with that many times in seconds. Width 512, 8 heads, every head's weights kept; random inputs.
A case that takes more sizes than n has them behind its name, "name:size:size". A line that begins with "values" is answered with what so
many first runs return instead of how long they took.
"""

import ctypes
import math
import sys
import time

try:
    import torch
except ImportError:
    print("missing", flush=True)
    sys.exit(0)

import torch_checkpoint
import torch_training

def blas_of_torch():
    """The file of the BLAS that torch multiplies by; none where it does not show."""
    torch.ones(64, 64) @ torch.ones(64, 64)
    with open("/proc/self/maps") as maps:
        files = {line.split()[-1] for line in maps if "/" in line}
    linked = sorted(f for f in files if "/libblas.so" in f)
    return next(iter(linked + sorted(f for f in files if "openblas" in f)), None)


def limit_blas():
    """What sets the threads of OpenBLAS, which does not listen to torch; none without OpenBLAS."""
    blas = blas_of_torch()
    if not blas or "openblas" not in blas:
        return None
    try:
        return ctypes.CDLL("libopenblas.so.0").openblas_set_num_threads
    except (OSError, AttributeError):
        return None


HEADS, WIDTH = 8, 512
D_K = WIDTH // HEADS


def layer(n):
    """nn.MultiheadAttention with per-head weights."""
    module = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()
    x = torch.randn(1, n, WIDTH)
    return lambda: module(x, x, x, need_weights=True, average_attn_weights=False)


def heads(n):
    q, k, v = (torch.randn(HEADS, n, D_K) for _ in range(3))
    return q * D_K**-0.5, k.transpose(1, 2), v


def core(n):
    """The attention alone at its fastest: the scale folded into q, every buffer used again."""
    q, k, v = heads(n)
    scores, weights = torch.empty(HEADS, n, n), torch.empty(HEADS, n, n)
    output = torch.empty(HEADS, n, D_K)

    def run():
        torch.bmm(q, k, out=scores)
        torch.softmax(scores, -1, out=weights)
        torch.bmm(weights, v, out=output)

    return run


def causal(n):
    """The same under a causal mask, buffers used again."""
    q, k, v = heads(n)
    scores, weights = torch.empty(HEADS, n, n), torch.empty(HEADS, n, n)
    output = torch.empty(HEADS, n, D_K)
    hidden = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)

    def run():
        torch.bmm(q, k, out=scores)
        scores.masked_fill_(hidden, float("-inf"))
        torch.softmax(scores, -1, out=weights)
        torch.bmm(weights, v, out=output)

    return run


def causal_usual(n):
    """A causal mask as it is usually written: fresh memory for every step."""
    q, k, v = heads(n)
    hidden = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
    return lambda: torch.softmax((q @ k).masked_fill(hidden, float("-inf")), -1) @ v


def outside(n, reach=64):
    """The pairs that a window of `reach` keys on each side hides."""
    i = torch.arange(n)
    return (i[:, None] - i[None, :]).abs() > reach


def window(n):
    """A local window as a dense mask, buffers used again."""
    q, k, v = heads(n)
    scores, weights = torch.empty(HEADS, n, n), torch.empty(HEADS, n, n)
    output, hidden = torch.empty(HEADS, n, D_K), outside(n)

    def run():
        torch.bmm(q, k, out=scores)
        scores.masked_fill_(hidden, float("-inf"))
        torch.softmax(scores, -1, out=weights)
        torch.bmm(weights, v, out=output)

    return run


def window_usual(n):
    """The same as it is usually written: fresh memory for every step."""
    q, k, v = heads(n)
    hidden = outside(n)
    return lambda: torch.softmax((q @ k).masked_fill(hidden, float("-inf")), -1) @ v


def angles(n, d, base=10000.0):
    theta = torch.exp(torch.arange(0, d, 2).float() * -(math.log(base) / d))
    return torch.outer(torch.arange(n).float(), theta)


def sinusoidal(n):
    """The position table, width 512, as it is usually written."""

    def run():
        table = torch.zeros(n, WIDTH)
        angle = angles(n, WIDTH)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)

    return run


def sinusoidal_reused(n):
    """The same with every buffer used again."""
    table, angle = torch.empty(n, WIDTH), torch.empty(n, WIDTH // 2)
    position = torch.arange(n).float()
    theta = torch.exp(torch.arange(0, WIDTH, 2).float() * -(math.log(10000.0) / WIDTH))

    def run():
        torch.outer(position, theta, out=angle)
        torch.sin(angle, out=table[:, 0::2])
        torch.cos(angle, out=table[:, 1::2])

    return run


def rope_halves(n, d=128):
    """Rotary embedding of one head, entry i with i + d/2, as it is usually written."""
    x, angle = torch.randn(n, d), angles(n, d)
    cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
    half = d // 2
    return lambda: x * cos + torch.cat((-x[:, half:], x[:, :half]), -1) * sin


def rope_halves_reused(n, d=128):
    """The same with its result used again, and nothing in between."""
    x, y, angle = torch.randn(n, d), torch.empty(n, d), angles(n, d)
    cos, sin = torch.cat([angle.cos()] * 2, -1), angle.sin()
    half = d // 2

    def run():
        torch.mul(x, cos, out=y)
        y[:, :half].addcmul_(x[:, half:], sin, value=-1)
        y[:, half:].addcmul_(x[:, :half], sin)

    return run


def rope_neighbours(n, d=128):
    """Entries 2i and 2i + 1 as a complex number, as Llama's code has it."""
    x, angle = torch.randn(n, d), angles(n, d)
    turn = torch.polar(torch.ones_like(angle), angle)
    return lambda: torch.view_as_real(torch.view_as_complex(x.view(n, d // 2, 2)) * turn).flatten(1)


def rope_neighbours_reused(n, d=128):
    """The same with its result used again."""
    x, angle = torch.view_as_complex(torch.randn(n, d // 2, 2)), angles(n, d)
    turn, y = torch.polar(torch.ones_like(angle), angle), torch.empty_like(x)
    return lambda: torch.mul(x, turn, out=y)


def cast(dtype):
    """float32 to `dtype` and no further, the result used again."""

    def prepare(n):
        x, y = torch.randn(n), torch.empty(n, dtype=dtype)
        return lambda: y.copy_(x)

    return prepare


def uncast(dtype):
    """And back to float32."""

    def prepare(n):
        x, y = torch.randn(n).to(dtype), torch.empty(n)
        return lambda: y.copy_(x)

    return prepare


def round_trip(dtype):
    """To `dtype` and back into float32, both buffers used again."""

    def prepare(n):
        x, low, y = torch.randn(n), torch.empty(n, dtype=dtype), torch.empty(n)

        def run():
            low.copy_(x)
            y.copy_(low)

        return run

    return prepare


def training(of):
    """A whole step of training."""

    def prepare(n, *sizes):
        with torch.inference_mode(False):
            step = of(n, *sizes)

        def run():
            with torch.inference_mode(False):
                return step()

        return run

    return prepare


def gpt2(n):
    """A forward pass of a published GPT-2, every head's weights kept."""
    return torch_checkpoint.gpt2(n)


def gpt2_square(n):
    """What tells whether both compute the same: the mean square of the last token's logits."""
    run = torch_checkpoint.gpt2(n)
    return lambda: float(run()[0][-1].double().square().mean())


CASES = {
    case.__name__: case
    for case in (
        layer,
        core,
        causal,
        causal_usual,
        window,
        window_usual,
        sinusoidal,
        sinusoidal_reused,
        rope_halves,
        rope_halves_reused,
        rope_neighbours,
        rope_neighbours_reused,
        gpt2,
        gpt2_square,
    )
}
CASES["decoder"] = training(torch_training.decoder)
CASES["language"] = training(torch_training.language)
for name, dtype in (("bfloat16", torch.bfloat16), ("float16", torch.float16)):
    CASES["cast_" + name] = cast(dtype)
    CASES["uncast_" + name] = uncast(dtype)
    CASES["round_trip_" + name] = round_trip(dtype)


def main():
    blas_threads = limit_blas()
    if blas_threads is None:
        print("unfit PyTorch multiplies by", blas_of_torch() or "a BLAS of its own", "and not by OpenBLAS,",
              "20 times quicker than the reference BLAS: expected Debian's libopenblas0-pthread, chosen by",
              "update-alternatives, got no fair peer, so nothing is compared", flush=True)
        return
    print("ready", torch.__version__, flush=True)
    prepared, run = None, None
    with torch.inference_mode():
        for line in sys.stdin:
            *asked, case, n, threads, multipliers, repeats = line.split()
            torch.set_num_threads(int(threads))
            blas_threads(int(multipliers))
            if asked == ["values"] or prepared != (case, n):
                prepared, run = None, None  # give its memory back first
                torch.manual_seed(0)
                name, *sizes = case.split(":")
                run = CASES[name](int(n), *map(int, sizes))
            if asked == ["values"]:
                print(*(run() for _ in range(int(repeats))), flush=True)
                continue
            if not prepared:
                prepared = (case, n)
                run()
            times = []
            for _ in range(int(repeats)):
                start = time.perf_counter()
                run()
                times.append(time.perf_counter() - start)
            print(*times, flush=True)


main()
