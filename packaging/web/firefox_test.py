#!/usr/bin/env python3
"""The page in Firefox, by its own Marionette: Debian has no geckodriver. Without a graphics card it has WebGL in a window alone, so
that a display is wanted: xvfb-run.

usage: firefox_test.py SITE [PICTURE.png]
"""
import base64
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import LIMIT, Failure, Host, check  # noqa: E402


class Firefox:
    """Speaks length:[0, number, command, parameters] and hears length:[1, number, error, answer]."""

    def __init__(self, port=2829, size=(1440, 900)):
        self.profile = tempfile.mkdtemp()
        with open(f"{self.profile}/user.js", "w", encoding="ascii") as settings:
            settings.write(f'user_pref("marionette.port", {port});\n'
                           'user_pref("webgl.force-enabled", true);\n'
                           'user_pref("gfx.x11-egl.force-enabled", true);\n'
                           'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
                           'user_pref("network.captive-portal-service.enabled", false);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--marionette", "--no-remote", "--profile", self.profile,
             "--width", str(size[0]), "--height", str(size[1])], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + LIMIT
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
        self.socket.settimeout(LIMIT)
        self.left, self.number = b"", 0
        self.hear()
        self("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"pageLoadStrategy": "normal"}}})

    def hear(self):
        while b":" not in self.left:
            self.left += self.socket.recv(65536)
        length, self.left = self.left.split(b":", 1)
        while len(self.left) < int(length):
            self.left += self.socket.recv(1 << 20)
        text, self.left = self.left[:int(length)], self.left[int(length):]
        return json.loads(text)

    def __call__(self, command, parameters=None):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters or {}]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, answer = self.hear()
        if error:
            raise Failure(f"{command}: {error['message'][:500]}")
        return answer

    def run(self, script):
        return self("WebDriver:ExecuteScript", {"script": script, "args": [], "sandbox": None})["value"]

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self("WebDriver:TakeScreenshot", {"full": False})["value"]))

    def open(self, url):
        self("WebDriver:Navigate", {"url": "about:blank"})
        self("WebDriver:Navigate", {"url": url})

    def map(self):
        # In the page's own world, whose arrays are not those of what is run beside it.
        text = self.run("return (window.wrappedJSObject ?? window).eval(\"try { new TextDecoder().decode(Module.FS.readFile("
                        "'/files/control_map.json')) } catch { '' }\")")
        return json.loads(text) if text else None

    def wait(self, holds, what):
        end = time.monotonic() + LIMIT
        while True:
            now = self.map()
            if now and now["settled"] and holds(now):
                return now
            if time.monotonic() > end:
                raise Failure(f"waited for {what}; the page says "
                              f"{self.run('return document.getElementById(`said`)?.textContent')!r}")
            time.sleep(0.1)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def main():
    host = Host(sys.argv[1])
    browser = Firefox()
    try:
        began = time.monotonic()
        browser.open(f"{host.url}?control_map#rotary?base=100&lang=en&v=1")
        now = browser.wait(lambda m: m["lab"] == "rotary" and m["knobs"]["base"] == 100, "the knob of the link")
        print(f"first page: {time.monotonic() - began:.1f} s")
        check(now["plots"], "figures", now["plots"])
        for lab, language in (("transformer", "zh_CN"), ("gpt_inside", "en"), ("translation", "zh_CN")):
            browser.open(f"{host.url}?control_map#{lab}?lang={language}&v=1")
            now = browser.wait(lambda m: m["lab"] == lab and not m["stale"], f"the lab {lab}")
            check(now["plots"] and not now["message"], "figures, and nothing told", now["message"])
        if len(sys.argv) > 2:
            browser.picture(sys.argv[2])
    finally:
        browser.close()
        host.close()


main()
