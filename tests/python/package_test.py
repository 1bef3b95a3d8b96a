"""The package `attnscope` of Python: figures and numbers, one's own attention, what is refused, and the process that
answers. Without NumPy nothing can be tried: exit status 77, as ctest is told. Without PyTorch its part is left out.

usage: package_test.py SOURCE_FOLDER PROGRAM
"""

import base64
import importlib
import inspect
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import types
import unittest
import warnings
import zipfile
from pathlib import Path

SOURCE, PROGRAM = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1)).resolve()
os.environ.update(ATTNSCOPE_PROGRAM=str(PROGRAM), LC_ALL="C")
sys.dont_write_bytecode = True
sys.path[:0] = [str(SOURCE / "python"), str(SOURCE / "tests")]

from arrays import np, softmax, torch  # noqa: E402 isort: skip
import attnscope  # noqa: E402
from attnscope._server import server  # noqa: E402

if torch is None:
    print("without PyTorch: its arrays are played by others")


def weights(*shape, seed=0):
    return softmax(np.random.default_rng(seed).normal(size=shape)).astype(np.float32)


class Tensor:
    """What PyTorch's has that is asked for."""

    def __init__(self, values, dtype="torch.float32"):
        self.values, self.dtype, self.shape = values, dtype, values.shape

    def detach(self):
        return self

    def cpu(self):
        return self

    def float(self):
        return Tensor(self.values)

    def __array__(self, dtype=None, copy=None):
        if self.dtype == "torch.bfloat16":
            raise TypeError("got unsupported ScalarType BFloat16")
        return self.values


class Test(unittest.TestCase):
    def refused(self, sentence, function, *args, **words):
        with self.assertRaises(attnscope.Error) as came:
            function(*args, **words)
        self.assertEqual(str(came.exception), sentence)


