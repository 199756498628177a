"""The tool `ask`: a text, and the answer to it, in one call or in several."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_cli.mcp import asking
from agent_session_platform_cli.mcp.operations import Selection
from agent_session_platform_cli.mcp.server import make_server
from agent_session_platform_sandbox import Sandbox, Turn
from mcp import Client

from cli_tests.mcp.conftest import Assistant

CREATE = "organization.sessions.create"
SEND = "organization.sessions.send_message"
STATES = {"done": {"status": ["ready"]}, "waiting": {"status": ["question"]}}


@pytest.fixture(autouse=True)
def quick(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the assistant answer at once, and wait for milliseconds."""
    sandbox.on_message(lambda _: Turn("Done.", fields={"status": "ready", "structured_output": {"passed": True}}))
    monkeypatch.setattr(asking, "EVERY", 0.01)


@pytest.mark.parametrize(("allow", "is_there"), [(CREATE, True), (SEND, True), ("organization.secrets.*", False)])
async def test_the_tool_needs_an_operation_that_sends_a_text(assistant: Assistant, allow: str, is_there: bool) -> None:
    assert ("ask" in await assistant.allowed(allow).tools()) is is_there
    assert "ask" not in await assistant.tools()


async def test_a_new_session_gets_the_text(assistant: Assistant) -> None:
    turn = await assistant.allowed(CREATE).call("ask", text="Fix it", states=STATES)
    assert turn == {
        "reason": "done",
        "session_id": "assistant-1",
        "interrupted": False,
        "error": None,
        "elapsed": turn["elapsed"],
        "pull_requests": [],
        "result": {"passed": True},
        "answer": ["Done."],
    }


async def test_a_session_gets_the_text(assistant: Assistant, sandbox: Sandbox) -> None:
    session = sandbox.add_session(status="ready")
    sandbox.on_message(lambda _: Turn("Which?", fields={"status": "question"}))
    turn = await assistant.allowed(SEND).call("ask", text="Fix it", session_id=session, states=STATES)
    assert (turn["reason"], turn["session_id"], turn["answer"]) == ("waiting", session, ["Which?"])


async def test_a_turn_goes_on_in_the_next_call(
    platform: AgentPlatform, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LONGEST_TURN", 0.05)
    sandbox.on_message(lambda _: None)
    async with Client(make_server(platform, Selection((CREATE,)))) as client:
        first = await called(client, text="Fix it", states=STATES)
        assert (first["reason"], first["next"]) == ("deadline", asking.GO_ON)
        sandbox.add_message(first["session_id"], "Done.", source="assistant")
        sandbox.update_session(first["session_id"], status="ready")
        second = await called(client, session_id=first["session_id"], states=STATES)
        assert (second["reason"], second["answer"]) == ("done", ["Done."])
        # It has ended, so there is nothing to wait for any more.
        assert "a turn that still runs" in await called(client, session_id=first["session_id"], states=STATES)
    assert [each.operation for each in sandbox.journal if each.method == "POST"] == [CREATE]


async def test_a_call_ends_also_if_the_platform_does_not_respond(
    assistant: Assistant, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LONGEST_CALL", 0.1)
    sandbox.faults.add(CREATE, latency=5)
    refusal = await assistant.allowed(CREATE).refusal("ask", text="Fix it", states=STATES)
    assert "look for the session or the message" in refusal


async def test_a_text_that_was_refused_is_not_waited_for(platform: AgentPlatform, sandbox: Sandbox) -> None:
    session = sandbox.add_session(status="ready")
    sandbox.faults.add(SEND, status=422)
    async with Client(make_server(platform, Selection((SEND,)))) as client:
        assert "422" in await called(client, text="Fix it", session_id=session, states=STATES)
        assert "a turn that still runs" in await called(client, session_id=session, states=STATES)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"text": "x", "session_id": "assistant-1", "states": STATES}, f"asp mcp --allow {SEND}"),
        ({"text": "x"}, "states takes done, waiting, failed"),
        ({"text": "x", "states": {"finished": {}}}, "states takes done, waiting, failed"),
        ({"text": "x", "states": {"done": 3}}, "done must be"),
        ({"text": 3}, "ask takes text, session_id, states"),
        ({"message": "x"}, "ask takes text, session_id, states"),
        ({"session_id": "assistant-1", "states": STATES}, "a turn that still runs"),
    ],
)
async def test_a_wrong_call_says_what_to_write(
    assistant: Assistant, sandbox: Sandbox, given: dict[str, Any], message: str
) -> None:
    assert message in await assistant.allowed(CREATE).refusal("ask", **given)
    assert [*sandbox.journal] == []


@pytest.mark.usefixtures("named_states")
async def test_the_contract_may_name_the_states(assistant: Assistant) -> None:
    assert (await assistant.allowed(CREATE).call("ask", text="Fix it"))["reason"] == "done"


async def called(client: Client, **arguments: Any) -> Any:
    """Return the result of a call as JSON, or the message of an error as text."""
    result = await client.call_tool("ask", arguments)
    [content] = result.content
    text = str(getattr(content, "text", ""))
    return text if result.is_error else json.loads(text)
