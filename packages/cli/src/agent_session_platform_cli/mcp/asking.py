"""The tool `ask`: give the assistant of the platform a text, and wait for its answer, in several calls if need be."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import attrs
from agent_session_platform import AgentPlatform, InvalidArgumentError, States, errors, to_json
from agent_session_platform.contract import is_object
from agent_session_platform_jobs import Turn, ask, resume

from ..ask import CREATE, SEND, STATES, document_of
from ..lookup import operation_named
from .operations import Selection

ASK: Final = "ask"
GET: Final = "organization.sessions.get"

# The greatest number of seconds for a call, and for the turn in it: a request before or after it takes time, too.
LONGEST_CALL: Final = 45.0
LONGEST_TURN: Final = 35.0
# Seconds between two polls.
EVERY: Final = 3.0

EXAMPLE: Final = '{"text": "Fix the flaky test", "states": {"done": {"status": ["ready"]}}}'
GO_ON: Final = "it still works: call ask with session_id and states, and without text, to go on waiting"
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


@attrs.frozen
class Asking:
    """The turns that a server follows for its assistant.

    Attributes:
        platform: The client.
        selection: The allowed operations.
    """

    platform: AgentPlatform
    selection: Selection
    # The positions of the turns that have not ended, by session.
    _turns: dict[str, Mapping[str, Any]] = attrs.field(init=False, factory=dict[str, Mapping[str, Any]])

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
        named: dict[str, Any] = {"timeout": LONGEST_TURN, "every": EVERY, "max_every": 2 * EVERY}
        named |= {"states": states_of(given), "result": to_json}
        try:
            # The platform may be slow to respond, too.
            async with asyncio.timeout(LONGEST_CALL):
                turn = await self._follow(text, session_id, **named)
        except TimeoutError:
            raise errors.OutcomeUnknownError(
                f"no end within {LONGEST_CALL:g} s: look for the session or the message, and call ask with the"
                " session_id and without text to go on"
            ) from None
        found = document_of(turn)
        # The assistant has no use for the position, and can read the session.
        del found["position"], found["session"]
        if turn.reason == "deadline":
            return {"next": GO_ON, **found}
        self._turns.pop(turn.session_id or "", None)
        return found

    async def _follow(self, text: str | None, session_id: str | None, **named: Any) -> Turn[Any]:
        sessions = self.platform.organization().sessions
        if text is None:
            position = self._turns.get(session_id or "")
            if position is None:
                raise InvalidArgumentError(f"pass a text, or the session_id of a turn that still runs; write {EXAMPLE}")
            return await resume(sessions, position, **named)
        refusal = self.selection.refusal(operation_named(CREATE if session_id is None else SEND))
        if refusal is not None:
            raise InvalidArgumentError(refusal)
        return await ask(sessions, text, session_id=session_id, on_position=self._keep, **named)

    def _keep(self, position: Mapping[str, Any]) -> None:
        if position["is_sent"]:
            self._turns[position["session_id"]] = position


def states_of(given: Mapping[str, Any]) -> States | None:
    """Return the states that an assistant names; None for those of the contract.

    Raises:
        InvalidArgumentError: They have another form, or there are none.
    """
    states = given.get("states")
    if states is None and operation_named(GET).states:
        return None
    if not is_object(states) or not {*states} <= {*STATES}:
        raise InvalidArgumentError(f"states takes {', '.join(STATES)}; write {EXAMPLE}")
    return States(**states)
