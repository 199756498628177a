"""The script of a test: what the assistant does after a message of a user."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.text import format_value, type_name
from agent_session_platform.validators import instance_of, seconds

# Other records refer to a session by these.
SET_BY_SANDBOX: Final = ("session_id", "org_id")


@attrs.frozen
class SentMessage:
    """A message that a user sent: through the API, or as the prompt of a session.

    Attributes:
        session_id: The session that received it.
        org_id: Organization of the session.
        text: The text.
        is_prompt: True for the prompt with which a request, a schedule or an automation creates a session.
        session: Members of the session when the message came, as a copy.
    """

    session_id: str
    org_id: str
    text: str
    is_prompt: bool
    session: Mapping[str, Any]


def _is_text_or_none(turn: Turn, attribute: attrs.Attribute[Any], text: Any) -> None:
    if text is not None and not isinstance(text, str):
        raise InvalidArgumentError(f"{attribute.name} must be text or None, not {type_name(text)}")


def check_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of members that a test sets in a session.

    Raises:
        InvalidArgumentError: They are not JSON, or one of them is `session_id` or `org_id`.
    """
    if not isinstance(cast("object", fields), Mapping):
        raise InvalidArgumentError(f"fields must be a mapping of names to JSON, not {type_name(fields)}")
    for name in SET_BY_SANDBOX:
        if name in fields:
            raise InvalidArgumentError(f"{name} is set by the sandbox; leave it out")
    try:
        copied: dict[str, Any] = json.loads(json.dumps({**fields}, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"the fields of a session must be JSON: {error}") from None
    return copied


@attrs.frozen
class Turn:
    """Something that the assistant does: it sends a message, changes its session, or does both.

    Args:
        text: Message to send; None for none.
        after: Seconds of the sandbox's clock to wait, from the user's message; with 0 it is done at once.
        fields: Members of the session to set, such as `{"status": "ready"}`. Any names and JSON values are accepted,
            except `session_id` and `org_id`.
        source: `source` of the message.

    Raises:
        InvalidArgumentError: A setting is not valid, or there is neither a text nor a field.

    Example:
        Turn("The pull request is open.", after=600, fields={"status": "ready"})
    """

    text: str | None = attrs.field(default=None, validator=_is_text_or_none)
    after: float = attrs.field(default=0.0, validator=seconds(positive=False, finite=True), kw_only=True)
    fields: Mapping[str, Any] = attrs.field(factory=lambda: dict[str, Any](), converter=check_fields, kw_only=True)
    source: str = attrs.field(default="assistant", validator=instance_of(str, "text"), kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.text is None and not self.fields:
            raise InvalidArgumentError("a turn of the assistant must have a text or fields")


@attrs.frozen
class Finish:
    """The end of a session's work without a script: after each message it works, and then shows a status.

    Attributes:
        finish_after: Seconds of the sandbox's clock, from the latest message; more than 0.
        finished_status: The status that it shows then.

    Raises:
        InvalidArgumentError: A value is out of range or of the wrong type.
    """

    finish_after: float = attrs.field(validator=seconds(positive=True, finite=True))
    finished_status: str = attrs.field(validator=instance_of(str, "text, such as 'ready'"))


Turns: TypeAlias = str | Turn | Sequence[str | Turn] | None
Script: TypeAlias = Callable[[SentMessage], Turns]


def list_turns(returned: object) -> list[Turn]:
    """Return what a script returned as a list; a text is a message that is sent at once.

    Raises:
        InvalidArgumentError: It is neither None nor text, a `Turn` or a sequence of these.
    """
    if returned is None:
        return []
    if isinstance(returned, Sequence) and not isinstance(returned, str):
        return [_turn(each) for each in cast("Sequence[object]", returned)]
    return [_turn(returned)]


def _turn(returned: object) -> Turn:
    if isinstance(returned, Turn):
        return returned
    if isinstance(returned, str):
        return Turn(returned)
    raise InvalidArgumentError(
        f"the script of on_message must return text, a Turn, a sequence of these or None, not {format_value(returned)}"
    )
