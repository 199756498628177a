"""Large bodies are parsed to the same values, and the event loop runs meanwhile."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform.response import bounds
from agent_session_platform.response.bounds import TooManyValuesError
from agent_session_platform.response.stepwise import FREED, drop, parse_stepwise
from agent_session_platform.response.stepwise_parser import StepwiseParser
from agent_session_platform.response.text_window import STEP
from hypothesis import given
from hypothesis import strategies as st

from tests.response.test_json_parser import SCRIBBLE, outcome

# Windows in which most values do not end, too.
SIZES = [64, 150, STEP]


def parse(content: bytes, size: int = STEP) -> Any:
    """Parse without an event loop, with windows of so many bytes."""
    text = content.decode(json.detect_encoding(content), "surrogatepass")
    steps = StepwiseParser(text.encode("utf-8", "surrogatepass"), size, min(size, 12)).document()
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def outcomes(content: bytes) -> list[str]:
    """Return the outcome with each size of the window."""
    return [outcome(partial(parse, size=size), content) for size in SIZES]


def page(items: int, length: int) -> bytes:
    sessions = [{"session_id": f"assistant-{number}", "structured_output": "x" * length} for number in range(items)]
    return json.dumps({"items": sessions, "end_cursor": None, "has_next_page": False, "total": items}).encode()


def repeat(pair: tuple[Any, int]) -> list[Any]:
    return [pair[0]] * pair[1]


# Names and numbers must end within a window, however small it is here.
NAMES = st.text(max_size=4)
MEMBERS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.sampled_from([0.5, 1e300, -2.5e-7])
    | st.text(max_size=99)
)
NESTED = st.recursive(
    MEMBERS,
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner) | st.tuples(inner, st.integers(2, 9)).map(repeat),
    max_leaves=12,
)


@given(NESTED, st.booleans(), st.sampled_from([None, 1]), st.sampled_from([(",", ":"), (" , ", " : ")]))
def test_valid_json_has_the_same_value(value: Any, ascii_only: bool, indent: Any, separators: Any) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, separators=separators)
    content = text.encode("utf-8", "surrogatepass")
    assert outcomes(content) == [outcome(json.loads, content)] * len(SIZES)


@given(st.lists(NESTED) | st.dictionaries(NAMES, st.lists(NESTED) | NESTED), st.data())
def test_lists_with_a_byte_changed_are_read_or_refused_alike(value: Any, data: st.DataObject) -> None:
    content = bytearray(json.dumps(value).encode())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.sampled_from(list(b'[]{},:"\\ 0tu.e-')))
    assert outcomes(bytes(content)) == [outcome(json.loads, bytes(content))] * len(SIZES)


@given(SCRIBBLE)
def test_nearly_valid_json_is_read_or_refused_alike(text: str) -> None:
    assert outcomes(text.encode()) == [outcome(json.loads, text.encode())] * len(SIZES)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[", b"{", b"[]", b"{}", b" [ ] ", b'{"a":[]}', b'{"a":[],"a":[1]}', b'{"a"}', b"[1,]", b"[1 2]"),
        *(b"{} {}", b"[}", b"{]", b'{"a":1,}', b'{"a" 1}', b'{"a":}', b"[,1]"),
        *(b'["' + b"x" * 500 + end for end in (b'"]', b"]", b'\\"]', b'\\x"]', b'\n"]', b'"', b"\\")),
        *(b'["' + b"\\\\" * odd + b'\\"' * 200 + b'", 1]' for odd in range(3)),
        b'["' + b"\\ud83d\\ude00" * 200 + b'"]',
        b'["x' + b"\\ud83d\\ude00" * 200 + b'"]',
        b'["' + b"\\ud83d" * 200 + b'\\u12"]',
        '["{}"]'.format("😀é€" * 99).encode(),
        '["{}\ud83d", "\ude00"]'.format("x" * 57).encode("utf-8", "surrogatepass"),
        b'["' + b"\xff" * 200 + b'"]',
        b" " * 500 + b"[" + b"\n" * 500 + b"1" + b"\t" * 500 + b"]" + b" " * 500,
        b"[" + b"1e+9," * 99 + b"-0.5E-7]",
        b"[" + b'{"a":[{"a":1},{"a":2}]},' * 50 + b"{}]",
        b"[" + b'"},{\\"a\\"",' * 50 + b"[]]",
        b"[" + b"[[1],[2]],[[3],[4]]," * 50 + b"7]",
        b"[" * 90 + b'{"a":[1]},' * 50 + b"0" + b"]" * 90,
        b'{"a":{' + b'"b":[1,2,3],' * 50 + b'"c":null}}',
    ],
)
def test_an_edge_is_read_or_refused_alike(content: bytes) -> None:
    assert outcomes(content) == [outcome(json.loads, content)] * len(SIZES)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-32-le", "utf-8-sig"])
async def test_a_body_of_another_encoding_is_parsed(encoding: str) -> None:
    value = {"é": ["€😀" * 99, {"x": None}]}
    assert await parse_stepwise(json.dumps(value, ensure_ascii=False).encode(encoding)) == value


@pytest.mark.parametrize("depth", [100, 101, 50_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}"), (b" [\n1 , ", b" , 2 ] ")])
def test_nesting_is_refused_exactly_beyond_100(opening: bytes, closing: bytes, depth: int) -> None:
    content = opening * depth + b"0" + closing * depth
    expected = outcome(json.loads, content) if depth == 100 else "RecursionError"
    assert outcomes(content) == [expected] * len(SIZES)


@pytest.mark.parametrize(
    ("content", "bound"),
    [
        (b"[" + b"[]," * 2000 + b"[]]", "MAX_CONTAINERS"),
        (b'{"items":[' + b"{}," * 2000 + b"{}]}", "MAX_CONTAINERS"),
        (b"[" + b"1," * 2000 + b"1]", "MAX_VALUES"),
        (b'{"a":[' + b'{"b":1},' * 600 + b"1]}", "MAX_VALUES"),
        (json.dumps(dict.fromkeys(map(str, range(600)))).encode(), "MAX_VALUES"),
    ],
)
def test_a_body_of_too_many_values_is_refused(content: bytes, bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, bound, 1000)
    with pytest.raises(TooManyValuesError, match="more than 1000"):
        parse(content)


def test_of_equal_names_the_last_one_counts() -> None:
    assert outcomes(b"{" + b'"a":[1],' * 1000 + b'"a":2}') == ["{'a': 2}"] * len(SIZES)


async def test_a_text_of_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_TEXT", 4 * 300_000)
    assert parse('["{}"]'.format("x" * 400_000).encode()) == ["x" * 400_000]
    with pytest.raises(TooManyValuesError, match="a text of more than 1200000 bytes"):
        parse('["{}😀"]'.format("x" * 400_000).encode())


async def test_the_garbage_collector_does_not_go_through_a_value_that_grows() -> None:
    content = b"[" + b"[]," * 400_000 + b"[]]"
    collected: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            collected.append(info["generation"])

    gc.callbacks.append(note)
    try:
        value = await parse_stepwise(content)
    finally:
        gc.callbacks.remove(note)
    assert len(value) == 400_001
    assert 2 not in collected
    assert gc.isenabled()


async def test_a_program_that_has_frozen_its_objects_keeps_them_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        await parse_stepwise(b"[" + b"[]," * 200_000 + b"[]]")
        # Some of them are gone.
        assert gc.get_freeze_count() > frozen / 2
    finally:
        gc.unfreeze()


def test_commas_and_brackets_in_strings_are_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_VALUES", 500)
    monkeypatch.setattr(bounds, "MAX_CONTAINERS", 500)
    value = {"items": [{"text": "[{,:" * 40} for _ in range(100)]}
    assert parse(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    "content",
    [b"[" + b"9" * 400 + b".5]", b'{"' + b"x" * 400 + b'": 1}'],
)
def test_a_name_or_number_that_does_not_end_in_a_window_is_refused(content: bytes) -> None:
    assert outcomes(content) == ["ValueError", "ValueError", outcome(json.loads, content)]


def test_hostile_nesting_is_parsed_in_a_bounded_number_of_steps() -> None:
    """Each container ends behind its window, and so does each of its members."""
    chain = b"[0," * 60 + b"1," * 2000 + b"1" + b"]" * 60
    content = b"[" + b",".join([chain] * 20) + b"]"
    parser = StepwiseParser(content, 2000, 64)
    for _ in parser.document():
        pass
    assert parser.futile < 2 * len(content)


async def count_turns(work: Coroutine[Any, Any, Any]) -> tuple[Any, int]:
    """Return the result of the work, and how often the event loop turned meanwhile."""
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    turning = asyncio.create_task(turn())
    result = await work
    turning.cancel()
    return result, turns


async def test_the_loop_turns_while_a_large_page_is_parsed() -> None:
    content = page(200, 20_000)
    value, turns = await count_turns(parse_stepwise(content))
    assert value == json.loads(content)
    assert turns >= len(content) // STEP // 4


def nested(large: Any) -> list[Any]:
    """Put a container into others, as they are when a body is refused in its middle."""
    return [[1, {"a": 2, "b": large}], {}, [3]]


LARGE_CONTAINERS = [pytest.param(list, id="array"), pytest.param(dict.fromkeys, id="object")]


@pytest.mark.parametrize("make", LARGE_CONTAINERS)
async def test_a_large_container_in_another_one_is_freed_in_steps(make: Callable[[range], Any]) -> None:
    _, turns = await count_turns(drop(nested(make(range(4 * FREED)))))
    assert turns >= 3


@pytest.mark.parametrize("make", LARGE_CONTAINERS)
async def test_nothing_is_left_in_containers_that_are_freed(make: Callable[[range], Any]) -> None:
    large = make(range(4 * FREED))
    containers = nested(large)
    kept = list(containers)
    await drop(containers)
    assert [*containers, *kept, large] == [[], {}, [], type(large)()]


async def test_a_large_page_is_listed_as_any_other(httpx_mock: Any) -> None:
    httpx_mock.add_response(content=page(200, 20_000), headers={"content-type": "application/json"})
    async with AgentPlatform("https://x.example.com", "svc_x") as platform:
        sessions = await platform.organization("org-acme").sessions.list().collect()
    assert [session.session_id for session in sessions] == [f"assistant-{number}" for number in range(200)]
    assert {len(str(session.structured_output)) for session in sessions} == {20_000}
