"""What a wait is for: values by field, a function, or `changed`."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, PolledChange, changed
from agent_session_platform.models import Schedule, Session
from agent_session_platform_sandbox import Reply, Sandbox

from tests.polling.waiting import GET, in_virtual_time

SESSION: dict[str, Any] = {
    "session_id": "assistant-1",
    "status": "ready",
    "title": "a",
    "tags": ["x", "y"],
    "acus_consumed": 2,
    "new": {"a": 1},
}


def wait(sandbox: Sandbox, *objects: dict[str, Any], **settings: Any) -> Any:
    """Wait for a session, of which each poll reads the next of some objects, and the last one for ever."""
    states = iter(objects or [SESSION])
    state: dict[str, Any] = {}

    def read(call: object) -> Reply:
        state.update(now=next(states, state.get("now")))
        return Reply(state["now"])

    sandbox.handle(GET, read)
    settings = {"timeout": 60.0, "every": 10.0, **settings}
    return in_virtual_time(sandbox, lambda org: org.sessions.wait("assistant-1", **settings))


@pytest.mark.parametrize(
    "wanted",
    [
        {"status": "ready"},
        {"status": {"ready", "failed"}},
        {"status": (each for each in ("failed", "ready"))},
        {"status": "ready", "title": {"a", "b"}},
        {"acus_consumed": 2.0},
        {"tags": ["x", "y"]},
        {"tags": [["x"], ["x", "y"]]},
        {"new": {"a": 1}},
        {"category": None, "url": None},
        {"is_archived": False},
        lambda session: session.status == "ready",
        lambda session: session.tags,
    ],
)
def test_an_object_matches(sandbox: Sandbox, wanted: Any) -> None:
    assert wait(sandbox, until=wanted).reason == "matched"


@pytest.mark.parametrize(
    "wanted",
    [
        {"status": "already"},
        {"status": "ready", "title": "b"},
        {"status": {"failed"}},
        {"tags": {"z"}},
        lambda session: session.status == "failed",
    ],
)
def test_an_object_does_not_match(sandbox: Sandbox, wanted: Any) -> None:
    assert wait(sandbox, until=wanted).reason == "deadline"


def test_what_is_wanted_comes_before_what_is_unexpected(sandbox: Sandbox) -> None:
    assert wait(sandbox, until={"status": "ready"}, unexpected={"status": "ready"}).reason == "matched"


def test_what_is_unexpected_comes_before_what_is_gone(sandbox: Sandbox) -> None:
    session = {**SESSION, "is_archived": True}
    outcome = wait(sandbox, session, until={"status": "x"}, unexpected={"status": "ready", "title": "b"})
    assert outcome.reason == "unexpected"


@pytest.mark.parametrize(
    ("flag", "until"), [("no", {"status": "x"}), (True, {"is_archived": True, "status": "x"})], ids=["no flag", "named"]
)
def test_a_flag_that_is_not_true_or_is_named_does_not_end_the_wait(sandbox: Sandbox, flag: Any, until: Any) -> None:
    assert wait(sandbox, {**SESSION, "is_archived": flag}, until=until).reason == "deadline"


def test_a_required_field_that_is_missing_is_none(sandbox: Sandbox) -> None:
    assert wait(sandbox, {"status": "ready"}, until={"session_id": None}).reason == "matched"


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("is_changed", [True, False])
def test_a_time_is_compared_as_a_time_or_as_text(sandbox: Sandbox, as_text: bool, is_changed: bool) -> None:
    text = "2026-01-01T00:00:00Z"
    sandbox.handle("organization.schedules.get", lambda call: Reply({"last_executed_at": text}))
    value = text if as_text else Schedule.from_dict({"last_executed_at": text}).last_executed_at
    until: Any = changed("last_executed_at", since=value) if is_changed else {"last_executed_at": value}
    outcome = in_virtual_time(sandbox, lambda org: org.schedules.wait("schedule-1", until=until, timeout=10))
    assert outcome.reason == ("deadline" if is_changed else "matched")


def test_values_are_read_once(sandbox: Sandbox) -> None:
    values = {"failed"}
    outcome = wait(sandbox, until={"status": values}, on_change=lambda change: values.add("ready"))
    assert outcome.reason == "deadline"


async def later(session: Session) -> bool:
    return True


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({}, "until must name fields, each with a value"),
        ({"status": []}, "until must name fields, each with a value"),
        ({"status": set()}, "until must name fields, each with a value"),
        ({1: "x"}, "until names 1, which no Session has"),
        ("ready", "until must be values by field"),
        (None, "until must be values by field"),
        (later, "or a plain function"),
        (partial(later), "or a plain function"),
    ],
)
def test_what_could_never_match_is_refused(sandbox: Sandbox, wanted: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        wait(sandbox, until=wanted)


@pytest.mark.parametrize("until", [{"titel": 1}, changed("titel"), {"unknown_fields": 1}, {"to_dict": 1}])
def test_an_unknown_name_is_refused_with_all_that_are_known(sandbox: Sandbox, until: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="^until names .*, which no Session has: it has session_id, .* new$"):
        wait(sandbox, until=until)


OTHER = {**SESSION, "title": "b"}


@pytest.mark.parametrize(
    ("until", "reason"),
    [
        (changed("title"), "matched"),
        (changed("status", "title"), "matched"),
        (changed("status"), "deadline"),
        (changed("title", since="b"), "matched"),
        (changed("category", since=None), "deadline"),
        (changed("title", since=None), "matched"),
    ],
)
def test_changed_matches_another_value_than_before(sandbox: Sandbox, until: Any, reason: str) -> None:
    assert wait(sandbox, SESSION, OTHER, until=until).reason == reason


def test_changed_begins_anew_with_each_wait(sandbox: Sandbox) -> None:
    title_changed = changed("title")
    assert wait(sandbox, SESSION, OTHER, until=title_changed).reason == "matched"
    assert wait(sandbox, OTHER, until=title_changed).reason == "deadline"


@pytest.mark.parametrize(("names", "since"), [((), "a"), ((1,), "a"), (("a", "b"), "a"), (({"a": 1},), "a")])
def test_wrong_arguments_of_changed_are_refused(names: tuple[Any, ...], since: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        changed(*names, since=since)


FIRST = {"status": "a", "title": "t", "is_archived": False, "tags": ["x"], "category": None}


@pytest.mark.parametrize(
    ("settings", "after", "seen"),
    [
        # Without named fields, each plain value is first seen.
        (
            {"until": lambda session: False},
            {**FIRST, "status": "b", "acus_consumed": 1, "tags": ["y"]},
            [{"status": "a", "title": "t", "is_archived": False}, {"status": "b", "acus_consumed": 1}],
        ),
        (
            {"until": {"tags": "x"}, "unexpected": {"status": "b"}},
            {**FIRST, "title": "u"},
            [{"tags": ["x"], "status": "a"}, {}],
        ),
    ],
)
def test_what_is_seen_for_the_first_time_is_told(
    sandbox: Sandbox, settings: dict[str, Any], after: dict[str, Any], seen: list[Any]
) -> None:
    told: list[PolledChange[Session]] = []
    wait(sandbox, FIRST, after, on_change=told.append, **settings)
    assert [each.first_seen for each in told] == seen
