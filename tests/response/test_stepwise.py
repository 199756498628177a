"""Large bodies are parsed to the same values, and the event loop runs meanwhile."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform.response.json_parser import LARGE
from agent_session_platform.response.stepwise import LARGE_FOR_FAST, STEP, is_large, parse_stepwise
from hypothesis import given
from hypothesis import strategies as st

from tests.response.test_json_parser import SCRIBBLE, VALUES, outcome


def stepwise(content: bytes) -> Any:
    """Parse without an event loop: the content is shorter than one step."""
    parsing = parse_stepwise(content)
    try:
        parsing.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("the loop would turn")


def page(items: int, length: int) -> bytes:
    sessions = [{"session_id": f"assistant-{number}", "structured_output": "x" * length} for number in range(items)]
    return json.dumps({"items": sessions, "end_cursor": None, "has_next_page": False, "total": items}).encode()


@given(VALUES, st.booleans())
def test_valid_json_has_the_same_value(value: Any, spaced: bool) -> None:
    content = json.dumps(value, indent=1 if spaced else None).encode()
    assert outcome(stepwise, content) == outcome(json.loads, content)


@given(st.lists(VALUES) | st.dictionaries(st.text(), st.lists(VALUES) | VALUES), st.data())
def test_lists_with_a_byte_changed_are_read_or_refused_alike(value: Any, data: st.DataObject) -> None:
    content = bytearray(json.dumps(value).encode())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    assert outcome(stepwise, bytes(content)) == outcome(json.loads, bytes(content))


@given(SCRIBBLE)
def test_nearly_valid_json_is_read_or_refused_alike(text: str) -> None:
    assert outcome(stepwise, text.encode()) == outcome(json.loads, text.encode())


@pytest.mark.parametrize(
    "content",
    [b"", b"[", b"{", b"[]", b"{}", b" [ ] ", b'{"a":[]}', b'{"a":[],"a":[1]}', b'{"a"}', b"[1,]", b"[1 2]", b"{} {}"],
)
def test_an_edge_is_read_or_refused_alike(content: bytes) -> None:
    assert outcome(stepwise, content) == outcome(json.loads, content)


@pytest.mark.parametrize(
    ("size", "fast", "large"),
    [
        (LARGE, False, False),
        (LARGE + 1, False, True),
        (LARGE + 1, True, False),
        (LARGE_FOR_FAST + 1, True, True),
    ],
)
def test_how_large_is_large(size: int, fast: bool, large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_session_platform.response.stepwise.fast_parser", lambda: json.loads if fast else None)
    assert is_large(bytes(size)) is large


async def test_the_loop_turns_while_a_large_page_is_parsed() -> None:
    content = page(200, 20_000)
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    turning = asyncio.create_task(turn())
    value = await parse_stepwise(content)
    turning.cancel()
    assert value == json.loads(content)
    assert turns >= len(content) // STEP // 2


async def test_items_of_a_large_page_share_the_names_of_their_members() -> None:
    first, *_, last = (await parse_stepwise(page(200, 20_000)))["items"]
    assert [id(name) for name in first] == [id(name) for name in last]


async def test_a_large_page_is_listed_as_any_other(httpx_mock: Any) -> None:
    httpx_mock.add_response(content=page(200, 20_000), headers={"content-type": "application/json"})
    async with AgentPlatform("https://x.example.com", "svc_x") as platform:
        sessions = await platform.organization("org-acme").sessions.list().collect()
    assert [session.session_id for session in sessions] == [f"assistant-{number}" for number in range(200)]
    assert {len(str(session.structured_output)) for session in sessions} == {20_000}
