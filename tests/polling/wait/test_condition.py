"""What a wait is for."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform.models import Schedule, Session
from agent_session_platform.polling.wait.changed import Changed
from agent_session_platform.polling.wait.condition import condition

SESSION = Session.from_dict(
    {
        "session_id": "assistant-1",
        "status": "ready",
        "title": "a",
        "tags": ["x", "y"],
        "acus_consumed": 2,
        "new": {"a": 1},
    }
)


def holds(wanted: Any, *, every: bool = True, item: Any = SESSION) -> bool:
    """Return whether an object is as it should be."""
    return condition("until", wanted, every=every).holds(item)


@pytest.mark.parametrize(
    "wanted",
    [
        {"status": "ready"},
        {"status": {"ready", "failed"}},
        {"status": ["failed", "ready"]},
        {"status": (each for each in ("failed", "ready"))},
        {"status": {"ready": 1}.keys()},
        {"status": "ready", "title": {"a", "b"}},
        {"acus_consumed": 2.0},
        {"tags": ["x", "y"]},
        {"tags": [["x"], ["x", "y"]]},
        {"new": {"a": 1}},
        {"new": [{"a": 1}, {"a": 2}]},
        {"category": None},
        {"is_archived": False},
        lambda session: session.status == "ready",
        lambda session: session.tags,
    ],
)
def test_an_object_matches(wanted: Any) -> None:
    assert holds(wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        {"status": "already"},
        {"status": "ready", "title": "b"},
        {"status": {"failed"}},
        {"tags": {"z"}},
        {"tags": "x"},
        {"category": "x"},
        lambda session: session.status == "failed",
        lambda session: None,
    ],
)
def test_an_object_does_not_match(wanted: Any) -> None:
    assert not holds(wanted)


def test_of_unexpected_values_one_is_enough() -> None:
    assert holds({"status": "ready", "title": "b"}, every=False)


def test_a_time_is_matched_by_its_text_too() -> None:
    schedule = Schedule.from_dict({"last_executed_at": "2026-01-01T00:00:00Z"})
    assert holds({"last_executed_at": "2026-01-01T00:00:00Z"}, item=schedule)
    assert holds({"last_executed_at": schedule.last_executed_at}, item=schedule)


def test_a_required_field_that_is_missing_is_none() -> None:
    assert holds({"session_id": None}, item=Session.from_dict({}))


async def later(session: Session) -> bool:
    return True


class Later:
    async def __call__(self, session: Session) -> bool:
        return True


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({}, "until must name a field"),
        ({"status": []}, r"until\['status'\] has no value"),
        ({"status": set()}, r"until\['status'\] has no value"),
        ({1: "x"}, "until must have names of fields, not 1"),
        ("ready", "until must be values by field"),
        (None, "until must be values by field"),
        (later, "until must be a plain function"),
        (partial(later), "until must be a plain function"),
        (Later(), "until must be a plain function"),
    ],
)
def test_what_could_never_match_is_refused(wanted: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        condition("until", wanted, every=True)


def test_a_result_that_would_have_to_be_awaited_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="until must return True or False, not coroutine"):
        holds(lambda session: later(session))  # type: ignore[arg-type, unused-ignore]


def test_values_are_read_once() -> None:
    values = {"ready"}
    checked = condition("until", {"status": values}, every=True)
    values.clear()
    assert checked.holds(SESSION)


def test_names_of_the_model_and_of_the_object_are_known() -> None:
    condition("until", {"category": 1, "new": 1}, every=True).check(SESSION)


def test_an_unknown_name_is_refused_with_the_closest() -> None:
    with pytest.raises(
        InvalidArgumentError, match="^until names 'statuss', which no Session has: did you mean 'status'"
    ):
        condition("until", {"statuss": 1}, every=True).check(SESSION)


@pytest.mark.parametrize("name", ["zzzzzz", "unknown_fields", "to_dict"])
def test_a_name_that_is_like_no_other_is_refused_with_all(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match="it has session_id, .*, new$"):
        condition("until", {name: 1}, every=True).check(SESSION)


def test_a_name_of_changed_is_checked_too() -> None:
    with pytest.raises(InvalidArgumentError, match="did you mean 'title'"):
        condition("until", Changed(("titel",)), every=True).check(SESSION)
