"""`python -m agent_session_platform.sandbox`: the sandbox as a process of its own, until Ctrl-C."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from .http.limiter import RateLimit
from .platform import Sandbox
from .population import ORGANIZATIONS
from .seed import plant_file, seed
from .snapshots.snapshots import BEGINNING


def main(arguments: list[str] | None = None, called: str = f"python -m {__package__}") -> None:
    """Serve a sandbox, and print where it is and how to get in; *called* is how the user did."""
    parser = argparse.ArgumentParser(prog=called, description="Serve a double of the platform until Ctrl-C.")
    parser.add_argument(
        "--port", type=number(0, 65535), default=0, help="port on the loopback interface (default: any)"
    )
    parser.add_argument("--sessions", type=number(0), default=0, help="how many sessions to begin with (default: 0)")
    parser.add_argument(
        "--seed-file", type=Path, metavar="FILE", help='JSON of things to begin with: {"sessions": [{"title": "..."}]}'
    )
    parser.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="begin with the state in this file, if there is one, instead of --sessions and --seed-file; save it there "
        "at the end",
    )
    parser.add_argument(
        "--rate-limit", type=number(1), metavar="N", help="answer more than N requests a second with 429"
    )
    parser.add_argument("--burst", type=number(1), default=3, help="how many requests may come at once (default: 3)")
    parser.add_argument("--json", action="store_true", help="print address and credentials as one line of JSON")
    given = parser.parse_args(arguments)

    with until_told() as stop:
        sandbox = Sandbox(now=lambda: datetime.now(UTC))
        begin(sandbox, given.sessions, given.seed_file, given.state)
        if given.rate_limit:
            sandbox.rate_limit = RateLimit(given.rate_limit, given.burst, retry_after="fraction")
        try:
            with sandbox.serve(given.port) as base_url:
                print(told(sandbox, base_url, as_json=given.json), flush=True)
                # Now and then, because a wait without an end is deaf to Ctrl-C on Windows.
                while not stop.wait(1):
                    pass
        except OSError as error:
            sys.exit(f"cannot listen on port {given.port}: {error.strerror}")
        if given.state is not None:
            try:
                sandbox.snapshots.save(given.state)
            except OSError as error:
                sys.exit(f"--state {given.state}: cannot be saved: {error.strerror}")


@contextmanager
def until_told() -> Generator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set, instead of what they do otherwise."""
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def begin(sandbox: Sandbox, sessions: int, seed_file: Path | None, state: Path | None) -> None:
    """Put into the sandbox what it is to begin with, which is also what a reset brings back."""
    if state is not None and not state.parent.is_dir():
        sys.exit(f"--state {state}: there is no directory {state.parent} to save it in; make it first")
    if state is not None and state.exists():
        try:
            sandbox.snapshots.load(state)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            way_out = "give another file, or delete it to begin anew"
            reason = in_a_line(error).removeprefix(f"{state} is no state of a sandbox: ")
            sys.exit(f"--state {state}: it is no state of a sandbox: {reason}; {way_out}")
    else:
        seed(sandbox, sessions)
        if seed_file is not None:
            try:
                plant_file(sandbox, seed_file)
            except (OSError, ValueError) as error:
                sys.exit(f"--seed-file {seed_file}: {in_a_line(error)}")
    sandbox.snapshots.take(BEGINNING)


def in_a_line(error: Exception) -> str:
    """What an error says, without the path that an error of the system repeats."""
    text = error.strerror if isinstance(error, OSError) else str(error)
    return " ".join((text or type(error).__name__).split())


def number(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number from *least* to *most*, for argparse."""

    def whole_number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None
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
            "page": f"{base_url}/",
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

Watch and steer it in a browser at {base_url}/, or over HTTP: GET {base_url}/_sandbox lists how.

Other credentials: {sandbox.viewer_token} (holds only ViewOrgSessions), {sandbox.personal_token} (a personal access
token), {sandbox.admin_key} (a personal API key of an enterprise administrator)."""


if __name__ == "__main__":
    main()
