#!/usr/bin/env python3
"""The page as people use it, in a headless browser.

usage: page_test.py SITE NATIVE_PROGRAM TREE [PART...]; PARTS below has them all.
"""
import pathlib
import shutil
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Host, Page, check  # noqa: E402
from page_common import described, folder, labs_of, memory, own_requests, said_by_native, silent, site, tree  # noqa: E402
import page_files  # noqa: E402

PARTS = ("first labs presets link back numbers files lessons training frames hidden kept denied offline touch text embed lost "
         "missing").split()
LANGUAGES = {"en": "en", "zh_CN": "zh-CN"}
# Of five lessons, in the language in which they are walked.
LESSONS = {"averaging": "en", "first_steps": "zh_CN", "softmax": "en", "masks": "zh_CN", "rope": "en"}


def first(page, host):
    """The first picture, from nothing and then from what the browser keeps."""
    cold = page.open(host.url)
    held = memory(page)
    page.until(lambda: page.run(
        "return caches.keys().then(async names => (await (await caches.open(names[0])).keys()).length)")
        > len(list(site.glob("later/**/*.*"))), "all files kept")
    warm = page.open(host.url)
    print(f"first picture: {cold:.1f} s, {warm:.1f} s on the second visit; {held:.0f} MiB")
    check(held <= 300, "at most 300 MiB at first", held)
    silent(page)
    own_requests(page, host)


def labs(page, host):
    """Every lab, by its link, in both languages: its figures are there and nothing is told."""
    slowest = []
    for language in LANGUAGES:
        for lab in labs_of():
            began = time.monotonic()
            page.open(host.url, f"#{lab}?lang={language}&v=1")
            now = page.wait(lambda m: m["lab"] == lab and not m["stale"], f"the lab {lab} in {language}")
            slowest.append((round(time.monotonic() - began, 1), lab, language))
            check(now["language"] == language, language, now["language"])
            check(now["plots"], f"figures of {lab}", now["plots"])
            check(not now["message"] and not now["errors"], "nothing told", (now["message"], now["errors"]))
            silent(page)
    print("slowest to open:", sorted(slowest, reverse=True)[:4])
    own_requests(page, host)


def presets(page, host):
    """Every preset, by its link, in the page that is open, in both languages: nothing is told."""
    slowest = []
    for language in LANGUAGES:
        page.open(host.url, f"#softmax?lang={language}&v=1")
        for lab in described():
            for preset in lab["presets"]:
                name = f"{lab['id']} {preset['id']} {language}"
                link = said_by_native("link", lab["id"], "--preset", preset["id"], "--lang", language).strip()
                began = time.monotonic()
                page.run("location.hash = arguments[0]", link[link.index("#"):])
                now = page.wait(lambda m: m["lab"] == lab["id"] and not m["stale"] and not m["busy"], name)
                slowest.append((round(time.monotonic() - began, 1), name))
                check(now["plots"], f"figures of {name}", now["plots"])
                check(not now["message"] and not now["errors"], f"nothing told of {name}", (now["message"], now["errors"]))
                said = page.console()
                check(not said, f"no word in the console at {name}", said)
    print(len(slowest), "presets; slowest:", sorted(slowest, reverse=True)[:4])


def link(page, host):
    page.open(host.url, "#rotary?base=100&lang=en&v=1")
    page.wait(lambda m: m["lab"] == "rotary" and m["knobs"]["base"] == 100, "the knob of the link")
    page.click("button.export")
    page.click("export.link")
    copied = page.until(lambda: page.run("return attnscope.copied()"), "a copied link")
    check(copied == f"{host.url}#rotary?base=100&lang=en&v=1", "the link of this view", copied)
    page.open(host.url, copied[copied.index("#"):])
    page.wait(lambda m: m["knobs"]["base"] == 100, "the same view")
    page.open(host.url, "#pooling?lesson=averaging&stop=3&lang=zh_CN&v=1")
    page.wait(lambda m: m["lesson"] and m["lesson"]["stop"], "the stop of the lesson")
    silent(page)
    for broken, word in (("#rotary?base=100&lang=en&v=9", "version"), ("#nothing-at-all?v=1", "nothing-at-all"),
                         ("#rotary?packed=AAAA&v=1", "damaged")):
        page.driver.get("about:blank")
        page.driver.get(f"{host.url}?control_map{broken}")
        page.until(lambda: word in page.said(), f"a sentence with {word!r}")
        check(page.run("return document.querySelector('#cover a') !== null"), "a way on")
    page.console()


