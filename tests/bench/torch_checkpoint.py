"""GPT-2 in plain PyTorch, as it is usually written, over the numbers of a published folder, which the environment variable
ATTNSCOPE_BENCH_CHECKPOINT names. Tokens follow from their places."""

import json
import os

import numpy
import torch
import torch.nn.functional as F


def tensors(folder):
    """Every tensor of model.safetensors, which are float32 here."""
    data = numpy.fromfile(os.path.join(folder, "model.safetensors"), dtype=numpy.uint8)
    size = int(data[:8].view("<u8")[0])
    header = json.loads(data[8 : 8 + size].tobytes())
    body = data[8 + size :]
    out = {}
    for name, said in header.items():
        if name == "__metadata__":
            continue
        begin, end = said["data_offsets"]
        numbers = numpy.frombuffer(body[begin:end].tobytes(), dtype="<f4").reshape(said["shape"])
        out[name] = torch.from_numpy(numpy.array(numbers))
    return out


def gpt2(n):
    folder = os.environ["ATTNSCOPE_BENCH_CHECKPOINT"]
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    w, heads, layers = tensors(folder), config["n_head"], config["n_layer"]
    ids = torch.tensor([(i * i * 7 + i // 3) % config["vocab_size"] for i in range(n)])
    d = config["n_embd"]
    hidden = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)

    def norm(x, name):
        return F.layer_norm(x, (d,), w[name + ".weight"], w[name + ".bias"], 1e-5)

    def conv(x, name):
        return torch.addmm(w[name + ".bias"], x, w[name + ".weight"])

    def split(x):
        return x.view(n, heads, d // heads).transpose(0, 1)

    def run():
        kept = []
        x = w["wte.weight"][ids] + w["wpe.weight"][:n]
        for layer in range(layers):
            h = f"h.{layer}."
            q, k, v = map(split, conv(norm(x, h + "ln_1"), h + "attn.c_attn").split(d, 1))
            scores = (q @ k.transpose(1, 2)) * (d // heads) ** -0.5
            weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), -1)
            kept.append(weights)
            x = x + conv((weights @ v).transpose(0, 1).reshape(n, d), h + "attn.c_proj")
            wide = F.gelu(conv(norm(x, h + "ln_2"), h + "mlp.c_fc"), approximate="tanh")
            x = x + conv(wide, h + "mlp.c_proj")
        return norm(x, "ln_f") @ w["wte.weight"].t(), kept

    return run
