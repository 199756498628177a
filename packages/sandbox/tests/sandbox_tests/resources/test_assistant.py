"""The assistant that a test scripts: its messages, and states that move with the clock."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_sandbox import Sandbox, SentMessage, Turn

from sandbox_tests.timeline import HOURLY, START_SESSION, schedule


async def texts(org: Any, session_id: str) -> list[tuple[str | None, str | None]]:
    """Return source and text of the messages of a session."""
    return [(each.source, each.message) async for each in org.sessions.list_messages(session_id)]


async def start(org: Any, prompt: str = "Fix it") -> str:
    """Create a session, and return its id."""
    return str((await org.sessions.create(prompt=prompt)).session_id)


@pytest.mark.parametrize(
    ("script", "answers"),
    [
        (None, ["On it."]),
        (lambda message: None, []),
        (lambda message: None if message.is_prompt else ["One.", "Two."], ["One.", "Two."]),
        (lambda message: f"About {message.text}." if message.is_prompt else None, ["About Fix it."]),
    ],
)
async def test_a_script_answers_prompts_and_messages(sandbox: Sandbox, org: Any, script: Any, answers: Any) -> None:
    sandbox.on_message(lambda message: "Replaced.")
    sandbox.on_message(script)
    session_id = await start(org)
    await org.sessions.send_message(session_id, message="And?")
    sent = await texts(org, session_id)
    assert [text for source, text in sent if source == "user"] == ["Fix it", "And?"]
    assert [text for source, text in sent if source == "assistant"] == answers


async def test_a_script_gets_the_message_and_a_copy_of_its_session(sandbox: Sandbox, org: Any) -> None:
    received = list[SentMessage]()

    def script(message: SentMessage) -> None:
        received.append(message)
        message.session["tags"].append("changed")

    sandbox.on_message(script)
    made = await org.sessions.create(prompt="Fix it", title="Nightly")
    [message] = received
    sent = (message.session_id, message.org_id, message.text, message.is_prompt, message.session["title"])
    assert (sent, made.tags) == (("assistant-1", "org-acme", "Fix it", True, "Nightly"), [])


async def test_states_move_at_once_and_with_the_clock(sandbox: Sandbox, org: Any) -> None:
    sandbox.on_message(
        lambda message: [
            Turn(fields={"status": "blocked", "status_detail": "waiting"}),
            Turn(after=60, fields={"status": "working", "acus_consumed": 0.5}),
            Turn("Done.", after=600, fields={"status": "ready", "structured_output": {"tests": 3}}),
        ]
    )
    session_id = await start(org)
    seen = list[Any]()
    for seconds in (0, 59, 1, 539, 1):
        sandbox.clock.advance(seconds=seconds)
        seen.append((await org.sessions.get(session_id)).status)
    assert seen == ["blocked", "blocked", "working", "working", "ready"]
    assert await texts(org, session_id) == [("user", "Fix it"), ("assistant", "Done.")]


async def test_planned_turns_happen_in_their_order_at_their_time_and_once(sandbox: Sandbox, org: Any) -> None:
    sandbox.on_message(lambda message: [Turn(str(number), after=60) for number in range(12)])
    session_id, start_of_clock = await start(org), int(sandbox.clock().timestamp())
    sandbox.clock.advance(hours=1)
    planned = (await org.sessions.list_messages(session_id).collect())[1:]
    assert [each.message for each in planned] == [str(number) for number in range(12)]
    assert {each.created_at - start_of_clock for each in planned} == {60}
    assert (await org.sessions.get(session_id)).updated_at - start_of_clock == 60
    assert sandbox.state.collection("planned-turns") == {}


async def test_termination_and_removal_cancel_only_what_is_planned_for_the_session(sandbox: Sandbox, org: Any) -> None:
    sandbox.on_message(lambda message: Turn("Done.", after=5, fields={"status": "ready"}))
    ended, removed, other = [await start(org) for _ in range(3)]
    await org.sessions.terminate(ended)
    sandbox.remove_session(removed)
    planned = sandbox.state.collection("planned-turns").values()
    assert [each.fields["session_id"] for each in planned] == [other]
    sandbox.clock.advance(seconds=5)
    assert [(await org.sessions.get(each)).status for each in (ended, other)] == ["terminated", "ready"]


async def test_the_prompts_of_automations_and_schedules_are_answered(sandbox: Sandbox, org: Any) -> None:
    sandbox.add_automation(trigger=HOURLY, action=START_SESSION)
    await schedule(org)
    sandbox.on_message(lambda message: "Done." if message.is_prompt else None)
    sandbox.clock.advance(hours=1)
    sent = [await texts(org, session_id) for session_id in ("assistant-1", "assistant-2")]
    assert sorted(sent) == [[("user", prompt), ("assistant", "Done.")] for prompt in ("Triage", "p")]


async def test_a_script_may_use_the_sandbox(sandbox: Sandbox, org: Any) -> None:
    def script(message: SentMessage) -> None:
        sandbox.plan_session(message.session_id, after=5, text="Later.")
        sandbox.update_session(message.session_id, title="Seen")

    sandbox.on_message(script)
    session_id = await start(org)
    sandbox.clock.advance(seconds=5)
    assert ((await org.sessions.get(session_id)).title, len(await texts(org, session_id))) == ("Seen", 2)


async def test_a_script_survives_a_reset_and_its_plans_do_not(sandbox: Sandbox, org: Any) -> None:
    sandbox.on_message(lambda message: ["At once.", Turn("Later.", after=5)])
    await start(org)
    sandbox.reset()
    session_id = await start(org)
    assert await texts(org, session_id) == [("user", "Fix it"), ("assistant", "At once.")]
    sandbox.clock.advance(seconds=5)
    assert len(await texts(org, session_id)) == 3


async def statuses(sandbox: Sandbox, org: Any, session_id: str, seconds: int) -> list[str | None]:
    """Return the status of a session now, and after each of the next seconds."""
    found = [(await org.sessions.get(session_id)).status]
    for _ in range(seconds):
        sandbox.clock.advance(seconds=1)
        found.append((await org.sessions.get(session_id)).status)
    return found


async def test_a_session_finishes_some_seconds_after_its_latest_message() -> None:
    sandbox = Sandbox(finish_after=2, finished_status="ready")
    async with sandbox.client() as platform:
        org = platform.organization()
        session_id = await start(org)
        assert await statuses(sandbox, org, session_id, 1) == ["running", "running"]
        await org.sessions.send_message(session_id, message="And?")
        assert await statuses(sandbox, org, session_id, 2) == ["running", "running", "ready"]
        await org.sessions.send_message(session_id, message="Again")
        assert await statuses(sandbox, org, session_id, 2) == ["running", "running", "ready"]
        # A session does not finish after its termination, or with a script.
        terminated = await start(org)
        await org.sessions.terminate(terminated)
        assert await statuses(sandbox, org, terminated, 3) == ["terminated"] * 4
        sandbox.on_message(lambda message: None)
        assert await statuses(sandbox, org, await start(org), 3) == ["running"] * 4


async def test_a_session_says_that_it_finishes() -> None:
    sandbox = Sandbox(finish_after=2, finished_status="ready")
    async with sandbox.client() as platform:
        org = platform.organization()
        session_id = await start(org)
        sandbox.clock.advance(seconds=1)
        assert await texts(org, session_id) == [("user", "Fix it")]
        sandbox.clock.advance(seconds=1)
        assert await texts(org, session_id) == [("user", "Fix it"), ("assistant", "Finished.")]


FINISH = {"finish_after": 5, "finished_status": "ready"}


@pytest.mark.parametrize(
    ("make", "settings", "message"),
    [
        (Sandbox, {"finish_after": 5}, "finish_after and finished_status must be given together"),
        (Sandbox, {**FINISH, "finish_after": -1}, "after must be a number of seconds that is not negative, not -1"),
        (Sandbox, {**FINISH, "finish_after": 1e12}, "lead beyond the end of the clock"),
        (Sandbox, {**FINISH, "finished_status": 3}, "status of a session: 3 is not of type .string."),
        (Turn, {"text": "x", "late": "5"}, "late must be a number of seconds that is not negative, not '5'"),
        (Turn, {"text": "x", "late": 1e12}, "late=1e.12 seconds lead beyond the end of the clock"),
        (Turn, {}, "must have a text or fields"),
        (Turn, {"text": 5}, "text must be text or None, not 5"),
        (Turn, {"text": "x", "after": -1}, "after must be a number of seconds that is not negative, not -1"),
        (Turn, {"fields": {"status": object()}}, "the fields of a session must be a mapping of names to JSON"),
        (Turn, {"fields": {"org_id": "org-globex"}}, "org_id is set by the sandbox; leave it out"),
    ],
)
def test_an_invalid_turn_or_finish_is_refused(make: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        make(**settings)


def test_a_turn_keeps_a_copy_of_its_fields() -> None:
    tags = ["nightly"]
    turn = Turn(fields={"tags": tags})
    tags.append("later")
    assert turn.fields == {"tags": ["nightly"]}


async def ignore(message: object) -> None:
    """Do nothing, as a coroutine function."""


async def test_a_coroutine_function_is_no_script(sandbox: Sandbox) -> None:
    script: Any = ignore
    with pytest.raises(InvalidArgumentError, match="the script must be a plain function: it is called, and not await"):
        sandbox.on_message(script)


async def test_a_function_that_does_not_return_turns_is_reported(sandbox: Sandbox, org: Any) -> None:
    no_turns: list[Any] = [5, {"text": "x"}, b"x"]
    for returned in no_turns:
        sandbox.on_message(lambda _, returned=returned: returned)
        with pytest.raises(InvalidArgumentError, match="must be or return text, a Turn|text must be text or None"):
            await org.sessions.create(prompt="Fix it")