class Figures(Test):
    def test_a_figure_is_the_command_lines(self):
        figure = attnscope.figure("multi_head", figure="weights", heads=4, width="85mm", no_caption=True)
        with tempfile.TemporaryDirectory() as folder:
            for format in ("svg", "png", "pdf"):
                path = Path(folder) / f"a.{format}"
                subprocess.run([PROGRAM, "export", "multi_head", "--figure", "weights", "--set", "heads=4", "--width", "85mm",
                                "--no-caption", "-o", path.name], cwd=folder, check=True)
                self.assertEqual(getattr(figure, format), path.read_bytes())
                self.assertEqual(figure.save(Path(folder) / f"b.{format}").read_bytes(), path.read_bytes())
        self.assertTrue(figure.file("html").startswith(b"<!doctype html>"))
        self.refused("a.bmp: expected a name that ends in one of .svg, .png, .pdf, .html, .csv, .json, .npy, .npz, .safetensors",
                     figure.save, "a.bmp")

    def test_numbers_are_arrays(self):
        figure = attnscope.figure("multi_head", figure="weights", heads=4)
        numbers = figure.numbers()
        self.assertEqual(list(numbers), ["weights"])
        self.assertEqual(numbers["weights"].dtype, np.float64)
        self.assertTrue(np.allclose(np.nansum(numbers["weights"], axis=1), 1, atol=1e-6))
        archive = np.load(io.BytesIO(figure.file("npz")))
        self.assertTrue(np.array_equal(archive["weights"], numbers["weights"].astype(np.float32), equal_nan=True))
        self.assertEqual(figure.details()["figures"][0]["id"], "head")
        numbers["weights"][0, 0] = 7  # one's own

    def test_a_notebook_shows_it(self):
        figure = attnscope.figure("softmax", figure="melting")
        self.assertTrue(figure._repr_svg_().startswith("<?xml") or figure._repr_svg_().startswith("<svg"))
        shown = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', figure._repr_html_())
        self.assertEqual(base64.b64decode(shown[1]), figure.svg)
        self.assertEqual(repr(attnscope.figure("softmax", temperature=2)), "<attnscope figure of softmax: temperature=2>")

    def test_wrong_words_are_exceptions_with_the_programs_sentence(self):
        figure = attnscope.figure
        self.refused("heads: expected an integer from 1 to 32, got 99", figure, "multi_head", heads=99)
        self.refused("heads: expected a number, got nan", figure, "multi_head", heads=float("nan"))
        self.refused("lab: expected the id of a lab, got int", figure, 3)
        self.refused("heads: expected a text, a number, True or False, got object", figure, "multi_head", heads=object())
        self.refused("set: expected a dictionary of knobs, got int", figure, "multi_head", set=3)
        self.refused("set: expected heads once, got it twice", figure, "multi_head", set={"heads": 2}, heads=4)
        with self.assertRaisesRegex(attnscope.Error, 'no figure "nothing" on this page: expected one of heads'):
            figure("multi_head", figure="nothing")
        with self.assertRaisesRegex(attnscope.Error, "^--width: expected a length from 15 to 2000 mm"):
            figure("multi_head", width="wide")
        with self.assertRaisesRegex(attnscope.Error, "multi_haed"):
            figure("multi_haed")

    def test_a_knob_that_is_called_like_an_option_is_set(self):
        figure = attnscope.figure("absolute", set={"width": 24}, width="178mm")
        self.assertIn(b'width="504', figure.svg[:300])
        self.assertEqual(figure.details()["session"]["values"]["width"], 24)

    def test_numbers_of_numpy_are_numbers(self):
        figure = attnscope.figure("multi_head", figure="weights", heads=np.int64(4))
        self.assertEqual(figure.details()["session"]["values"]["heads"], 4)

    def test_what_is_reported_is_a_warning(self):
        with tempfile.TemporaryDirectory() as folder:
            session = Path(folder) / "a.attn"
            session.write_text('{"attnscope":1,"lab":"masks","views":{"none":[0,1,0,1]}}')
            with self.assertWarnsRegex(attnscope.Note, 'a view of "none"'):
                attnscope.figure("masks", session=session)


    def test_paths_count_from_where_python_is(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            try:
                for name, numbers in (("a", "1,2\n2,3\n"), ("b", "1,5\n3,9\n4,9\n")):
                    (Path(folder) / name).mkdir()
                    os.chdir(Path(folder) / name)
                    Path("d.csv").write_text(f"x,y\n{numbers}")
                    figure = attnscope.figure("pooling", file="d.csv", figure="data")
                    self.assertEqual(figure._session()["values"]["file"], os.path.abspath("d.csv"))
                    self.assertEqual(figure._session()["lab"], "pooling")
            finally:
                os.chdir(here)


class Labs(Test):
    def test_labs_are_completed_and_explained(self):
        labs = attnscope.labs()
        self.assertIn("rotary", dir(labs))
        self.assertIn("rotary", list(labs))
        self.assertIs(labs.rotary, labs["rotary"])
        with self.assertRaisesRegex(AttributeError, "expected a lab, got rotery; did you mean rotary"):
            labs.rotery
        lab = labs.multi_head
        self.assertEqual(lab.parameters["heads"].max, 32)
        self.assertIn("hot", lab.presets)
        self.assertIn("weights", lab.figures)
        self.assertIn("weights", lab.figures_of(preset="hot", heads=2))
        self.assertIn("heads", inspect.signature(lab).parameters)
        self.assertIn("width", inspect.signature(lab).parameters)
        self.assertIn("heads           1 to 32 (default", lab.__doc__)
        self.assertIn(lab.question, inspect.getdoc(lab))
        self.assertIn("Called with knobs", inspect.getdoc(attnscope.Lab))
        self.assertIn("title", inspect.signature(attnscope.Lab).parameters)
        self.assertEqual(lab(figure="weights", heads=4).svg, attnscope.figure("multi_head", figure="weights", heads=4).svg)

    def test_the_packages_own_names(self):
        self.assertEqual(dir(attnscope), sorted([*attnscope.__all__, "__version__"]))
        for name in attnscope.__all__:
            self.assertTrue(inspect.getdoc(getattr(attnscope, name)), name)
        self.assertIn("Width of the paper", attnscope.options()["width"])

    def test_the_version_is_the_programs(self):
        built = re.search(r"^project\(attnscope VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text(), re.M)[1]
        self.assertEqual(attnscope.__version__, built)
        self.assertIn(f'version = "{built}"', (SOURCE / "python/pyproject.toml").read_text())
        self.assertEqual(server.hello()["version"], built)


class Shown(Test):
    def show(self, *args, **words):
        return attnscope.show(*args, window=False, **words)

    def map_of(self, *args, **words):
        """The numbers of one head's map."""
        figure = self.show(*args, view="head", figure="map", **words)
        return figure.numbers()["map"]

    def test_every_shape_is_the_same_head(self):
        all = weights(3, 2, 4, 5, 5)
        wanted = all[2, 0, 1]
        for name, given, words in (
            ("layers, batch, heads", all, dict(layer=3, head=2)),
            ("a tuple of layers", tuple(all), dict(layer=3, head=2)),
            ("a tuple of PyTorch's", tuple(Tensor(one) for one in all), dict(layer=3, head=2)),
            ("bfloat16", tuple(Tensor(one, "torch.bfloat16") for one in all), dict(layer=3, head=2)),
            ("a model's output", types.SimpleNamespace(attentions=tuple(all)), dict(layer=3, head=2)),
            ("a tuple without a batch", tuple(all[:, 0]), dict(layer=3, head=2)),
            ("batch, heads", all[2], dict(head=2)),
            ("heads", all[2, 0], dict(head=2)),
            ("one head", wanted, {}),
            ("lists", wanted.tolist(), {}),
            ("another order", all.transpose(3, 4, 0, 1, 2), dict(axes="qklbh", layer=3, head=2)),
            ("one sequence of the batch", all[:, ::-1], dict(batch=-1, layer=3, head=2)),
            ("64 bits", all.astype(np.float64), dict(layer=3, head=2)),
        ):
            with self.subTest(name):
                self.assertTrue(np.allclose(self.map_of(given, **words), wanted, atol=1e-7))

    def test_more_heads_and_layers_than_tokens(self):
        all = weights(12, 12, 12, 3, 3)
        self.assertTrue(np.allclose(self.map_of(all, layer=11, head=4, set={"batch": 7}), all[10, 6, 3], atol=1e-7))

    def test_tokens(self):
        tokens = ["[CLS]", "river", "bank", "岸", " a,b\n"]
        text = json.dumps(self.show(weights(2, 5, 5), tokens).details(), ensure_ascii=False)
        for token in ("[CLS]", "river", "岸"):
            self.assertIn(token, text)
        self.assertIn("bank", json.dumps(self.show(weights(2, 2, 5, 5), [tokens, tokens], batch=1).details()))
        self.assertIn("bank", json.dumps(self.show(weights(2, 2), "river bank").details()))
        crossed = self.show(weights(1, 2, 3), "a b", key_tokens=["x", "y", "zed"])
        self.assertIn("zed", json.dumps(crossed.details()))
        self.refused("tokens: expected 5, got 4", self.show, weights(2, 5, 5), tokens[:4])
        self.refused("key_tokens: expected 3, got 2", self.show, weights(1, 2, 3), "a b", key_tokens="x y")
        self.refused("tokens: expected texts, got 101: tokenizer.convert_ids_to_tokens makes them of ids", self.show,
                     weights(2, 2), [101, 102])

    def test_padding_is_left_out(self):
        all = weights(2, 2, 3, 6, 6)
        mask = np.array([[0, 0, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]])
        tokens = [["", "", "a", "b", "c", "d"], ["x", "y", "z", "", "", ""]]
        for k, place in enumerate((slice(2, 6), slice(0, 3))):
            got = self.map_of(tuple(all), tokens, mask=mask, batch=k, layer=2, head=3)
            self.assertTrue(np.allclose(got, all[1, k, 2, place, place], atol=1e-7))
        self.assertIn('"d"', json.dumps(self.show(tuple(all), tokens, mask=Tensor(mask)).details()))
        crossed = weights(1, 2, 3, 4, 6)
        self.assertEqual(self.map_of(crossed, mask=mask, head=1).shape, (4, 4))
        self.refused("mask: expected (batch, 6), got (2, 5)", self.show, tuple(all), mask=mask[:, :5])
        self.refused("mask: expected 1 for tokens and 0 for padding, got other numbers", self.show, tuple(all), mask=mask * 2)
        self.refused("mask: expected at least one token in sequence 0, got none", self.show, tuple(all), mask=mask * 0)
        self.refused("batch: expected a number from 0 to 1, got 2", self.show, tuple(all), mask=mask, batch=2)

    def test_queries_and_keys_of_fewer_heads(self):
        random = np.random.default_rng(1)
        q, k = random.normal(size=(8, 5, 4)), random.normal(size=(2, 5, 4))
        got = self.map_of(queries=q, keys=k, head=7)
        self.assertTrue(np.allclose(got, softmax(q[6] @ k[1].T / 2), atol=1e-6))
        self.refused("attention: expected weights, or queries and keys, got neither", self.show, queries=q)

    def test_nan_is_said_and_not_repaired(self):
        some = weights(2, 5, 5)
        some[0, :2] = np.nan
        with self.assertWarnsRegex(attnscope.Note, "^attention: 2 of 10 rows hold NaN or infinite numbers"):
            self.assertTrue(np.isnan(self.map_of(some, head=1)[0]).all())
        self.refused("attention: expected numbers, got NaN or infinite ones in every row", self.show, some * np.nan)

    def test_what_is_no_attention_is_refused(self):
        show, some = self.show, weights(2, 5, 5)
        self.refused('attention: expected weights, got None: fused kernels give none; load the model with '
                     'attn_implementation="eager" and call it with output_attentions=True', show, (None, None))
        self.refused("attention: expected a tuple of layers, got a tuple of tuples, as generate() gives, one a step: choose a "
                     "step", show, ((some, some), (some, some)))
        self.refused("attention: expected layers of one shape, got (2, 5, 5), (1, 5, 5)", show, (some, some[:1]))
        self.refused("attention: expected at least one layer, got none", show, ())
        self.refused("attention: expected 2 to 5 axes, of l (layer), b (batch), h (head), q (query), k (key), got 1", show,
                     some[0, 0])
        self.refused("attention: expected an array of numbers, got 2x2 of <U1", show, np.array([["a", "b"], ["c", "d"]]))
        self.refused("attention: expected an array of numbers, got 2x2 of complex128", show, np.ones((2, 2), complex))
        self.refused("attention: expected an array of numbers, got 0x5 of float32", show, np.ones((0, 5), np.float32))
        self.refused('axes: expected a letter for each of the 3 axes of attention, of l (layer), b (batch), h (head), q '
                     '(query), k (key), got "hqq"', show, some, axes="hqq")
        self.refused("attention: expected one kind of attention, got an output with encoder_attentions, cross_attentions: "
                     "choose one of them", show, types.SimpleNamespace(encoder_attentions=(), cross_attentions=()))
        with self.assertRaisesRegex(attnscope.Error, "^layer: expected"):
            show(some, layer=2, head=1)

    def test_its_files_go(self):
        figure = self.show(weights(2, 5, 5), "a b c d e")
        folder = figure._holds.folder
        self.assertTrue((folder / "attention.npz").is_file())
        self.assertNotIn(folder.name.encode(), figure.svg)
        self.assertIsNone(figure.details()["session"])
        with tempfile.TemporaryDirectory() as other:
            session = figure._holds.copy_to(other)
            page = subprocess.run([PROGRAM, "export", "tensors", "--session", session, "-o", "-", "--format", "json"],
                                  capture_output=True, check=True)
            self.assertEqual(json.loads(page.stdout)["figures"][:2], figure.details()["figures"])
        del figure
        self.assertFalse(folder.exists())

    def test_without_a_display_there_is_the_figure_and_a_note(self):
        kept = {name: os.environ.pop(name, None) for name in ("DISPLAY", "WAYLAND_DISPLAY")}
        try:
            with self.assertRaisesRegex(attnscope.Error, "^no window can be opened"):
                attnscope.show(weights(2, 2), window=True)
            with self.assertWarnsRegex(attnscope.Note, r"^no window can be opened .*: the figure has \.save\(\)"):
                figure = attnscope.show(weights(2, 2))
            self.assertTrue(figure.pdf.startswith(b"%PDF"))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                attnscope.show(weights(2, 2), window=False)
        finally:
            os.environ.update({name: value for name, value in kept.items() if value is not None})

    def test_real_tensors(self):
        if torch is None:
            self.skipTest("there is no PyTorch here")
        module = torch.nn.MultiheadAttention(16, 4, batch_first=True).eval()
        x = torch.randn(2, 6, 16, requires_grad=True)
        _, got = module(x, x, x, average_attn_weights=False)
        wanted = got[1, 2].detach().numpy()
        self.assertTrue(np.allclose(self.map_of(got, batch=1, head=3), wanted, atol=1e-7))
        self.assertTrue(np.allclose(self.map_of((got.bfloat16(),), batch=1, head=3), wanted, atol=1e-2))
        self.assertTrue(np.allclose(self.map_of((got.half(),), batch=1, head=3), wanted, atol=1e-2))
        mask = torch.tensor([[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0]])
        self.assertEqual(self.map_of((got,), mask=mask, head=3).shape, (4, 4))


class Process(Test):
    def test_one_process_answers_and_another_one_when_it_has_died(self):
        attnscope.figure("softmax")
        first = server.pid
        attnscope.figure("softmax", temperature=2)
        self.assertEqual(server.pid, first)
        os.kill(first, signal.SIGTERM)
        server._process.wait()
        attnscope.figure("softmax", temperature=3)
        self.assertNotEqual(server.pid, first)
        attnscope.close()
        self.assertIsNone(server.pid)
        attnscope.figure("softmax")

    def test_one_that_dies_in_a_call_is_an_exception_and_the_next_call_works(self):
        attnscope.figure("softmax")
        os.kill(server.pid, signal.SIGSTOP)
        import threading
        killer = threading.Timer(0.2, os.kill, (server.pid, signal.SIGKILL))
        killer.start()
        self.refused("attnscope ended before it answered, with exit status -9", attnscope.figure, "softmax", temperature=4)
        attnscope.figure("softmax", temperature=4)

    def test_it_ends_with_python(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1]); import attnscope; from attnscope._server import server; "
                "attnscope.figure('softmax'); print(server.pid)")
        done = subprocess.run([sys.executable, "-B", "-c", code, SOURCE / "python"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        with self.assertRaises(ProcessLookupError):
            os.kill(int(done.stdout), 0)

    def test_where_the_program_is(self):
        program = importlib.import_module("attnscope._program").program
        kept = os.environ["ATTNSCOPE_PROGRAM"]
        try:
            os.environ["ATTNSCOPE_PROGRAM"] = "/nowhere/attnscope"
            self.refused('ATTNSCOPE_PROGRAM: expected the path of the program, got "/nowhere/attnscope"', program)
            os.environ["ATTNSCOPE_PROGRAM"] = "/bin/false"
            attnscope.close()
            self.refused("/bin/false does not answer: exit status 1", attnscope.figure, "softmax")
            with tempfile.TemporaryDirectory() as folder:
                other = Path(folder) / "attnscope"
                other.write_text("#!/bin/sh\necho 'attnscope: too old' >&2\nexit 2\n")
                other.chmod(0o700)
                os.environ["ATTNSCOPE_PROGRAM"] = str(other)
                self.refused(f"{other} does not answer: too old", attnscope.figure, "softmax")
        finally:
            os.environ["ATTNSCOPE_PROGRAM"] = kept
        attnscope.figure("softmax")


class Package(Test):
    def test_pips_way_of_building(self):
        sys.path.insert(0, str(SOURCE / "python"))
        build = importlib.import_module("build_wheel")
        with tempfile.TemporaryDirectory() as folder:
            wheel = Path(folder) / build.build_wheel(folder)
            same = wheel.read_bytes()
            build.build_wheel(folder)
            self.assertEqual(wheel.read_bytes(), same)
            names = zipfile.ZipFile(wheel).namelist()
            for name in ("__init__.py", "py.typed", "_server.py"):
                self.assertIn(f"attnscope/{name}", names)
            code = "import attnscope; print(attnscope.__file__, len(attnscope.labs()) > 20)"
            done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=True, cwd=folder,
                                  env={**os.environ, "PYTHONPATH": str(wheel)})
            self.assertTrue(done.stdout.startswith(str(wheel)) and done.stdout.endswith("True\n"), done.stdout)
            self.assertIn("attnscope-", build.build_editable(folder))
            self.assertIn(".tar.gz", build.build_sdist(folder))


class Notebook(Test):
    def test_the_notebook_of_the_guide_runs(self):
        """As Python; notebook_test.py has Jupyter run it."""
        cells = json.loads((SOURCE / "docs/user/python.ipynb").read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        self.assertGreater(len(code), 4)
        names = {"get_ipython": None}
        kept, shown = os.getcwd(), attnscope.show
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                attnscope.show = lambda *args, **words: shown(*args, window=False, **words)
                for cell in code:
                    exec(cell, names)
            finally:
                os.chdir(kept)
                attnscope.show = shown


if __name__ == "__main__":
    warnings.simplefilter("always")
    unittest.main()
