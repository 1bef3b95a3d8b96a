"""What the parts of page_test.py have in common: what is tried, and what is looked at in each."""
import json
import pathlib
import subprocess
import sys
import tempfile

from browser import check

site, native, tree = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
folder = pathlib.Path(tempfile.mkdtemp())
MIB = 1 << 20


def silent(page):
    said = page.console()
    check(not said, "no word in the console", said)


def own_requests(page, host):
    others = [url for url in page.addresses()
              if not url.startswith((host.url, "blob:", "data:", "about:", "chrome:"))]
    check(not others, "no request to anywhere else", others)


def memory(page):
    return page.run("return Module.HEAPU8.length") / MIB


def said_by_native(*words):
    return subprocess.run([native, *words], capture_output=True, text=True, check=True).stdout


def described():
    return json.loads(said_by_native("labs", "--json"))["labs"]


def labs_of():
    return [lab["id"] for lab in described()]
