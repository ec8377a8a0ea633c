"""A page in headless Chromium, driven through its debugging pipe: messages of JSON, each ended by a zero byte
(Chrome DevTools Protocol)."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds without an answer


def chromium():
    """The browser's path; None without one."""
    return next((path for name in ("chromium", "chromium-browser", "google-chrome") for path in [shutil.which(name)] if path), None)


class Browser:
    """Use: with Browser() as browser: browser.open(path)."""

    def __enter__(self):
        self._home = tempfile.mkdtemp()
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()

        def place():  # Chromium reads commands from 3 and writes answers to 4; first out of each other's way
            first, second = os.dup(to_child), os.dup(from_child)
            high = os.dup2(second, 63), os.dup2(first, 62)
            os.dup2(high[1], 3)
            os.dup2(high[0], 4)
        self._process = subprocess.Popen(
            [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--hide-scrollbars",
             "--disable-extensions", "--disable-background-networking", f"--user-data-dir={self._home}", "about:blank"],
            preexec_fn=place, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self._buffer, self._count, self._session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._home, ignore_errors=True)

    def _message(self):
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], PATIENCE)[0]:
                raise TimeoutError(f"Chromium has not answered for {PATIENCE} s")
            part = os.read(self._read, 1 << 20)
            if not part:
                raise EOFError("Chromium has ended")
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self._count += 1
        session = {"sessionId": self._session} if self._session else {}
        text = json.dumps({"id": self._count, "method": method, "params": parameters, **session}).encode() + b"\0"
        while text:
            text = text[os.write(self._write, text):]
        while True:
            message = self._message()
            if message.get("id") == self._count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def window(self, width, height=900, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        end = time.monotonic() + PATIENCE
        while self.evaluate("document.readyState") != "complete" or self.evaluate("location.href") == "about:blank":
            if time.monotonic() > end:
                raise TimeoutError(f"{path} has not been loaded for {PATIENCE} s")
            time.sleep(0.05)

    def evaluate(self, script):
        """The value of an expression, or of what it promises."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def complaints(self):
        """What went wrong by itself: exceptions, errors in the console and in the log."""
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                yield parameters["exceptionDetails"]["text"]
            elif method == "Runtime.consoleAPICalled" and parameters["type"] == "error":
                yield " ".join(str(argument.get("value", argument.get("description"))) for argument in parameters["args"])
            elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                yield parameters["entry"]["text"] + " " + parameters["entry"].get("url", "")

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]