def back(page, host):
    """From lab to lab, back and on again, in the same page."""
    page.open(host.url, "#rotary?base=100&lang=en&v=1")
    page.wait(lambda m: m["lab"] == "rotary" and m["knobs"]["base"] == 100, "the lab of the link")
    page.run("window.same = true")
    page.click("lab.softmax")
    page.wait(lambda m: m["lab"] == "softmax", "another lab")
    page.until(lambda: page.run("return location.hash") == "#softmax", "its place in the address")
    page.driver.back()
    page.wait(lambda m: m["lab"] == "rotary" and m["knobs"]["base"] == 100, "the lab before")
    page.driver.forward()
    page.wait(lambda m: m["lab"] == "softmax", "the lab after it")
    page.run("location.hash = '#pooling?lesson=averaging'")
    page.wait(lambda m: m["lesson"], "the lesson of another link")
    page.driver.back()
    page.wait(lambda m: m["lab"] == "softmax" and not m["lesson"], "the lab before the lesson")
    check(page.run("return window.same"), "the same page all the time")
    silent(page)


def lessons(page, host):
    """Lessons to their end: what can be answered by a click or a number is answered, the rest is shown."""
    for name, language in LESSONS.items():
        link = said_by_native("link", "--lesson", name, "--lang", language).strip()
        page.open(host.url, link[link.index("#"):])
        now = page.wait(lambda m: m["lesson"] and m["lesson"]["name"] == name, f"the lesson {name}")
        answered = 0
        for _ in range(6 * now["lesson"]["of"]):
            now = page.wait(lambda m: not m["stale"] and not m["lesson"]["moving"], "a stop")
            there = now["controls"]
            if "lesson.tally" in there:
                break
            choice = next((one for one in ("lesson.option.0", "lesson.true") if one in there), None)
            before = now["lesson"]
            if choice and before["phase"] == "asking":
                page.click(choice)
                answered += 1
            else:
                page.click("lesson.next")
            page.until(lambda: page.map()["lesson"] != before or "lesson.tally" in page.map()["controls"],
                       f"what follows on {before}")
        check("lesson.tally" in page.map()["controls"], f"the end of {name}", page.map()["lesson"])
        check(answered > 0, f"questions of {name}", answered)
        print(f"{name} ({language}): {now['lesson']['of']} stops, {answered} answered")
        silent(page)


def training(page, host):
    """A GPT is trained, stopped, gone on with and scrubbed; a tab that is closed in the middle leaves the next one whole."""
    here = "#gpt_training?weights=here&steps=2000&step=2000&lang=en&v=1"
    page.open(host.url, here)
    reached = lambda m: max((run["reached"] for run in m["trainings"].values()), default=0)
    page.wait(lambda m: m["lab"] == "gpt_training" and "training.pause" in m["controls"], "a training", settled=False)
    before = reached(page.map())
    now = page.until(lambda: (m := page.map()) and reached(m) > before + 5 and m, "more steps")
    page.click("training.pause")
    state = lambda m: [run["state"] for run in m["trainings"].values()]
    now = page.wait(lambda m: "paused" in state(m), "a pause")
    at = reached(now)
    time.sleep(1)
    check(reached(page.map()) == at, f"no step while it is paused, after {at}", reached(page.map()))
    page.click("training.go_on")
    page.until(lambda: reached(page.map()) > at, "steps again")
    page.click("training.pause")
    page.wait(lambda m: "paused" in state(m), "a pause")
    silent(page)
    page.open(host.url, here)
    page.wait(lambda m: m["lab"] == "gpt_training" and not m["errors"] and m["trainings"], "a training after it", settled=False)
    silent(page)


