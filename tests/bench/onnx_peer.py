"""The peer of attention: ONNX Runtime by its C interface, in a process of its own. Its library lies somewhere below
the folder that ATTNSCOPE_PEERS names (libonnxruntime.so…); graphs are made by Debian's python3-onnx.

Speaks as torch_peer.py does: "ready VERSION", "unfit" and why, or "missing"; then answers each line
"case.flavour n threads - repeats" with that many times in seconds. Inputs and outputs lie on huge pages that were
written before, the arena and memory patterns are on, optimization is at its highest. A flavour that does not compute
what NumPy does in float64 is unfit.
"""

import ctypes
import mmap
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy only checks
try:
    import numpy as np
    import onnx_graphs
except ImportError:
    print("missing", flush=True)
    sys.exit(0)

POINTER, TEXT, WHOLE, SIZE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t
TO = ctypes.POINTER(POINTER)
# Where functions stand in OrtApi of onnxruntime_c_api.h, which only grows, and their arguments.
API = {
    "GetErrorMessage": (2, [POINTER]),
    "CreateEnv": (3, [WHOLE, TEXT, TO]),
    "CreateSessionFromArray": (8, [POINTER, POINTER, SIZE, POINTER, TO]),
    "Run": (9, [POINTER, POINTER, POINTER, POINTER, SIZE, POINTER, SIZE, POINTER]),
    "CreateSessionOptions": (10, [TO]),
    "SetSessionExecutionMode": (13, [POINTER, WHOLE]),
    "EnableMemPattern": (16, [POINTER]),
    "EnableCpuMemArena": (18, [POINTER]),
    "SetSessionGraphOptimizationLevel": (23, [POINTER, WHOLE]),
    "SetIntraOpNumThreads": (24, [POINTER, WHOLE]),
    "SetInterOpNumThreads": (25, [POINTER, WHOLE]),
    "CreateTensorWithDataAsOrtValue": (49, [POINTER, POINTER, SIZE, POINTER, SIZE, WHOLE, TO]),
    "CreateCpuMemoryInfo": (69, [WHOLE, WHOLE, TO]),
    "ReleaseSession": (95, [POINTER]),
    "ReleaseValue": (96, [POINTER]),
}
API_VERSION, FLOAT, WARNINGS = 17, 1, 3
HUGE_PAGE = 2 << 20
# Of an output from NumPy's, whose numbers are about 1.
TOLERANCE = 2e-5


def library():
    """The runtime's library, of those for other processors the one that can be loaded; none where there is none."""
    folder = os.environ.get("ATTNSCOPE_PEERS")
    for path in sorted(Path(folder).rglob("libonnxruntime.so*")) if folder else ():
        try:
            return ctypes.CDLL(str(path))
        except OSError:
            pass
    return None


class Runtime:
    def __init__(self, loaded):
        base = loaded.OrtGetApiBase
        base.restype = ctypes.POINTER(POINTER * 2)
        api, version = base().contents
        self.version = ctypes.CFUNCTYPE(TEXT)(version)().decode()
        table = ctypes.CFUNCTYPE(POINTER, ctypes.c_uint32)(api)(API_VERSION)
        if not table:
            raise RuntimeError(f"expected an interface of version {API_VERSION} or more")
        self.table = ctypes.cast(table, ctypes.POINTER(POINTER * 120)).contents
        self.env = self.make("CreateEnv", WARNINGS, b"bench")
        self.memory = self.make("CreateCpuMemoryInfo", 0, 0)

    def function(self, name):
        place, arguments = API[name]
        return ctypes.CFUNCTYPE(POINTER, *arguments)(self.table[place])

    def call(self, name, *arguments):
        self.good(self.function(name)(*arguments))

    def make(self, name, *arguments):
        made = POINTER()
        self.call(name, *arguments, ctypes.byref(made))
        return made

    def good(self, status):
        if status:
            place, _ = API["GetErrorMessage"]
            raise RuntimeError(ctypes.CFUNCTYPE(TEXT, POINTER)(self.table[place])(status).decode())


