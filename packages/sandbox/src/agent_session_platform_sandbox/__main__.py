"""`python -m agent_session_platform_sandbox`: a sandbox as a process of its own, until Ctrl-C."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from .http import MAX_BODY, RateLimit
from .http.requests import check_host_name, is_loopback
from .http.server import EVERYWHERE, in_url
from .population import ORGANIZATIONS, add_demo
from .sandbox import LOOPBACK, Sandbox
from .snapshots import BEGINNING, locked
from .validation import parse_json

# The credentials of a sandbox, as attributes and as members of the JSON.
CREDENTIALS = ("token", "viewer_token", "personal_token", "admin_key")


def main(arguments: list[str] | None = None, program: str = f"python -m {__package__}") -> None:
    """Serve a sandbox until Ctrl-C or SIGTERM, and print its address and credentials.

    Args:
        arguments: Command line arguments; None takes those of the process.
        program: Name of the program in the usage message.
    """
    parser = _parser(program)
    options = parser.parse_args(arguments)
    if (options.finish_after is None) != (options.finished_status is None):
        parser.error("--finish-after 5 and --finished-status ready need each other")
    with _stop_event() as stop, _used_alone(options.state):
        sandbox = Sandbox(
            now=lambda: datetime.now(UTC),
            max_body=options.max_body,
            finish_after=options.finish_after,
            finished_status=options.finished_status,
        )
        _fill(sandbox, options.sessions, options.seed_file, options.state)
        if options.rate_limit:
            sandbox.rate_limit = RateLimit(options.rate_limit, options.burst, retry_after="fraction")
        try:
            with sandbox.serve(options.port, host=options.host, allow_hosts=options.allow_host) as base_url:
                if not is_loopback(options.host):
                    print(_warning(options.host, options.allow_host), file=sys.stderr, flush=True)
                print(describe(sandbox, base_url, program, as_json=options.json), flush=True)
                # On Windows, a wait without a timeout cannot be interrupted by Ctrl-C.
                while not stop.wait(1):
                    pass
        except OSError as error:
            where = "" if options.host == LOOPBACK else f" of {options.host}"
            sys.exit(f"cannot listen on port {options.port}{where}: {error.strerror}")
        if options.state is not None:
            try:
                sandbox.snapshots.save(options.state)
            except (OSError, ValueError) as error:
                sys.exit(f"--state {options.state}: cannot be saved: {_one_line(error)}")


def describe(sandbox: Sandbox, base_url: str, program: str, *, as_json: bool) -> str:
    """Return the address and the credentials of a sandbox, as JSON or as text for a person, with a first call."""
    organization = ORGANIZATIONS[0]
    first_call = 'curl -H "Authorization: Bearer $AGENT_PLATFORM_TOKEN" \\\n    ' + (
        '"$AGENT_PLATFORM_BASE_URL/v3/organizations/$AGENT_PLATFORM_ORG_ID/sessions"'
    )
    if program.endswith(" sandbox"):
        first_call = f"{program.removesuffix(' sandbox')} call organization.sessions.list"
    if as_json:
        credentials = {name: getattr(sandbox, name) for name in CREDENTIALS}
        return json.dumps({"base_url": base_url, "page": f"{base_url}/", "organization": organization, **credentials})
    return f"""The sandbox listens on {base_url} until Ctrl-C. In another terminal:

  export AGENT_PLATFORM_BASE_URL={base_url}
  export AGENT_PLATFORM_TOKEN={sandbox.token}
  export AGENT_PLATFORM_ORG_ID={organization}

  {first_call}

Watch and control it in a browser at {base_url}/, or over HTTP: GET {base_url}/_sandbox lists the addresses.

