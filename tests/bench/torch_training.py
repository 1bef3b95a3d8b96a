"""One step of training a decoder in PyTorch, in the form that is quickest on a CPU: queries, keys and values by one
product, the mask and the scale inside the product of the scores, and every parameter (and gradient) a part of one flat
tensor, so that clipping and AdamW run over that alone instead of over each."""

import math
import os

import numpy
import torch
import torch.nn.functional as F


def start(number, rows, cols, deviation):
    """A matrix that model_bench.cpp begins with as well; (rows, cols) there."""
    i, j = torch.arange(rows)[:, None], torch.arange(cols)[None, :]
    place = (i * 7919 + j * 104729 + i * j * 31) % 1000003
    return (deviation * math.sqrt(2) * torch.sin(place.double() + number)).float()


class Parameters:
    """Parameters in one flat tensor, each a leaf of its own whose gradient is a part of another."""

    def __init__(self):
        self.starts = []

    def add(self, tensor):
        self.starts.append(tensor)
        return len(self.starts) - 1

    def finish(self):
        self.flat = torch.cat([t.reshape(-1) for t in self.starts])
        self.flat.grad = torch.zeros_like(self.flat)
        self.all, at = [], 0
        for t in self.starts:
            part = slice(at, at + t.numel())
            leaf = self.flat[part].view_as(t).detach().requires_grad_()
            leaf.grad = self.flat.grad[part].view_as(t)
            self.all.append(leaf)
            at += t.numel()

    def __getitem__(self, k):
        return self.all[k]


def linear(p, weight):
    """A weight given as (in, out), kept as PyTorch has it, and its bias."""
    return p.add(weight.t().contiguous()), p.add(torch.zeros(weight.shape[1]))


def norm(p, width):
    return p.add(torch.ones(width)), p.add(torch.zeros(width))


