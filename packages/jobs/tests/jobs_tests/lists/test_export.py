"""Exports of a whole list, or with a state only of its new items."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, ProblemError, ServerError
from agent_session_platform_jobs import changes, export

from jobs_tests.lists.listing import messages, read, run, run_messages, sessions
from tests.fixtures import URL
from tests.servers.fault_server import client
from tests.servers.growing_list import GrowingList


async def test_a_list_is_written_as_it_came(path: Path) -> None:
    odd = {
        "z": 1,
        "a": [1.5, 1e300, 12345678901234567890123, -0.0],
        "ä": "\u2028 ü\n",
        "half": "\ud800",
        "session_id": None,
    }
    listing = GrowingList([*sessions(1, 2), odd, [1], None, 7])
    exported = await run(listing, path)
    assert read(path) == listing.items
    assert list(read(path)[2]) == list(odd)
    assert (exported.written, exported.lines, exported.complete) == (6, 6, True)


async def test_a_source_is_a_pager_a_method_or_an_awaitable(path: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3), size=3)
    async with listing.client() as platform:
        method, logs = platform.organization().sessions.list, platform.organization().audit_logs.list
        for source in (method(), method, partial(method, first=2), logs()):
            path.unlink(missing_ok=True)
            await export(source, path)
            assert read(path) == listing.items


async def test_without_a_state_a_failure_leaves_the_older_file(path: Path) -> None:
    path.write_text("older\n")
    listing = GrowingList(sessions(1, 2, 3, 4))
    listing.failing["2"] = 500
    with pytest.raises(ServerError):
        await run(listing, path)
    assert path.read_text() == "older\n"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


async def test_an_item_that_comes_again_at_a_seam_is_written_once(path: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3, 4, 5))
    listing.shifted = 1
    await run(listing, path)
    assert read(path) == listing.items


async def test_a_second_run_adds_new_and_changed_items(path: Path, state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3))
    await run(listing, path, state=state)
    listing.items = [*sessions(4), *sessions(1), *sessions(2, status="running"), *sessions(3)]
    exported = await run(listing, path, state=state)
    assert read(path) == [*sessions(1, 2, 3), *sessions(4), *sessions(2, status="running")]
    assert (exported.written, exported.lines) == (2, 5)


@pytest.mark.parametrize("wrong", [None, True, 1.5, ["assistant-1"]])
async def test_an_id_that_is_none_is_compared_by_content(wrong: Any, path: Path, state: Path) -> None:
    listing = GrowingList([{"session_id": wrong, "title": "a"}, {"session_id": wrong, "title": "b"}])
    await run(listing, path, state=state)
    listing.items.append({"session_id": wrong, "title": "c"})
    await run(listing, path, state=state)
    assert [each["title"] for each in read(path)] == ["a", "b", "c"]


async def test_the_caller_names_the_id(path: Path, state: Path) -> None:
    listing = GrowingList([{"event_id": 1, "message": "a"}, {"event_id": "1", "message": "a"}])
    await run(listing, path, state=state, key="event_id")
    listing.items[0] = {"event_id": 1, "message": "b"}
    assert (await run(listing, path, state=state, key="event_id")).written == 1
    with pytest.raises(InvalidArgumentError, match="with key='event_id', and not of .* with key=None"):
        await run(listing, path, state=state)


async def test_a_run_ends_after_so_many_pages_and_the_next_one_continues_it(path: Path, state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3, 4, 5))
    before = datetime.now(UTC)
    first = await run(listing, path, state=state, max_pages=1)
    assert (first.complete, first.cursor, first.resumed, read(path)) == (False, "2", None, sessions(1, 2))
    between = datetime.now(UTC)
    second = await run(listing, path, state=state, max_pages=2)
    assert (second.complete, second.written, second.lines, read(path)) == (True, 3, 5, listing.items)
    # `resumed` is the time since when the list is read.
    assert before <= second.resumed <= between
    assert (await run(listing, path, state=state)).resumed is None


@pytest.mark.parametrize("count", range(7))
async def test_a_chronological_list_may_end_anywhere_in_a_page(count: int, path: Path, state: Path) -> None:
    listing = GrowingList(messages(*"ababab"[:count]))
    for _ in range(3):
        await run_messages(listing, path, state=state)
        assert read(path) == listing.items
        listing.items += messages("a", "b", "b")


@pytest.mark.parametrize("status", [400, 404, 410, 422])
async def test_after_a_refused_cursor_the_whole_list_is_compared(
    status: int, path: Path, state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    listing = GrowingList(messages("a", "b"))
    await run_messages(listing, path, state=state)
    # Items that a continued run adds are compared as well.
    listing.items += messages("c", "a")
    await run_messages(listing, path, state=state)
    listing.failing["2"] = status
    listing.size = 3
    listing.items += messages("a", "d")
    with caplog.at_level(logging.WARNING):
        exported = await run_messages(listing, path, state=state)
    assert f"{path.name}: the server refuses the cursor" in caplog.text
    assert {each.name for each in caplog.records} == {"agent_session_platform"}
    assert (read(path), exported.written) == (listing.items, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_pages": 1}, "so does max_pages"),
        ({"chronological": True}, "chronological needs state"),
        ({"state": "x", "max_pages": 0}, "max_pages must be a whole number of at least 1, not 0"),
        ({"state": ""}, "state must be the path of a file"),
    ],
)
async def test_a_wrong_argument_is_refused(arguments: dict[str, Any], message: str, path: Path) -> None:
    listing = GrowingList(sessions(1))
    with pytest.raises(InvalidArgumentError, match=message):
        await run(listing, path, **arguments)
    assert not listing.requested


async def test_the_state_of_another_list_is_refused(path: Path, state: Path) -> None:
    listing = GrowingList(messages("a"))
    await run_messages(listing, path, state=state)
    async with listing.client() as platform:
        method = platform.enterprise.sessions.list_messages
        for other in (platform.enterprise.audit_logs.list, method("assistant-2"), partial(method, "assistant-2")):
            with pytest.raises(InvalidArgumentError, match=r"is of the list .*'assistant-1'\) .* not of enterprise\."):
                await export(other, path, state=state, chronological=True)
    assert read(path) == listing.items


@pytest.mark.parametrize("give", [lambda method: method, lambda method: method(), partial])
async def test_the_state_of_another_server_is_refused(give: Any, path: Path, state: Path) -> None:
    listing = GrowingList(sessions(1))
    async with listing.client() as platform:
        method = platform.organization().sessions.list
        await export(give(method), path, state=state)
        _ = [change async for change in changes(give(method), state=path.with_suffix(""))]
    async with client("https://other.test", listing) as other:
        source = give(other.organization().sessions.list)
        wanted = r"is of the list .*sessions\.list.* at {}.*, and not of .* at https://other\.test.*another state file"
        with pytest.raises(InvalidArgumentError, match=wanted.format(URL)):
            await export(source, path, state=state)
        with pytest.raises(InvalidArgumentError, match=wanted.format(URL)):
            await anext(changes(source, state=path.with_suffix("")))
    assert read(path) == listing.items


async def test_what_changes_while_an_export_is_broken_off_is_in_its_file(path: Path, state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3, 4, 5, 6))
    listing.failing["4"] = 500
    with pytest.raises(ServerError):
        await run(listing, path, state=state)
    listing.failing.clear()
    listing.items[0] = sessions(1, status="finished")[0]
    listing.requested.clear()
    exported = await run(listing, path, state=state)
    assert read(path) == [*sessions(1, 2, 3, 4, 5, 6), *sessions(1, status="finished")]
    assert (exported.complete, exported.resumed) == (True, None)
    # Each page is read once: first those that are missing, then those that the earlier run has read.
    assert [cursor for cursor in listing.requested if cursor != "4"] == [None, "2"]


async def test_what_changes_is_found_if_the_export_is_broken_off_again_and_again(path: Path, state: Path) -> None:
    listing = GrowingList(sessions(*range(1, 9)), size=2)
    for number, failing in enumerate(["4", "2", "6", "4"], start=1):
        listing.failing = {failing: 500}
        with pytest.raises(ServerError):
            await run(listing, path, state=state)
        listing.items[0] = sessions(1, status=f"changed {number}")[0]
    listing.failing.clear()
    await run(listing, path, state=state)
    latest = {each["session_id"]: each for each in read(path)}
    assert list(latest.values()) == listing.items


async def test_what_does_not_tell_its_list_is_not_compared(path: Path, state: Path) -> None:
    listing = GrowingList(sessions(1, 2))
    async with listing.client() as platform:
        method = platform.organization().sessions.list
        for source in (lambda: method(), method, lambda: method()):
            await export(source, path, state=state)
        with pytest.raises(InvalidArgumentError, match="is of the list"):
            await export(platform.enterprise.sessions.list, path, state=state)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize("has_state", [True, False])
async def test_a_new_file_is_private_and_an_older_one_keeps_its_mode(has_state: bool, path: Path, state: Path) -> None:
    for mode, numbers in ((0o600, (1,)), (0o640, (1, 2))):
        await run(GrowingList(sessions(*numbers)), path, state=state if has_state else None)
        assert (path.stat().st_mode & 0o777, read(path)) == (mode, sessions(*numbers))
        path.chmod(0o640)


async def test_a_file_is_in_utf_8_and_may_be_empty(path: Path) -> None:
    await run(GrowingList([{"title": "ü"}]), path)
    assert path.read_bytes() == '{"title": "ü"}\n'.encode()
    assert (await run(GrowingList([]), path)).lines == 0
    assert path.read_bytes() == b""


async def test_another_order_of_members_and_another_filter_are_no_change(path: Path, state: Path) -> None:
    listing = GrowingList([{"session_id": "assistant-1", "status": "new"}])
    async with listing.client() as platform:
        method = platform.organization().sessions.list
        await export(partial(method, origins=["api"]), path, state=state)
        before = path.read_bytes()
        listing.items = [{"status": "new", "session_id": "assistant-1"}]
        assert (await export(method(first=5), path, state=state)).written == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("known", "size", "added", "later_size", "failing", "requested"),
    [
        ("abc", 2, "defg", 2, {}, ["2", "4", "6"]),
        ("aba", 2, "babc", 2, {"4": 500}, ["2", "4", "4", "6"]),
        ("abc", 2, "de", 2, {"4": 404}, ["2", "4", "4"]),
        ("ababc", 4, "ab", 1, {}, ["4", "5", "6"]),
        ("ababc", 5, "ab", 1, {"2": 500}, [None, "1", "2", "2", "3", "4", "5", "6"]),
        ("abc", 2, "d", 2, {"2": 401}, ["2", "2"]),
        ("abc", 2, "d", 2, {"2": 404, None: 404}, ["2", None, "2"]),
    ],
)
async def test_a_chronological_list_is_continued_at_its_last_page(
    path: Path, state: Path, known: str, size: int, added: str, later_size: int, failing: Any, requested: list[Any]
) -> None:
    listing = GrowingList(messages(*known), size=size)
    await run_messages(listing, path, state=state)
    listing.items += messages(*added)
    listing.requested, listing.size, listing.failing = [], later_size, dict(failing)
    if failing:
        with pytest.raises(ProblemError):
            await run_messages(listing, path, state=state)
    listing.failing.clear()
    await run_messages(listing, path, state=state)
    assert (read(path), listing.requested) == (listing.items, requested)
