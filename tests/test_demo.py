"""The quickstart of the README, as `make demo` runs it: over TCP, against a sandbox in its own process."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = str(Path(__file__).parents[1] / "examples" / "demo.py")


SHOWN = [
    r"A sandbox listens on http://127\.0\.0\.1:\d+",
    r"300 of 300; by origin: \{'webapp': 60",
    r"responses with 429, after which the client waited and tried again: [1-9]",
    r"assistant-301 is running",
    r"user: Start with test_login\n  " + "assistant" + r": On it\.",
    r"git\.example\.com/acme/shop #7 is pending",
    r"'Triage' runs '0 9 \* \* 1-5'",
    r"BadRequestError: organization\.schedules\.create: 400 Bad Request: body\.platform: unknown platform 'BeOS'",
    r"PermissionDeniedError: enterprise\.reviews\.create: 403 Forbidden: the credential lacks UseReviewManual",
    r"the credential needs UseReviewManual, at enterprise level",
]


def test_the_quickstart_shows_what_the_sdk_does() -> None:
    done = subprocess.run([sys.executable, "-W", "error", DEMO], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert [text for text in SHOWN if not re.search(text, done.stdout)] == [], done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_the_demo_in_the_middle_stops_its_sandbox(number: signal.Signals) -> None:
    process = subprocess.Popen([sys.executable, DEMO], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "listens on" in process.stdout.readline()
    process.send_signal(number)
    # Returns only when neither the sandbox nor the quickstart holds the other end of the pipes.
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (1, "\nstopped; the sandbox is stopped too\n")
