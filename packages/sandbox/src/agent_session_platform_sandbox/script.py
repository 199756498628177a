"""Script: what the assistant does after a message of a user, as a function or as data."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias, cast

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import Node

from .clock import EARLIEST, LATEST, check_time
from .fields import OBJECT, SESSION
from .problems import is_seconds, is_text, must
from .validation import ANY, TEXTS, check_json, closed_object

# No turn can be later than this.
CLOCK_SECONDS: Final = (LATEST - EARLIEST).total_seconds()

# Scripts as data. A `Turn` checks its members, where the schema allows any value.
TURN: Final[Node] = {
    **closed_object(text=ANY, after=ANY, late=ANY, source=ANY, fields=OBJECT),
    "type": ["object", "string"],
}
# At most 100 turns, because all of them are planned again for every message.
TURNS: Final[Node] = {"type": "array", "items": TURN, "maxItems": 100}
RULE: Final = closed_object(
    ("turns",), contains={**TEXTS, "minItems": 1}, number={"type": "integer", "minimum": 1}, turns=TURNS
)
SCRIPT: Final = closed_object(turns={**TURNS, "type": ["array", "null"]}, rules={"type": "array", "items": RULE})


def _session_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    return SESSION.check(fields)


is_delay: Final = must("be a number of seconds that is not negative", is_seconds)


@attrs.frozen
class SentMessage:
    """A message that a user sent: through the API, or as the prompt of a session.

    Attributes:
        session_id: The session that received it.
        org_id: Organization of the session.
        text: The text.
        is_prompt: True for the prompt with which a request, a schedule or an automation creates a session.
        session: A copy of the session's members at the time of the message.
        number: The number of the message among those of users in its session, from 1; a prompt counts.
    """

    session_id: str
    org_id: str
    text: str
    is_prompt: bool
    session: Mapping[str, Any]
    number: int


def beyond_the_end(name: str, seconds: float) -> str:
    """Return the message about a time that the clock never reaches."""
    return f"{name}={seconds:g} seconds lead beyond the end of the clock, in the year {LATEST.year}"


@attrs.frozen
class Turn:
    """Something that the assistant does: it sends a message, changes its session, or does both.

    Args:
        text: Message to send; None for no message.
        after: Seconds of the sandbox's clock to wait, counted from the user's message; 0 takes the turn at once.
        fields: Members of the session to set, such as `{"status": "ready"}`. Other names than those of the contract are
            accepted, too, unless they resemble one of these; `session_id` and `org_id` are not.
        source: Value of the message's member `source`.
        late: Seconds of the clock for which the API does not show the turn after it was taken: a message is not
            listed, and with fields the session is shown as it was before. If the turn is taken at once, that is before
            the user's message.

    Raises:
        InvalidArgumentError: A setting is not valid, or there is neither a text nor a field.

    Example:
        Turn("The pull request is open.", after=600, fields={"status": "ready"})
    """

    text: str | None = attrs.field(default=None, validator=must("be text or None", is_text))
    after: float = attrs.field(default=0.0, validator=is_delay, kw_only=True)
    fields: Mapping[str, Any] = attrs.field(factory=lambda: dict[str, Any](), converter=_session_fields, kw_only=True)
    source: str = attrs.field(default="assistant", validator=must("be text", is_text), kw_only=True)
    late: float = attrs.field(default=0.0, validator=is_delay, kw_only=True)

    def __attrs_post_init__(self) -> None:
        for name, seconds in {"after": self.after, "late": self.late}.items():
            if seconds > CLOCK_SECONDS:
                raise InvalidArgumentError(beyond_the_end(name, seconds))
        if self.text is None and not self.fields:
            raise InvalidArgumentError("a turn of the assistant must have a text or fields")


def due_time(now: datetime, turn: Turn) -> datetime | None:
    """Return the time at which a turn is taken; None if the clock ends before."""
    try:
        return check_time(now + timedelta(seconds=turn.after))
    except (OverflowError, ValueError):
        return None


AnyTurn: TypeAlias = str | Turn | Mapping[str, Any]
Turns: TypeAlias = str | Turn | Sequence[AnyTurn] | None
Script: TypeAlias = Callable[[SentMessage], Turns]
# What the assistant does after each message, or a mapping as `asp sandbox --script` reads it from a file.
ScriptData: TypeAlias = Turns | Mapping[str, Any]


def list_turns(returned: object) -> list[Turn]:
    """Return what a script returned as a list; a text is a message that is sent at once.

    Raises:
        InvalidArgumentError: The script returned neither None nor text, a `Turn` or a sequence of these.
        ValueError: A mapping in the sequence is not a turn.
    """
    given = returned
    if returned is None:
        given = ()
    elif isinstance(returned, str | Turn):
        given = (returned,)
    if not isinstance(given, Sequence):
        raise InvalidArgumentError(
            "the script of on_message must be or return text, a Turn, a sequence of these or None, not "
            f"{reprlib.repr(given)}"
        )
    turns: list[Turn] = []
    for turn in cast("Sequence[AnyTurn]", given):
        match turn:
            case Turn():
                turns.append(turn)
            case Mapping():
                check_json(TURN, turn, "a turn")
                turns.append(Turn(**turn))
            case _:
                turns.append(Turn(turn))
    return turns


@attrs.frozen
class Rule:
    """The turns that the assistant takes after some messages.

    Attributes:
        turns: The turns.
        contains: The text of the message has one of these, in upper or lower case; empty for any text.
        number: Number of the message in its session, from 1; None for any.
    """

    turns: Sequence[Turn] = attrs.field(converter=list_turns)
    contains: Sequence[str] = ()
    number: int | None = None

    def applies(self, message: SentMessage) -> bool:
        """Return whether the turns are taken after a message."""
        if self.number not in (None, message.number):
            return False
        text = message.text.casefold()
        return not self.contains or any(part.casefold() in text for part in self.contains)


def read_script(data: ScriptData, now: datetime) -> Script | None:
    """Return the function that does what data says: the turns of the first rule that applies to a message.

    Args:
        data: A text, a turn or a list of these; or a mapping with either `turns` or `rules`.
        now: The time of the clock.

    Returns:
        The function; None, the default script, for `{"turns": None}`.

    Raises:
        ValueError: The data is not a script, or the clock ends before one of its turns.
    """
    written: list[Any] = [{"turns": data}]
    if isinstance(data, Mapping):
        check_json(SCRIPT, data, "the script")
        if len(data) != 1:
            raise InvalidArgumentError('the script must have either "turns" or "rules"')
        if data.get("turns", data) is None:
            return None
        written = data.get("rules", [data])
    rules = [Rule(**rule) for rule in written]
    for rule in rules:
        for turn in rule.turns:
            if due_time(now, turn) is None:
                raise InvalidArgumentError(beyond_the_end("after", turn.after))

    def respond(message: SentMessage) -> Turns:
        return next((rule.turns for rule in rules if rule.applies(message)), None)

    return respond
