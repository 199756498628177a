"""The loop of one turn: what was read of its session and its messages, and when it is looked at again."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import isawaitable
from typing import Any, Final, Generic, Protocol

import attrs
from agent_session_platform import (
    AgentPlatformError,
    Follower,
    InvalidArgumentError,
    Outcome,
    RetryPolicy,
    States,
    errors,
    to_json,
)
from agent_session_platform.models import Session, SessionMessage

from ..lists.pages import CURSOR_REFUSALS
from .messages import Conversation, read_conversation
from .turn import R, ResultError, SendNext, Turn, TurnReason

# Each pause without news is longer by this factor, up to `max_every`; as the waits of the SDK.
GROWTH: Final = 1.5
SLOWEST: Final = 6.0
# A caller may pass any number of seconds as `every`.
SHORTEST: Final = 0.001
# Errors of a read of the messages after which the next one may succeed, besides those that a retry policy names. If the
# session is gone, its wait says so.
PASSING: Final = (
    errors.DeadlineExceededError,
    errors.PoolTimeoutError,
    errors.DecodeError,
    errors.PagingError,
    errors.NotFoundError,
)

HOW_TO_LOOK: Final = "read the messages of the session (list_messages), and send the text again only if it is not there"


class Sessions(Protocol):
    """The sessions of an organization or of the enterprise, such as `org.sessions`."""

    @property
    def create(self) -> Callable[..., Awaitable[Any]]:
        """Creates a session."""
        ...

    @property
    def get(self) -> Callable[..., Awaitable[Any]]:
        """Reads a session."""
        ...

    @property
    def send_message(self) -> Callable[..., Awaitable[Any]]:
        """Sends a message to a session."""
        ...

    @property
    def follow_messages(self) -> Callable[..., Follower[SessionMessage]]:
        """Follows the messages of a session."""
        ...

    @property
    def wait(self) -> Callable[..., Awaitable[Outcome[Any]]]:
        """Waits for a session."""
        ...


@attrs.frozen(kw_only=True)
class Settings(Generic[R]):
    """The settings of a turn, which its replies keep; `ask` describes them."""

    states: States
    result: Callable[[Any], R] | None
    timeout: float
    every: float
    max_every: float | None
    stalled_after: float | None
    on_message: Callable[[SessionMessage], object] | None
    on_position: Callable[[dict[str, Any]], object] | None
    message_member: str

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.states, States):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"states must be States(...), not {type(self.states).__name__}")
        self.states.refuse_misspelled(Session)
        for name in ("timeout", "every", "max_every", "stalled_after"):
            check_seconds(name, getattr(self, name))
        for name in ("result", "on_message", "on_position"):
            function = getattr(self, name)
            if function is not None and not callable(function):
                raise InvalidArgumentError(f"{name} must be a function, not {type(function).__name__}")

    @property
    def longest_pause(self) -> float:
        """Seconds between two polls at most. A message may be listed later than its state by so many seconds."""
        return self.max_every or SLOWEST * self.every


@attrs.frozen(kw_only=True)
class Start:
    """Where a turn began: all that another process needs to go on.

    Attributes:
        text: The text.
        session_id: The session.
        is_new: Whether the text is the prompt that created the session.
        is_sent: Whether it is known that the server has the text.
        was_busy: Whether the session may still have worked on something else when the text was sent.
        lists_texts: Whether messages that are not the assistant's were listed before, so that ours will be, too.
        before: The session just before the text was sent, as JSON; a new session as it was created.
        messages: The position in the list of messages just before the text was sent; None is the beginning.
    """

    text: str
    session_id: str
    is_new: bool
    is_sent: bool
    was_busy: bool
    lists_texts: bool
    before: Mapping[str, Any]
    messages: str | None


@attrs.define(eq=False)
class TurnLoop(Generic[R]):
    """One turn: what was read of its session and its messages, and when it is looked at again."""

    _sessions: Sessions
    _settings: Settings[R]
    _start: Start
    # Sends the next text to the session.
    _send_next: SendNext[R]
    # When the turn began, before its text was sent.
    _began: float
    # Why it is not known whether the server has the text; None once the text is listed.
    _doubt: AgentPlatformError | None = attrs.field(alias="doubt", default=None, kw_only=True)
    # The session as it was read last.
    _session: Session | None = attrs.field(alias="session", default=None, kw_only=True)
    # Why the latest poll failed.
    _error: AgentPlatformError | None = None
    _messages: Sequence[SessionMessage] = ()
    _reported: int = 0
    _pause: float = attrs.field(init=False)
    # The seconds that the server asks to wait (Retry-After) before the messages are read again.
    _retry_after: float = 0.0
    _changed_at: float = attrs.field(init=False)
    # When a state counted first without an answer; None while none does.
    _quiet_since: float | None = None

    def __attrs_post_init__(self) -> None:
        self._pause = self._settings.every
        self._changed_at = self._began

    async def run(self) -> Turn[R]:
        """Follow the turn to its end."""
        try:
            await call_back(self._settings.on_position, attrs.asdict(self._start))
            if not self._start.is_sent and not await self._is_listed():
                return self._unknown("it is not known whether the server has the text, which is not listed")
            return await self._follow()
        except Exception as error:
            error.add_note(f"the session is {self._start.session_id}; resume() continues the turn")
            raise

    async def _is_listed(self) -> bool:
        """Look for our text among the messages; return whether it is there within the longest pause."""
        until = now() + min(self._settings.longest_pause, self._left())
        while True:
            await self._read_messages()
            if self._conversation.found:
                self._doubt = None
                return True
            if now() >= until:
                return False
            await self._sleep()

    async def _follow(self) -> Turn[R]:
        """Wait for a state of our turn."""
        while self._left() > 0:
            try:
                outcome = await self._wait()
            except errors.NotFoundError as error:
                if self._session is None:
                    raise
                self._error = error.with_traceback(None)
                return await self._end("gone")
            self._record(outcome)
            is_read = await self._read_messages()
            is_stalled = is_read and self._is_stalled()
            if outcome.reason == "stalled" and not is_stalled:
                # The session has not changed, but its messages have, or they could not be read.
                continue
            if outcome.reason != "matched":
                return await self._end(ending(outcome))
            if self._conversation.found > 1:
                return self._unknown("another program has sent the same text, so the answer may be to that one")
            if self._counts(outcome):
                # Until the messages could be read, nobody knows whether there is an answer.
                if is_read and (self._is_complete() or self._was_quiet()):
                    return await self._end_in(outcome)
            elif is_stalled:
                return await self._end("stalled")
            await self._sleep()
        return await self._end("deadline")

    async def _wait(self) -> Outcome[Any]:
        """Wait until the session is in a state; meanwhile report messages if the caller wants them."""
        settings = self._settings
        waiting = asyncio.ensure_future(
            self._sessions.wait(
                self._start.session_id,
                until=settings.states,
                timeout=self._left(),
                every=settings.every,
                max_every=settings.max_every,
                stalled_after=settings.stalled_after,
            )
        )
        try:
            while settings.on_message is not None:
                ended, _ = await asyncio.wait([waiting], timeout=self._next_pause())
                if ended:
                    break
                await self._read_messages()
            return await waiting
        finally:
            # Leave no task behind, and no error that nobody has seen.
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)

    def _record(self, outcome: Outcome[Any]) -> None:
        """Keep what a wait has read."""
        self._error = outcome.error
        if outcome.last is None:
            return
        before, self._session = self._session, outcome.last
        # A wait that has stalled has seen no change for long enough; one that it saw before is no news.
        if before is not None and outcome.reason != "stalled" and is_changed(to_json(before), to_json(outcome.last)):
            self._note_change()

    async def _read_messages(self) -> bool:
        """Read the messages since just before our text, and report those of the answer that are new.

        Returns:
            Whether they could be read. If not, the next read may succeed.
        """
        follower = self._sessions.follow_messages(self._start.session_id, start=self._start.messages)
        try:
            messages = await follower.poll()
        except AgentPlatformError as error:
            if not may_pass(error):
                raise
            self._error = error.with_traceback(None)
            self._retry_after = getattr(error, "retry_after", None) or 0.0
            self._quiet_since = None
            return False
        if len(messages) > len(self._messages):
            self._note_change()
        self._messages = messages
        answer = self._conversation.answer
        for message in answer[self._reported :]:
            self._reported += 1
            await call_back(self._settings.on_message, message)
        return True

    @property
    def _conversation(self) -> Conversation:
        start = self._start
        return read_conversation(self._messages, start.text, is_new=start.is_new, lists_texts=start.lists_texts)

    def _counts(self, outcome: Outcome[Any]) -> bool:
        """Return whether a state is one of our turn, and not the one from before our text."""
        before: Session = Session.from_dict(dict(self._start.before))
        if self._settings.states.state_of(before) != outcome.state:
            return True
        return self._is_complete() or is_changed(self._start.before, to_json(outcome.last))

    def _has_answer(self) -> bool:
        return bool(self._conversation.answer)

    def _new_output(self) -> Any:
        """Return the structured output as JSON; None if there is none, or if it was there before our text."""
        output = to_json(self._session).get("structured_output")
        if not self._start.is_new and output == self._start.before.get("structured_output"):
            return None
        return output

    def _is_complete(self) -> bool:
        """Return whether there is what a turn brings: an answer, or a new structured output."""
        return self._has_answer() or self._new_output() is not None

    def _was_quiet(self) -> bool:
        """Return whether a state has counted for the longest pause without an answer."""
        if self._quiet_since is None:
            self._quiet_since = now()
            self._pause = self._settings.every
        return now() >= self._quiet_since + self._settings.longest_pause

    def _is_stalled(self) -> bool:
        stalled_after = self._settings.stalled_after
        return stalled_after is not None and now() >= self._changed_at + stalled_after

    async def _end_in(self, outcome: Outcome[Any]) -> Turn[R]:
        """End the turn in a state that counts."""
        conversation = self._conversation
        if not conversation.found and conversation.has_others:
            return self._unknown("the text is not listed, but messages of others are")
        assert outcome.state is not None
        return await self._end(outcome.state)

    async def _end(self, reason: TurnReason) -> Turn[R]:
        turn = self._turn(reason)
        if reason != "done":
            return turn
        try:
            output = await self._read_output()
        except AgentPlatformError as error:
            return attrs.evolve(turn, error=error.with_traceback(None))
        turn = attrs.evolve(turn, session=self._session)
        convert = self._settings.result
        if output is None or convert is None:
            return attrs.evolve(turn, result=output)
        try:
            return attrs.evolve(turn, result=convert(output))
        except Exception as error:
            refused = ResultError(f"result refuses the structured output: {describe(error)}")
            refused.__cause__ = error.with_traceback(None)
            return attrs.evolve(turn, result_error=refused)

    async def _read_output(self) -> Any:
        """Return the new structured output; read the session itself if it came from a list that does not show it."""
        if self._settings.result is not None and "structured_output" not in to_json(self._session):
            self._session = await self._sessions.get(self._start.session_id)
        return self._new_output()

    def _unknown(self, why: str) -> Turn[R]:
        error = self._doubt or AgentPlatformError(f"{self._start.session_id}: {why}; {HOW_TO_LOOK}")
        return attrs.evolve(self._turn("unknown"), error=error)

    def _turn(self, reason: TurnReason) -> Turn[R]:
        conversation = self._conversation
        return Turn(
            reason=reason,
            session_id=self._start.session_id,
            session=self._session,
            answer=conversation.answer,
            interrupted=conversation.interrupted or self._start.was_busy,
            error=self._error,
            elapsed=now() - self._began,
            position=attrs.asdict(self._start),
            send_next=self._send_next,
        )

    def _left(self) -> float:
        return self._began + self._settings.timeout - now()

    def _note_change(self) -> None:
        self._changed_at = now()
        self._pause = self._settings.every
        self._quiet_since = None

    def _next_pause(self) -> float:
        """Return the seconds until the next look, which grow while nothing changes."""
        longest = self._settings.longest_pause
        pause = max(min(self._pause, longest), self._retry_after)
        self._pause = min(GROWTH * self._pause, longest)
        self._retry_after = 0.0
        return max(min(pause, self._left()), SHORTEST)

    async def _sleep(self) -> None:
        await asyncio.sleep(self._next_pause())


def now() -> float:
    """Return the time of the event loop, in seconds."""
    return asyncio.get_running_loop().time()


def is_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether a session has changed between two reads.

    An item of a list may lack members that the session itself has, and may show ids without their prefix.
    """
    in_both = before.keys() & after.keys()
    return any(before[name] != after[name] for name in in_both if not name.endswith(("_id", "_ids")))


