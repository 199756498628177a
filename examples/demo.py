"""Run quickstart.py against a sandbox in a process of its own: `make demo`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

QUICKSTART = Path(__file__).with_name("quickstart.py")

# The rate limit is so low that the quickstart exceeds it when it lists sessions.
SANDBOX = ("-m", "agent_session_platform_sandbox", "--sessions", "300", "--rate-limit", "8", "--burst", "3", "--json")

POLL_SECONDS = 0.05


@contextmanager
def ended_with(process: subprocess.Popen[str]) -> Generator[subprocess.Popen[str]]:
    """Yield a process, and end it when the context ends."""
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def sandbox() -> Generator[dict[str, str]]:
    """Start a sandbox, and yield its address and credentials."""
    # The sandbox has a session of its own, so that Ctrl-C reaches only this process, which then ends the others.
    command = [sys.executable, *SANDBOX]
    with ended_with(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)) as process:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            sys.exit("the sandbox did not start; its output is above")
        yield json.loads(line)


def main() -> int:
    """Start a sandbox, and run the quickstart against it."""
    # A signal that interrupts the start of a process would leave that process running.
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: stop.set())
    with sandbox() as platform:
        print(f"A sandbox listens on {platform['base_url']}, with a rate limit switched on.\n", flush=True)
        environment = os.environ | {
            "AGENT_PLATFORM_BASE_URL": platform["base_url"],
            "AGENT_PLATFORM_TOKEN": platform["token"],
            "AGENT_PLATFORM_ORG_ID": platform["organization"],
            "AGENT_PLATFORM_VIEWER_TOKEN": platform["viewer_token"],
        }
        command = [sys.executable, str(QUICKSTART)]
        with ended_with(subprocess.Popen(command, env=environment, text=True, start_new_session=True)) as quickstart:
            while quickstart.poll() is None and not stop.wait(POLL_SECONDS):
                pass
    if stop.is_set():
        sys.exit("\nstopped; the sandbox is stopped too")
    if quickstart.returncode == 0:
        print("\nThat was examples/quickstart.py, over a real TCP connection. Next: `make sandbox`, and try your code.")
    return quickstart.returncode


if __name__ == "__main__":
    sys.exit(main())
