"""A server that is spoken to through pipes: calls and answers, garbage, cut-off lines, the end of the input.

usage: serve_test.py PROGRAM
"""

import base64
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()
ENGLISH = {**os.environ, "LC_ALL": "C"}
# Seconds that only what would hang for ever meets.
HANGS = 600


def served(*lines, **options):
    """Lines of bytes to a server and the end of its input: its answers, and its exit status."""
    done = subprocess.run([PROGRAM, "serve", "--stdio"], input=b"".join(lines), capture_output=True, env=ENGLISH,
                          timeout=HANGS, **options)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def line(**call):
    return json.dumps(call).encode() + b"\n"


def written(*words):
    """What the command line writes into a file; the last word names it."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, env=ENGLISH, timeout=HANGS)
        if done.returncode:
            raise AssertionError(done.stderr.decode())
        return (Path(folder) / words[-1]).read_bytes()


class Served(unittest.TestCase):
    def refused(self, sentence, call, status=0):
        answers, ended = served(call, line(id="next", command="hello"))
        self.assertEqual(ended, status)
        self.assertEqual(answers[0]["error"], sentence)
        self.assertEqual(answers[1]["id"], "next")  # it goes on
        self.assertEqual(answers[1]["result"]["program"], "attnscope")
        return answers[0]

    def test_the_bytes_are_those_of_the_command_line(self):
        words = {"lab": "multi_head", "set": {"heads": 4}, "figure": ["weights"], "width": "85mm", "no_caption": True}
        said = ["export", "multi_head", "--set", "heads=4", "--figure", "weights", "--width", "85mm", "--no-caption"]
        calls = [line(id=k, command="export", format=format, **words) for k, format in enumerate(("svg", "png", "pdf", "json"))]
        answers, status = served(*calls)
        self.assertEqual(status, 0)
        for k, format in enumerate(("svg", "png", "pdf", "json")):
            self.assertEqual(answers[k]["id"], k)
            self.assertEqual(answers[k]["format"], format)
            self.assertEqual(answers[k]["notes"], [])
            self.assertEqual(base64.b64decode(answers[k]["base64"]), written(*said, "-o", f"a.{format}"), format)

    def test_arrays_are_numbers_of_64_bits(self):
        call = dict(command="export", lab="multi_head", figure=["weights"])
        (arrays, page), _ = served(line(id=1, format="arrays", **call), line(id=2, format="json", **call))
        one = arrays["arrays"][0]
        marks = json.loads(base64.b64decode(page["base64"]))["figures"][0]["plots"][0]["marks"]
        told = next(mark for mark in marks if mark["type"] == "heatmap")
        self.assertEqual((one["name"], one["dtype"], one["shape"]), ("weights", "float64", told["shape"]))
        numbers = struct.unpack(f"<{one['shape'][0] * one['shape'][1]}d", base64.b64decode(one["base64"]))
        flat = [value for row in told["data"] for value in row]
        for number, value in zip(numbers, flat):
            if value is None:
                self.assertNotEqual(number, number)
            else:
                self.assertAlmostEqual(number, value, delta=1e-7)

    def test_ids_come_back_and_their_like_is_refused(self):
        answers, _ = served(line(id="a b", command="hello"), line(id=2.5, command="hello"), line(command="hello"))
        self.assertEqual([one["id"] for one in answers], ["a b", 2.5, None])
        self.assertIsNone(self.refused('id: expected a number or a text, got "[1]"', line(id=[1], command="hello"))["id"])

    def test_wrong_words_are_one_sentence(self):
        export = dict(id=7, command="export", lab="multi_head", format="svg")
        for sentence, call in (
            ('command: expected hello, labs, export, tensors, forget, got "nothing_such"', dict(id=7, command="nothing_such")),
            ("command: expected hello, labs, export, tensors, forget, got nothing", dict(id=7)),
            ("heads: expected an integer from 1 to 32, got 99", dict(export, set={"heads": 99})),
            ('expected an option of export, got "out"', dict(export, out="x.svg")),
            ('expected an option of export, got "with_json"', dict(export, with_json=True)),
            ('expected an option of export, got "hight"', dict(export, hight="3mm")),
            ('no_caption: expected true or false, got "3"', dict(export, no_caption=3)),
            ('set.heads: expected a text, a number, true or false, got "null"', dict(export, set={"heads": None})),
            ('--width: expected a length from 15 to 2000 mm such as 85mm, 8.5cm, 3.35in, 241pt or 1200px, got "85mm, 90mm"',
             dict(export, width=["85mm", "90mm"])),
            ('--format: expected png, svg, pdf, html, csv, json, npy, npz or safetensors, got "bmp"', dict(export, format="bmp")),
            ("expected a lab or --session, got neither of them", dict(id=7, command="export", format="svg")),
        ):
            with self.subTest(sentence):
                self.assertEqual(self.refused(sentence, line(**call))["id"], 7)

    def test_garbage_is_refused_and_the_server_goes_on(self):
        self.refused('expected a call as a JSON object on one line, got "nonsense"', b"nonsense\n")
        self.refused('expected a call as a JSON object on one line, got "[1,2]"', b"[1,2]\n")
        self.refused('expected a call as a JSON object on one line, got "\\x00\\xff\\x1b"', b"\0\xff\x1b\n")
        deep = b"[" * 200_000 + b"\n"
        answers, status = served(deep, line(id=1, command="hello"))
        self.assertEqual((status, "error" in answers[0], answers[1]["id"]), (0, True, 1))

    def test_a_line_that_is_cut_off_is_refused_and_one_without_its_end_is_answered(self):
        whole = line(id=1, command="hello")
        answers, status = served(whole, whole[:12])
        self.assertEqual((status, len(answers)), (0, 2))
        self.assertIn("expected a call as a JSON object", answers[1]["error"])
        answers, status = served(whole[:-1])
        self.assertEqual((status, answers[0]["id"]), (0, 1))
        self.assertEqual(served(b"\n\n  \r\n"), ([], 0))
        self.assertEqual(served(), ([], 0))

    def test_a_line_that_is_too_long_is_refused(self):
        process = subprocess.Popen([PROGRAM, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENGLISH)
        with process:
            part = b"x" * (1 << 20)
            for _ in range(65):
                process.stdin.write(part)
            process.stdin.write(b"\n" + line(id=1, command="hello"))
            process.stdin.close()
            answers = [json.loads(one) for one in process.stdout]
        self.assertEqual(answers[0]["error"], "expected a line of at most 64 MB, got a longer one")
        self.assertEqual(answers[1]["id"], 1)

    def test_tensors_come_inside_of_a_call_and_their_files_go_again(self):
        numbers = struct.pack("<8f", *[0.25, 0.75, 1.0, 0.0, 0.5, 0.5, 0.125, 0.875])
        array = {"shape": [2, 2, 2], "dtype": "float32", "base64": base64.b64encode(numbers).decode()}
        process = subprocess.Popen([PROGRAM, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENGLISH)

        def ask(**call):
            process.stdin.write(line(**call))
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        with process:
            given = ask(id=1, command="tensors", arrays={"attention": array}, tokens=["river", "bank"])["result"]["set"]
            self.assertEqual(sorted(given), ["file", "tokens_file"])
            self.assertTrue(all(Path(path).is_file() for path in given.values()))
            page = ask(id=2, command="export", lab="tensors", set={**given, "view": "head", "head": 2}, format="json")
            page = json.loads(base64.b64decode(page["base64"]))
            self.assertIsNone(page["session"])  # its file goes
            self.assertIn("bank", json.dumps(page))
            self.assertIn("0.875", json.dumps(page))
            svg = base64.b64decode(ask(id=3, command="export", lab="tensors", set=given, format="svg")["base64"])
            self.assertNotIn(Path(given["file"]).parent.name.encode(), svg)  # no path on paper
            ask(id=4, command="forget", set={"tokens_file": given["tokens_file"]})
            self.assertIn('set: expected what "tensors" answered', ask(
                id=5, command="forget", set={"tokens_file": given["tokens_file"]})["error"])  # it is forgotten
            self.assertFalse(Path(given["tokens_file"]).exists())
            self.assertFalse(Path(given["tokens_file"]).parent.exists())
            process.stdin.close()
            process.wait(HANGS)
        self.assertFalse(Path(given["file"]).parent.exists())

    def test_tensors_that_are_none_are_refused(self):
        good = {"shape": [2, 2], "dtype": "float32", "base64": base64.b64encode(b"\0" * 16).decode()}
        for sentence, arrays in (
            ("a: expected 16 bytes for its shape, got 8", {"a": {**good, "base64": base64.b64encode(b"\0" * 8).decode()}}),
            ('a: expected the dtype float32 or float64, got "int8"', {"a": {**good, "dtype": "int8"}}),
            ("a: expected numbers in base64, got none", {"a": {**good, "base64": "*"}}),
            ('a: expected a shape of whole numbers from 1 on, of at most 268435456 numbers, got "[2,-2]"',
             {"a": {**good, "shape": [2, -2]}}),
            ('a: expected a shape of whole numbers from 1 on, of at most 268435456 numbers, got "[1000000,1000000]"',
             {"a": {**good, "shape": [1000000, 1000000]}}),
            ('a: expected "base64", got nothing', {"a": {"shape": [1], "dtype": "float32"}}),
            ('arrays: expected an object of arrays, got "{}"', {}),
        ):
            with self.subTest(sentence):
                self.refused(sentence, line(id=1, command="tensors", arrays=arrays))
        self.refused('tokens: expected a list of texts, got "[1]"',
                     line(id=1, command="tensors", arrays={"a": good}, tokens=[1]))

    def test_a_signal_leaves_no_file(self):
        if os.name != "posix":
            self.skipTest("signals are POSIX's")
        array = {"shape": [1, 1], "dtype": "float32", "base64": base64.b64encode(b"\0" * 4).decode()}
        process = subprocess.Popen([PROGRAM, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENGLISH)
        with process:
            process.stdin.write(line(id=1, command="tensors", arrays={"a": array}))
            process.stdin.flush()
            path = Path(json.loads(process.stdout.readline())["result"]["set"]["file"])
            self.assertEqual(path.parent.stat().st_mode & 0o777, 0o700)
            process.send_signal(signal.SIGTERM)
            process.wait(HANGS)
        self.assertFalse(path.parent.exists())

    def test_labs_are_those_of_the_command_line(self):
        said = subprocess.run([PROGRAM, "labs", "rotary", "--json"], capture_output=True, env=ENGLISH, timeout=HANGS).stdout
        answers, _ = served(line(id=1, command="labs", lab="rotary"), line(id=2, command="labs", names=True),
                            line(id=3, command="labs", lab="multi_head", names=True, preset="hot"))
        self.assertEqual(answers[0]["result"], json.loads(said))
        self.assertIn("rotary", [one["id"] for one in answers[1]["result"]["labs"]])
        self.assertIn("links", [one["id"] for one in answers[2]["result"]["figures"]])

    def test_what_is_reported_comes_with_the_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            session = Path(folder) / "a.attn"
            session.write_text('{"attnscope":1,"lab":"masks","views":{"none":[0,1,0,1]}}')
            answers, _ = served(line(id=1, command="export", lab="masks", session=str(session), format="json"),
                                line(id=2, command="hello"))
        self.assertEqual(len(answers[0]["notes"]), 1)
        self.assertIn('a view of "none"', answers[0]["notes"][0])
        self.assertEqual(answers[1]["notes"], [])

    def test_the_standard_output_and_input_of_an_export(self):
        def export(*words, **options):
            return subprocess.run([PROGRAM, "export", *words], capture_output=True, env=ENGLISH, timeout=HANGS, **options)

        said = export("masks", "--figure", "mask", "-o", "-", "--format", "svg")
        self.assertEqual(said.stdout, written("export", "masks", "--figure", "mask", "-o", "a.svg"))
        self.assertEqual(said.stderr, b"")
        self.assertEqual(export("masks", "-o", "-").stderr.decode(),
                         "attnscope: --format: expected png, svg, pdf, html, csv, json, npy, npz or safetensors, got nothing\n")
        self.assertEqual(export("masks", "-o", "a.svg", "--format", "svg").stderr.decode(),
                         "attnscope: expected --format only with -o -, got it without\n")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "export", "masks", "-o", "-", "--format", "svg"], stdout=full,
                                  stderr=subprocess.PIPE, env=ENGLISH, timeout=HANGS)
        self.assertEqual(done.returncode, 1)
        two = export("multi_head", "--figure", "weights", "--figure", "links", "-o", "-", "--format", "json")
        self.assertEqual([one["id"] for one in json.loads(two.stdout)["figures"]], ["head", "links"])
        table = export("pooling", "--set", "file=-", "-o", "-", "--format", "json", input=b"x,y\n0,1\n1,2\n2,5\n")
        self.assertEqual(table.stderr, b"")
        self.assertIsNone(json.loads(table.stdout)["session"])
        self.assertEqual(export("pooling", "--set", "file=-", "-o", "-", "--format", "json", input=b"").stderr.decode(),
                         "attnscope: expected a file on the standard input, got nothing\n")
        twice = export("tensors", "--set", "file=-", "--set", "tokens_file=-", "-o", "-", "--format", "svg", input=b"a\n")
        self.assertEqual(twice.stderr.decode(),
                         "attnscope: expected one file from the standard input, got a second one, tokens_file\n")

    def test_a_small_figure_is_quick(self):
        process = subprocess.Popen([PROGRAM, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENGLISH)
        with process:
            times = []
            for k in range(8):
                begun = time.monotonic()
                process.stdin.write(line(id=k, command="export", lab="multi_head", figure=["weights"], width="85mm",
                                         format="svg"))
                process.stdin.flush()
                process.stdout.readline()
                times.append(time.monotonic() - begun)
            process.stdin.close()
        print(f"a served call: {min(times) * 1000:.0f} ms, the first {times[0] * 1000:.0f} ms")


if __name__ == "__main__":
    unittest.main()
