"""`python -m agent_platform.sandbox`: the sandbox as a process of its own, until Ctrl-C."""

from __future__ import annotations

import argparse
import json
import signal
import threading
from types import FrameType

from .limiter import RateLimit
from .platform import ORGANIZATIONS, Sandbox
from .seed import seed


def main(arguments: list[str] | None = None) -> None:
    """Serve a sandbox and print, as one line of JSON, where it is and how to get in."""
    parser = argparse.ArgumentParser(prog="python -m agent_platform.sandbox", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port of the loopback interface; 0 (default): a free one")
    parser.add_argument("--sessions", type=int, default=0, help="how many sessions to begin with")
    parser.add_argument("--rate-limit", type=float, metavar="N", help="answer more than N requests a second with 429")
    parser.add_argument("--burst", type=int, default=3, help="how many requests may come at once (default: 3)")
    given = parser.parse_args(arguments)

    sandbox = Sandbox()
    seed(sandbox, given.sessions)
    if given.rate_limit:
        sandbox.rate_limit = RateLimit(given.rate_limit, given.burst, retry_after="fraction")
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    with sandbox.serve(given.port) as base_url:
        credentials = {
            "token": sandbox.token,
            "viewer_token": sandbox.viewer_token,
            "personal_token": sandbox.personal_token,
            "admin_key": sandbox.admin_key,
        }
        print(json.dumps({"base_url": base_url, "organization": ORGANIZATIONS[0], **credentials}), flush=True)
        stop.wait()


if __name__ == "__main__":
    main()