def may_pass(error: AgentPlatformError) -> bool:
    """Return whether the messages may be read later, after an error of their list."""
    if isinstance(error, errors.ProblemError) and error.cursor is not None and error.status in CURSOR_REFUSALS:
        return True
    return isinstance(error, PASSING) or RetryPolicy().is_retryable("GET", error)


def ending(outcome: Outcome[Any]) -> TurnReason:
    """Return the reason of a turn whose wait has ended without a state."""
    match outcome.reason:
        case "gone" | "stalled" | "deadline":
            return outcome.reason
        case _:
            return "unknown"


async def call_back(function: Callable[[Any], object] | None, value: Any) -> None:
    """Call a function of the caller, if there is one; await what it returns if that can be awaited."""
    if function is None:
        return
    returned = function(value)
    if isawaitable(returned):
        await returned


def check_seconds(name: str, value: float | None) -> None:
    """Refuse a number of seconds that is not a positive number.

    Raises:
        InvalidArgumentError: The value is refused.
    """
    if value is None and name in ("max_every", "stalled_after"):
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise InvalidArgumentError(f"{name} must be a number of seconds that is more than 0, not {value!r}")


def describe(error: BaseException) -> str:
    """Return an error of a converter as text, with the place that is wrong; each of several on its own line."""
    lines = [str(error), *getattr(error, "__notes__", ())]
    parts: Sequence[BaseException] = getattr(error, "exceptions", ())
    for part in parts:
        lines.append(describe(part))
    return "\n".join(lines)
