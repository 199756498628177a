"""The browser of the tests is bounded: one that hangs, crashes or does not end is reported, and leaves nothing behind.

A small script takes the place of the browser, so that this is tested on every machine.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

if sys.platform != "win32":
    import fcntl

from tests.servers import browser as module
from tests.servers.browser import Browser, browser

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Chromium is controlled over inherited pipes")

# Responds to each command with its number. The case decides what else it does.
STAND_IN = '''#!{python}
import json, os, signal, subprocess, sys

case, starts = {case!r}, {starts!r}
# A process of the browser: it holds a lock until it ends, after a minute at the latest.
CHILD = """
import fcntl, os, signal, sys
signal.alarm(60)
file = open(sys.argv[1])
fcntl.flock(file, fcntl.LOCK_EX)
os.write(1, b".")
signal.pause()
"""
with open(starts, "a") as file:
    file.write("x")
first = os.path.getsize(starts) == 1
if case == "gone" or (case == "gone at first" and first):
    sys.exit("no display")
if case == "hangs":
    signal.pause()
unread = b""
while part := os.read(3, 65536):
    unread += part
    while b"\\0" in unread:
        text, _, unread = unread.partition(b"\\0")
        command = json.loads(text)
        result = {{"targetId": "t", "sessionId": "s", "result": {{"value": len(text)}}}}
        method = command["method"]
        if method == "Browser.close":
            if case == "does not end":
                child = subprocess.Popen([sys.executable, "-c", CHILD, starts], stdout=subprocess.PIPE)
                child.stdout.read(1)
                signal.pause()
            sys.exit()
        events = []
        thrown = {{"method": "Runtime.exceptionThrown", "params": {{}}}}
        if method == "Target.createTarget" and case == "earlier page fails":
            events = [thrown | {{"sessionId": "earlier"}}]
        if method == "Runtime.evaluate" and case == "page fails":
            events = [thrown | {{"sessionId": "s"}}]
        if method == "Runtime.evaluate" and case == "page crashes":
            events = [{{"method": "Inspector.targetCrashed", "params": {{}}, "sessionId": "s"}}]
        if method == "Runtime.evaluate" and case == "page hangs":
            continue
        for message in (*events, {{"id": command["id"], "result": result}}):
            os.write(4, json.dumps(message).encode() + b"\\0")
'''


@pytest.fixture
def stand_in(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a script in the place of the browser, with short bounds, and return the directory of its profile."""
    path = tmp_path / "chromium"
    path.write_text(STAND_IN.format(python=sys.executable, case=request.param, starts=str(tmp_path / "starts")))
    path.chmod(0o700)
    monkeypatch.setattr(module, "CHROMIUM", str(path))
    if request.param == "page hangs":
        monkeypatch.setattr(module, "RESPONSE", 0.1)
    if request.param == "hangs":
        monkeypatch.setattr(module, "START", 0.1)
    if request.param in ("does not end", "hangs"):
        monkeypatch.setattr(module, "END", 0.5)
    return tmp_path / "profile"


def use(started: Browser) -> int:
    started.open("http://127.0.0.1/")
    value: int = started.run("1")
    started.close()
    return value


@pytest.mark.parametrize("stand_in", ["works", "earlier page fails", "gone at first"], indirect=True)
def test_a_browser_is_used(stand_in: Path) -> None:
    with browser(stand_in) as started:
        assert use(started) > 0
        # A command that is larger than the pipe is sent whole.
        assert started.run("x" * 1_000_000) > 1_000_000


@pytest.mark.parametrize(
    ("stand_in", "problem"),
    [
        ("gone", "the browser is gone .*no display"),
        ("hangs", "the browser has not responded to Browser.getVersion in time"),
        ("page hangs", r"the browser has not responded to [\w.]+ in time"),
        ("page fails", "Runtime.exceptionThrown"),
        ("page crashes", "Inspector.targetCrashed"),
    ],
    indirect=["stand_in"],
)
def test_a_browser_that_cannot_be_used_is_reported(stand_in: Path, problem: str) -> None:
    with pytest.raises(AssertionError, match=problem), browser(stand_in) as started:
        use(started)


@pytest.mark.parametrize("stand_in", ["does not end"], indirect=True)
def test_no_process_of_a_browser_is_left(stand_in: Path) -> None:
    began = time.monotonic()
    with browser(stand_in) as started:
        use(started)
    with (stand_in.parent / "starts").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
    assert time.monotonic() - began < 30
