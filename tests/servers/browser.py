"""A headless Chromium, controlled by the DevTools protocol over a pair of pipes: no port, no driver."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "about:blank")
# Chromium reads commands from the first descriptor, and writes responses to the second.
READS, WRITES = 3, 4
# Seconds that an expression may take to become true.
PATIENCE = 20.0
# Keys that do something by their code.
KEYS = {
    "Tab": {"windowsVirtualKeyCode": 9, "code": "Tab"},
    "Enter": {"windowsVirtualKeyCode": 13, "code": "Enter", "text": "\r"},
}


class Browser:
    """One page. An exception in its scripts fails the test; what it asks to confirm is confirmed."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._unread = b""
        self._number = 0
        self._session: str | None = None
        self._target: str | None = None
        # What the pages wrote to the console as an error, and the requests that failed.
        self.errors: list[str] = []

    def open(self, url: str) -> None:
        """Open the page at an address, and close the one before, whose scripts would go on."""
        self._session, last = None, self._target
        self._target = str(self._ask("Target.createTarget", url="about:blank")["targetId"])
        if last is not None:
            self._ask("Target.closeTarget", targetId=last)
        self._session = self._ask("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        self._ask("Page.enable")
        self._ask("Runtime.enable")
        self._ask("Log.enable")
        self._ask("Page.addScriptToEvaluateOnNewDocument", source="window.confirm = () => true")
        self.go(url)

    def go(self, url: str) -> None:
        """Go to another address in the same page."""
        self._ask("Page.navigate", url=url)

    def run(self, expression: str) -> Any:
        """Return the value of an expression in the page; a promise is awaited."""
        found = self._ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression in the page is true; an AssertionError after PATIENCE seconds."""
        late = f"late = Date.now() + {PATIENCE * 1000:.0f}"
        look = f"() => {condition} ? done(true) : Date.now() > late ? done(false) : setTimeout(look, 20)"
        assert self.run(f"new Promise(done => {{ const {late}; const look = {look}; look(); }})"), condition

    def click(self, selector: str) -> None:
        """Click on the first element that a selector finds."""
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key: str) -> None:
        """Press a key: a character, or a key by its name in the DOM, such as `Tab`."""
        text = {"text": key} if len(key) == 1 else {}
        self._ask("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **KEYS.get(key, {}))
        self._ask("Input.dispatchKeyEvent", type="keyUp", key=key, **KEYS.get(key, {}))

    def show(self, width: int, height: int, scheme: str = "light") -> None:
        """Set the size of the window, in CSS pixels, and whether the reader prefers `light` or `dark`."""
        self._ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )
        self._ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def _ask(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        session = {} if self._session is None else {"sessionId": self._session}
        command = {"id": self._number, "method": method, "params": parameters, **session}
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        while True:
            message = self._receive()
            assert message.get("method") != "Runtime.exceptionThrown", message
            entry = message.get("params", {}).get("entry", {})
            if message.get("method") == "Log.entryAdded" and entry["level"] == "error":
                self.errors.append(f"{entry.get('url')}: {entry['text']}")
            if message.get("id") == self._number:
                assert "result" in message, message
                return message["result"]

    def _receive(self) -> Any:
        while b"\0" not in self._unread:
            part = os.read(self._answers, 65536)
            assert part, "the browser is gone"
            self._unread += part
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser, with its profile in a directory."""
    read, commands = os.pipe()
    answers, write = os.pipe()
    # A shell gives the pipes the numbers that Chromium expects.
    command = ["bash", "-c", f'exec "$@" {READS}<&{read} {WRITES}>&{write}', "bash", str(CHROMIUM)]
    process = subprocess.Popen(
        [*command, f"--user-data-dir={profile}", *OPTIONS],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(read, write),
    )
    os.close(read)
    os.close(write)
    try:
        yield Browser(commands, answers)
    finally:
        process.kill()
        process.wait()
        os.close(commands)
        os.close(answers)
