"""Attention as ONNX graphs: width 512, 8 heads, float32, all shapes fixed and all weights an output. Each case in the
flavours that a runtime may be quickest with (ONNX operators 17 and 23; com.microsoft's GroupQueryAttention)."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

HEADS, WIDTH = 8, 512
D_K = WIDTH // HEADS
SCALE = D_K**-0.5


class Graph:
    """Nodes in their order; inputs, outputs and constants by name."""

    def __init__(self, opset=17):
        self.opset = opset
        self.nodes, self.constants, self.inputs, self.outputs = [], {}, [], []

    def op(self, kind, inputs, outputs=None, **attributes):
        names = outputs or [f"{kind}_{len(self.nodes)}"]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names[0]

    def constant(self, name, value):
        self.constants[name] = np.ascontiguousarray(value)
        return name

    def input(self, name, *shape):
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def output(self, name, *shape):
        self.outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def shape(self, *sizes):
        return self.constant("shape_" + "_".join(map(str, sizes)), np.array(sizes, np.int64))

    def model(self):
        constants = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, "attention", self.inputs, self.outputs, constants)
        opsets = [helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=opsets)
        model.ir_version = 8 if self.opset < 20 else 10
        return model


def layer_constants(graph):
    """The weights of a layer: a runtime may pack what is constant ahead."""
    random = np.random.default_rng(1)
    for name in "qkvo":
        graph.constant("W_" + name, (random.uniform(-1, 1, (WIDTH, WIDTH)) / WIDTH**0.5).astype(np.float32))
        graph.constant("b_" + name, random.uniform(-1, 1, WIDTH).astype(np.float32))


def project(graph, x, name):
    return graph.op("Add", [graph.op("MatMul", [x, "W_" + name]), "b_" + name])


def project_at_once(graph, x):
    """One product for queries, keys and values, split afterwards."""
    graph.constant("W_qkv", np.concatenate([graph.constants.pop("W_" + part) for part in "qkv"], 1))
    graph.constant("b_qkv", np.concatenate([graph.constants.pop("b_" + part) for part in "qkv"]))
    graph.constant("thirds", np.array([WIDTH] * 3, np.int64))
    graph.op("Split", [project(graph, x, "qkv"), "thirds"], ["q", "k", "v"], axis=1)
    return "q", "k", "v"


def attend(graph, q, keys, v, out, n, masked=False):
    """q, v (8, n, 64), keys (8, 64, n): scores, softmax, product."""
    graph.constant("scale", np.array(SCALE, np.float32))
    scores = graph.op("Mul", [graph.op("MatMul", [q, keys]), "scale"])
    if masked:
        scores = graph.op("Add", [scores, graph.input("mask", n, n)])
    graph.op("Softmax", [scores], [graph.output("weights", HEADS, n, n)], axis=-1)
    return graph.op("MatMul", ["weights", v], out)


def end_of_layer(graph, rows, n):
    graph.op("Add", [graph.op("MatMul", [rows, "W_o"]), "b_o"], [graph.output("out", n, WIDTH)])
    return graph


def layer(n, at_once):
    graph = Graph()
    x = graph.input("x", n, WIDTH)
    layer_constants(graph)
    parts = project_at_once(graph, x) if at_once else [project(graph, x, part) for part in "qkv"]
    heads = [graph.op("Reshape", [part, graph.shape(n, HEADS, D_K)]) for part in parts]
    orders = [1, 0, 2], [1, 2, 0], [1, 0, 2]
    z = attend(graph, *(graph.op("Transpose", [h], perm=order) for h, order in zip(heads, orders)), None, n)
    rows = graph.op("Reshape", [graph.op("Transpose", [z], perm=[1, 0, 2]), graph.shape(n, WIDTH)])
    return end_of_layer(graph, rows, n)


def attention(n, masked=False):
    graph = Graph()
    q, k, v = (graph.input(part, HEADS, n, D_K) for part in "qkv")
    attend(graph, q, graph.op("Transpose", [k], perm=[0, 2, 1]), v, [graph.output("out", HEADS, n, D_K)], n, masked)
    return graph


def fused(graph, inputs, out, n, causal=False, **more):
    """The operator Attention of ONNX 23; its fourth output in mode 3 is the softmax."""
    outputs = [out, "", "", graph.output("weights", 1, HEADS, n, n)]
    graph.op("Attention", inputs, outputs, scale=SCALE, is_causal=int(causal), qk_matmul_output_mode=3, **more)


def layer_fused(n):
    graph = Graph(23)
    x = graph.input("x", n, WIDTH)
    layer_constants(graph)
    inputs = [graph.op("Reshape", [project(graph, x, part), graph.shape(1, n, WIDTH)]) for part in "qkv"]
    fused(graph, inputs, "z", n, q_num_heads=HEADS, kv_num_heads=HEADS)
    return end_of_layer(graph, graph.op("Reshape", ["z", graph.shape(n, WIDTH)]), n)


def attention_fused(n, causal=False):
    graph = Graph(23)
    inputs = [graph.input(part, 1, HEADS, n, D_K) for part in "qkv"]
    fused(graph, inputs, graph.output("out", 1, HEADS, n, D_K), n, causal)
    return graph


def causal_grouped(n):
    """It takes the softmax over the seen part of each row alone."""
    graph = Graph()
    inputs = [graph.input(part + "_rows", 1, n, WIDTH) for part in "qkv"]
    graph.constant("last", np.array([n - 1], np.int32))
    graph.constant("total", np.array([n], np.int32))
    outputs = [graph.output("rows", 1, n, WIDTH), "present_k", "present_v", graph.output("weights", 1, HEADS, n, n)]
    graph.op("GroupQueryAttention", [*inputs, "", "", "last", "total"], outputs, domain="com.microsoft",
             num_heads=HEADS, kv_num_heads=HEADS, scale=SCALE, qk_output=2)
    return graph


# The cases of the bench, each in every flavour.
GRAPHS = {
    "layer.plain": lambda n: layer(n, at_once=False),
    "layer.packed": lambda n: layer(n, at_once=True),
    "layer.fused": layer_fused,
    "core.plain": attention,
    "core.fused": attention_fused,
    "causal.plain": lambda n: attention(n, masked=True),
    "causal.fused": lambda n: attention_fused(n, causal=True),
    "causal.grouped": causal_grouped,
}


def expected(case, constants, inputs):
    """Weights and output in float64: of `rows` (1, n, 512), of `out` as the graph has it."""
    c = {name: value.astype(np.float64) for name, value in constants.items()}
    x = {name: value.astype(np.float64) for name, value in inputs.items()}
    if case == "layer":
        if "W_qkv" in c:
            parts = np.split(x["x"] @ c["W_qkv"] + c["b_qkv"], 3, 1)
        else:
            parts = [x["x"] @ c["W_" + part] + c["b_" + part] for part in "qkv"]
    elif "q" in x:
        parts = [x[part].reshape(HEADS, -1, D_K).swapaxes(0, 1).reshape(-1, WIDTH) for part in "qkv"]
    else:
        parts = [x[part + "_rows"][0] for part in "qkv"]
    q, k, v = (part.reshape(-1, HEADS, D_K).swapaxes(0, 1) for part in parts)
    scores = q @ k.swapaxes(1, 2) * SCALE
    if case == "causal":
        scores = np.where(np.tri(scores.shape[1], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    out = weights @ v
    rows = out.swapaxes(0, 1).reshape(-1, WIDTH)
    return {"weights": weights, "out": rows @ c["W_o"] + c["b_o"] if case == "layer" else out, "rows": rows}
