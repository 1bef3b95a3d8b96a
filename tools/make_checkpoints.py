#!/usr/bin/env python3
"""Writes the small checkpoints that the lab `checkpoint` shows at first: five architectures in their published layout,
with random weights, and tokenizers of tests/reference/tokenizers. Standard library only; the same bytes each time.

usage: make_checkpoints.py        (writes into assets/checkpoints)
"""
import json
import random
import shutil
import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKPOINTS = ROOT / "assets" / "checkpoints"
TOKENIZERS = ROOT / "tests" / "reference" / "tokenizers"
BYTES = {"F32": 4, "F16": 2, "BF16": 2}


def packed(values, kind):
    if kind == "F32":
        return struct.pack(f"<{len(values)}f", *values)
    if kind == "F16":
        return struct.pack(f"<{len(values)}e", *values)
    codes = struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))
    return struct.pack(f"<{len(values)}H", *((c + 0x7FFF + (c >> 16 & 1)) >> 16 for c in codes))


class Weights:
    """Tensors of random numbers, in the order in which they are asked for."""

    def __init__(self, kind, seed):
        self.kind, self.random, self.tensors = kind, random.Random(seed), {}

    def add(self, name, shape, spread):
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        self.tensors[name] = shape, [self.random.gauss(0, spread) for _ in range(count)]

    def matrix(self, name, out, inputs, gain=1.0, turned=False):
        self.add(name, [inputs, out] if turned else [out, inputs], gain / inputs ** 0.5)

    def norm(self, name, d, bias=True):
        self.tensors[name + ".weight"] = [d], [1 + self.random.gauss(0, 0.1) for _ in range(d)]
        if bias:
            self.add(name + ".bias", [d], 0.1)

    def write(self, path):
        header, data = {}, b""
        for name, (shape, values) in self.tensors.items():
            piece = packed(values, self.kind)
            header[name] = {"dtype": self.kind, "shape": shape, "data_offsets": [len(data), len(data) + len(piece)]}
            data += piece
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def gpt2():
    d, heads, layers, places, words = 32, 4, 3, 128, 457
    w = Weights("F16", 1)
    w.add("wte.weight", [words, d], 0.5)
    w.add("wpe.weight", [places, d], 0.3)
    for layer in range(layers):
        at = f"h.{layer}."
        w.norm(at + "ln_1", d)
        w.matrix(at + "attn.c_attn.weight", 3 * d, d, 1.6, True)
        w.add(at + "attn.c_attn.bias", [3 * d], 0.1)
        w.matrix(at + "attn.c_proj.weight", d, d, 1, True)
        w.add(at + "attn.c_proj.bias", [d], 0.1)
        w.norm(at + "ln_2", d)
        w.matrix(at + "mlp.c_fc.weight", 4 * d, d, 1, True)
        w.add(at + "mlp.c_fc.bias", [4 * d], 0.1)
        w.matrix(at + "mlp.c_proj.weight", d, 4 * d, 1, True)
        w.add(at + "mlp.c_proj.bias", [d], 0.1)
    w.norm("ln_f", d)
    config = dict(model_type="gpt2", activation_function="gelu_new", n_embd=d, n_head=heads, n_layer=layers,
                  n_positions=places, vocab_size=words, layer_norm_epsilon=1e-5, bos_token_id=456, eos_token_id=456)
    return config, w, "bpe-gpt2"


def llama():
    d, heads, groups, width, layers, words, inner = 32, 4, 2, 16, 3, 451, 64
    w = Weights("BF16", 2)
    w.add("model.embed_tokens.weight", [words, d], 0.7)
    for layer in range(layers):
        at = f"model.layers.{layer}."
        w.norm(at + "input_layernorm", d, False)
        w.matrix(at + "self_attn.q_proj.weight", heads * width, d, 1.7)
        w.matrix(at + "self_attn.k_proj.weight", groups * width, d, 1.7)
        w.matrix(at + "self_attn.v_proj.weight", groups * width, d)
        w.matrix(at + "self_attn.o_proj.weight", d, heads * width)
        w.norm(at + "post_attention_layernorm", d, False)
        w.matrix(at + "mlp.gate_proj.weight", inner, d)
        w.matrix(at + "mlp.up_proj.weight", inner, d)
        w.matrix(at + "mlp.down_proj.weight", d, inner)
    w.norm("model.norm", d, False)
    w.matrix("lm_head.weight", words, d)
    scaling = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=4096)
    config = dict(model_type="llama", hidden_act="silu", hidden_size=d, intermediate_size=inner, head_dim=width,
                  num_attention_heads=heads, num_key_value_heads=groups, num_hidden_layers=layers,
                  max_position_embeddings=16384, rms_norm_eps=1e-5, rope_theta=10000.0, rope_scaling=scaling,
                  tie_word_embeddings=False, torch_dtype="bfloat16", vocab_size=words, bos_token_id=448,
                  eos_token_id=449)
    return config, w, "bpe-llama3"


