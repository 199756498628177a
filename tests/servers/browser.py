"""A headless Chromium, controlled by the DevTools protocol over a pair of pipes: no port, no driver."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-pipe",
    # The shared memory of a container is too small beside other work: pages would crash.
    "--disable-dev-shm-usage",
    # Nothing outside is asked for: no updates, no keyring.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--no-first-run",
    "--password-store=basic",
    # A page that is not in front runs as quickly as others.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "about:blank",
)
# Chromium reads commands from the first descriptor, and writes responses to the second.
READS, WRITES = 3, 4
# Seconds that an expression may take to become true.
PATIENCE = 20.0
# Seconds for the response to one command: more than PATIENCE, because some commands wait for an expression.
RESPONSE = 60.0
# Seconds for the first response of a browser, and how often it is started: beside other work, one may hang or crash.
START = 60.0
STARTS = 2
# Seconds for a browser to end by itself. Then it is killed.
END = 10.0
# Keys that do something by their code.
KEYS = {
    "Tab": {"windowsVirtualKeyCode": 9, "code": "Tab"},
    "Enter": {"windowsVirtualKeyCode": 13, "code": "Enter", "text": "\r"},
}


class Browser:
    """One page. An exception in its scripts fails the test; what it asks to confirm is confirmed.

    Every command is bounded: a browser that is gone, hangs or has lost its page raises an AssertionError, which has the
    end of what the browser has logged.
    """

    def __init__(self, commands: int, answers: int, log: Path) -> None:
        self._commands, self._answers = commands, answers
        self._log = log
        os.set_blocking(commands, False)
        self._unread = b""
        self._number = 0
        self._session: str | None = None
        self._target: str | None = None
        # What the pages wrote to the console as an error, and the requests that failed.
        self.errors: list[str] = []

    def open(self, url: str) -> None:
        """Open the page at an address, and close the one before."""
        self.close()
        self._target = str(self._ask("Target.createTarget", url="about:blank")["targetId"])
        self._session = self._ask("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        self._ask("Inspector.enable")
        self._ask("Page.enable")
        self._ask("Runtime.enable")
        self._ask("Log.enable")
        self._ask("Page.addScriptToEvaluateOnNewDocument", source="window.confirm = () => true")
        self.go(url)

    def close(self) -> None:
        """Close the page: its scripts would go on, and fail as soon as the server of the test has ended."""
        self._session, target = None, self._target
        self._target = None
        if target is not None:
            self._ask("Target.closeTarget", targetId=target)

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

    def await_start(self) -> None:
        """Wait until the browser has started."""
        self._ask("Browser.getVersion", seconds=START)

    def end(self) -> None:
        """Ask the browser to end."""
        self._session = None
        self._ask("Browser.close", seconds=END)

    def _ask(self, method: str, *, seconds: float | None = None, **parameters: Any) -> Any:
        deadline = time.monotonic() + (RESPONSE if seconds is None else seconds)
        self._number += 1
        session = {} if self._session is None else {"sessionId": self._session}
        command = {"id": self._number, "method": method, "params": parameters, **session}
        self._send(json.dumps(command).encode() + b"\0", method, deadline)
        while True:
            message = self._receive(method, deadline)
            if message.get("id") == self._number:
                assert "result" in message, message
                return message["result"]
            # An earlier page may fail after its test, because the server of that test has ended. And the response to an
            # earlier command may come late.
            if "method" in message and message.get("sessionId") == self._session:
                self._take(message)

    def _take(self, event: Any) -> None:
        """Take an event of the page."""
        assert event["method"] not in ("Runtime.exceptionThrown", "Inspector.targetCrashed"), event
        entry = event["params"].get("entry", {})
        if event["method"] == "Log.entryAdded" and entry["level"] == "error":
            self.errors.append(f"{entry.get('url')}: {entry['text']}")

    def _send(self, content: bytes, method: str, deadline: float) -> None:
        while content:
            self._wait(select.select([], [self._commands], [], max(0.0, deadline - time.monotonic()))[1], method)
            try:
                content = content[os.write(self._commands, content) :]
            except BrokenPipeError:
                raise AssertionError(self._described(f"the browser is gone before {method}")) from None

    def _receive(self, method: str, deadline: float) -> Any:
        while b"\0" not in self._unread:
            self._wait(select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))[0], method)
            part = os.read(self._answers, 65536)
            assert part, self._described(f"the browser is gone during {method}")
            self._unread += part
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)

    def _wait(self, ready: list[int], method: str) -> None:
        assert ready, self._described(f"the browser has not responded to {method} in time")

    def _described(self, problem: str) -> str:
        """Return a problem with the end of what the browser has logged."""
        return f"{problem}; its log ends with: {self._log.read_text(errors='replace')[-1000:]!r}"


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser, with its profile in a directory; end it, with all processes that it has started."""
    with ExitStack() as stack:
        for number in range(1, STARTS + 1):
            started = stack.enter_context(process(profile / str(number)))
            try:
                started.await_start()
                break
            except AssertionError:
                if number == STARTS:
                    raise
                stack.close()
        yield started  # pyright: ignore[reportPossiblyUnboundVariable]  # the last start raises


@contextmanager
def process(profile: Path) -> Iterator[Browser]:
    """Start the process of a browser, which may not respond yet; at the end, no process of it is left."""
    profile.mkdir(parents=True)
    log = profile / "browser.log"
    read, commands = os.pipe()
    answers, write = os.pipe()
    # A shell gives the pipes the numbers that Chromium expects.
    command = ["bash", "-c", f'exec "$@" {READS}<&{read} {WRITES}>&{write}', "bash", str(CHROMIUM)]
    try:
        with log.open("wb") as output:
            child = subprocess.Popen(
                [*command, f"--user-data-dir={profile}", *OPTIONS],
                stdout=subprocess.DEVNULL,
                stderr=output,
                pass_fds=(read, write),
                # With a group of its own, all its processes can be killed together.
                start_new_session=True,
            )
        os.close(read)
        os.close(write)
        started = Browser(commands, answers, log)
        try:
            yield started
        finally:
            with suppress(AssertionError):
                started.end()
            with suppress(subprocess.TimeoutExpired):
                child.wait(END)
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait(END)
    finally:
        os.close(commands)
        os.close(answers)
