"""The peer that attnscope_bench measures itself against: PyTorch, in a process of its own.

Prints "ready VERSION", then answers each line "case n threads repeats" with that many times in
seconds. Width 512, 8 heads, every head's weights kept; random inputs.
"""

import sys
import time

try:
    import torch
except ImportError:
    print("missing", flush=True)
    sys.exit(0)

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


CASES = {"layer": layer, "core": core, "causal": causal, "causal_usual": causal_usual}


def main():
    print("ready", torch.__version__, flush=True)
    prepared, run = None, None
    with torch.inference_mode():
        for line in sys.stdin:
            case, n, threads, repeats = line.split()
            torch.set_num_threads(int(threads))
            if prepared != (case, n):
                run = None  # give its memory back first
                torch.manual_seed(0)
                prepared, run = (case, n), CASES[case](int(n))
                run()
            times = []
            for _ in range(int(repeats)):
                start = time.perf_counter()
                run()
                times.append(time.perf_counter() - start)
            print(*times, flush=True)


main()
