"""A turn: a text for the assistant, the wait for it, and what came of it."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import attrs
import httpx
import pytest
from agent_session_platform import InvalidArgumentError, OrganizationScope, errors
from agent_session_platform_jobs import States, Turn, ask, resume

from jobs_tests.turns.talk import ID, STATES, Talk
from tests.fixtures import in_virtual_time


def texts(turn: Turn[Any]) -> list[str | None]:
    return [message.message for message in turn.answer]


async def ask_new(org: OrganizationScope, text: str = "Fix it", **settings: Any) -> Turn[Any]:
    return await ask(org.sessions, text, states=STATES, **settings)


async def ask_again(org: OrganizationScope, text: str = "And the docs", **settings: Any) -> Turn[Any]:
    return await ask(org.sessions, text, session_id=ID, states=STATES, **settings)


def play(talk: Talk, *, at: float, says: tuple[str, ...] = (), **fields: Any) -> dict[float, Any]:
    """Return the plan in which the assistant says texts, and then changes its session."""

    def act() -> None:
        for text in says:
            talk.say(text)
        talk.change(**fields)

    return {at: act}


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture
def ready(talk: Talk) -> Talk:
    """Add a session that has answered an earlier text."""
    talk.add(status="ready", structured_output={"old": True})
    return talk


@pytest.mark.parametrize("status", ["ready", "question", "failed"])
def test_a_new_session_is_waited_for(talk: Talk, status: str) -> None:
    turn = talk.run(ask_new, play(talk, at=60.0, says=("On it.", "Fixed."), status=status))
    named = {"ready": "done", "question": "waiting", "failed": "failed"}
    assert (turn.reason, turn.session_id, turn.text) == (named[status], ID, "On it.\n\nFixed.")
    assert (turn.interrupted, turn.error, turn.session and turn.session.status) == (False, None, status)


def test_a_session_that_is_there_gets_the_text(ready: Talk) -> None:
    ready.say("Old answer")
    turn = ready.run(ask_again, play(ready, at=60.0, says=("Done.",), status="ready"))
    assert (turn.reason, texts(turn), turn.interrupted) == ("done", ["Done."], False)


def test_a_state_from_before_the_text_does_not_count(ready: Talk) -> None:
    def wake() -> None:
        ready.change(status="working")

    turn = ready.run(ask_again, {20.0: wake} | play(ready, at=300.0, says=("Done.",), status="ready"))
    assert (turn.reason, texts(turn)) == ("done", ["Done."])
    assert turn.elapsed >= 300.0


def test_an_answer_counts_where_the_session_does_not_change(ready: Talk) -> None:
    turn = ready.run(ask_again, {40.0: partial(ready.say, "Done.")})
    assert (turn.reason, texts(turn)) == ("done", ["Done."])


@pytest.mark.parametrize(
    ("settings", "reason"), [({"timeout": 500.0}, "deadline"), ({"stalled_after": 90.0}, "stalled")]
)
def test_without_a_change_and_an_answer_the_turn_is_not_done(ready: Talk, settings: Any, reason: str) -> None:
    turn = ready.run(partial(ask_again, **settings))
    assert (turn.reason, texts(turn), turn.result) == (reason, [], None)


def test_a_message_that_is_listed_later_than_the_state_is_in_the_answer(talk: Talk) -> None:
    talk.late = 40.0
    turn = talk.run(ask_new, play(talk, at=60.0, says=("Fixed.",), status="ready"))
    assert (turn.reason, texts(turn)) == ("done", ["Fixed."])


def test_a_state_that_is_seen_later_than_the_message_is_waited_for(ready: Talk) -> None:
    ready.late_state = 200.0

    def work() -> None:
        ready.say("Half.")
        ready.change(status="working")

    def end() -> None:
        ready.say("Whole.")
        ready.change(status="ready")

    turn = ready.run(partial(ask_again), {1.0: work, 30.0: end})
    assert turn.reason == "done"
    assert texts(turn)[0] == "Half."


def test_a_session_that_works_again_is_waited_for(talk: Talk) -> None:
    plan = {30.0: partial(talk.change, status="ready"), 50.0: partial(talk.change, status="working")}
    turn = talk.run(ask_new, plan | play(talk, at=900.0, says=("Fixed.",), status="ready"))
    assert (turn.reason, texts(turn)) == ("done", ["Fixed."])


def test_a_turn_without_an_answer_ends_when_nothing_comes_late(talk: Talk) -> None:
    turn = talk.run(ask_new, play(talk, at=60.0, status="ready"))
    assert (turn.reason, texts(turn)) == ("done", [])
    assert turn.elapsed < 240.0


def test_the_answer_ends_at_a_message_of_another(ready: Talk) -> None:
    def talk_over() -> None:
        ready.say("First part.")
        ready.say("Stop!", source="user")
        ready.say("Stopped.")
        ready.change(status="ready")

    turn = ready.run(ask_again, {30.0: talk_over})
    assert (texts(turn), turn.interrupted) == (["First part."], True)


def test_a_message_before_the_text_may_be_answered_too(ready: Talk) -> None:
    def arrive(session_id: str, text: str) -> None:
        if text != "Hurry":
            # It arrives just before the text, and the assistant then answers both.
            ready.messages[ID].insert(0, (0.0, {"event_id": "event-0", "message": "Hurry", "source": "user"}))

    ready.on_text = arrive
    turn = ready.run(ask_again, play(ready, at=30.0, says=("Both done.",), status="ready"))
    assert (texts(turn), turn.interrupted) == (["Both done."], True)


def test_the_answer_of_a_session_that_works_already_is_marked(talk: Talk) -> None:
    talk.add(status="working")
    turn = talk.run(ask_again, play(talk, at=30.0, says=("Of before?",), status="ready"))
    assert (texts(turn), turn.interrupted) == (["Of before?"], True)


def test_the_same_text_of_two_programs_is_unknown(ready: Talk) -> None:
    def act() -> None:
        ready.say("And the docs", source="user")
        ready.say("Done.")
        ready.change(status="ready")

    turn = ready.run(ask_again, {5.0: act})
    assert (turn.reason, turn.session_id) == ("unknown", ID)
    assert "another program has sent the same text" in str(turn.error)


def test_a_text_whose_response_is_lost_is_found(ready: Talk) -> None:
    ready.losing = ["response"]
    ready.late = 15.0
    turn = ready.run(ask_again, play(ready, at=40.0, says=("Done.",), status="ready"))
    assert (turn.reason, texts(turn)) == ("done", ["Done."])
    assert [request for request in ready.requests if request.startswith("POST")] == [f"POST /{ID}/messages"]


def test_a_text_that_is_lost_is_unknown_and_not_sent_again(ready: Talk) -> None:
    ready.losing = ["request"]
    turn = ready.run(ask_again)
    assert (turn.reason, type(turn.error)) == ("unknown", errors.OutcomeUnknownError)
    assert [request for request in ready.requests if request.startswith("POST")] == [f"POST /{ID}/messages"]
    assert turn.elapsed < 120.0


def test_a_creation_with_an_unknown_outcome_is_unknown(talk: Talk) -> None:
    talk.losing = ["response"]
    turn = talk.run(ask_new)
    assert (turn.reason, turn.session_id, type(turn.error)) == ("unknown", None, errors.OutcomeUnknownError)
    assert talk.requests == ["POST "]


@in_virtual_time
async def test_there_is_no_reply_without_a_session() -> None:
    talk = Talk()
    talk.losing = ["response"]
    async with talk.client() as platform:
        turn = await ask_new(platform.organization("org-acme"))
        with pytest.raises(InvalidArgumentError, match="no session to reply to"):
            await turn.reply("Hello?")


def test_the_lookup_of_a_text_ends_with_the_turn(ready: Talk) -> None:
    ready.losing = ["request"]
    turn = ready.run(partial(ask_again, timeout=5.0))
    assert (turn.reason, type(turn.error)) == ("unknown", errors.OutcomeUnknownError)
    assert turn.elapsed < 6.0
    assert len(ready.requests) < 10


def test_a_lookup_that_fails_keeps_the_doubt(ready: Talk) -> None:
    ready.losing = ["request"]

    def refuse(position: dict[str, Any]) -> None:
        ready.refusal = httpx.Response(503)

    turn = ready.run(partial(ask_again, on_position=refuse))
    assert (turn.reason, type(turn.error)) == ("unknown", errors.OutcomeUnknownError)


def test_the_session_is_read_after_its_messages(ready: Talk) -> None:
    # Otherwise the work of another program that begins between the two would be hidden.
    ready.run(partial(ask_again, timeout=1.0))
    assert ready.requests[:3] == [f"GET /{ID}/messages", f"GET /{ID}", f"POST /{ID}/messages"]


def test_an_earlier_answer_that_is_listed_late_is_not_the_answer(ready: Talk) -> None:
    ready.late = 40.0
    ready.messages[ID].append((-100.0, {"event_id": "event-0", "message": "Hello", "source": "user"}))
    ready.messages[ID].append((-10.0, {"event_id": "event-00", "message": "Old answer", "source": "assistant"}))
    turn = ready.run(partial(ask_again, every=2.0), play(ready, at=200.0, says=("Done.",), status="ready"))
    assert (turn.reason, texts(turn), turn.interrupted) == ("done", ["Done."], True)


def test_a_turn_does_not_end_while_its_messages_cannot_be_read(talk: Talk) -> None:
    talk.refusal = httpx.Response(503)

    def list_again() -> None:
        talk.refusal = None

    turn = talk.run(ask_new, {500.0: list_again} | play(talk, at=30.0, says=("Fixed.",), status="ready"))
    assert (turn.reason, texts(turn), turn.error) == ("done", ["Fixed."], None)


def test_a_retry_after_is_waited_for_once(ready: Talk) -> None:
    def refuse() -> None:
        ready.refusal = httpx.Response(429, headers={"retry-after": "600"})

    def list_again() -> None:
        ready.refusal = None

    turn = ready.run(ask_again, {5.0: refuse, 20.0: list_again, 700.0: partial(ready.say, "Done.")})
    assert (turn.reason, texts(turn)) == ("done", ["Done."])
    assert turn.elapsed < 800.0


def test_a_session_whose_messages_change_is_not_stalled(talk: Talk) -> None:
    plan = {float(at): partial(talk.say, f"Step {at}.") for at in range(20, 400, 40)}
    plan |= play(talk, at=400.0, says=("Fixed.",), status="ready")
    turn = talk.run(partial(ask_new, stalled_after=60.0), plan)
    assert (turn.reason, len(turn.answer)) == ("done", 11)


@pytest.mark.parametrize("on_message", [None, print])
def test_a_session_that_is_deleted_is_gone(talk: Talk, on_message: Any) -> None:
    plan = {20.0: partial(talk.say, "On it."), 100.0: lambda: talk.sessions.clear()}
    turn = talk.run(partial(ask_new, on_message=on_message), plan)
    assert (turn.reason, type(turn.error)) == ("gone", errors.NotFoundError)


def test_a_session_that_is_deleted_while_its_answer_is_late_is_gone(talk: Talk) -> None:
    talk.late = 1000.0
    turn = talk.run(ask_new, {80.0: lambda: talk.sessions.clear()} | play(talk, at=60.0, says=("x",), status="ready"))
    assert (turn.reason, type(turn.error)) == ("gone", errors.NotFoundError)


@pytest.mark.parametrize("fields", [{"is_archived": True}])
def test_an_archived_session_is_gone(talk: Talk, fields: Any) -> None:
    turn = talk.run(ask_new, play(talk, at=60.0, says=("On it.",), **fields))
    assert (turn.reason, texts(turn)) == ("gone", ["On it."])


def test_polls_that_fail_for_a_while_do_not_end_the_turn(ready: Talk) -> None:
    def fail() -> None:
        ready.statuses = [503] * 6

    plan = {30.0: fail} | play(ready, at=32.0, says=("Done.",), status="ready")
    turn = ready.run(ask_again, plan)
    assert (turn.reason, texts(turn)) == ("done", ["Done."])


def test_a_refused_poll_is_raised_with_the_session(talk: Talk) -> None:
    def refuse() -> None:
        talk.statuses = [403]

    with pytest.raises(errors.PermissionDeniedError) as raised:
        talk.run(ask_new, {5.0: refuse})
    assert raised.value.__notes__ == [f"the session is {ID}; resume() continues the turn"]


def test_a_reply_is_the_next_turn(talk: Talk) -> None:
    async def converse(org: OrganizationScope) -> list[Turn[Any]]:
        first = await ask_new(org)
        return [first, await first.reply("Yes, also the docs")]

    plan = play(talk, at=30.0, says=("Also the docs?",), status="question")
    plan |= {200.0: partial(talk.change, status="working")}
    first, second = talk.run(converse, plan | play(talk, at=300.0, says=("Done.",), status="ready"))
    assert (first.reason, first.text) == ("waiting", "Also the docs?")
    assert (second.reason, second.text, second.interrupted) == ("done", "Done.", False)


@attrs.frozen
class Report:
    summary: str


def to_report(output: Any) -> Report:
    return Report(**output)


def test_the_result_is_made_of_the_structured_output(talk: Talk) -> None:
    plan = play(talk, at=30.0, says=("Done.",), status="ready", structured_output={"summary": "Two tests"})
    turn = talk.run(partial(ask_new, result=to_report), plan)
    assert (turn.result, turn.result_error) == (Report("Two tests"), None)


def test_a_result_of_the_wrong_shape_loses_nothing(talk: Talk) -> None:
    plan = play(talk, at=30.0, says=("Done.",), status="ready", structured_output={"sumary": "Two tests"})
    turn = talk.run(partial(ask_new, result=to_report), plan)
    assert (turn.reason, turn.text, turn.result) == ("done", "Done.", None)
    assert "sumary" in str(turn.result_error)
    assert turn.session is not None
    assert turn.session.structured_output is not None


def test_an_output_from_before_the_text_is_no_result(ready: Talk) -> None:
    turn = ready.run(ask_again, play(ready, at=30.0, says=("Done.",), status="ready"))
    assert turn.result is None


def test_a_turn_with_a_new_output_needs_no_answer(ready: Talk) -> None:
    turn = ready.run(ask_again, play(ready, at=5.0, status="ready", structured_output={"new": True}))
    assert (turn.result, turn.answer) == ({"new": True}, [])
    assert turn.elapsed < 30.0


def test_messages_are_reported_while_the_turn_runs(talk: Talk) -> None:
    reported: list[tuple[float, str | None]] = []

    async def keep(message: Any) -> None:
        reported.append((asyncio.get_running_loop().time(), message.message))

    plan = {20.0: partial(talk.say, "On it.")}
    talk.run(partial(ask_new, on_message=keep), plan | play(talk, at=400.0, says=("Fixed.",), status="ready"))
    assert [text for _, text in reported] == ["On it.", "Fixed."]
    assert reported[0][0] < 90.0


def test_what_on_message_raises_ends_the_turn(talk: Talk) -> None:
    def refuse(message: Any) -> None:
        raise LookupError("stop")

    with pytest.raises(LookupError):
        talk.run(partial(ask_new, on_message=refuse), {20.0: partial(talk.say, "On it.")})


@in_virtual_time
async def test_a_turn_that_ends_early_leaves_no_task() -> None:
    talk = Talk()
    talk.on_text = lambda session_id, text: talk.say("On it.", session_id)

    def refuse(message: Any) -> None:
        raise LookupError("stop")

    async with talk.client() as platform:
        with pytest.raises(LookupError) as raised:
            await ask_new(platform.organization("org-acme"), on_message=refuse)
        assert asyncio.all_tasks() == {asyncio.current_task()}
    assert raised.value.__notes__ == [f"the session is {ID}; resume() continues the turn"]


def test_a_position_that_cannot_be_saved_does_not_lose_the_session(talk: Talk) -> None:
    def refuse(position: Any) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full") as raised:
        talk.run(partial(ask_new, on_position=refuse))
    assert raised.value.__notes__ == [f"the session is {ID}; resume() continues the turn"]


def test_the_replies_of_a_resumed_turn_have_positions(talk: Talk) -> None:
    saved: list[dict[str, Any]] = []

    async def converse(org: OrganizationScope) -> None:
        first = await ask_new(org)
        again = await resume(org.sessions, first.position, states=STATES, timeout=1.0, on_position=saved.append)
        await again.reply("And the docs")

    talk.run(converse, play(talk, at=30.0, says=("Done.",), status="ready"))
    assert [position["text"] for position in saved] == ["Fix it", "And the docs", "And the docs"]


def test_a_turn_goes_on_in_another_process(ready: Talk) -> None:
    saved: list[str] = []

    async def crash(org: OrganizationScope) -> None:
        def keep(position: dict[str, Any]) -> None:
            saved.append(json.dumps(position))

        asking = asyncio.create_task(ask_again(org, on_position=keep))
        await asyncio.sleep(5.0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)

    async def go_on(org: OrganizationScope) -> Turn[Any]:
        await crash(org)
        return await resume(org.sessions, json.loads(saved[-1]), states=STATES)

    turn = ready.run(go_on, play(ready, at=30.0, says=("Done.",), status="ready"))
    assert (turn.reason, texts(turn)) == ("done", ["Done."])
    assert [request for request in ready.requests if request.startswith("POST")] == [f"POST /{ID}/messages"]
    assert [json.loads(position)["is_sent"] for position in saved] == [False, True]


def test_a_crash_before_the_text_was_sent_is_unknown(ready: Talk) -> None:
    async def go_on(org: OrganizationScope) -> Turn[Any]:
        ready.losing = ["request"]
        turn = await ask_again(org)
        return await resume(org.sessions, turn.position, states=STATES)

    turn = ready.run(go_on)
    assert turn.reason == "unknown"
    assert "send the text again only if it is not there" in str(turn.error)


def test_many_turns_share_their_polls(talk: Talk) -> None:
    async def many(org: OrganizationScope) -> list[Turn[Any]]:
        asking = [ask_new(org, f"Task {number}") for number in range(50)]
        await asyncio.sleep(0)
        return await asyncio.gather(*asking)

    def finish() -> None:
        for session_id in talk.sessions:
            talk.say("Fixed.", session_id)
            talk.change(session_id, status="ready")

    turns = talk.run(many, {30.0: finish})
    assert [(turn.reason, turn.text) for turn in turns] == [("done", "Fixed.")] * 50
    kinds = [request.split("/")[-1] for request in talk.requests]
    assert (kinds.count("messages"), kinds.count("POST ")) == (50, 50)
    assert len(kinds) <= 115


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        ("", {}, "text must not be empty"),
        ("x", {"timeout": 0}, "timeout must be a number of seconds"),
        ("x", {"every": float("nan")}, "every must be a number of seconds"),
        ("x", {"arguments": {"assistant_mod": "fast"}}, "did you mean"),
        ("x", {"states": None}, "a turn needs the states"),
        ("x", {"states": {"done": {"status": "ready"}}}, "states must be States(...), not dict"),
        ("x", {"on_message": 5}, "on_message must be a function, not int"),
        ("x", {"result": "Report"}, "result must be a function, not str"),
        ("x", {"states": States(done={"statos": "ready"})}, "states name 'statos'; did you mean 'status'?"),
        ("x", {"arguments": {"prompt": "y"}}, "arguments must not have 'prompt'"),
        ("x", {"session_id": ID, "arguments": {"assistant_id": "b"}}, "arguments must not have 'assistant_id'"),
    ],
)
def test_an_argument_that_is_refused_sends_nothing(talk: Talk, text: str, settings: Any, message: str) -> None:
    async def refused(org: OrganizationScope) -> None:
        arguments: dict[str, Any] = {"states": STATES, **settings}
        await ask(org.sessions, text, **arguments)

    with pytest.raises(InvalidArgumentError) as raised:
        talk.run(refused)
    assert message in str(raised.value)
    assert talk.requests == []


def test_sessions_without_messages_are_refused_before_anything_is_sent(talk: Talk) -> None:
    class Sessions:
        """The sessions of a build whose document has no list of messages."""

        def __init__(self, org: OrganizationScope) -> None:
            self.create, self.get, self.send_message = (
                org.sessions.create,
                org.sessions.get,
                org.sessions.send_message,
            )

    async def refused(org: OrganizationScope) -> None:
        sessions: Any = Sessions(org)
        await ask(sessions, "x", states=STATES)

    with pytest.raises(InvalidArgumentError, match="must have the method follow_messages"):
        talk.run(refused)
    assert talk.requests == []


def test_a_session_that_is_not_there_is_refused(talk: Talk) -> None:
    with pytest.raises(errors.NotFoundError):
        talk.run(ask_again)


def test_a_position_is_checked(talk: Talk) -> None:
    async def go_on(org: OrganizationScope) -> Turn[Any]:
        return await resume(org.sessions, {"x": 1}, states=STATES)

    with pytest.raises(InvalidArgumentError, match="position must be the position of a turn"):
        talk.run(go_on)
