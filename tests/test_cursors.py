"""The cursors of a list: which are followed, and which end it with a PagingError."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import PagingError

from tests.servers.listing import Listing, page


async def ids(listing: Listing, into: list[str]) -> None:
    """Append the ids one by one, so that those before an error are kept."""
    async with listing.platform:
        async for session in listing.pager():
            into.append(session.session_id)  # noqa: PERF401


@pytest.mark.parametrize(
    ("value", "cursor"),
    [
        ("x", "x"),
        ("", ""),
        (" ", " "),
        ("\x00", "\x00"),
        ("1" * 5000, "1" * 5000),
        (0, "0"),
        (-7, "-7"),
        (7.5, "7.5"),
        (10**30, "1" + "0" * 30),
    ],
    ids=lambda value: repr(value)[:20],
)
async def test_text_and_finite_numbers_are_cursors(value: Any, cursor: str) -> None:
    listing, found = Listing({None: page(["a"], value, True), cursor: page(["b"])}), list[str]()
    await ids(listing, found)
    assert (found, listing.fetched) == (["a", "b"], [None, cursor])


@pytest.mark.parametrize(("has_next_page", "follows"), [(True, True), (1, True), (1.0, True), (False, False)])
@pytest.mark.parametrize("empty", [0, 0.0, None, "", [], {}])
async def test_a_clear_has_next_page_is_followed_or_ends_the_list(
    has_next_page: Any, follows: bool, empty: Any
) -> None:
    # What is empty says that there is no further page.
    last = page(["b"], "y") | {"has_next_page": empty}
    listing, found = Listing({None: page(["a"], "x", has_next_page), "x": last}), list[str]()
    await ids(listing, found)
    assert found == (["a", "b"] if follows else ["a"])


@pytest.mark.parametrize("end_cursor", [None, {"a": 1}, True])
async def test_a_cursor_that_cannot_be_sent_is_refused_after_the_items(end_cursor: Any) -> None:
    listing, found = Listing({None: page(["a"], end_cursor, True)}), list[str]()
    with pytest.raises(PagingError, match="has_next_page is true, but there is no end_cursor: "):
        await ids(listing, found)
    assert found == ["a"]


@pytest.mark.parametrize("length", [1, 2, 50])
async def test_a_circle_is_found_when_its_first_cursor_comes_again(length: int) -> None:
    pages = {str(number): page([f"s{number}"], str((number + 1) % length)) for number in range(length)}
    listing, found = Listing({None: page(["first"], "0"), **pages}), list[str]()
    with pytest.raises(PagingError, match="end_cursor did not advance from '0'"):
        await ids(listing, found)
    assert len(found) == length + 1


async def test_a_list_is_followed_past_the_cursors_that_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_session_platform.lists.MOST_REMEMBERED", 4)
    line = {str(number): page([f"s{number}"], str(number + 1)) for number in range(10)}
    # A circle of three begins after more pages than are remembered.
    pages = {**line, "10": page(["s10"], "11"), "11": page(["s11"], "12"), "12": page(["s12"], "10")}
    listing, found = Listing({None: page(["first"], "0"), **pages}), list[str]()
    with pytest.raises(PagingError, match="end_cursor did not advance from"):
        await ids(listing, found)
    assert found[:14] == ["first", *(f"s{number}" for number in range(13))]
    assert len(found) < 20