def on_huge_pages(shape):
    """An array of zeros."""
    size = int(np.prod(shape)) * 4
    pages = mmap.mmap(-1, size + HUGE_PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    pages.madvise(mmap.MADV_HUGEPAGE)
    whole = np.frombuffer(pages, np.uint8)
    begin = -whole.ctypes.data % HUGE_PAGE
    array = whole[begin : begin + size].view(np.float32).reshape(shape)
    array.fill(0)
    return array


class Case:
    """A graph with its inputs and outputs, ready to run."""

    def __init__(self, runtime, name, n, threads):
        self.runtime, self.name = runtime, name
        graph = onnx_graphs.GRAPHS[name](n)
        model = graph.model().SerializeToString()
        options = runtime.make("CreateSessionOptions")
        runtime.call("SetSessionGraphOptimizationLevel", options, 99)
        runtime.call("SetSessionExecutionMode", options, 0)
        runtime.call("SetIntraOpNumThreads", options, threads)
        runtime.call("SetInterOpNumThreads", options, 1)
        runtime.call("EnableCpuMemArena", options)
        runtime.call("EnableMemPattern", options)
        self.session = runtime.make("CreateSessionFromArray", runtime.env, model, len(model), options)
        self.constants = graph.constants
        self.inputs, self.outputs = self._arrays(graph.inputs), self._arrays(graph.outputs)
        for value, array in self.inputs.items():
            random = np.random.default_rng(sum(map(ord, value)))
            array[...] = random.uniform(-1, 1, array.shape)
            if value == "mask":
                array[...] = np.where(np.tri(n, dtype=bool), 0, -np.inf)
        function = runtime.function("Run")
        arguments = (*self._given(self.inputs), len(self.inputs), *self._given(self.outputs)[:1], len(self.outputs))
        tensors = self._given(self.outputs)[1]
        self.kept = arguments, tensors  # what the runtime reads
        self.run = lambda: runtime.good(function(self.session, None, *arguments, tensors))

    @staticmethod
    def _arrays(values):
        return {v.name: on_huge_pages([d.dim_value for d in v.type.tensor_type.shape.dim]) for v in values}

    def _given(self, arrays):
        tensors = []
        for array in arrays.values():
            shape = (ctypes.c_int64 * array.ndim)(*array.shape)
            tensors.append(self.runtime.make("CreateTensorWithDataAsOrtValue", self.runtime.memory, array.ctypes.data,
                                             array.nbytes, shape, array.ndim, FLOAT).value)
        return (TEXT * len(arrays))(*(name.encode() for name in arrays)), (POINTER * len(tensors))(*tensors)

    def error(self):
        """The greatest difference of an output from NumPy's."""
        self.run()
        right = onnx_graphs.expected(self.name.split(".")[0], self.constants, self.inputs)
        return max(float(np.abs(array.reshape(right[name].shape) - right[name]).max())
                   for name, array in self.outputs.items())

    def close(self):
        self.runtime.function("ReleaseSession")(self.session)


def unfit(runtime):
    """Why a flavour is no fair peer; empty where all compute what they should."""
    for name in onnx_graphs.GRAPHS:
        case = Case(runtime, name, 96, 1)
        error = case.error()
        case.close()
        if not error < TOLERANCE:
            return f"{name} of ONNX Runtime {runtime.version} is apart from NumPy by {error:.1e}"
    return ""


def main():
    loaded = library()
    if loaded is None:
        print("missing", flush=True)
        return
    runtime = Runtime(loaded)
    why = unfit(runtime)
    if why:
        print("unfit", why, flush=True)
        return
    print("ready", runtime.version, flush=True)
    prepared, case = None, None
    for line in sys.stdin:
        name, n, threads, _, repeats = line.split()
        if prepared != (name, n, threads):
            if case:
                case.close()
            prepared, case = None, None  # its memory goes first
            case = Case(runtime, name, int(n), int(threads))
            prepared = name, n, threads
            case.run()
            case.run()
        times = []
        for _ in range(int(repeats)):
            start = time.perf_counter()
            case.run()
            times.append(time.perf_counter() - start)
        print(*times, flush=True)


if __name__ == "__main__":
    main()
