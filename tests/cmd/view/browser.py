"""Drives headless Chromium over its debugging pipe, for tests of `gravreel view`. Standard library alone."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find():
    """The browser's path; None: there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self):
        to_child, own_write = os.pipe()
        own_read, from_child = os.pipe()
        self.folder = tempfile.mkdtemp(prefix="gravreel-browser-")
        arguments = [find(), "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.folder}",
                     "--no-first-run", "--disable-gpu", "--disable-background-networking", "--disable-sync",
                     "--disable-component-update", "--hide-scrollbars", "about:blank"]
        if os.geteuid() == 0:
            arguments.insert(1, "--no-sandbox")

        def descriptors():  # the browser reads 3 and writes 4
            held_read, held_write = os.dup(to_child), os.dup(from_child)
            os.dup2(held_read, 3)
            os.dup2(held_write, 4)

        self.process = subprocess.Popen(arguments, preexec_fn=descriptors, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.write, self.read = own_write, own_read
        self.rest, self.count, self.errors = b"", 0, []
        target = self.send("Target.createTarget", {"url": "about:blank"}, page=False)["targetId"]
        self.session = self.send("Target.attachToTarget", {"targetId": target, "flatten": True},
                                 page=False)["sessionId"]
        self.send("Page.enable")
        self.send("Runtime.enable")
        self.send("Log.enable")

    def send(self, method, parameters=None, page=True):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters or {}}
        if page:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            told = self.receive()
            if told.get("id") == message["id"]:
                if "error" in told:
                    raise RuntimeError(f"{method}: {told['error']['message']}")
                return told["result"]
            if told.get("method") == "Runtime.exceptionThrown":
                details = told["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            if told.get("method") == "Log.entryAdded" and told["params"]["entry"]["source"] == "security":
                self.errors.append(told["params"]["entry"]["text"])
            if told.get("method") == "Page.javascriptDialogOpening":
                self.count += 1
                os.write(self.write, json.dumps({"id": self.count, "method": "Page.handleJavaScriptDialog",
                                                 "params": {"accept": True}, "sessionId": self.session}).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.read, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def go(self, address):
        self.send("Page.navigate", {"url": address})

    def run(self, script):
        """The value of an expression in the page; waits for a promise."""
        told = self.send("Runtime.evaluate", {"expression": script, "awaitPromise": True, "returnByValue": True})
        if "exceptionDetails" in told:
            details = told["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return told["result"].get("value")

    def wait(self, script, seconds=300):
        """Waits until the expression is true. The limit only ends a test that hangs."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.run(script)
            except RuntimeError:
                value = None  # the page is being loaded
            if value:
                return value
            if time.monotonic() > end:
                raise RuntimeError(f"never true: {script}; the page says: {self.run('document.body.innerText')[:400]}")
            time.sleep(0.1)

    def size(self, width, height, scheme="dark"):
        self.send("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def drag(self, x, y, to_x, to_y, steps=6, **more):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, **more)
        for i in range(1, steps + 1):
            self.mouse("mouseMoved", x + (to_x - x) * i / steps, y + (to_y - y) * i / steps, button="left", buttons=1, **more)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1, **more)

    def key(self, key, code=None, text=None, modifiers=0):
        message = {"key": key, "code": code or key, "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", {"type": "keyDown", **message, **({"text": text} if text else {})})
        self.send("Input.dispatchKeyEvent", {"type": "keyUp", **message})

    def close(self):
        try:
            self.send("Browser.close", page=False)
        except (RuntimeError, OSError):
            self.process.terminate()
        self.process.wait()
        os.close(self.write)
        os.close(self.read)
        shutil.rmtree(self.folder, ignore_errors=True)
