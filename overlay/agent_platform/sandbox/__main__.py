"""`python -m agent_platform.sandbox`: the sandbox as a process of its own, until Ctrl-C."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType

from .limiter import RateLimit
from .platform import ORGANIZATIONS, Sandbox
from .seed import seed


def main(arguments: list[str] | None = None) -> None:
    """Serve a sandbox, and print where it is and how to get in."""
    parser = argparse.ArgumentParser(prog="python -m agent_platform.sandbox", description=__doc__)
    parser.add_argument(
        "--port", type=number(0, 65535), default=0, help="port on the loopback interface (default: any)"
    )
    parser.add_argument("--sessions", type=number(0), default=0, help="how many sessions to begin with (default: 0)")
    parser.add_argument(
        "--rate-limit", type=number(1), metavar="N", help="answer more than N requests a second with 429"
    )
    parser.add_argument("--burst", type=number(1), default=3, help="how many requests may come at once (default: 3)")
    parser.add_argument("--json", action="store_true", help="print address and credentials as one line of JSON")
    given = parser.parse_args(arguments)

    sandbox = Sandbox(now=lambda: datetime.now(UTC))
    seed(sandbox, given.sessions)
    if given.rate_limit:
        sandbox.rate_limit = RateLimit(given.rate_limit, given.burst, retry_after="fraction")
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    try:
        with sandbox.serve(given.port) as base_url:
            signal.signal(signal.SIGINT, end)
            signal.signal(signal.SIGTERM, end)
            print(told(sandbox, base_url, as_json=given.json), flush=True)
            stop.wait()
    except OSError as error:
        sys.exit(f"cannot listen on port {given.port}: {error.strerror}")


def number(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number from *least* to *most*, for argparse."""

    def whole_number(text: str) -> int:
        value = int(text)
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"must be at least {least}" + (f" and at most {most}" if most else ""))
        return value

    return whole_number


def told(sandbox: Sandbox, base_url: str, *, as_json: bool) -> str:
    """Address and credentials, for a program or for a person."""
    organization = ORGANIZATIONS[0]
    if as_json:
        facts = {
            "base_url": base_url,
            "organization": organization,
            "token": sandbox.token,
            "viewer_token": sandbox.viewer_token,
            "personal_token": sandbox.personal_token,
            "admin_key": sandbox.admin_key,
        }
        return json.dumps(facts)
    return f"""The sandbox listens on {base_url} until Ctrl-C. In another terminal:

  export AGENT_PLATFORM_BASE_URL={base_url}
  export AGENT_PLATFORM_TOKEN={sandbox.token}
  export AGENT_PLATFORM_ORG_ID={organization}

Other credentials: {sandbox.viewer_token} (holds only ViewOrgSessions), {sandbox.personal_token} (a personal access
token), {sandbox.admin_key} (a personal API key of an enterprise administrator)."""


if __name__ == "__main__":
    main()
