#!/usr/bin/env python3
"""Figures that are touched: one file that asks for nothing else, its numbers against those of the program's JSON, and what
a pointer, a keyboard and a slider do with it in a browser (chromium; without one that part is skipped).

usage: touch_test.py PROGRAM
"""
import base64
import html.parser
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

SKIPPED = 77
FAULTS = []
LARGEST = 500_000  # 12 heads of 60 tokens, or a lab of curves, with 40 places of a slider
MASKED = 65535


def check(good, said):
    if not good:
        FAULTS.append(said)


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise SystemExit(f"FAILED: {' '.join(map(str, words))}: {done.stderr[-500:]}")
    return done.stdout


class Tags(html.parser.HTMLParser):
    VOID = {"meta", "input", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.all, self.faults = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.all.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.all.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


class Page:
    """A page as the program wrote it, with its data."""

    def __init__(self, file):
        self.text = Path(file).read_text("utf-8")
        self.tags = Tags(self.text)
        packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', self.text).group(1)
        data = zlib.decompress(base64.b64decode(packed))
        length = int.from_bytes(data[:4], "little")
        self.data = json.loads(data[4:4 + length])
        self.codes, at = [], 4 + length
        for _, rows, cols, before, *_ in self.data["cells"]:
            n = rows * cols
            change = [data[at + k] | data[at + n + k] << 8 for k in range(n)]
            base = self.codes[before] if before >= 0 else [0] * n
            self.codes.append([(c + b) & 65535 for c, b in zip(change, base)])
            at += 2 * n
        self.rest = len(data) - at

    def plots(self, frame=None):
        frame = self.data["frames"][self.data["first"] if frame is None else frame]
        return {p["i"]: (p, frame) for p in (self.data["plots"][k] for k in frame["p"])}

    def value(self, plot, frame, row, col):
        """As text of three digits; None: masked."""
        cells = frame["m"][plot["m"][0]["o"]]
        code = self.codes[cells][row * self.data["cells"][cells][2] + col]
        if code == MASKED:
            return None
        if code == 0:
            return 0.0
        rest = code - 1
        return float(f"{'-' if rest & 1 else ''}{100 + rest // 2 % 900}e{self.data['cells'][cells][4] + rest // 1800 - 2}")


def stands_alone(name, page):
    check(not page.tags.faults and not page.tags.open, f"{name}: tags {page.tags.faults} {page.tags.open}")
    check(page.rest == 0, f"{name}: {page.rest} bytes after the cells")
    for tag, attributes in page.tags.all:
        check(tag not in ("link", "iframe", "object", "embed", "base"), f"{name}: a {tag}")
        for key in ("src", "href", "action", "xlink:href"):
            check(key not in attributes, f"{name}: {tag} with {key}={attributes.get(key)}")
    check("@import" not in page.text and "url(h" not in page.text, f"{name}: its style asks for more")
    ids = [a["id"] for _, a in page.tags.all if "id" in a]
    check(len(ids) == len(set(ids)), f"{name}: ids twice")
    live = [a for _, a in page.tags.all if a.get("aria-live") == "polite" and a.get("role") == "status"]
    check(len(live) == 1, f"{name}: no status for those who listen")


def same_numbers(name, page, export):
    """Every cell of every heatmap to three digits."""
    known = {plot["id"]: plot for figure in export["figures"] for plot in figure["plots"]}
    checked = 0
    for id_, (plot, frame) in page.plots().items():
        maps = [m for m in known[id_]["marks"] if m["type"] == "heatmap"]
        if not maps or "m" not in plot:
            continue
        for row, values in enumerate(maps[0]["data"]):
            for col, value in enumerate(values):
                got = page.value(plot, frame, row, col)
                want = None if value is None else float(f"{value:.2e}")
                check(got == want, f"{name}: {id_} [{row}, {col}]: expected {want}, got {got}")
                checked += 1
    check(checked > 0, f"{name}: no cells")


# What is done in the page: `say(name, value)` is what the test reads of it.
BEFORE = """<script>window.faults=[];window.onerror=(m)=>{faults.push(String(m))};
window.onunhandledrejection=e=>{faults.push(String(e.reason))};</script>"""
AFTER = """<script>(async()=>{
const result={};const say=(k,v)=>{result[k]=v};
const $=i=>document.getElementById(i),svg=$("figure"),all=(q)=>document.querySelectorAll(q).length;
const client=(x,y)=>{const m=svg.getScreenCTM();return{clientX:x*m.a+m.e,clientY:y*m.d+m.f,bubbles:true}};
const move=(x,y)=>svg.dispatchEvent(new PointerEvent("pointermove",client(x,y)));
const click=(x,y)=>svg.dispatchEvent(new MouseEvent("click",client(x,y)));
const key=(t,k)=>t.dispatchEvent(new KeyboardEvent("keydown",{key:k,bubbles:true,cancelable:true}));
const now=()=>$("now").textContent;
for(let k=0;k<200&&!("ready" in document.documentElement.dataset);++k)await new Promise(r=>setTimeout(r,20));
say("ready","ready" in document.documentElement.dataset);
try{%s}catch(e){faults.push(String(e.stack))}
say("resources",performance.getEntriesByType("resource").filter(r=>!r.name.startsWith("data:")).map(r=>r.name));
say("faults",faults);
const out=document.createElement("pre");out.id="result";out.textContent=JSON.stringify(result);document.body.append(out);
})()</script>"""


def browse(browser, folder, page, script, *switches):
    text = page.text.replace("<head>", "<head>" + BEFORE, 1)
    text = text.replace("</body>", AFTER % script + "</body>")
    file = Path(folder) / "touched.html"
    file.write_text(text, "utf-8")
    dom = run(browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,1600",
              "--virtual-time-budget=20000", *switches, "--dump-dom", file.as_uri())
    found = re.search(r'<pre id="result">(.*?)</pre>', dom, re.S)
    if not found:
        raise SystemExit(f"FAILED: nothing came back from the page: {dom[-300:]}")
    class Text(html.parser.HTMLParser):
        text = ""

        def handle_data(self, data):
            self.text += data
    read = Text()
    read.feed(found.group(1))
    result = json.loads(read.text)
    check(result["ready"], "the page is never ready")
    check(result["faults"] == [], f"faults in the page: {result['faults']}")
    check(result["resources"] == [], f"the page asks for {result['resources']}")
    return result


def middle(plot, row, col):
    m = plot["m"][0]
    x, y, w, h = m["r"]
    return x + (col + 0.5) * w / m["g"][3], y + (row + 0.5) * h / m["g"][2]


def text_of(value):
    return "masked" if value is None else re.sub(r"e-0", "e-", f"{value:.3g}")


def heads(browser, folder, page):
    plots = page.plots()
    plot, frame = plots["head_1"]
    other, _ = plots["head_2"]
    x, y = middle(plot, 5, 3)
    result = browse(browser, folder, page, f"""
      move({x},{y}); say("hover",now()); say("bands",all("#over .band")); say("tip",$("tip").hidden);
      click({x},{y}); say("pins",all("#pins li")); say("pin",all("#over .pin"));
      say("pin_text",document.querySelector("#pins li").textContent);
      click({x},{y}); say("unpinned",all("#pins li"));
      click({x},{y}); key(document.body,"Escape"); say("escaped",all("#pins li")+all("#over .pin"));
      const parts=document.querySelectorAll("#parts button"); say("parts",parts.length);
      parts[1].click(); move({x},{y}); say("less",now()); say("pressed",parts[1].getAttribute("aria-pressed"));
      say("off",all("#over .off"));
      say("fewer",all("#over .band")); parts[parts.length-1].click(); say("on",all("#over .off"));
      svg.dispatchEvent(new PointerEvent("pointerleave")); say("left",now());
      const first=document.querySelector("#keys rect"); first.focus(); say("label",first.getAttribute("aria-label"));
      key(first,"ArrowDown"); say("key0",now()); key(first,"ArrowDown"); key(first,"ArrowDown"); key(first,"ArrowRight");
      say("key",now()); key(first,"Enter"); say("key_pins",all("#pins li"));
      const seen=()=>[getComputedStyle(svg).backgroundColor,document.querySelector("#ink image").getAttribute("href")];
      const light=seen(); $("theme").click(); const dark=seen(); say("themes",[light[0],dark[0],light[1]!==dark[1]]);
      say("theme",document.documentElement.dataset.theme);
    """)
    value, beside = (page.value(p, frame, 5, 3) for p in (plot, other))
    check(result["hover"].startswith(f"1: {text_of(value)} · "), f"hover: {result['hover']}, expected {value}")
    check(f"2: {text_of(beside)}" in result["hover"], f"hover: {result['hover']}, expected {beside} beside")
    check("5 “so”" in result["hover"] and "3 “was”" in result["hover"], f"names: {result['hover']}")
    check(result["bands"] == 16, f"{result['bands']} bands: a row and a column in each of 8 heads")
    check(result["tip"] is False, "no tip")
    check((result["pins"], result["pin"], result["unpinned"], result["escaped"]) == (1, 1, 0, 0), f"pins: {result}")
    check(text_of(value) in result["pin_text"], f"pin: {result['pin_text']}")
    check(result["parts"] == 9, f"{result['parts']} buttons for 8 heads and all")
    check(result["pressed"] == "false" and result["off"] == 1 and result["on"] == 0, f"a head left out: {result}")
    check(result["fewer"] == 14, f"{result['fewer']} bands without head 2")
    check("2: " not in result["less"] and "3: " in result["less"], f"without head 2: {result['less']}")
    check("14 × 14" in result["label"], f"label: {result['label']}")
    check(result["left"] == "", f"left: {result['left']}")
    check(result["key0"].startswith("1: 1 · query 0 “the” · key 0 “the”"), f"first cell: {result['key0']}")
    check(result["key"].startswith(f"1: {text_of(page.value(plot, frame, 2, 1))} · "), f"keys: {result['key']}")
    check(result["key_pins"] == 1, "Enter does not pin")
    check(result["themes"][0] != result["themes"][1] and result["themes"][2], f"themes: {result['themes']}")
    check(result["theme"] == "dark", f"theme: {result['theme']}")


def narrow(browser, folder, page):
    """On a phone the drawing keeps a size that can be read and is moved below its frame."""
    plot, _ = page.plots()["head_8"]
    x, y = middle(plot, 5, 3)
    result = browse(browser, folder, page, f"""
      document.body.style.width="360px"; const view=$("view");
      say("drawn",svg.getBoundingClientRect().width); say("seen",view.getBoundingClientRect().width);
      view.scrollLeft=1000; say("moved",view.scrollLeft); move({x},{y}); say("hover",now());
    """)
    check(result["seen"] <= 360 and result["drawn"] > 600, f"narrow: {result}")
    check(result["moved"] > 200 and "query 5" in result["hover"], f"narrow: {result}")


def links(browser, folder, page):
    plot, _ = page.plots()["arcs"]
    x, y, w, h = plot["a"]
    rows = len(page.data["names"][plot["K"]["a"]])
    row = rows - 1
    result = browse(browser, folder, page, f"""
      move({x + 1},{y + h * (row + 0.5) / rows}); say("hover",now()); say("lit",all("#over path.lit"));
      move({x + w - 1},{y + h * 0.5 / rows}); say("into",now()); say("lit_into",all("#over path.lit"));
    """)
    out = [one for one in plot["K"]["l"] if one[0] == row]
    into = [one for one in plot["K"]["l"] if one[1] == 0]
    check(result["lit"] == len(out) > 0, f"links: {result['lit']} of {len(out)}")
    check(result["lit_into"] == len(into) > 0, f"links into: {result['lit_into']} of {len(into)}")
    best = max(one[2] for one in out)
    check(result["hover"].startswith(f"{row} “again” · → ") and f"{best:g}" in result["hover"], f"links: {result['hover']}")


def swept(browser, folder, page, program):
    last = len(page.data["frames"]) - 1
    plot, frame = page.plots(last)["weights"]
    x, y = middle(plot, 12, 2)
    result = browse(browser, folder, page, f"""
      const at=$("at"); say("first",[at.value,$("value").textContent]);
      move({x},{y}); say("before",now());
      at.value={last}; at.dispatchEvent(new Event("input")); say("value",$("value").textContent);
      say("spoken",at.getAttribute("aria-valuetext")); say("after",now());
      say("images",document.querySelectorAll("#ink image[href]").length===document.querySelectorAll("#ink image").length);
    """, "--force-dark-mode")
    check(result["value"] == "10" and result["spoken"] == "10", f"slider: {result}")
    check(result["before"] != result["after"] and result["images"], f"slider: {result}")
    check(text_of(page.value(plot, frame, 12, 2)) in result["after"], f"after: {result['after']}")


def six(value):
    """As the page writes what is no cell."""
    return re.sub(r"e([+-])0*", lambda m: "e" + m.group(1).strip("+"), f"{value:.6g}")


def text_rows(lines):
    return " · ".join(lines)


def marks(export, plot, kind):
    return [m for f in export["figures"] for p in f["plots"] if p["id"] == plot for m in p["marks"] if m["type"] == kind]


def index_of(page, id_):
    """Which of the places that Tab reaches is this plot's."""
    frame = page.data["frames"][page.data["first"]]
    reached = [p["i"] for p in (page.data["plots"][k] for k in frame["p"]) if any(k in p for k in "mKBLPH")]
    return reached.index(id_)


def walk(browser, folder, page, id_, places, steps):
    """What is told at each place and at each step of the keyboard, with what is lit."""
    return browse(browser, folder, page, f"""
      const told=[],lit=[]; for(const [x,y] of {json.dumps(places)})
        {{move(x,y); told.push(now()); lit.push([all("#over .lit"),all("#over .band")]);}}
      say("told",told); say("lit",lit); svg.dispatchEvent(new PointerEvent("pointerleave"));
      const rect=document.querySelectorAll("#keys rect")[{index_of(page, id_)}]; rect.focus();
      const steps=[]; for(let k=0;k<{steps};++k){{key(rect,"ArrowRight"); steps.push(now());}} say("steps",steps);
      key(rect,"Home"); say("home",now()); key(rect,"End"); say("end",now());
      key(rect,"Enter"); say("pins",all("#pins li")); key(rect,"Escape"); say("escaped",all("#pins li"));
    """)


def told(name, result, wanted, keys):
    for got, want in zip(result["told"], wanted, strict=True):
        check(all(w in got for w in want), f"{name}: expected {want}, got {got}")
    check(result["steps"] == keys, f"{name}, keyboard: expected {keys}, got {result['steps']}")
    check(result["home"] == keys[0] and result["end"] == keys[-1], f"{name}: {result['home']} {result['end']}")
    check((result["pins"], result["escaped"]) == (1, 0), f"{name}: pins {result['pins']} {result['escaped']}")


def place(plot, x, y):
    """Where data stand in the drawing."""
    ax, ay, aw, ah = plot["a"]
    x0, x1, y0, y1 = plot["v"]
    share = (math.log(x / x0) / math.log(x1 / x0)) if plot.get("xl") else (x - x0) / (x1 - x0)
    return ax + aw * share, ay + ah * (y - y0) / (y1 - y0)


def maps(browser, folder, page, export):
    """A mask, its weights and the bars beside them: what is pointed at lights up in all of them."""
    plot, frame = page.plots()["pairs"]
    rows = plot["m"][0]["g"][2]
    cells = [(20, 19), (0, 0), (rows - 1, rows - 2), (3, 30)]
    result = walk(browser, folder, page, "pairs", [middle(plot, r, c) for r, c in cells], 1)
    for got, (row, col) in zip(result["told"], cells):
        value = text_of(page.value(plot, frame, row, col))
        check(got.startswith(f"{value} · query {row} "), f"maps: {got}, expected {value}")
        check(f"key {col} " in got, f"maps: {got}")
    # The row and the column of both maps, and the query's and the key's bar.
    check(all(bands >= 6 for _, bands in result["lit"]), f"maps: {result['lit']} lit")
    data = marks(export, "pairs", "heatmap")[0]["data"]
    for row, col in cells:
        want = None if data[row][col] is None else float(f"{data[row][col]:.2e}")
        check(page.value(plot, frame, row, col) == want, f"maps: [{row}, {col}]")


def curves(browser, folder, page, export):
    plot, _ = page.plots()["decay"]
    lines = [line for line in marks(export, "decay", "line")]
    xs = lines[0]["x"]
    picked = [0, 1, len(xs) // 2, len(xs) - 1]
    places = [place(plot, xs[k] if k else xs[0] + 1e-6, sum(plot["v"][2:]) / 2) for k in picked[:-1]]
    wanted = [[f"{plot['x']['n']} {six(xs[k])}"] + [f"{line['label']} {six(line['y'][k])}" for line in lines if line["label"]]
              for k in picked[:-1]]
    result = walk(browser, folder, page, "decay", places, len(xs))
    check(len(set(result["steps"])) == len(xs), f"curves: {len(set(result['steps']))} places of {len(xs)}")
    told("curves", result, wanted, result["steps"])
    check(all(lit == [1, 1] for lit in result["lit"]), f"curves: a point and a column, got {result['lit']}")


def bars(browser, folder, page, export):
    """Their axis begins at 1."""
    plot, _ = page.plots()["weights"]
    values = marks(export, "weights", "bars")[0]["values"]
    places = [place(plot, 1.5 + k, plot["v"][3]) for k in range(len(values))]
    wanted = [[f"{k + 1}: {six(v)}"] for k, v in enumerate(values)]
    result = walk(browser, folder, page, "weights", [(x, y - 1) for x, y in places], len(values))
    told("bars", result, wanted, result["steps"])
    check([s for s in result["steps"] if any(w[0] in s for w in wanted)] == result["steps"]
          and len(set(result["steps"])) == len(values), f"bars, keyboard: {result['steps']}")
    check(all(lit[0] == 1 for lit in result["lit"]), f"bars: {result['lit']} lit")


def cell_text(page, plot, frame, x, y):
    """What of a small picture in a box is told at a place; "" where there is none."""
    for k, m in enumerate(plot.get("m", [])):
        left, top, w, h = m["r"]
        if not (left <= x < left + w and top <= y < top + h):
            continue
        side = 2 ** m.get("v", [0])[0]
        s, g = m["s"], m["g"]
        col = math.floor((s[0] + (s[1] - s[0]) * (x - left) / w) / side) - g[1]
        row = math.floor((s[2] + (s[3] - s[2]) * (y - top) / h) / side) - g[0]
        cells = frame["m"][m["o"]]
        one = {**plot, "m": [m]}
        return f" · {text_of(page.value(one, frame, row, col))} · row {row}, column {col}" if page.codes[cells] else ""
    return ""


def boxes(browser, folder, page, name):
    """A tree or a diagram: every box says what it is, at the pointer and by the keyboard."""
    plot, frame = page.plots()[name]
    hits = plot["H"]

    def over(x, y):
        return [k for k, (r, _) in enumerate(hits) if r[0] <= x < r[0] + r[2] and r[1] <= y < r[1] + r[3]]
    middles = [(r[0] + r[2] / 2, r[1] + r[3] / 2) for r, _ in hits]
    result = walk(browser, folder, page, name, middles, len(hits))
    for (x, y), got, lit in zip(middles, result["told"], result["lit"]):
        want = text_rows(hits[over(x, y)[-1]][1].split("\n")) + cell_text(page, plot, frame, x, y)
        check(got == want, f"{name}: expected {want}, got {got}")
        check(lit[0] == 1, f"{name}: {lit} lit")
    every = {text_rows(text.split("\n")) for _, text in hits}
    missed = [one for one in every if not any(step.startswith(one) for step in result["steps"])]
    check(not missed, f"{name}: the keyboard does not reach {missed}")
    check((result["pins"], result["escaped"]) == (1, 0), f"{name}: {result['pins']} pins")


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        made = {}
        for name, words in {
                "page": ["multi_head"],
                "heads": ["multi_head", "--figure", "heads"],
                "links": ["multi_head", "--figure", "links"],
                "chinese": ["rotary", "--lang", "zh_CN"],
                "author's": ["rotary", "--figure", "decay", "--font-family", "DejaVu Serif", "--x-label", "distance $m - n$"],
                "swept": ["multi_head", "--figure", "weights", "--sweep", "temperature=0.1:10", "--frames", "5"],
        }.items():
            file = Path(folder) / f"{name}.html"
            run(program, "export", *words, "-o", file)
            made[name] = Page(file)
            stands_alone(name, made[name])
        same_numbers("page", made["page"], json.loads(run(program, "export", "multi_head", "-o", "-", "--format", "json")))
        hot = json.loads(run(program, "export", "multi_head", "--set", "temperature=10", "-o", "-", "--format", "json"))
        last = made["swept"]
        last.data["first"] = 4
        same_numbers("the slider's end", last, hot)
        last.data["first"] = 2
        own = made["author's"].text
        check("$m" not in own.split('<g id="ink">')[1] and ">m<" in own, "a formula is not set")
        check(re.search(r"\.f0\{font-family:[^}]*DejaVu Serif", own), "not the author's family of fonts")
        check('<html lang="zh-CN"' in made["chinese"].text, "no language")
        text = " ".join(f"word{k}" for k in range(60))
        large = Path(folder) / "large.html"
        run(program, "export", "multi_head", "--set", f"text={text}", "--set", "heads=12", "--set", "d_model=96", "--figure",
            "heads", "--sweep", "temperature=0.1:10", "--frames", "40", "-o", large)
        swept_curves = Path(folder) / "curves.html"
        run(program, "export", "softmax", "--sweep", "temperature=0.1:10", "--frames", "40", "-o", swept_curves)
        for file in (large, swept_curves):
            check(file.stat().st_size < LARGEST, f"{file.name} with 40 places takes {file.stat().st_size} bytes")
        stands_alone("large", Page(large))
        # It opens again where it was made.
        again = run(program, "export", "multi_head", "--session", Path(folder) / "swept.html", "-o", "-", "--format", "json")
        check("temperature" in again, "no session")
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if browser:
            heads(browser, folder, made["heads"])
            narrow(browser, folder, made["heads"])
            links(browser, folder, made["links"])
            swept(browser, folder, made["swept"], program)
            for lab, figure, touch in (("masks", None, maps), ("rotary", "decay", curves), ("softmax", None, bars)):
                words = [lab] + (["--figure", figure] if figure else [])
                run(program, "export", *words, "-o", Path(folder) / f"{lab}.html")
                export = json.loads(run(program, "export", *words, "-o", "-", "--format", "json"))
                touch(browser, folder, Page(Path(folder) / f"{lab}.html"), export)
            for lab, figure, plot in (("decoding", "tree", "tree"), ("transformer", "architecture", "architecture")):
                run(program, "export", lab, "--figure", figure, "-o", Path(folder) / f"{lab}.html")
                boxes(browser, folder, Page(Path(folder) / f"{lab}.html"), plot)
    for fault in FAULTS[:40]:
        print("FAILED:", fault)
    if FAULTS:
        raise SystemExit(1)
    if not browser:
        print("no chromium: the files were read, nothing was touched")
        raise SystemExit(SKIPPED)
    print("pages are whole, their numbers right, and they can be touched")


main()
