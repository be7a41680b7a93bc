"""A page in headless Chromium, driven through a pipe; needs nothing but the browser."""

import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"),
    *("--remote-debugging-pipe", "--disable-dev-shm-usage", "--hide-scrollbars"),
)
VIRTUAL_KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32}
VIRTUAL_KEYS |= {"PageUp": 33, "PageDown": 34}
PATIENCE = 60.0  # seconds for an answer: two cores may be busy


class Browser:
    """A browser with one page. It offers no network: hosts do not resolve."""

    def __init__(self, width=1200, height=900):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.out = os.pipe()
        self.inn, from_browser = os.pipe()
        options = [
            *OPTIONS,
            f"--user-data-dir={self.profile.name}",
            f"--window-size={width},{height}",
        ]
        options.append("--host-resolver-rules=MAP * ~NOTFOUND")

        def connect():  # the browser reads from 3 and writes to 4
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, *options, "about:blank"],
            preexec_fn=connect,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.numbers, self.received, self.errors = itertools.count(1), b"", []
        self.session = None
        pages = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in pages if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.inn)
        self.profile.cleanup()

    def call(self, method, **params):
        """Call a method of the DevTools protocol, and return its result."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"])
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def _receive(self):
        while b"\0" not in self.received:
            part = os.read(self.inn, 2**16)
            assert part, "the browser has ended"
            self.received += part
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def open(self, path, fragment=""):
        """Open a file, and wait until it has shown itself."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"{path.as_uri()}{fragment}")
        self.wait("document.documentElement?.dataset.ready === 'yes'")

    def wait(self, condition):
        """Wait until a JavaScript expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.read(condition):
            assert time.monotonic() < end, f"never true: {condition}; {self.errors}"
            time.sleep(0.05)

    def read(self, expression):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key):
        """Press and release a key, named as in KeyboardEvent.key."""
        text = {"text": key} if len(key) == 1 else {}
        code = {"key": key, "code": "Space" if key == " " else key}
        code["windowsVirtualKeyCode"] = VIRTUAL_KEYS[key]
        self.call("Input.dispatchKeyEvent", type="keyDown", **code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def click(self, x, y):
        """Click at a place in the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def resize(self, width, height, mobile):
        """Give the page the size of another screen."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.call("Emulation.setDeviceMetricsOverride", **size)
