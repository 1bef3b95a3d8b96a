"""What an installation holds: the program that starts from there, what a desktop wants, the manual,
completions that a shell can use, and core for a program outside of the tree."""

import gzip
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

SOURCE, BUILD = Path(sys.argv.pop(1)), Path(sys.argv.pop(1))


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="attnscope-test-")
        cls.prefix = Path(cls.folder.name) / "usr"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.program = cls.prefix / "bin" / "attnscope"
        cls.share = cls.prefix / "share"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_program_starts_from_there(self):
        said = run(self.program, "--version", cwd=self.prefix)
        self.assertRegex(said, r"^attnscope \d+\.\d+\.\d+\nbuilt with: .*Eigen 3.*Cairo \d.*\n"
                               r"instruction set: (baseline|v3|v4)")
        out = self.prefix / "figure.png"
        run(self.program, "export", "softmax", "-o", out, "--figure", "melting", cwd=self.prefix)
        self.assertTrue(out.read_bytes().startswith(b"\x89PNG"))

    def test_the_entry_names_what_is_there(self):
        entry = (self.share / "applications" / "attnscope.desktop").read_text(encoding="utf-8")
        keys = dict(line.split("=", 1) for line in entry.splitlines() if "=" in line)
        self.assertEqual(keys["Exec"], "attnscope %f")
        self.assertEqual(keys["Icon"], "attnscope")
        self.assertIn("Comment[zh_CN]", keys)
        types = xml.parse(self.share / "mime" / "packages" / "attnscope.xml").getroot()
        named = {child.get("type") for child in types}
        self.assertEqual(named | {"inode/directory"}, set(keys["MimeType"].strip(";").split(";")))
        for size in (16, 48, 512):
            icon = self.share / f"icons/hicolor/{size}x{size}/apps/attnscope.png"
            header = icon.read_bytes()[:24]
            self.assertEqual(int.from_bytes(header[16:20], "big"), size)
            self.assertEqual(int.from_bytes(header[20:24], "big"), size)
        meta = xml.parse(self.share / "metainfo" / "attnscope.metainfo.xml").getroot()
        self.assertEqual(meta.find("launchable").text, "attnscope.desktop")

    def test_the_manual_has_every_option(self):
        page = gzip.open(self.share / "man/man1/attnscope.1.gz", "rt", encoding="utf-8").read()
        plain = page.replace("\\-", "-")
        for command in ("", "labs", "export", "gallery", "shot", "sweep", "lesson", "serve", "desktop-files"):
            words = [command] if command else []
            for option in re.findall(r"(--[a-z-]+)", run(self.program, *words, "--help")):
                self.assertIn(option, plain)
        chinese = gzip.open(self.share / "man/zh_CN/man1/attnscope.1.gz", "rt", encoding="utf-8")
        self.assertRegex(chinese.read(), "[一-鿿]")

    def complete(self, *words):
        script = self.share / "bash-completion/completions/attnscope"
        ask = (f'source "{script}"; COMP_WORDS=({" ".join(repr(w) for w in words)}); '
               f'COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); compopt() {{ :; }}; _attnscope; '
               'printf "%s\\n" "${COMPREPLY[@]}"')
        return run("bash", "-c", ask).split()

    def test_bash_completes(self):
        self.assertIn("export", self.complete("attnscope", "ex"))
        self.assertEqual(self.complete("attnscope", "export", "rot"), ["rotary"])
        self.assertIn("--figure", self.complete("attnscope", "export", "rotary", "--f"))
        self.assertEqual(self.complete("attnscope", "export", "rotary", "--theme", "d"), ["dark"])
        self.assertIn("first_look",
                      self.complete("attnscope", "export", "rotary", "--preset", "first"))
        self.assertIn("heads=", self.complete("attnscope", "export", "multi_head", "--set", "he"))

    def test_for_me_and_back(self):
        self.for_me_and_back("home", ".local/share")
        self.for_me_and_back("elsewhere", "data", XDG_DATA_HOME="data")

    def for_me_and_back(self, name, share, **where):
        home = self.prefix / name
        home.mkdir()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
        environment.update(HOME=str(home), LANG="C.UTF-8", PATH="/nonexistent",
                           **{key: str(home / folder) for key, folder in where.items()})
        run(self.program, "--install-for-me", env=environment)
        entry = home / share / "applications/attnscope.desktop"
        self.assertIn(f"Exec={self.program} %f", entry.read_text(encoding="utf-8"))
        other = entry.parent / "other.desktop"
        other.write_text("another program's")
        run(self.program, "--remove-for-me", env=environment)
        left = sorted(path for path in home.rglob("*") if path.is_file())
        self.assertEqual(left, [other])

    def test_python_finds_the_program_beside_it(self):
        packages = self.prefix / "lib/python3/dist-packages"
        code = "import attnscope; print(attnscope.program()); print('rotary' in attnscope.labs())"
        environment = {k: v for k, v in os.environ.items() if k != "ATTNSCOPE_PROGRAM"}
        environment.update(PYTHONPATH=str(packages), PYTHONDONTWRITEBYTECODE="1", PATH="/nonexistent")
        done = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, env=environment)
        if "No module named 'numpy'" in done.stderr:
            self.skipTest("there is no NumPy here")
        self.assertEqual(done.stdout, f"{self.program}\nTrue\n", done.stderr)

    def test_core_serves_others(self):
        build = self.prefix / "uses_core"
        run("cmake", "-S", SOURCE / "tests" / "installed", "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", build)
        self.assertEqual(run(build / "uses_core").strip(), "0.250000 0.750000")


if __name__ == "__main__":
    unittest.main()