def frames(page, host):
    """What a frame takes while a slider is dragged, in the first page of each lab."""
    page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
        window.drawn = []
        const ask = window.requestAnimationFrame.bind(window)
        window.requestAnimationFrame = call => ask(now => {
          const begun = performance.now()
          call(now)
          window.drawn.push([begun, performance.now() - begun])
        })"""})
    print(f"{'lab':20} {'frames':>6} {'median ms':>9} {'longest':>8} {'between':>8} {'MiB':>5}")
    slow = []
    for lab in labs_of():
        page.open(host.url, f"#{lab}?lang=en&v=1")
        now = page.wait(lambda m: m["lab"] == lab and not m["stale"], lab)
        knob = next((name for name in now["controls"] if name.endswith(".slider")), None)
        if not knob:
            print(f"{lab:20} no slider in sight")
            continue
        page.run("window.drawn.length = 0")
        page.drag(knob, 0.3, 0.7, 30)
        drawn = page.run("return window.drawn")
        took = [one[1] for one in drawn if one[1] > 0.2] or [0]
        between = [b[0] - a[0] for a, b in zip(drawn, drawn[1:])] or [0]
        print(f"{lab:20} {len(took):6} {statistics.median(took):9.1f} {max(took):8.1f} {statistics.median(between):8.1f} "
              f"{memory(page):5.0f}", flush=True)
        if statistics.median(took) > 33 or max(took) > 100:
            slow.append(lab)
        silent(page)
    print("beyond 33 ms in the middle or 100 at most:", *slow or ["none"])


def hidden(page, host):
    """A page that nobody sees draws nothing, and draws again when it is seen."""
    page.open(host.url, "#gpt_inside?lang=en&v=1")
    page.wait(lambda m: m["lab"] == "gpt_inside" and not m["stale"], "the lab")
    window = page.driver.execute_cdp_cmd("Browser.getWindowForTarget", {})["windowId"]
    set_state = lambda state: page.driver.execute_cdp_cmd("Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": state}})
    set_state("minimized")
    page.until(lambda: page.run("return document.hidden"), "a hidden page")
    time.sleep(1)
    before = page.map()["frames"]
    time.sleep(2)
    check(page.map()["frames"] == before, "no frame while it is hidden", page.map()["frames"] - before)
    set_state("normal")
    page.until(lambda: not page.run("return document.hidden"), "a page that is seen")
    page.key("PAGE_DOWN")
    page.wait(lambda m: m["lab"] != "gpt_inside", "another lab")
    silent(page)


def touch(_, host):
    """A tablet: a tap, a slider that is dragged, two fingers."""
    page = Page(size=(1024, 768), touch=True)
    try:
        page.open(host.url, "#softmax?lang=en&v=1")
        page.wait(lambda m: m["lab"] == "softmax" and not m["stale"], "the lab")
        before = page.map()["knobs"]
        knob = next(name for name in page.map()["controls"] if name.endswith(".slider"))
        a, b = page.place(knob, 0.2), page.place(knob, 0.8)
        page.fingers([a], *[[(a[0] + (b[0] - a[0]) * k // 8, a[1])] for k in range(1, 9)])
        page.wait(lambda m: m["knobs"] != before, "a knob that a finger turned")
        page.open(host.url, "#pooling?lang=en&v=1")
        plots = page.wait(lambda m: m["lab"] == "pooling" and not m["stale"], "the lab")["plots"]
        name, plot = "data", plots["data"]
        x, y, w, h = plot["rect"]
        cx, cy = x + w // 2, y + h // 2
        page.fingers(*[[(cx - d, cy), (cx + d, cy)] for d in (20, 30, 45, 70, 100)])
        page.wait(lambda m: m["plots"][name]["shown"] != plot["shown"], "a plot that two fingers zoom into")
        silent(page)
    finally:
        page.close()


def text(page, host):
    """Chinese by an input method, of a character whose font has to be fetched; the clipboard."""
    page.open(host.url, "#multi_head?lang=en&v=1")
    page.wait(lambda m: not m["stale"], "the lab")
    page.click("text" if "text" in page.map()["controls"] else "knob.text")
    page.key("ctrl+a")
    page.driver.execute_cdp_cmd("Input.imeSetComposition", {"text": "xi", "selectionStart": 2, "selectionEnd": 2})
    page.driver.execute_cdp_cmd("Input.insertText", {"text": "彳亍 walks"})
    page.key("Enter")
    page.wait(lambda m: m["knobs"]["text"] == "彳亍 walks", "what was typed")
    page.until(lambda: any("cjk.otf" in path for path in host.asked), "the font of all characters")
    silent(page)


def embed(page, host):
    """One figure with two knobs in a frame of somebody's page."""
    page.open(host.url, "&embed=data,bandwidth,n#pooling?lang=en&v=1")
    now = page.wait(lambda m: m["lab"] == "pooling" and not m["stale"], "the lab")
    knobs = [name for name in now["controls"] if name in ("knob.bandwidth", "knob.n", "knob.noise")]
    check(sorted(knobs) == ["knob.bandwidth", "knob.n"], "two knobs", sorted(now["controls"]))
    check("button.export" not in now["controls"], "no header", sorted(now["controls"]))
    whole = page.run("return document.getElementById('whole').href")
    check(whole.startswith(f"{host.url}#pooling"), "the way to all of the program", whole)
    silent(page)


