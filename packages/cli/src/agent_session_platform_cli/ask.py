"""`asp ask`: give the assistant a task, show how it goes, and print its answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, Final

import attrs
import click
from agent_session_platform import PolledChange, States, to_json
from agent_session_platform.contract import is_object
from agent_session_platform_jobs import Turn, ask, resume

from .call.parameters import json_or_text, pairs, parse_json
from .connect import connect
from .contract import OperationContract
from .errors import ExitCode, sentence_of
from .jobs import read_state, values_by_field, write_state
from .lookup import operation_named
from .output import print_value
from .progress import Bar, show_bar
from .running import run
from .settings import DASH, Settings, asp_command, bounds, extra, open_stdin, option, stalled_after, state
from .terminal_text import say

if TYPE_CHECKING:
    from agent_session_platform.models import Session, SessionMessage

STATES: Final = ("done", "waiting", "failed")
CREATE: Final = "organization.sessions.create"
SEND: Final = "organization.sessions.send_message"
SCHEMA: Final = click.Path(exists=True, dir_okay=False)


class WatchedSessions:
    """The sessions of a scope, for `ask`: a wait also reports each change of its session.

    Args:
        sessions: The sessions, such as `organization.sessions`.
        on_change: Called with each change that a poll has shown.
    """

    def __init__(self, sessions: Any, on_change: Callable[[PolledChange[Session]], object]) -> None:
        self.create = sessions.create
        self.get = sessions.get
        self.send_message = sessions.send_message
        self.follow_messages = sessions.follow_messages
        self.wait = partial(sessions.wait, on_change=on_change)


@attrs.define
class RunningTurn:
    """A turn that runs, as a person follows it: its position, and what the line of progress shows.

    Attributes:
        settings: The global options.
        path: The file of `--state`; None without it.
        position: Where the turn began, for `resume`; None until the session is known.
    """

    settings: Settings
    path: str | None
    position: Mapping[str, Any] | None = None
    _status: str = ""
    _message: str = "waiting for the assistant"
    _bar: Bar = attrs.field(init=False, factory=lambda: Bar(None))
    _shown: ExitStack = attrs.field(init=False, factory=ExitStack)

    async def run(self, text: str, session_id: str | None, arguments: Mapping[str, Any], **named: Any) -> Turn[Any]:
        """Begin the turn, or continue it at its position, and follow it to its end."""
        if sys.stderr.isatty():
            # Only for the line of progress: these polls read the list of messages.
            named["on_message"] = self._show_message
        async with connect(self.settings) as platform:
            sessions = WatchedSessions(platform.organization().sessions, self._show_change)
            with self._shown:
                if self.position is not None:
                    self._show(self.position)
                    return await resume(sessions, self.position, **named)
                # If the next request is cut off, the next run must not send the text again.
                self._write({"text": text})
                return await ask(
                    sessions, text, session_id=session_id, arguments=arguments, on_position=self._keep, **named
                )

    def _write(self, position: Mapping[str, Any]) -> None:
        if self.path is not None:
            write_state(self.path, json.dumps(position))

    def _keep(self, position: Mapping[str, Any]) -> None:
        if self.position is None:
            self._show(position)
        self.position = position
        self._write(position)

    def _show(self, position: Mapping[str, Any]) -> None:
        """Print the address of the session, and begin the line of progress."""
        # With `-o json`, stderr has JSON only.
        if not self.settings.errors_as_json:
            say(f"session {position['before'].get('url') or position['session_id']}")
        self._bar = self._shown.enter_context(show_bar(self._message, self.settings, "seconds"))

    def _show_change(self, change: PolledChange[Session]) -> None:
        self._status = f"{change.after.status or ''}: "
        self._bar.describe(f"{self._status}{self._message}")

    def _show_message(self, message: SessionMessage) -> None:
        self._message = message.message or ""
        self._bar.describe(f"{self._status}{self._message}")

    def how_to_continue(self) -> str | None:
        """Return the command that continues the turn; None if no session is known. Its position is in a file."""
        if self.position is None:
            return None
        if self.path is not None:
            return self.settings.command_line()
        with NamedTemporaryFile("w", prefix="asp-ask-", suffix=".json", delete=False) as file:
            json.dump(self.position, file)
        return self.settings.command_line("--state", file.name)

    def explain(self, error: BaseException) -> None:
        """Say what becomes of the turn after an error or Ctrl-C."""
        if is_refusal(error, self.position):
            # There is no turn, so the next run begins one.
            if self.path is not None:
                Path(self.path).unlink(missing_ok=True)
            return
        command = self.how_to_continue()
        if command is None:
            say("stopped: a session may have been created; look at the sessions before you ask again")
        elif self.settings.errors_as_json and isinstance(error, Exception):
            vars(error)["continue_with"] = command
        else:
            say(f"stopped, and the session goes on; continue with: {command}")

    def report(self, turn: Turn[Any]) -> None:
        """Say why a turn has no answer, or only a part, and what to do."""
        if turn.interrupted:
            say("the answer may be to another text too, or only a part: see the messages of the session")
        if turn.reason == "done":
            return
        error = f"; {sentence_of(turn.error)}" if turn.error is not None else ""
        say(f"the turn ended: {turn.reason} after {turn.elapsed:.0f} s{error}")
        if turn.reason in ("deadline", "stalled"):
            say(f"continue with: {self.how_to_continue()}")


def is_refusal(error: BaseException, position: Mapping[str, Any] | None) -> bool:
    """Return whether an error says that the server does not have the text.

    Args:
        error: The error that ended the turn.
        position: The position of the turn; None if no session is known.
    """
    if isinstance(error, KeyboardInterrupt) or getattr(error, "outcome_unknown", False):
        return False
    if position is None:
        return True
    is_of_send = str(getattr(error, "operation", None)) == SEND
    return is_of_send and not position["is_sent"]


def states_of(given: Mapping[str, Any]) -> States | None:
    """Return the states that the options name; None for those of the contract.

    Raises:
        click.UsageError: The options and the contract name none.
    """
    by_name: dict[str, Any] = {name: values_by_field(given[name], f"--{name}") for name in STATES}
    if any(by_name.values()):
        return States(**by_name)
    if not operation_named("organization.sessions.get").states:
        raise click.UsageError(
            "say when the session is done: --done NAME=VALUE, such as --done status=ready, and also --waiting and"
            " --failed if you know their values; the API's description shows none"
        )
    return None


def arguments_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the further members of the request.

    Raises:
        click.UsageError: An option is wrong, or the contract names no member for the schema.
    """
    found = pairs(given["extra"], "--extra")
    if given["result_schema"] is None:
        return found
    operation = CREATE if given["session"] is None else SEND
    member: str | None = OperationContract(operation_named(operation)).turn.get("result_schema")
    if member is None:
        raise click.UsageError(
            f"--result-schema: the contract names no member of {operation} that takes a schema: pass it with"
            " --extra NAME:=JSON, or name it in a private build (x-turn)"
        )
    schema = parse_json(Path(given["result_schema"]).read_bytes(), "--result-schema")
    return {**found, member: schema}