Other credentials: {sandbox.viewer_token} (has only ViewOrgSessions), {sandbox.personal_token} (a personal access
token), {sandbox.admin_key} (a personal API key of an enterprise administrator)."""


def _warning(host: str, allowed: list[str]) -> str:
    """Return what is said aloud where other machines may reach the sandbox."""
    names = ["localhost", *([] if host in EVERYWHERE else [host]), *allowed]
    return (
        f"The sandbox listens on {host}, and not only for this machine: whoever reaches the port may use and control "
        f"it, because its credentials are public. Requests must name the host {' or '.join(names)}; --allow-host NAME "
        "adds one."
    )


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Serve a double of the platform until Ctrl-C.")
    parser.add_argument("--port", type=_number(0, 65535), default=0, help="port to listen on (default: any)")
    parser.add_argument(
        "--host",
        type=_address,
        default=LOOPBACK,
        metavar="ADDRESS",
        help=f"address of the interface to listen on (default: {LOOPBACK}, this machine only); 0.0.0.0 for all, as in "
        "a container",
    )
    parser.add_argument(
        "--allow-host",
        type=_host_name,
        action="append",
        default=[],
        metavar="NAME",
        help="accept requests whose Host header is NAME, besides localhost and 127.0.0.1; can be repeated",
    )
    parser.add_argument(
        "--finish-after",
        type=_number(1),
        metavar="SECONDS",
        help="let each session work for SECONDS after a message, and then show the status of --finished-status",
    )
    parser.add_argument(
        "--finished-status",
        metavar="STATUS",
        help="that status, such as ready: an assumption, because the API's description shows no values",
    )
    parser.add_argument("--sessions", type=_number(0), default=0, help="number of sessions to begin with (default: 0)")
    parser.add_argument(
        "--seed-file",
        type=Path,
        metavar="FILE",
        help='JSON with the content to begin with: {"sessions": [{"title": "..."}]}',
    )
    parser.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="begin with the state in this file, if it exists, instead of --sessions and --seed-file; save the state "
        "there at the end; one process at a time may use the file",
    )
    parser.add_argument(
        "--rate-limit", type=_number(1), metavar="N", help="respond to more than N requests a second with 429"
    )
    parser.add_argument(
        "--burst", type=_number(1), default=3, help="number of requests that are admitted at once (default: 3)"
    )
    parser.add_argument(
        "--max-body",
        type=_number(0),
        default=MAX_BODY,
        metavar="BYTES",
        help=f"refuse requests with longer bodies (default: {MAX_BODY})",
    )
    parser.add_argument("--json", action="store_true", help="print address and credentials as one line of JSON")
    return parser


@contextmanager
def _stop_event() -> Generator[threading.Event]:
    """Yield an event that Ctrl-C and SIGTERM set, instead of ending the process."""
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _used_alone(state: Path | None) -> Generator[None]:
    """Keep other processes from using the state file; exit if one does."""
    with ExitStack() as stack:
        if state is not None:
            if not state.parent.is_dir():
                sys.exit(f"--state {state}: there is no directory {state.parent} to save it in; create it first")
            try:
                stack.enter_context(locked(state))
            except BlockingIOError:
                sys.exit(f"--state {state}: another sandbox uses it; end that one first, or name another file")
            except OSError as error:
                sys.exit(f"--state {state}: {state}.lock, which keeps others from using it, fails: {_one_line(error)}")
        yield


def _fill(sandbox: Sandbox, sessions: int, seed_file: Path | None, state: Path | None) -> None:
    """Add the content that the options name; a reset restores it."""
    # A link that leads nowhere is refused like any other.
    if state is not None and os.path.lexists(state):
        try:
            sandbox.snapshots.load(state)
        except OSError as error:
            sys.exit(f"--state {state}: it cannot be read: {_one_line(error)}")
        except (ValueError, RecursionError) as error:
            reason = _one_line(error).removeprefix(f"{state} is not a state of a sandbox: ")
            advice = "name another file, or delete this one to begin without a state"
            sys.exit(f"--state {state}: it is not a state of a sandbox: {reason}; {advice}")
    else:
        add_demo(sandbox, sessions)
        if seed_file is not None:
            try:
                sandbox.seed(parse_json(seed_file.read_bytes()))
            except (OSError, ValueError) as error:
                sys.exit(f"--seed-file {seed_file}: {_one_line(error)}")
    sandbox.snapshots.take(BEGINNING)


def _one_line(error: Exception) -> str:
    """Return the message of an error in one line, without the path that an OSError repeats."""
    text = error.strerror if isinstance(error, OSError) else str(error)
    return " ".join((text or type(error).__name__).split())


def _host_name(text: str) -> str:
    """Return a host name, for argparse."""
    try:
        return check_host_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _address(text: str) -> str:
    """Return the address of an interface, for argparse: IPv6 without the brackets of a URL."""
    host = text.removeprefix("[").removesuffix("]")
    return _host_name(in_url(host)).strip("[]")


def _number(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return a parser of whole numbers in a range, for argparse."""

    def whole_number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"must be at least {least}" + (f" and at most {most}" if most else ""))
        return value

    return whole_number


if __name__ == "__main__":
    main()
