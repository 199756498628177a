"""The turn: a text for the assistant, and what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeAlias

import attrs
from agent_session_platform import AgentPlatformError
from agent_session_platform.models import Session, SessionMessage

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # The type of a result; without `result` it is any JSON.
    R = TypeVar("R", default=Any)
else:
    from typing import TypeVar

    # Before Python 3.13 a type variable has no default at run time.
    R = TypeVar("R")

TurnReason: TypeAlias = Literal["done", "waiting", "failed", "gone", "stalled", "deadline", "unknown"]
"""The reason why a turn has ended; `Turn.reason` describes each."""


class SendNext(Protocol[R]):
    """Sends another text to the session of a turn, and returns the next turn."""

    def __call__(self, *, text: str, arguments: Mapping[str, Any]) -> Awaitable[Turn[R]]:
        """Send the text with further arguments."""
        ...


class ResultError(AgentPlatformError):
    """The structured output of a session has another shape than `result` expects.

    Read the message, which names the place that is wrong. The turn has the session, and with it the output as it came.
    """


@attrs.frozen(kw_only=True)
class Turn(Generic[R]):
    """A text for the assistant, and what came of it.

    Attributes:
        reason: `done`, `waiting`, `failed`: the session is in this state of `states`, and it was not before the text
            was sent; or the assistant has answered since. `gone`: the session is archived or deleted. `stalled`:
            nothing has changed for `stalled_after` seconds. `deadline`: `timeout` seconds have passed, or no other poll
            fits into them. `unknown`: it cannot be known what came of the text; `error` says why and how to look.
        session_id: The id of the session; None if its creation has an unknown outcome.
        session: The session as it was read last; None if it was never read.
        answer: The messages of the assistant after the text, in the order of the list; they end at the next message
            that is not the assistant's.
        interrupted: Whether the answer may be to another text too, or only a part: another message stands before the
            text, without an answer, or after the answer; or the session was in none of `states` when the text was sent;
            or the text is not listed.
        result: What `result` made of the structured output of a turn that is done; without `result`, the output as
            JSON. None if there is none, or if it was there before the text was sent.
        result_error: Why `result` refused the structured output; None if it did not.
        error: Why a poll failed last, or why the reason is `unknown`; None otherwise.
        elapsed: The seconds that the turn took.
        position: The turn as plain JSON, for `resume` in this or another process.
    """

    reason: TurnReason
    session_id: str | None
    session: Session | None = attrs.field(default=None, repr=False)
    answer: Sequence[SessionMessage] = ()
    interrupted: bool = False
    result: R | None = None
    result_error: ResultError | None = None
    error: AgentPlatformError | None = None
    elapsed: float = 0.0
    position: Mapping[str, Any] = attrs.field(factory=dict[str, Any], repr=False)
    # Sends the next text to the same session, with the same settings.
    _send_next: SendNext[R] = attrs.field(alias="send_next", repr=False, eq=False)

    @property
    def text(self) -> str:
        """The answer as one text: its messages, with an empty line between two."""
        return "\n\n".join(message.message or "" for message in self.answer)

    @property
    def pull_requests(self) -> Sequence[Any]:
        """The pull requests of the session, each with `pr_url` and `pr_state`."""
        if self.session is None:
            return []
        return self.session.pull_requests or []

    async def reply(self, text: str, *, arguments: Mapping[str, Any] | None = None) -> Turn[R]:
        """Send another text to the same session, and return the next turn. The settings are those of this turn.

        Args:
            text: The text.
            arguments: Further arguments of `send_message`, by name.

        Returns:
            The turn.

        Raises:
            InvalidArgumentError: There is no session, because its creation has an unknown outcome.
            AgentPlatformError: As for `ask`.
        """
        return await self._send_next(text=text, arguments=arguments or {})
