"""Give the assistant a text, wait for what comes of it, and return that: `ask`, and `resume` after a crash."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import attrs
from agent_session_platform import AgentPlatformError, InvalidArgumentError, States, errors, operations, to_json
from agent_session_platform.contract import load
from agent_session_platform.models import Session, SessionMessage

from ..states import named_states
from .loop import Sessions, Settings, Start, TurnLoop, call_back, now
from .messages import ASSISTANT
from .turn import R, Turn


async def ask(
    sessions: Sessions,
    text: str,
    *,
    session_id: str | None = None,
    states: States | None = None,
    result: Callable[[Any], R] | None = None,
    timeout: float = 3600.0,
    every: float = 10.0,
    max_every: float | None = None,
    stalled_after: float | None = None,
    on_message: Callable[[SessionMessage], object] | None = None,
    on_position: Callable[[dict[str, Any]], object] | None = None,
    arguments: Mapping[str, Any] | None = None,
    prompt_member: str | None = None,
    message_member: str | None = None,
) -> Turn[R]:
    """Give the assistant a text, in a new session or in one that is there, and wait for what comes of it.

    The description shows no event, no values of states, and no message that names the message it answers. So:

    - A state of `states` counts once the session differs from what it was just before the text was sent, or once a
      message of the assistant after the text is listed. If neither happens, the turn ends as `stalled` or `deadline`.
    - A message may be listed later than its state. A turn without an answer and without a new structured output is
      looked at again for `max_every` seconds before it ends. If its session works again in this time, the turn goes on.
      With an answer it ends at the first state that counts; `resume` at `Turn.position` reads what is listed later.
    - A state may be seen later than its messages: one that counts by them alone may then be of an earlier turn.
    - Nothing is an answer until the text is listed, if texts were listed before. While the messages cannot be read, the
      turn does not end in a state.
    - If the session already works when the text is sent, or another program talks to it, the answer may be to another
      text. Then `Turn.interrupted` is true. If another program sends the same text, the reason is `unknown`.
    - A text whose sending has an unknown outcome is looked up among the messages, for `max_every` seconds, and never
      sent again. If it is not there, the reason is `unknown`.
    - Messages are compared by event id and place in the list, and never by a time: times may be equal, and messages may
      lack ids. A list may show sessions without the prefix of their ids.

    The request of a new session, and that of a message, are not shown. It is an assumption that the text goes into
    their members `prompt` and `message`; the contract of a private build may name others (`x-turn`).

    If the task is cancelled, the session goes on; `resume` continues the turn.

    Args:
        sessions: The sessions of an organization or of the enterprise, such as `org.sessions`.
        text: The task or message.
        session_id: The session to send the text to; None creates a session.
        states: Which values of a session mean that it is done, waits for a person, or has failed. None means the states
            that the contract of a private build names.
        result: Takes the structured output of a turn that is done, as JSON, and returns the result, such as
            `Report.model_validate`, or `lambda output: msgspec.convert(output, Report)`.
        timeout: Seconds for the whole turn, more than 0.
        every: Seconds between two polls, more than 0; the pause grows while nothing changes.
        max_every: Seconds between two polls at most; None means six times `every`.
        stalled_after: Seconds without a change of the session or its messages after which the turn ends; None: never.
        on_message: Called with each message of the answer while the turn runs; what it returns is awaited if it can be.
            What it raises ends the turn.
        on_position: Called with the position of the turn before the text is sent to a session, and after it was sent or
            the session was created. Save it, and `resume` continues after a crash.
        arguments: Further arguments of `create`, or of `send_message`, by name.
        prompt_member: The member of a new session's request that takes the text; None means the one of the contract, or
            else `prompt`.
        message_member: The member of a message's request that takes the text; None means the one of the contract, or
            else `message`.

    Returns:
        The turn: its `reason`, `answer`, `result` and more; see `Turn`.

    Raises:
        InvalidArgumentError: An argument is refused, or the sessions of this build lack a method of a turn; nothing is
            sent. Or the first session that is read has no field that `states` names.
        NotFoundError: There is no session with this id.
        AgentPlatformError: The text was refused; or a poll failed, and another one would fail as well. Then the note of
            the error names the session.

    Example:
        states = States(done={"status": {"ready"}}, failed={"status": {"failed"}})
        turn = await ask(org.sessions, "Fix the flaky test", states=states)
        print(turn.reason, turn.text)
    """
    arguments = arguments or {}
    settings: Settings[R] = settings_of(
        sessions,
        states,
        message_member,
        result=result,
        timeout=timeout,
        every=every,
        max_every=max_every,
        stalled_after=stalled_after,
        on_message=on_message,
        on_position=on_position,
    )
    if session_id is not None:
        return await send(sessions, session_id=session_id, text=text, settings=settings, arguments=arguments)
    return await create(sessions, text, settings, arguments, prompt_member or text_member(sessions.create, "prompt"))


async def resume(
    sessions: Sessions,
    position: Mapping[str, Any],
    *,
    states: States | None = None,
    result: Callable[[Any], R] | None = None,
    timeout: float = 3600.0,
    every: float = 10.0,
    max_every: float | None = None,
    stalled_after: float | None = None,
    on_message: Callable[[SessionMessage], object] | None = None,
    on_position: Callable[[dict[str, Any]], object] | None = None,
    message_member: str | None = None,
) -> Turn[R]:
    """Continue a turn at its position, in this or another process. Nothing is sent.

    Args:
        sessions: The sessions that the turn was begun with.
        position: The position, as `ask` gave it to `on_position`, or `Turn.position`.
        states: As for `ask`.
        result: As for `ask`.
        timeout: Seconds for the rest of the turn, more than 0.
        every: As for `ask`.
        max_every: As for `ask`.
        stalled_after: As for `ask`.
        on_message: As for `ask`; it also gets the messages that an earlier process got.
        on_position: As for `ask`, also for the replies.
        message_member: As for `ask`, for the replies.

    Returns:
        The turn.

    Raises:
        InvalidArgumentError: An argument is refused, or *position* is not a position.
        NotFoundError: There is no such session.
        AgentPlatformError: A poll failed, and another one would fail as well.
    """
    settings: Settings[R] = settings_of(
        sessions,
        states,
        message_member,
        result=result,
        timeout=timeout,
        every=every,
        max_every=max_every,
        stalled_after=stalled_after,
        on_message=on_message,
        on_position=on_position,
    )
    try:
        start = Start(**position)
    except TypeError:
        raise InvalidArgumentError(f"position must be the position of a turn, not {reprlib.repr(position)}") from None
    return await loop_of(sessions, settings, start, now()).run()


def settings_of(sessions: Sessions, states: States | None, message_member: str | None, **given: Any) -> Settings[Any]:
    """Return the settings of a turn. What was not given is taken from the contract, or is an assumption.

    Raises:
        InvalidArgumentError: A setting is refused, or the sessions lack a method of a turn.
    """
    check_methods(sessions)
    return Settings(
        states=states or named_states(sessions.wait, "a turn"),
        message_member=message_member or text_member(sessions.send_message, "message"),
        **given,
    )


def loop_of(
    sessions: Sessions,
    settings: Settings[R],
    start: Start,
    began: float,
    *,
    session: Session | None = None,
    doubt: AgentPlatformError | None = None,
) -> TurnLoop[R]:
    """Return the loop of a turn.

    Args:
        sessions: The sessions.
        settings: The settings of the turn.
        start: Where it began.
        began: When it began.
        session: The session as it was read before; None if it was not.
        doubt: The error that leaves open whether the server has the text; None if there is none.
    """
    send_next = partial(send, sessions, session_id=start.session_id, settings=settings)
    return TurnLoop(sessions, settings, start, send_next, began, session=session, doubt=doubt)


def request_of(
    method: Callable[..., Any], member: str, text: str, arguments: Mapping[str, Any], **fixed: Any
) -> dict[str, Any]:
    """Return the arguments of the call that gives the assistant a text.

    Raises:
        InvalidArgumentError: The text is empty, or an argument is refused.
    """
    if not text.strip():
        raise InvalidArgumentError("text must not be empty")
    own = {member: text, **fixed}
    for name in own.keys() & arguments.keys():
        raise InvalidArgumentError(f"arguments must not have {name!r}, which the turn sets itself")
    request = {**own, **arguments}
    operations.check_arguments(method, request)
    return request


async def create(
    sessions: Sessions, text: str, settings: Settings[R], arguments: Mapping[str, Any], member: str
) -> Turn[R]:
    """Create a session with a prompt, and follow its first turn."""
    request = request_of(sessions.create, member, text, arguments)
    began = now()
    try:
        created = await sessions.create(**request)
        session_id: str = created.session_id
    except AgentPlatformError as error:
        if not error.outcome_unknown and not isinstance(error, errors.MissingFieldError):
            raise
        unknown = error.with_traceback(None)
        return Turn(reason="unknown", session_id=None, error=unknown, elapsed=now() - began, send_next=refuse_reply)
    start = Start(
        text=text,
        session_id=session_id,
        is_new=True,
        is_sent=True,
        was_busy=False,
        lists_texts=False,
        before=to_json(created),
        messages=None,
    )
    return await loop_of(sessions, settings, start, began).run()


async def refuse_reply(*, text: str, arguments: Mapping[str, Any]) -> Any:
    """Refuse to send another text where no session is known."""
    raise InvalidArgumentError("there is no session to reply to: its creation has an unknown outcome")


async def send(
    sessions: Sessions, *, session_id: str, text: str, settings: Settings[R], arguments: Mapping[str, Any]
) -> Turn[R]:
    """Send a text to a session, and follow the turn."""
    request = request_of(sessions.send_message, settings.message_member, text, arguments, assistant_id=session_id)
    began = now()
    follower = sessions.follow_messages(session_id)
    messages = await follower.poll()
    # After its messages: work that has begun since then shows in its state, or before our text.
    before = await sessions.get(session_id)
    has_open_text = bool(messages) and messages[-1].source != ASSISTANT
    start = Start(
        text=text,
        session_id=session_id,
        is_new=False,
        is_sent=False,
        was_busy=has_open_text or settings.states.state_of(before) is None,
        lists_texts=any(message.source != ASSISTANT for message in messages),
        before=to_json(before),
        messages=follower.position,
    )
    await call_back(settings.on_position, attrs.asdict(start))
    doubt: AgentPlatformError | None = None
    try:
        await sessions.send_message(**request)
    except AgentPlatformError as error:
        if not error.outcome_unknown:
            raise
        doubt = error.with_traceback(None)
    else:
        start = attrs.evolve(start, is_sent=True)
    return await loop_of(sessions, settings, start, began, session=before, doubt=doubt).run()


def check_methods(sessions: Sessions) -> None:
    """Refuse sessions without a method that a turn calls: a private build has the operations of its own document.

    Raises:
        InvalidArgumentError: There is no such method.
    """
    for name in ("create", "get", "send_message", "follow_messages", "wait"):
        if not hasattr(sessions, name):
            raise InvalidArgumentError(
                f"sessions must have the method {name}, which these lack: a turn calls it. In a private build, keep or"
                " add its operation in the Overlay, or pass the sessions of the other scope"
            )


def text_member(method: Callable[..., Any], otherwise: str) -> str:
    """Return the member of a request that takes the text: the one that the contract names, or else the assumption."""
    endpoint = load().endpoints.get(operations.of(method).id)
    if endpoint is None:
        return otherwise
    member: str = endpoint.node.get("x-turn", {}).get("text", otherwise)
    return member