def decoder(length, d, layers, ff, heads, batch, vocabulary):
    """A step's loss. Pre-norm, ReLU, learned positions, an output layer of its own; ff 0: attention only."""
    p, number = Parameters(), iter(range(10**6))

    def matrix(rows, cols, deviation):
        return start(next(number), rows, cols, deviation)

    root = math.sqrt(d)
    words, places = p.add(matrix(vocabulary, d, 0.5)), p.add(matrix(length, d, 0.5))
    stack = []
    for _ in range(layers):
        layer = {"joined": linear(p, torch.cat([matrix(d, d, 1 / root) for _ in "qkv"], 1))}
        layer["output"], layer["norm"] = linear(p, matrix(d, d, 1 / root)), norm(p, d)
        if ff:
            layer["up"] = linear(p, matrix(d, ff, math.sqrt(2 / d)))
            layer["down"], layer["norm2"] = linear(p, matrix(ff, d, 1 / math.sqrt(ff))), norm(p, d)
        stack.append(layer)
    last, output = norm(p, d), linear(p, matrix(d, vocabulary, 0.5 / root))
    p.finish()
    adam = torch.optim.AdamW([p.flat], lr=1e-3, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.01)

    count = batch * length
    i = torch.arange(count + 1)
    ids = (i * i * 7 + i // 3) % vocabulary
    read, wanted = ids[:-1].view(batch, length), ids[1:]
    unseen = torch.triu(torch.full((length, length), -math.inf), 1).expand(batch * heads, length, length)
    width = d // heads

    def by(x, pair):
        return F.linear(x, p[pair[0]], p[pair[1]])

    def normed(x, pair):
        return F.layer_norm(x, (d,), p[pair[0]], p[pair[1]])

    def attended(x, layer):
        joined = by(normed(x, layer["norm"]), layer["joined"]).view(batch, length, 3, heads, width)
        q, k, v = (t.reshape(batch * heads, length, width) for t in joined.permute(2, 0, 3, 1, 4).unbind(0))
        scores = torch.baddbmm(unseen, q, k.transpose(1, 2), alpha=1 / math.sqrt(width))
        heard = torch.bmm(torch.softmax(scores, -1), v).view(batch, heads, length, width)
        return by(heard.transpose(1, 2).reshape(batch, length, d), layer["output"])

    def run():
        p.flat.grad.zero_()
        x = F.embedding(read, p[words]) + p[places]
        for layer in stack:
            x = x + attended(x, layer)
            if ff:
                x = x + by(F.relu(by(normed(x, layer["norm2"]), layer["up"])), layer["down"])
        loss = F.cross_entropy(by(normed(x, last), output).view(count, vocabulary), wanted)
        loss.backward()
        with torch.no_grad():
            p.flat.grad.mul_(torch.clamp(1 / (p.flat.grad.norm() + 1e-12), max=1))
        adam.step()
        return loss.item()

    return run


def language(length, d, layers, ff, heads, batch, vocabulary):
    """A step's loss of a language model as core/task/language has it: RMSNorm before each part, rotated pairs of
    neighbours, a gated network, tied. Its windows are those of language_bench.cpp, one batch after another."""
    p, number = Parameters(), iter(range(10**6))

    def matrix(rows, cols, deviation):
        return start(next(number), rows, cols, deviation)

    def turned(rows, cols, deviation):
        return p.add(matrix(rows, cols, deviation).t().contiguous())

    root, width = math.sqrt(d), d // heads
    words = p.add(matrix(vocabulary, d, 0.35 / root))
    stack = []
    for _ in range(layers):
        joined = torch.cat([matrix(d, d, 0.4 / root) for _ in "qkv"], 1).t().contiguous()
        stack.append({"joined": p.add(joined), "output": turned(d, d, 0.2 / root), "norm": p.add(torch.ones(d)),
                      "norm2": p.add(torch.ones(d))})
        up, gate = matrix(d, ff, 0.4 / root), matrix(d, ff, 0.4 / root)
        stack[-1]["wide"] = p.add(torch.cat([up, gate], 1).t().contiguous())
        stack[-1]["down"] = turned(ff, d, 0.2 / math.sqrt(ff))
    last = p.add(torch.ones(d))
    p.finish()
    adam = torch.optim.AdamW([p.flat], lr=1e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1)

    windows = torch.from_numpy(numpy.fromfile(os.environ["ATTNSCOPE_BENCH_WINDOWS"], dtype=numpy.int32))
    windows = windows.view(-1, batch, length + 1).long()
    count, step = batch * length, iter(range(10**9))
    unseen = torch.triu(torch.full((length, length), -math.inf), 1).expand(batch * heads, length, length)
    angle = torch.outer(torch.arange(length).double(), 10000.0 ** (-torch.arange(0, width, 2).double() / width))
    cos, sin = (f(angle).float().view(1, length, 1, width // 2) for f in (torch.cos, torch.sin))

    def normed(x, gain):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * p[gain]

    def rotated(x):
        pairs = x.view(batch, length, heads, width // 2, 2)
        a, b = pairs[..., 0], pairs[..., 1]
        return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).view(batch, length, heads, width)

    def attended(x, layer):
        joined = F.linear(normed(x, layer["norm"]), p[layer["joined"]]).view(batch, length, 3, heads, width)
        q, k, v = joined.unbind(2)
        q, k, v = (t.transpose(1, 2).reshape(batch * heads, length, width) for t in (rotated(q), rotated(k), v))
        scores = torch.baddbmm(unseen, q, k.transpose(1, 2), alpha=1 / math.sqrt(width))
        heard = torch.bmm(torch.softmax(scores, -1), v).view(batch, heads, length, width)
        return F.linear(heard.transpose(1, 2).reshape(batch, length, d), p[layer["output"]])

    def run():
        window = windows[next(step) % len(windows)]
        read, wanted = window[:, :-1], window[:, 1:].reshape(-1)
        p.flat.grad.zero_()
        x = F.embedding(read, p[words])
        for layer in stack:
            x = x + attended(x, layer)
            up, gate = F.linear(normed(x, layer["norm2"]), p[layer["wide"]]).chunk(2, -1)
            x = x + F.linear(up * F.silu(gate), p[layer["down"]])
        loss = F.cross_entropy(F.linear(normed(x, last), p[words]).view(count, vocabulary), wanted)
        loss.backward()
        with torch.no_grad():
            p.flat.grad.mul_(torch.clamp(1 / (p.flat.grad.norm() + 1e-12), max=1))
        adam.step()
        return loss.item()

    return run
