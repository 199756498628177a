"""`python -m agent_session_platform_sandbox`: a sandbox as a process of its own, until Ctrl-C."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from .faults import RateLimit
from .population import ORGANIZATIONS, add_demo
from .sandbox import Sandbox
from .server import EVERYWHERE, LOOPBACK, MAX_BODY, is_loopback
from .snapshots import BEGINNING, locked
from .validation import parse_json

# Names of the credentials: attributes of a sandbox, and members of the JSON that is printed.
CREDENTIALS = ("token", "viewer_token", "personal_token", "admin_key")
# The signals that end the server: of Ctrl-C, of `kill`, and of a terminal that is closed. Windows has no SIGHUP.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
# A signal that comes just before the main thread sleeps is noticed this many seconds later.
POLL_SECONDS = 0.1


def main(arguments: list[str] | None = None, program: str = f"python -m {__package__}") -> None:
    """Serve a sandbox until Ctrl-C, SIGTERM or SIGHUP, and print its address and credentials.

    Args:
        arguments: Command line arguments; None takes those of the process.
        program: Name of the program in the usage message.
    """
    parser = _parser(program)
    options = parser.parse_args(arguments)
    if options.sessions < 0:
        parser.error(f"argument --sessions: {options.sessions} is negative")
    try:
        sandbox = Sandbox(
            now=lambda: datetime.now(UTC),
            max_body=options.max_body,
            finish_after=options.finish_after,
            finished_status=options.finished_status,
        )
        if options.rate_limit is not None:
            sandbox.rate_limit = RateLimit(options.rate_limit, options.burst, retry_after="fraction")
    except ValueError as error:
        parser.error(str(error))
    with ExitStack() as stack:
        state: Path | None = options.state
        if state is not None:
            with _reported(f"--state {state}"):
                stack.enter_context(locked(state))
        _fill(sandbox, options)
        _serve(sandbox, options, program)
        if state is not None:
            with _reported(f"--state {state}: cannot be saved"):
                sandbox.snapshots.save(state)


def describe(sandbox: Sandbox, base_url: str, program: str, *, as_json: bool) -> str:
    """Return the address and the credentials of a sandbox, as JSON, or as text for a person with a first call."""
    organization = ORGANIZATIONS[0]
    if as_json:
        credentials = {name: getattr(sandbox, name) for name in CREDENTIALS}
        return json.dumps({"base_url": base_url, "page": f"{base_url}/", "organization": organization, **credentials})
    first_call = 'curl -H "Authorization: Bearer $AGENT_PLATFORM_TOKEN" \\\n    ' + (
        '"$AGENT_PLATFORM_BASE_URL/v3/organizations/$AGENT_PLATFORM_ORG_ID/sessions"'
    )
    if program.endswith(" sandbox"):
        first_call = f"{program.removesuffix(' sandbox')} call organization.sessions.list"
    return f"""The sandbox listens on {base_url} until Ctrl-C. In another terminal:

  export AGENT_PLATFORM_BASE_URL={base_url}
  export AGENT_PLATFORM_TOKEN={sandbox.token}
  export AGENT_PLATFORM_ORG_ID={organization}
  unset AGENT_PLATFORM_PROFILE

  {first_call}

Watch and control it in a browser at {base_url}/, or over HTTP: GET {base_url}/_sandbox lists the addresses.

Other credentials: {sandbox.viewer_token} (has only ViewOrgSessions), {sandbox.personal_token} (a personal access
token), {sandbox.admin_key} (a personal API key of an enterprise administrator)."""


def _path(text: str) -> Path:
    """Return the path of an option; refuse an empty text, which would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return Path(text)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Serve a double of the platform until Ctrl-C.")
    add = parser.add_argument
    add("--port", type=int, default=0, help="port to listen on (default: any)")
    add(
        "--host", default=LOOPBACK, help="address to listen on (default: this machine only); 0.0.0.0 for all interfaces"
    )
    add("--allow-host", action="append", default=[], metavar="NAME", help="accept this Host header, too; repeatable")
    add("--finish-after", type=int, metavar="SECONDS", help="finish a session this long after its latest message")
    add("--finished-status", metavar="STATUS", help="status of a finished session, such as ready (an assumption)")
    add(
        "--script",
        type=_path,
        metavar="FILE",
        help='JSON: what the assistant does, {"turns": [...]} or {"rules": [...]}',
    )
    add("--sessions", type=int, default=0, help="number of sessions to begin with (default: 0)")
    add("--seed-file", type=_path, metavar="FILE", help='JSON to begin with: {"sessions": [{"title": "..."}]}')
    add("--state", type=_path, metavar="FILE", help="begin with the state in FILE, if it exists, and save it there")
    add("--rate-limit", type=int, metavar="N", help="respond to more than N requests a second with 429")
    add("--burst", type=int, default=3, help="number of requests that are admitted at once (default: 3)")
    add("--max-body", type=int, default=MAX_BODY, metavar="BYTES", help="largest body (default: %(default)s)")
    add("--json", action="store_true", help="print address and credentials as one line of JSON")
    return parser


@contextmanager
def _reported(what: str) -> Generator[None]:
    """End the process with a message of one line if the code of the context fails."""
    try:
        yield
    except (OSError, OverflowError, RecursionError, ValueError) as error:
        # The message of an OSError repeats the path.
        reason = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
        sys.exit(f"{what}: {' '.join(reason.split())}")


def _fill(sandbox: Sandbox, options: argparse.Namespace) -> None:
    """Add the content that the options name; a reset restores it."""
    if options.script is not None:
        with _reported(f"--script {options.script}"):
            sandbox.on_message(parse_json(options.script.read_bytes()))
    # A symbolic link is refused, also if its target does not exist.
    if options.state is not None and os.path.lexists(options.state):
        with _reported(f"--state {options.state}: cannot be loaded"):
            sandbox.snapshots.load(options.state)
    else:
        add_demo(sandbox, options.sessions)
        if options.seed_file is not None:
            with _reported(f"--seed-file {options.seed_file}"):
                sandbox.seed(parse_json(options.seed_file.read_bytes()))
    sandbox.snapshots.take(BEGINNING)


def _serve(sandbox: Sandbox, options: argparse.Namespace, program: str) -> None:
    """Serve the sandbox until SIGINT, SIGTERM or SIGHUP comes."""
    host: str = options.host.strip("[]")
    with (
        _reported(f"cannot listen on port {options.port} of {host}"),
        sandbox.serve(options.port, host=host, allow_hosts=options.allow_host) as base_url,
    ):
        if not is_loopback(host):
            names = ["localhost", *([] if host in EVERYWHERE else [host]), *options.allow_host]
            print(
                f"The sandbox listens on {host}, and not only for this machine: whoever reaches the port may use and "
                f"control it, because its credentials are public. Requests must name the host {' or '.join(names)}; "
                "--allow-host NAME adds one.",
                file=sys.stderr,
                flush=True,
            )
        received: list[int] = []
        for number in ENDING:
            # Unlike threading.Event, the handler takes no lock: another signal may interrupt it.
            signal.signal(number, lambda number, frame: received.append(number))
        print(describe(sandbox, base_url, program, as_json=options.json), flush=True)
        while not received:
            time.sleep(POLL_SECONDS)


if __name__ == "__main__":
    main()
