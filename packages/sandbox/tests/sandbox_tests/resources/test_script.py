"""A script as data: its turns and rules, and turns that the API shows late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_sandbox import Sandbox, SentMessage, Turn


async def start(org: Any, prompt: str = "Fix it") -> str:
    """Create a session, and return its id."""
    return str((await org.sessions.create(prompt=prompt)).session_id)


async def said(org: Any, session_id: str) -> list[str | None]:
    """Return what the assistant has said in a session."""
    return [each.message async for each in org.sessions.list_messages(session_id) if each.source == "assistant"]


READY = {"status": "ready"}


@pytest.mark.parametrize(
    ("script", "answers"),
    [
        ("Done.", ["Done.", "Done."]),
        (Turn("Done."), ["Done.", "Done."]),
        (["One.", Turn("Two."), {"text": "Three."}], ["One.", "Two.", "Three."] * 2),
        ({"turns": ["One.", {"text": "Two."}]}, ["One.", "Two."] * 2),
        ({"rules": [{"number": 2, "turns": ["Second."]}]}, ["Second."]),
        ({"rules": [{"number": 1, "turns": ["First."]}, {"turns": ["Other."]}]}, ["First.", "Other."]),
        ({"rules": [{"contains": ["tests", "FIX"], "turns": ["Fixed."]}]}, ["Fixed."]),
        ({"rules": [{"contains": ["and"], "number": 1, "turns": ["No."]}]}, []),
        ({"rules": [{"turns": ["First rule."]}, {"number": 2, "turns": ["Never."]}]}, ["First rule."] * 2),
        ({"rules": []}, []),
        ({"turns": None}, ["On it."]),
    ],
)
async def test_data_says_what_the_assistant_answers(sandbox: Sandbox, org: Any, script: Any, answers: Any) -> None:
    sandbox.on_message(lambda message: "Replaced.")
    sandbox.on_message(script)
    session_id = await start(org, "Fix it")
    await org.sessions.send_message(session_id, message="And this")
    assert await said(org, session_id) == answers


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (5, "must be or return text, a Turn, a sequence of these or None, not 5"),
        ({"turn": ["x"]}, "the script: there is no 'turn'; did you mean 'turns'?"),
        ({}, 'must have either "turns" or "rules"'),
        ({"turns": [], "rules": []}, 'must have either "turns" or "rules"'),
        ({"turns": ["x"] * 101}, "the script.turns: "),
        ({"rules": [{"contains": ["x"]}]}, r"the script.rules\[0\]: 'turns' is missing"),
        ({"rules": [{"contains": [], "turns": []}]}, r"the script.rules\[0\].contains: "),
        ({"rules": [{"contains": "docs", "turns": []}]}, r"contains: must be of type array, not \"docs\""),
        ({"rules": [{"turns": [{"fields": {"statsu": "ready"}}]}]}, "did you mean 'status'?"),
        ([{"text": "x", "afer": 5}], "a turn: there is no 'afer'; did you mean 'after'?"),
        ([Turn("x", after=6e9)], "after=6e.09 seconds lead beyond the end of the clock"),
    ],
)
def test_data_that_is_no_script_is_refused_with_its_place(sandbox: Sandbox, script: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sandbox.on_message(script)


async def test_a_script_gets_the_number_of_the_message(sandbox: Sandbox, org: Any) -> None:
    numbers: list[int] = []

    def script(message: SentMessage) -> str:
        numbers.append(message.number)
        return "Done."

    sandbox.on_message(script)
    session_id = await start(org)
    await org.sessions.send_message(session_id, message="And?")
    await start(org)
    assert numbers == [1, 2, 1]


async def shown(org: Any, scopes: Any, session_id: str) -> set[str | None]:
    """Return the status of a session, as each operation that reads one shows it."""
    found = [await org.sessions.get(session_id), await scopes["enterprise"].get(session_id)]
    for sessions in scopes.values():
        found += [each async for each in sessions.list() if each.session_id == session_id]
    return {each.status for each in found}


async def test_a_late_turn_is_shown_later_than_it_was_taken(sandbox: Sandbox, org: Any, scopes: Any) -> None:
    sandbox.on_message([Turn("Done.", after=60, fields=READY, late=5)])
    session_id, began = await start(org), int(sandbox.clock().timestamp())
    sandbox.clock.advance(seconds=64)
    assert (await shown(org, scopes, session_id), await said(org, session_id)) == ({"running"}, [])
    sandbox.clock.advance(seconds=1)
    assert (await shown(org, scopes, session_id), await said(org, session_id)) == ({"ready"}, ["Done."])
    messages = await org.sessions.list_messages(session_id).collect()
    times = [messages[-1].created_at, (await org.sessions.get(session_id)).updated_at]
    assert [each - began for each in times] == [60, 60]


async def test_a_turn_taken_at_once_is_late_with_what_the_message_did(sandbox: Sandbox, org: Any) -> None:
    """A server that lags behind shows a session as it was before the message, which is the state of the turn before."""
    sandbox.on_message(None)
    session_id = await start(org)
    sandbox.update_session(session_id, status="ready")
    before = (await org.sessions.get(session_id)).to_dict()
    sandbox.on_message([Turn(fields={"status": "working"}, late=3), Turn("Done.", after=60, fields=READY)])
    sandbox.clock.advance(seconds=10)
    await org.sessions.send_message(session_id, message="And?")
    assert (await org.sessions.get(session_id)).to_dict() == before
    sandbox.clock.advance(seconds=3)
    assert (await org.sessions.get(session_id)).status == "working"
    sandbox.clock.advance(seconds=57)
    assert (await org.sessions.get(session_id)).status == "ready"


async def test_a_new_session_is_returned_as_it_is_shown(sandbox: Sandbox, org: Any) -> None:
    sandbox.on_message([Turn("Done.", fields=READY, late=5)])
    created = await org.sessions.create(prompt="Fix it")
    assert created.to_dict() == (await org.sessions.get(created.session_id)).to_dict()
    assert created.status == "running"


async def test_a_late_message_and_a_late_state_are_late_with_what_the_message_did(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session(status="ready")
    before = (await org.sessions.get(session_id)).to_dict()
    sandbox.on_message([Turn("On it.", late=5), Turn(fields={"status": "working"}, late=3)])
    sandbox.clock.advance(seconds=10)
    await org.sessions.send_message(session_id, message="And?")
    assert (await org.sessions.get(session_id)).to_dict() == before
    sandbox.clock.advance(seconds=3)
    assert ((await org.sessions.get(session_id)).status, await said(org, session_id)) == ("working", [])
    sandbox.clock.advance(seconds=2)
    assert await said(org, session_id) == ["On it."]


async def test_a_state_may_be_shown_later_than_its_message(sandbox: Sandbox, org: Any) -> None:
    sandbox.on_message(["Done.", Turn(fields=READY, late=5)])
    session_id = await start(org)
    assert ((await org.sessions.get(session_id)).status, await said(org, session_id)) == ("running", ["Done."])
    sandbox.clock.advance(seconds=5)
    assert (await org.sessions.get(session_id)).status == "ready"


async def test_a_message_may_be_listed_later_than_its_state_and_before_a_later_one(sandbox: Sandbox, org: Any) -> None:
    sandbox.on_message([Turn("First.", late=10), Turn("Second.", fields=READY)])
    session_id = await start(org)
    assert ((await org.sessions.get(session_id)).status, await said(org, session_id)) == ("ready", ["Second."])
    sandbox.clock.advance(seconds=10)
    assert await said(org, session_id) == ["First.", "Second."]


async def test_late_states_are_shown_one_after_the_other(sandbox: Sandbox, org: Any) -> None:
    states = ["blocked", "working", "ready"]
    sandbox.on_message(
        [Turn(after=5 * number, fields={"status": state}, late=7) for number, state in enumerate(states)]
    )
    session_id = await start(org)
    seen: list[str | None] = []
    for _ in range(20):
        seen.append((await org.sessions.get(session_id)).status)
        sandbox.clock.advance(seconds=1)
    assert seen == ["running"] * 7 + ["blocked"] * 5 + ["working"] * 5 + ["ready"] * 3


async def test_a_snapshot_contains_what_is_shown_late(sandbox: Sandbox, org: Any) -> None:
    sandbox.on_message([Turn("Done.", fields=READY, late=5)])
    session_id = await start(org)
    sandbox.snapshots.take("before")
    for _ in range(2):
        sandbox.snapshots.restore("before")
        assert ((await org.sessions.get(session_id)).status, await said(org, session_id)) == ("running", [])
        sandbox.clock.advance(seconds=5)
        assert ((await org.sessions.get(session_id)).status, await said(org, session_id)) == ("ready", ["Done."])


async def test_a_late_turn_follows_a_clock_that_ticks() -> None:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    sandbox = Sandbox(now=lambda: now)
    sandbox.on_message({"turns": [{"text": "Done.", "after": 60, "fields": READY, "late": 5}]})
    async with sandbox.client() as platform:
        org = platform.organization()
        session_id = await start(org)
        # Nobody looks when the turn is due, so it is taken at the next request.
        now += timedelta(seconds=64)
        assert (await org.sessions.get(session_id)).status == "running"
        now += timedelta(seconds=1)
        assert ((await org.sessions.get(session_id)).status, await said(org, session_id)) == ("ready", ["Done."])


async def test_a_changed_result_is_shown(sandbox: Sandbox, org: Any) -> None:
    turns = [Turn(after=seconds, fields={**READY, "structured_output": {"tests": seconds}}) for seconds in (1, 9)]
    sandbox.on_message(turns)
    session_id = await start(org)
    results: list[Any] = []
    for seconds in (1, 8):
        sandbox.clock.advance(seconds=seconds)
        results.append((await org.sessions.get(session_id)).to_dict()["structured_output"])
    assert results == [{"tests": 1}, {"tests": 9}]


def test_a_turn_is_no_argument_of_data_by_mistake(sandbox: Sandbox) -> None:
    script: Any = b"On it."
    with pytest.raises(InvalidArgumentError, match="text must be text or None"):
        sandbox.on_message(script)
