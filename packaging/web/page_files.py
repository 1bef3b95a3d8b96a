"""Parts of page_test.py: what goes into the page and out of it, and what the browser keeps of it."""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import time

from browser import Failure, Host, check
from page_common import MIB, folder, memory, native, silent, site, tree


def downloaded(name):
    end = time.monotonic() + 60
    while not (folder / name).exists():
        if time.monotonic() > end:
            raise Failure(f"expected the download {name}, got {[p.name for p in folder.iterdir()]}")
        time.sleep(0.1)
    return folder / name


def answer(page, name):
    page.wait(lambda m: "dialog.path" in m["controls"], "a dialog")
    page.key("ctrl+a")
    page.type(name)
    page.key("Enter")


def drawn(svg):
    """The size of a picture in steps of 20, how often each element is in it, and each letter. Lines may break elsewhere."""
    text = svg.read_text()
    size = re.search(r'width="(\d+)px" height="(\d+)px"', text).groups()
    letters = collections.Counter("".join(re.findall(r"<text[^>]*>([^<]*)", text)).replace(" ", ""))
    tags = collections.Counter(tag for tag in re.findall(r"<(\w+)", text) if tag != "text")
    return [round(int(one) / 20) for one in size], tags, letters


def numbers(page, host):
    """What a person takes home, beside what the native program writes."""
    page.open(host.url, "#multi_head?lang=en&v=1")
    page.wait(lambda m: m["lab"] == "multi_head" and not m["stale"], "the lab")
    for name in ("page.svg", "page.png", "page.pdf"):
        page.key("ctrl+e")
        answer(page, name)
        downloaded(name)
    for name in ("page.json", "page.csv", "page.npz"):
        page.key("ctrl+k")
        page.type("Export the numbers")
        page.key("Enter")
        answer(page, name)
        downloaded(name)
    # With vectors of four, as here.
    subprocess.run([native, "export", "multi_head", "-o", folder / "native.json"], check=True, capture_output=True,
                   env={**os.environ, "ATTNSCOPE_ISA": "baseline"})
    subprocess.run([sys.executable, tree / "packaging/web/same_numbers.py", "multi_head", folder / "native.json", folder / "page.json"],
                   check=True)
    check((folder / "page.png").read_bytes().startswith(b"\x89PNG"), "a PNG")
    subprocess.run([native, "export", "multi_head", "--figure", "heads", "-o", folder / "native.svg"], check=True, capture_output=True)
    ours, theirs = (drawn(folder / name) for name in ("page.svg", "native.svg"))
    check(ours == theirs, "what the native SVG has", (ours, theirs))
    silent(page)


def files(page, host):
    """A session chosen, a model's folder dropped, its files chosen, and 600 MB that are read where they lie."""
    session = folder / "mine.attn"
    session.write_text('{"attnscope":1,"lab":"rotary","values":{"base":200}}')
    page.open(host.url, "#softmax?lang=en&v=1")
    chosen = page.driver.find_element("id", "chosen")
    chosen.send_keys(str(session))
    page.wait(lambda m: m["lab"] == "rotary" and m["knobs"]["base"] == 200, "the chosen session")
    model = folder / "model"
    shutil.copytree(tree / "assets/checkpoints/gpt2", model)
    of_one = lambda m: m["lab"] == "checkpoint" and not m["stale"] and not m["errors"]
    page.drop(600, 400, model)
    page.wait(of_one, "the dropped folder's model")
    page.open(host.url, "#softmax?lang=en&v=1")
    page.driver.find_element("id", "chosen").send_keys("\n".join(str(file) for file in model.iterdir()))
    page.wait(of_one, "the model of the chosen files")
    cells = 150 * MIB
    header = json.dumps({"big": {"dtype": "F32", "shape": [cells // 1024, 1024], "data_offsets": [0, cells * 4]}}).encode()
    header += b" " * (-len(header) % 8)
    big = folder / "big.safetensors"
    with open(big, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + cells * 4)
    page.open(host.url, "#softmax?lang=en&v=1")
    before = memory(page)
    page.driver.find_element("id", "chosen").send_keys(str(big))
    # All of it is read for the figures that ask for it: that goes on.
    now = page.wait(lambda m: m["lab"] == "tensors" and m["plots"], "the lab of tensors with the big file", settled=False)
    check(not now["errors"], "a file that opens", now["errors"])
    check(memory(page) - before < 200, "at most 200 MiB for a file of 600 MB", memory(page) - before)
    silent(page)


def hide(page):
    page.run("dispatchEvent(new Event('pagehide'))")
    time.sleep(0.5)


def kept(page, host):
    """Settings, over a new visit; the view, over a reload."""
    page.open(host.url, "#softmax?lang=en&v=1")
    theme = page.wait(lambda m: m["lab"] == "softmax", "the lab")["theme"]
    page.key("ctrl+t")
    other = page.wait(lambda m: m["theme"] != theme, "the other theme")["theme"]
    hide(page)
    page.open(host.url, "#masks?lang=en&v=1")
    page.wait(lambda m: m["theme"] == other, "the theme that was left")
    page.click("lab.rotary") if "lab.rotary" in page.map()["controls"] else page.key("PAGE_DOWN")
    lab = page.wait(lambda m: m["lab"] != "masks", "another lab")["lab"]
    page.driver.refresh()
    page.until(page.shown, "the page again")
    page.wait(lambda m: m["lab"] == lab, "the view that was left")
    silent(page)


def denied(page, host):
    """A browser that keeps nothing says so once, and the page goes on without."""
    page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
        "source": "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('denied') } })"})
    page.open(host.url, "#softmax?lang=en&v=1")
    page.until(lambda: "keeps nothing" in page.note(), "a word about it")
    page.run("document.getElementById('note').hidden = true")
    hide(page)
    check(page.note() == "", "one word alone", page.note())
    page.wait(lambda m: m["lab"] == "softmax" and not m["stale"], "the lab")
    page.console()


def offline(page, host):
    """A second visit without a network, and a new version that waits to be taken."""
    ours = folder / "site"
    shutil.copytree(site, ours, symlinks=True)
    for one in ours.rglob("*.br"):
        one.unlink()
    there = Host(ours)
    page.open(there.url, "#softmax?lang=en&v=1")
    wanted = len(re.findall(r"'[^']*'", re.search(r"kFiles = .(.*?).;", (ours / "sw.js").read_text(), re.S).group(1)))
    page.until(lambda: page.run("return caches.keys().then(async n => (await (await caches.open(n.at(-1))).keys()).length)")
               >= wanted, "all files kept")
    css = ours / "page.css"
    css.write_text(css.read_text() + "/* later */")
    worker = (ours / "sw.js").read_text()
    at = worker.index("attnscope-") + len("attnscope-")
    (ours / "sw.js").write_text(worker[:at] + "0123456789abcdef" + worker[at + 16:])
    page.open(there.url, "#rotary?lang=en&v=1")
    page.until(lambda: "new version" in page.note(), "a new version that is offered")
    page.wait(lambda m: m["lab"] == "rotary", "the running version")
    page.run("document.querySelector('#note button').click()")
    page.until(lambda: page.run("return caches.keys()") == ["attnscope-0123456789abcdef"], "the new version alone")
    page.until(page.shown, "the new version")
    page.wait(lambda m: m["lab"] == "rotary", "the same view")
    there.close()
    page.open(there.url, "#gpt_inside?lang=en&v=1")
    page.wait(lambda m: m["lab"] == "gpt_inside" and not m["stale"], "a lab without a network")
    page.console()