def lost(page, host):
    """The graphics context goes and comes back: the page goes on where it was."""
    page.open(host.url, "#rotary?base=100&lang=en&v=1")
    page.wait(lambda m: m["lab"] == "rotary", "the lab")
    page.key("PAGE_DOWN")
    lab = page.wait(lambda m: m["lab"] != "rotary", "another lab")["lab"]
    page.run("const e = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');"
             "e.loseContext(); setTimeout(() => e.restoreContext(), 500)")
    page.until(lambda: not page.shown(), "a sign of it")
    page.until(page.shown, "the page again")
    page.wait(lambda m: m["lab"] == lab, "the same view")
    page.console()


def missing(_, host):
    """No WebGL 2, no threads, no host: one sentence, and the program's pictures."""
    page = Page(switches=["--disable-3d-apis"])
    try:
        page.driver.get(host.url)
        page.until(lambda: "WebGL 2" in page.said(), "what is missing")
        labs = len(list((tree / "docs/labs").glob("*.png")))
        shown = lambda: page.run("return document.querySelectorAll('#pictures figure').length")
        check(shown() == labs, f"{labs} pictures", shown())
        page.driver.get((site / "index.html").as_uri())
        page.until(lambda: "host" in page.said(), "what a file is missing")
        page.until(lambda: page.run("return document.querySelector('#pictures img').naturalWidth"), "a picture")
        check(shown() == labs, f"{labs} pictures", shown())
    finally:
        page.close()
    page = Page(language="zh-CN", switches=["--unsafely-treat-insecure-origin-as-secure=", "--host-resolver-rules=MAP far 127.0.0.1"])
    try:
        page.driver.get(host.url.replace("127.0.0.1", "far"))
        page.until(lambda: "https" in page.said(), "what is missing")
        check("线程" in page.said(), "Chinese", page.said())
    finally:
        page.close()


def main():
    parts = sys.argv[4:] or PARTS
    failures = 0
    host = Host(site)
    for part in parts:
        page = Page(downloads=folder) if part not in ("touch", "missing") else None
        began = time.monotonic()
        try:
            (globals().get(part) or getattr(page_files, part))(page, host)
            print(f"ok: {part} ({time.monotonic() - began:.0f} s)", flush=True)
        except Exception as error:  # noqa: BLE001: the next part is tried all the same
            failures += 1
            print(f"FAILED: {part}: {type(error).__name__}: {error}", flush=True)
            if page:
                page.driver.save_screenshot(str(folder / f"{part}.png"))
                print(f"  {folder / part}.png; console: {page.console()[:5]}", flush=True)
        finally:
            if page:
                page.close()
    host.close()
    if not failures:
        shutil.rmtree(folder)
    return 1 if failures else 0


sys.exit(main())