def position_in(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the position in the file of `--state`; None if there is none.

    Raises:
        click.UsageError: The file has something else, or another turn.
    """
    written = read_state(given["state"])
    if written is None:
        return None
    place = f"--state {given['state']}"
    position = json_or_text(written)
    if not is_object(position) or "text" not in position:
        raise click.UsageError(f"{place}: it is not the position of a turn; name another file")
    if not {"session_id", "before", "is_sent"} <= position.keys():
        raise click.UsageError(
            f"{place}: an earlier run was cut off while it sent the text: see whether there is a session or a message"
            " with it, and remove the file to send it again"
        )
    is_same_text = given["text"] in (DASH, position["text"])
    if not is_same_text or given["session"] not in (None, position["session_id"]):
        raise click.UsageError(f"{place}: it has a turn with another text or session; name another file for a new turn")
    return position


def read_text(given: str) -> str:
    """Return the text of a turn; - is stdin.

    Raises:
        click.UsageError: Stdin is closed, or is not text.
    """
    if given != DASH:
        return given
    stdin = open_stdin("TEXT -", "pass the text itself, or redirect stdin")
    if stdin.isatty():
        say("type the text, then press Enter and Ctrl-D")
    try:
        return stdin.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"TEXT -: stdin is not UTF-8: {error}") from None


def document_of(turn: Turn[Any]) -> dict[str, Any]:
    """Return a turn as plain JSON types."""
    return {
        "reason": turn.reason,
        "session_id": turn.session_id,
        "interrupted": turn.interrupted,
        "error": None if turn.error is None else sentence_of(turn.error),
        "elapsed": round(turn.elapsed, 3),
        "pull_requests": to_json(turn.pull_requests),
        "result": turn.result,
        "answer": [message.message for message in turn.answer],
        "position": to_json(turn.position),
        "session": to_json(turn.session),
    }


def state_option(name: str, text: str) -> click.Option:
    """Return the option for the values of a state."""
    return option(f"--{name}", f"{text}; A,B means A or B.", multiple=True, metavar="NAME=VALUE")


@asp_command(
    params=[
        click.Argument(["text"], metavar="TEXT"),
        option("--session", "Send TEXT to this session, and not to a new one.", metavar="ID"),
        state_option("done", "It is done at this value"),
        state_option("waiting", "It waits for you at this value"),
        state_option("failed", "It has failed at this value"),
        *bounds(),
        stalled_after(),
        state("Keep the position in FILE; the same command continues there."),
        extra(),
        option("--result-schema", "Ask for a structured output of this JSON Schema.", type=SCHEMA, metavar="FILE"),
    ],
    examples=(
        "asp ask 'Fix the flaky test' --done status=ready --failed status=failed",
        "asp ask 'Also in the docs' --session assistant-1 --done status=ready -o json",
        "asp ask - --done status=ready --state turn.json < task.md",
    ),
)
def ask_command(settings: Settings, /, **given: Any) -> int:
    """Give the assistant TEXT, wait until it is done, and print its answer; - is stdin.

    The session's address and the progress are on stderr. The API's description shows no values of states, so you name
    them; a private build may name them for you. --done, --waiting and --failed can be repeated; all fields that one of
    them names must match.

    Ctrl-C leaves the session alone, and prints the command that continues. With --state no text is sent twice, also
    after a crash.

    Exit codes: 0 done, 7 unknown, 11 gone, 12 stalled, 13 deadline, 15 waiting, 16 failed.
    """
    named = {name: given[name] for name in ("timeout", "every", "stalled_after")}
    states, arguments = states_of(given), arguments_of(given)
    position = position_in(given)
    text = "" if position is not None else read_text(given["text"])
    running = RunningTurn(settings, given["state"], position)
    try:
        turn = run(running.run(text, given["session"], arguments, states=states, result=to_json, **named))
        if settings.output is None and not settings.columns:
            print_value(turn.text and f"{turn.text}\n", settings)
        else:
            print_value(document_of(turn), settings)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        running.explain(error)
        raise
    if not settings.errors_as_json:
        running.report(turn)
    # The reasons are phrases of exit codes.
    return next(code for code in ExitCode if code.phrase == turn.reason)