def bloom():
    d, heads, layers, words = 36, 6, 2, 420
    w = Weights("F16", 3)
    w.add("word_embeddings.weight", [words, d], 0.7)
    w.norm("word_embeddings_layernorm", d)
    for layer in range(layers):
        at = f"h.{layer}."
        w.norm(at + "input_layernorm", d)
        for name, out, inputs in [("self_attention.query_key_value", 3 * d, d), ("self_attention.dense", d, d)]:
            w.matrix(at + name + ".weight", out, inputs, 1.4 if out > d else 1)
            w.add(at + name + ".bias", [out], 0.1)
        w.norm(at + "post_attention_layernorm", d)
        for name, out, inputs in [("mlp.dense_h_to_4h", 4 * d, d), ("mlp.dense_4h_to_h", d, 4 * d)]:
            w.matrix(at + name + ".weight", out, inputs)
            w.add(at + name + ".bias", [out], 0.1)
    w.norm("ln_f", d)
    config = dict(model_type="bloom", hidden_size=d, n_head=heads, n_layer=layers, vocab_size=words,
                  layer_norm_epsilon=1e-5, apply_residual_connection_post_layernorm=False, seq_length=2048,
                  bos_token_id=417, eos_token_id=418)
    return config, w, "bpe-bloom"


def bert():
    d, heads, layers, words, places, inner = 32, 4, 2, 361, 64, 64
    w = Weights("F32", 4)
    at = "bert.embeddings."
    w.add(at + "word_embeddings.weight", [words, d], 0.7)
    w.add(at + "position_embeddings.weight", [places, d], 0.3)
    w.add(at + "token_type_embeddings.weight", [2, d], 0.3)
    w.norm(at + "LayerNorm", d)

    def linear(name, out, inputs, gain=1.0):
        w.matrix(name + ".weight", out, inputs, gain)
        w.add(name + ".bias", [out], 0.1)

    for layer in range(layers):
        at = f"bert.encoder.layer.{layer}."
        for name in ["query", "key", "value"]:
            linear(f"{at}attention.self.{name}", d, d, 1.5 if name != "value" else 1)
        linear(at + "attention.output.dense", d, d)
        w.norm(at + "attention.output.LayerNorm", d)
        linear(at + "intermediate.dense", inner, d)
        linear(at + "output.dense", d, inner)
        w.norm(at + "output.LayerNorm", d)
    linear("bert.pooler.dense", d, d)
    linear("cls.predictions.transform.dense", d, d)
    w.norm("cls.predictions.transform.LayerNorm", d)
    w.add("cls.predictions.bias", [words], 0.1)
    config = dict(model_type="bert", hidden_act="gelu", hidden_size=d, intermediate_size=inner,
                  num_attention_heads=heads, num_hidden_layers=layers, max_position_embeddings=places,
                  type_vocab_size=2, layer_norm_eps=1e-12, vocab_size=words)
    return config, w, "wordpiece-uncased"


def t5():
    d, heads, width, layers, words, inner = 32, 4, 8, 2, 351, 64
    w = Weights("BF16", 5)
    w.add("shared.weight", [words, d], 0.7)
    for side, parts in [("encoder", 1), ("decoder", 2)]:
        for layer in range(layers):
            at = f"{side}.block.{layer}.layer."
            for part in range(parts):
                name = f"{at}{part}." + ("SelfAttention" if part == 0 else "EncDecAttention")
                w.norm(f"{at}{part}.layer_norm", d, False)
                for letter in "qkv":
                    w.matrix(f"{name}.{letter}.weight", heads * width, d, 0.8 if letter != "v" else 1)
                w.matrix(f"{name}.o.weight", d, heads * width)
                if layer == 0 and part == 0:
                    w.add(f"{name}.relative_attention_bias.weight", [32, heads], 1)
            w.norm(f"{at}{parts}.layer_norm", d, False)
            w.matrix(f"{at}{parts}.DenseReluDense.wi.weight", inner, d)
            w.matrix(f"{at}{parts}.DenseReluDense.wo.weight", d, inner)
        w.norm(f"{side}.final_layer_norm", d, False)
    config = dict(model_type="t5", d_model=d, d_kv=width, d_ff=inner, num_heads=heads, num_layers=layers,
                  feed_forward_proj="relu", layer_norm_epsilon=1e-6, vocab_size=words, decoder_start_token_id=0,
                  relative_attention_num_buckets=32, relative_attention_max_distance=128)
    return config, w, "unigram-t5"


def main():
    for make in [gpt2, llama, bloom, bert, t5]:
        config, weights, tokenizer = make()
        folder = CHECKPOINTS / make.__name__
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
        weights.write(folder / "model.safetensors")
        shutil.copyfile(TOKENIZERS / tokenizer / "tokenizer.json", folder / "tokenizer.json")


if __name__ == "__main__":
    main()
