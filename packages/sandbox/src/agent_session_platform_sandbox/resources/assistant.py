"""The assistant: it does what the script of a test says, at once or when the clock has moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any, Final

import attrs
from agent_session_platform import InvalidArgumentError

from ..state import Record, RecurringRuns, SentMessage, State, Turn, list_turns
from ..time import check_time, parse_datetime

REPLY: Final = "On it."
RUNNING: Final = "running"

# The collection of the turns that are planned.
PLANNED: Final = "planned-turns"


def answer_messages(message: SentMessage) -> str | None:
    """Return the same text after each message, and nothing after a prompt: the script of a new sandbox."""
    return None if message.is_prompt else REPLY


def receive(state: State, session: Record, text: str, *, is_prompt: bool = False) -> Record:
    """Add a message of a user to a session, let the assistant respond, and return the message.

    Raises:
        InvalidArgumentError: The script returned something that is not a turn, or a turn after the end of the clock.
    """
    message = add_message(state, session, "user", text)
    fields = session.fields
    sent = SentMessage(fields["session_id"], fields["org_id"], text, is_prompt, deepcopy(fields))
    turns = list_turns((state.script or answer_messages)(sent))
    if state.script is None and state.finish is not None:
        # The latest message counts.
        cancel_turns(state, session)
        finished = {"status": state.finish.finished_status}
        turns += [Turn(fields={"status": RUNNING}), Turn(after=state.finish.finish_after, fields=finished)]
    for turn in turns:
        take_turn(state, session, turn)
    return message


def add_message(
    state: State, session: Record, source: str, text: str, fields: Mapping[str, Any] | None = None
) -> Record:
    """Add a message to a session; *fields* are further members, or replace the sandbox's own values."""
    created_at = state.seconds()
    message = {"event_id": state.new_id("event"), "created_at": created_at, "message": text, "source": source}
    session.fields["updated_at"] = created_at
    return state.add_part(session, {**message, **(fields or {})})


def change(state: State, session: Record, fields: Mapping[str, Any]) -> None:
    """Set members of a session; it was updated now, unless `updated_at` is among them."""
    session.fields |= {"updated_at": state.seconds(), **fields}


def take_turn(state: State, session: Record, turn: Turn) -> None:
    """Take a turn of the assistant in a session: at once, or when the clock has moved far enough.

    Raises:
        InvalidArgumentError: The clock ends before.
    """
    if not turn.after:
        _take(state, session, turn)
        return
    try:
        at = check_time(state.now() + timedelta(seconds=turn.after))
    except (OverflowError, ValueError):
        raise InvalidArgumentError(
            f"after must end before the clock does, not {turn.after:g} seconds from now"
        ) from None
    names = {name: session.fields[name] for name in ("org_id", "session_id")}
    planned = {"enabled": True, "at": at.isoformat(), **names, "turn": attrs.asdict(turn)}
    state.plan(RUNS, state.create(state.collection(PLANNED), "planned_turn", planned))


def cancel_turns(state: State, session: Record) -> None:
    """Cancel the planned turns in a session."""
    for record in [*state.collection(PLANNED).values()]:
        if record.fields["session_id"] == session.fields["session_id"]:
            _remove(state, record)


def _take(state: State, session: Record, turn: Turn) -> None:
    # The fields come last, because the message would change an `updated_at` of theirs.
    if turn.text is not None:
        add_message(state, session, turn.source, turn.text)
    if turn.fields:
        change(state, session, turn.fields)


def _remove(state: State, record: Record) -> None:
    # The scheduler may still hold a record that is in no collection any more.
    record.deleted = True
    state.collection(PLANNED).pop(record.fields["planned_turn_id"], None)


def _times(record: Record, after: datetime) -> Iterator[datetime]:
    """Return the one time of a planned turn; what a file holds is checked before the clock reaches it."""
    _target(record)
    at = parse_datetime(record.fields["at"])
    return iter((at,) if at > after else ())


def _run(state: State, record: Record, at: datetime) -> None:
    _remove(state, record)
    org_id, session_id, turn = _target(record)
    session = state.collection("sessions", org_id).get(session_id)
    # A file may plan a turn for a session that it does not have.
    if session is not None:
        _take(state, session, turn)


def _target(record: Record) -> tuple[str, str, Turn]:
    """Return the organization, the session and the turn of a record."""
    return record.fields["org_id"], record.fields["session_id"], Turn(**record.fields["turn"])


RUNS = RecurringRuns(PLANNED, _times, _run)
