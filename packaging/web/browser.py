"""Drives the page in a headless browser: Debian's chromium with chromedriver and selenium. What is where it asks of the
program itself (?control_map)."""
import contextlib
import functools
import http.server
import json
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys

LIMIT = 60  # seconds, for what takes a few


class Failure(Exception):
    pass


def check(holds, expected, got=""):
    if not holds:
        raise Failure(f"expected {expected}, got {got!r}"[:2000])


class Host:
    """A folder as any host of files serves it: without the headers that threads need, unless told."""

    def __init__(self, folder, headers=False):
        host = self
        self.asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                              ".wasm": "application/wasm", ".js": "text/javascript"}

            def end_headers(self):
                if headers:
                    self.send_header("Cross-Origin-Opener-Policy", "same-origin")
                    self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
                self.send_header("Cache-Control", "no-cache")
                super().end_headers()

            def log_message(self, *_):
                host.asked.append(self.path)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Page:
    def __init__(self, language="en", size=(1440, 900), touch=False, switches=(), downloads=None):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for switch in ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                       "--ignore-gpu-blocklist", f"--lang={language}", f"--window-size={size[0]},{size[1]}", *switches]:
            options.add_argument(switch)
        options.add_experimental_option("prefs", {
            "intl.accept_languages": language, "download.default_directory": str(downloads or "/nonexistent"),
            "profile.content_settings.exceptions.clipboard": {"*": {"setting": 1}}})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(LIMIT)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": touch})
        if touch:
            self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        # Those that no handler takes come into the console; it is read at the end of each test.
        self.requests = []

    def close(self):
        self.driver.quit()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def open(self, url, link=""):
        """Seconds until the first picture."""
        began = time.monotonic()
        self.driver.get("about:blank")
        self.driver.get(f"{url}?control_map{link}")
        self.until(self.shown, "the first picture")
        return time.monotonic() - began

    def shown(self):
        return self.run("return document.getElementById('cover')?.hidden ?? false")

    def said(self):
        return self.run("return document.getElementById('said').textContent")

    def note(self):
        return self.run("const n = document.getElementById('note'); return n.hidden ? '' : n.textContent")

    def map(self):
        text = self.run("try { return new TextDecoder().decode(Module.FS.readFile('/files/control_map.json')) }"
                        " catch { return '' }")
        return json.loads(text) if text else None

    def until(self, holds, what, limit=LIMIT):
        end = time.monotonic() + limit
        while True:
            with contextlib.suppress(Exception):
                if found := holds():
                    return found
            if time.monotonic() > end:
                raise Failure(f"waited {limit} s for {what}; cover: {self.said()!r}; note: {self.note()!r}")
            time.sleep(0.05)

    def wait(self, holds, what, limit=LIMIT, settled=True):
        """The control map, once it says so; settled: once nothing moves, too."""
        def good():
            now = self.map()
            return now if now and (now["settled"] or not settled) and holds(now) else None
        return self.until(good, what, limit)

    # --- a person's hands

    def mouse(self):
        return ActionBuilder(self.driver, mouse=PointerInput("mouse", "mouse"), duration=0)

    def place(self, control, x=0.5, y=0.5):
        rect = self.wait(lambda m: control in m["controls"], f"the control {control}")["controls"][control]
        return int(rect[0] + rect[2] * x), int(rect[1] + rect[3] * y)

    def click(self, control, x=0.5, y=0.5):
        at = self.place(control, x, y)
        hands = self.mouse()
        hands.pointer_action.move_to_location(*at).pause(0.1).pointer_down().pause(0.05).pointer_up()
        hands.perform()
        time.sleep(0.1)

    def drag(self, control, begin, end, steps=12):
        (x0, y), (x1, _) = self.place(control, begin), self.place(control, end)
        hands = self.mouse()
        hands.pointer_action.move_to_location(x0, y).pause(0.1).pointer_down()
        for k in range(1, steps + 1):
            hands.pointer_action.move_to_location(x0 + (x1 - x0) * k // steps, y).pause(0.02)
        hands.pointer_action.pointer_up()
        hands.perform()

    def key(self, *names):
        """As "ctrl+o" or "Escape"."""
        for name in names:
            *held, last = name.split("+")
            hands = ActionChains(self.driver)
            for one in held:
                hands.key_down({"ctrl": Keys.CONTROL, "shift": Keys.SHIFT}[one])
            hands.send_keys(getattr(Keys, last.upper(), last) if len(last) > 1 else last)
            for one in held:
                hands.key_up({"ctrl": Keys.CONTROL, "shift": Keys.SHIFT}[one])
            hands.perform()
            time.sleep(0.05)

    def type(self, text):
        ActionChains(self.driver).send_keys(text).perform()

    def fingers(self, *moments):
        """Each moment is the list of places of the fingers that are down."""
        kind = "touchStart"
        for places in moments:
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]})
            kind = "touchMove"
            time.sleep(0.05)
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        time.sleep(0.1)

    def drop(self, x, y, *paths):
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})

    # --- what went on behind

    def console(self):
        return [line["message"] for line in self.driver.get_log("browser")]

    def addresses(self):
        """Of all requests since the last call."""
        found = []
        for line in self.driver.get_log("performance"):
            message = json.loads(line["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found
