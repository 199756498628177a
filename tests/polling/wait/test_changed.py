"""The predicate for a change."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, changed
from agent_session_platform.models import Schedule, Session
from agent_session_platform.polling.wait.condition import condition

BEFORE, AFTER = Session(title="a", status="x"), Session(title="b", status="x")


def test_the_first_object_has_not_changed() -> None:
    assert not changed("title")(BEFORE)


def test_another_value_than_the_first_is_a_change() -> None:
    predicate = changed("title")
    assert [predicate(each) for each in (BEFORE, BEFORE, AFTER)] == [False, False, True]


def test_of_several_fields_one_is_enough() -> None:
    predicate = changed("status", "title")
    assert [predicate(each) for each in (BEFORE, AFTER)] == [False, True]


def test_another_field_is_no_change() -> None:
    predicate = changed("status")
    assert [predicate(each) for each in (BEFORE, AFTER)] == [False, False]


@pytest.mark.parametrize(("since", "expected"), [("a", False), ("b", True), (None, True)])
def test_a_value_is_compared_with_the_given_one(since: Any, expected: bool) -> None:
    assert changed("title", since=since)(BEFORE) is expected


def test_a_field_that_stays_absent_has_not_changed() -> None:
    assert not changed("category", since=None)(BEFORE)


def test_a_time_is_compared_as_a_time_or_as_text() -> None:
    schedule = Schedule.from_dict({"last_executed_at": "2026-01-01T00:00:00Z"})
    assert not changed("last_executed_at", since=schedule.last_executed_at)(schedule)
    assert not changed("last_executed_at", since="2026-01-01T00:00:00Z")(schedule)


def test_each_wait_begins_anew() -> None:
    predicate = changed("title")
    assert not predicate(BEFORE)
    assert not condition("until", predicate, every=True).holds(AFTER)


@pytest.mark.parametrize(("names", "since"), [((), "a"), ((1,), "a"), (("a", "b"), "a"), (({"a": 1},), "a")])
def test_wrong_arguments_are_refused(names: tuple[Any, ...], since: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        changed(*names, since=since)
