"""The tool `ask`: give the assistant of the platform a text, and wait for its answer, in several calls if need be."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import attrs
from agent_session_platform import AgentPlatform, AgentPlatformError, InvalidArgumentError, States, errors, to_json
from agent_session_platform.contract import is_object
from agent_session_platform_jobs import Turn, ask, resume

from ..ask import is_refusal
from ..errors import sentence_of
from ..lookup import operation_named
from .operations import Selection

ASK: Final = "ask"
CREATE: Final = "organization.sessions.create"
SEND: Final = "organization.sessions.send_message"
GET: Final = "organization.sessions.get"

# The greatest number of seconds for a call, and for the turn in it: a request before or after it takes time, too.
LONGEST_CALL: Final = 45.0
LONGEST_TURN: Final = 35.0
# Seconds between two polls.
EVERY: Final = 3.0
SLOWEST: Final = 6.0

EXAMPLE: Final = '{"text": "Fix the flaky test", "states": {"done": {"status": ["ready"]}}}'
GO_ON: Final = "it still works: call ask with this session_id and without text to go on waiting"
STATE: Final = {"type": "object", "description": "Values by field, such as {'status': ['ready']}."}
PROPERTIES: Final[Mapping[str, Any]] = {
    "text": {"type": "string", "description": "The task, or the message. Without it, ask goes on waiting."},
    "session_id": {"type": "string", "description": "The session to send the text to. Without it, a new one."},
    "states": {
        "type": "object",
        "description": "Which values of a session mean that it is done, waits for a person, or has failed.",
        "properties": {"done": STATE, "waiting": STATE, "failed": STATE},
        "additionalProperties": False,
    },
}


def may_ask(selection: Selection) -> bool:
    """Return whether a new session, or a message to one, is allowed."""
    return any(selection.refusal(operation_named(name)) is None for name in (CREATE, SEND))


@attrs.frozen
class Known:
    """A turn that has not ended, as far as the server knows.

    Attributes:
        position: Its position.
        states: The states that the assistant has named; None for those of the contract.
    """

    position: Mapping[str, Any]
    states: States | None


@attrs.frozen
class Asking:
    """The turns that a server follows for its assistant.

    Attributes:
        platform: The client.
        selection: The allowed operations.
    """

    platform: AgentPlatform
    selection: Selection
    # The turns that have not ended, by session.
    _turns: dict[str, Known] = attrs.field(init=False, factory=dict[str, Known])

    async def call(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Begin a turn or continue one, wait within the bound, and return what came of it.

        Args:
            given: The arguments of the tool.

        Raises:
            InvalidArgumentError: An argument is wrong, or the operation is not allowed.
            AgentPlatformError: A request has failed.
        """
        text, session_id = given.get("text"), given.get("session_id")
        are_texts = isinstance(text, str | None) and isinstance(session_id, str | None)
        if not are_texts or not {*given} <= {*PROPERTIES}:
            raise InvalidArgumentError(f"{ASK} takes {', '.join(PROPERTIES)}; write {EXAMPLE}")
        states = states_of(given.get("states"))
        begun: list[Mapping[str, Any]] = []
        if text is not None:
            self._check(session_id, states)
            turn = self._begin(text, session_id, states, begun)
        else:
            known = self._turns.get(session_id or "")
            if known is None:
                raise InvalidArgumentError(f"pass a text, or the session_id of a turn that still runs; write {EXAMPLE}")
            begun.append(known.position)
            turn = self._continue(known, states)
        try:
            # The platform may be slow to respond, too.
            async with asyncio.timeout(LONGEST_CALL):
                return self._result_of(await turn)
        except TimeoutError:
            if begun:
                return {"next": GO_ON, "reason": "deadline", "session_id": begun[-1]["session_id"]}
            text = "look whether there is a session or a message with the text before you send it again"
            raise errors.OutcomeUnknownError(f"no response within {LONGEST_CALL:g} s: {text}") from None

    async def _begin(
        self, text: str, session_id: str | None, states: States | None, begun: list[Mapping[str, Any]]
    ) -> Turn[Any]:
        """Send a text, and follow the turn; *begun* gets its positions."""

        def keep(position: Mapping[str, Any]) -> None:
            begun.append(position)
            self._turns[position["session_id"]] = Known(position, states)

        sessions = self.platform.organization().sessions
        try:
            return await ask(sessions, text, session_id=session_id, states=states, on_position=keep, **settings())
        except AgentPlatformError as error:
            if begun and is_refusal(error, begun[-1]):
                del self._turns[begun[-1]["session_id"]]
            raise

    async def _continue(self, known: Known, states: States | None) -> Turn[Any]:
        sessions = self.platform.organization().sessions
        return await resume(sessions, known.position, states=states or known.states, **settings())

    def _check(self, session_id: str | None, states: States | None) -> None:
        """Refuse a text that may not be sent, or whose turn would not end.

        Raises:
            InvalidArgumentError: It is refused.
        """
        refusal = self.selection.refusal(operation_named(CREATE if session_id is None else SEND))
        if refusal is not None:
            raise InvalidArgumentError(refusal)
        if states is None and not operation_named(GET).states:
            raise InvalidArgumentError(f"states is needed, because the description shows no values; write {EXAMPLE}")

    def _result_of(self, turn: Turn[Any]) -> dict[str, Any]:
        """Return a turn for an assistant, with what it can do next."""
        found = {
            "reason": turn.reason,
            "session_id": turn.session_id,
            "interrupted": turn.interrupted,
            "result": turn.result,
            "pull_requests": to_json(turn.pull_requests),
            "error": None if turn.error is None else sentence_of(turn.error),
            "answer": [message.message for message in turn.answer],
        }
        if turn.reason == "deadline":
            return {"next": GO_ON, **found}
        if turn.session_id is not None:
            self._turns.pop(turn.session_id, None)
        if turn.reason == "waiting":
            return {"next": "it waits for a person: send a text to this session_id", **found}
        return found


def settings() -> dict[str, Any]:
    """Return the settings of all turns."""
    return {"result": to_json, "timeout": LONGEST_TURN, "every": EVERY, "max_every": SLOWEST}


def states_of(given: Any) -> States | None:
    """Return the states that an assistant names; None if it names none.

    Raises:
        InvalidArgumentError: They have another form.
    """
    if given is None:
        return None
    if not is_object(given) or not {*given} <= {"done", "waiting", "failed"}:
        raise InvalidArgumentError(f"states takes done, waiting and failed; write {EXAMPLE}")
    return States(**given)
