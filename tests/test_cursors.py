"""Cursors: which can be followed, and how those that were followed are remembered."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import pytest
from agent_session_platform.cursors import (
    LONGEST_CURSOR,
    REMEMBERED,
    SPARSE,
    CursorHistory,
    InvalidCursorError,
    as_cursor,
    next_cursor,
)
from agent_session_platform.models import SessionPage


@pytest.mark.parametrize(
    ("value", "cursor"),
    [
        ("x", "x"),
        ("", ""),
        (" ", " "),
        ("\x00", "\x00"),
        ("\ud800", "\ud800"),
        ("1" * 5000, "1" * 5000),
        ("x" * LONGEST_CURSOR, "x" * LONGEST_CURSOR),
        ("x" * (LONGEST_CURSOR + 1), None),
        (0, "0"),
        (-7, "-7"),
        (7.5, "7.5"),
        (10**30, "1" + "0" * 30),
        pytest.param(10**5000, None, id="5001 digits"),
        (float("inf"), None),
        (float("-inf"), None),
        (float("nan"), None),
        (True, None),
        (False, None),
        (None, None),
        ([], None),
        ({}, None),
    ],
)
def test_text_and_finite_numbers_are_cursors(value: Any, cursor: str | None) -> None:
    assert as_cursor(value) == cursor


@pytest.mark.parametrize(
    ("has_next_page", "follows"),
    [
        (True, True),
        (1, True),
        (1.0, True),
        (False, False),
        (0, False),
        (0.0, False),
        (None, False),
        ("", False),
        ([], False),
        ({}, False),
        ("false", None),
        ("true", None),
        ("False", None),
        ("0", None),
        (2, None),
        (-1, None),
        (0.5, None),
        ([False], None),
        ({"value": False}, None),
    ],
)
def test_only_a_clear_has_next_page_is_followed(has_next_page: Any, follows: bool | None) -> None:
    page = SessionPage.from_dict({"items": [], "end_cursor": "x", "has_next_page": has_next_page})
    if follows is None:
        with pytest.raises(InvalidCursorError, match="has_next_page is neither true nor false: "):
            next_cursor(page)
    else:
        assert next_cursor(page) == ("x" if follows else None)


@pytest.mark.parametrize(
    ("end_cursor", "message"),
    [
        (None, "there is no end_cursor"),
        ("x" * 70_000, "the server's end_cursor of 70000 characters is too long to be sent"),
        ({"a": 1}, "end_cursor is not text: an object"),
        (True, "end_cursor is not text: True"),
        (float("inf"), "end_cursor is not text: inf"),
        pytest.param(10**5000, "end_cursor is not text: an integer of many digits", id="5001 digits"),
    ],
)
def test_a_cursor_that_cannot_be_sent_is_named_as_the_servers(end_cursor: Any, message: str) -> None:
    page = SessionPage.from_dict({"items": [], "end_cursor": end_cursor, "has_next_page": True})
    with pytest.raises(InvalidCursorError, match=message):
        next_cursor(page)


@pytest.mark.parametrize("before", [0, 5_000, 300_000])
@pytest.mark.parametrize("length", [1, 2, 100, REMEMBERED])
def test_a_cycle_of_up_to_4096_pages_is_found_at_once(before: int, length: int) -> None:
    assert steps_until_found(before, length) == before + length


@pytest.mark.parametrize("before", [0, 77_777])
@pytest.mark.parametrize("length", [REMEMBERED + 1, 9_999, 100_000, SPARSE * REMEMBERED])
def test_a_long_cycle_is_found_32_pages_later_at_most(before: int, length: int) -> None:
    assert before + length <= steps_until_found(before, length) < before + length + SPARSE


def steps_until_found(before: int, length: int) -> int:
    """Return how many cursors were new, of a list that goes in circles after so many pages."""
    history = CursorHistory()
    for step in range(before + 2 * length):
        cursor = str(step if step < before + length else before + (step - before) % length)
        if cursor in history:
            return step
        history.add(cursor)
    raise AssertionError("not found")


def test_300_000_new_cursors_are_remembered_in_2_mb() -> None:
    history = CursorHistory()
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(300_000):
            cursor = f"{number}-{'x' * 50}"
            assert cursor not in history
            history.add(cursor)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000
