"""Waiting for an object, through the client and against the sandbox, and the conditions of a wait."""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import weakref
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from agent_session_platform import (
    AuthenticationError,
    BadRequestError,
    ClientClosedError,
    DecodeError,
    InvalidArgumentError,
    NotFoundError,
    OrganizationScope,
    PolledChange,
    RequestOptions,
    RetryPolicy,
    ServerError,
    changed,
)
from agent_session_platform.models import Schedule, Session
from agent_session_platform_sandbox import Reply, Sandbox

from benchmarks.virtual_time import run
from tests.polling.waiting import GET, NEVER, change, in_virtual_time, requests


@pytest.fixture
def session_id(sandbox: Sandbox) -> str:
    """Add a session."""
    return sandbox.add_session(status="working")


def waiting(session_id: str, **settings: Any) -> Callable[[OrganizationScope], Awaitable[Any]]:
    """Return the job that waits for a session."""
    return lambda org: org.sessions.wait(session_id, **{"until": {"status": {"ready", "failed"}}, **settings})


ARCHIVED: dict[str, Any] = {"is_archived": True}


@pytest.mark.parametrize(
    ("settings", "fields", "reason"),
    [
        ({}, {"status": "ready"}, "matched"),
        ({"unexpected": {"status": "stuck", "title": "x"}}, {"status": "stuck"}, "unexpected"),
        ({}, ARCHIVED, "gone"),
        ({"until": ARCHIVED}, ARCHIVED, "matched"),
    ],
)
def test_a_change_ends_the_wait(
    sandbox: Sandbox, session_id: str, settings: dict[str, Any], fields: dict[str, Any], reason: str
) -> None:
    plan = {100.0: lambda: change(sandbox, session_id, **fields)}
    # The id may lack its prefix.
    outcome = in_virtual_time(sandbox, waiting(session_id.removeprefix("assistant-"), **settings), plan)
    assert (outcome.reason, outcome.error, outcome.session.session_id) == (reason, None, session_id)
    assert fields.items() <= outcome.session.to_dict().items()
    # The interval may have grown to 60 s, with its jitter.
    assert 100.0 <= outcome.elapsed <= 166.0


def test_an_object_that_is_so_already_needs_one_poll(sandbox: Sandbox, session_id: str) -> None:
    outcome = in_virtual_time(sandbox, waiting(session_id, until={"status": "working"}))
    assert (outcome.reason, outcome.polls, outcome.elapsed) == ("matched", 1, 0.0)


def test_an_object_that_is_not_found_any_more_is_gone(sandbox: Sandbox, session_id: str) -> None:
    plan = {100.0: lambda: sandbox.faults.add(GET, status=404, times=None)}
    outcome = in_virtual_time(sandbox, waiting(session_id), plan)
    assert (outcome.reason, outcome.session.status, type(outcome.error)) == ("gone", "working", NotFoundError)


def test_the_timeout_is_that_of_the_whole_wait(sandbox: Sandbox, session_id: str) -> None:
    outcome = in_virtual_time(sandbox, waiting(session_id, timeout=1000))
    assert (outcome.reason, outcome.session.status, outcome.error) == ("deadline", "working", None)
    assert outcome.elapsed == pytest.approx(1000.0)


def test_a_poll_under_way_at_the_deadline_is_cancelled(sandbox: Sandbox, session_id: str) -> None:
    plan = {50.0: lambda: sandbox.faults.add(GET, latency=500.0)}
    outcome = in_virtual_time(sandbox, waiting(session_id, timeout=200), plan)
    assert (outcome.reason, outcome.session.status) == ("deadline", "working")
    assert outcome.elapsed == pytest.approx(200.0)


def test_a_wait_whose_first_poll_takes_too_long_has_read_nothing(sandbox: Sandbox, session_id: str) -> None:
    sandbox.faults.add(GET, latency=500.0)
    outcome = in_virtual_time(sandbox, waiting(session_id, timeout=5))
    assert (outcome.reason, outcome.session, outcome.polls) == ("deadline", None, 0)
    assert str(outcome.error) == "organization.sessions.get: no poll has ended within the 5 s of the wait"


def test_a_change_just_before_the_deadline_is_seen(sandbox: Sandbox, session_id: str) -> None:
    plan = {998.5: lambda: change(sandbox, session_id, status="ready")}
    outcome = in_virtual_time(sandbox, waiting(session_id, timeout=1000, every=100), plan)
    assert outcome.reason == "matched"


def test_nothing_is_sent_after_the_last_poll(sandbox: Sandbox, session_id: str) -> None:
    assert in_virtual_time(sandbox, waiting(session_id, timeout=1.0)).polls == 2


@pytest.mark.parametrize(
    ("settings", "least", "most"),
    [
        # 10, 15, 22.5, 33.75, 50.6 and then 60 s, each with its jitter of 10 %.
        ({"timeout": 3600}, 58, 72),
        ({"timeout": 1000, "max_every": 10}, 92, 112),
    ],
)
def test_the_interval_grows_while_nothing_changes(
    sandbox: Sandbox, session_id: str, settings: dict[str, Any], least: int, most: int
) -> None:
    assert least <= in_virtual_time(sandbox, waiting(session_id, **settings)).polls <= most


def test_the_interval_is_short_again_after_a_change(sandbox: Sandbox, session_id: str) -> None:
    told: list[float] = []

    def tell(polled: PolledChange[Session]) -> None:
        loop = asyncio.get_running_loop()
        told.append(loop.time())
        if len(told) == 2:
            loop.call_later(1.0, lambda: change(sandbox, session_id, title="b"))

    plan = {1000.0: lambda: change(sandbox, session_id, title="a")}
    in_virtual_time(sandbox, waiting(session_id, timeout=1200, on_change=tell), plan)
    assert 9.0 <= told[2] - told[1] <= 11.0


def test_an_object_without_any_change_has_stalled(sandbox: Sandbox, session_id: str) -> None:
    seen: list[float] = []

    def note(_: PolledChange[Session]) -> None:
        seen.append(asyncio.get_running_loop().time())

    async def stalling(org: OrganizationScope) -> tuple[str, float]:
        outcome = await waiting(session_id, stalled_after=300, on_change=note)(org)
        return outcome.reason, asyncio.get_running_loop().time()

    plan = {100.0: lambda: change(sandbox, session_id, title="a")}
    reason, ended = in_virtual_time(sandbox, stalling, plan)
    assert reason == "stalled"
    # The interval may have grown to 60 s, with its jitter: before the change is seen, and once more before the end.
    assert 100.0 <= seen[-1] <= 166.0
    assert 300.0 <= ended - seen[-1] <= 366.0


def test_polls_that_fail_are_no_evidence_that_nothing_changes(sandbox: Sandbox, session_id: str) -> None:
    plan: dict[float, Callable[[], object]] = {
        50.0: lambda: sandbox.faults.add(GET, status=503, times=None),
        899.0: lambda: change(sandbox, session_id, title="a"),
        900.0: sandbox.faults.clear,
    }
    outcome = in_virtual_time(sandbox, waiting(session_id, stalled_after=300), plan)
    assert outcome.reason == "stalled"
    assert outcome.elapsed >= 1200.0


@pytest.mark.parametrize("fault", [{"status": 503}, {"drop": True}, {"status": 429}, {"html": True}])
def test_an_outage_does_not_end_the_wait(sandbox: Sandbox, session_id: str, fault: dict[str, Any]) -> None:
    plan: dict[float, Callable[[], object]] = {
        5.0: lambda: sandbox.faults.add(GET, times=None, **fault),
        500.0: sandbox.faults.clear,
        501.0: lambda: change(sandbox, session_id, status="ready"),
    }
    outcome = in_virtual_time(sandbox, waiting(session_id), plan)
    assert (outcome.reason, outcome.error) == ("matched", None)


def test_an_outage_until_the_deadline_is_the_error_of_the_outcome(sandbox: Sandbox, session_id: str) -> None:
    sandbox.faults.add(GET, status=503, times=None)
    outcome = in_virtual_time(sandbox, waiting(session_id))
    assert (outcome.reason, outcome.session, type(outcome.error)) == ("deadline", None, ServerError)


def test_an_outage_is_logged_once(sandbox: Sandbox, session_id: str, caplog: pytest.LogCaptureFixture) -> None:
    plan: dict[float, Callable[[], object]] = {
        5.0: lambda: sandbox.faults.add(GET, status=503, times=None),
        500.0: sandbox.faults.clear,
        800.0: lambda: sandbox.faults.add(GET, status=503, times=None),
    }
    with caplog.at_level(logging.WARNING):
        in_virtual_time(sandbox, waiting(session_id), plan)
    text = f"{GET}: a poll has failed, and the wait goes on: {GET}: 503 Service Unavailable"
    assert [each.getMessage().startswith(text) for each in caplog.records] == [True, True]
    assert {each.name for each in caplog.records} == {"agent_session_platform"}


def test_a_wait_polls_no_sooner_than_the_server_asks(sandbox: Sandbox, session_id: str) -> None:
    sandbox.faults.add(GET, status=429, retry_after=1000, times=1)
    outcome = in_virtual_time(sandbox, waiting(session_id, until={"status": "working"}))
    assert outcome.elapsed >= 1000.0
    assert requests(sandbox)[0] == 2


@pytest.mark.parametrize(
    ("at", "fault", "error"),
    [
        (0.0, {"html": True}, DecodeError),
        (0.0, {"status": 404}, NotFoundError),
        (100.0, {"status": 401}, AuthenticationError),
        (100.0, {"status": 400}, BadRequestError),
    ],
)
def test_an_error_that_will_not_pass_is_raised(
    sandbox: Sandbox, session_id: str, at: float, fault: dict[str, Any], error: type[Exception]
) -> None:
    plan = {at: lambda: sandbox.faults.add(GET, times=None, **fault)}
    if at == 0.0:
        plan.pop(at)()
    with pytest.raises(error):
        in_virtual_time(sandbox, waiting(session_id), plan)


def test_a_retry_policy_does_not_outlast_the_deadline(sandbox: Sandbox, session_id: str) -> None:
    sandbox.faults.add(GET, status=503, times=None)
    options = RequestOptions(retry=RetryPolicy(attempts=1000, backoff_base=60.0, backoff_cap=60.0))
    outcome = in_virtual_time(sandbox, waiting(session_id, timeout=100, options=options))
    assert (outcome.reason, outcome.elapsed) == ("deadline", pytest.approx(100.0))


def test_each_change_is_told(sandbox: Sandbox, session_id: str) -> None:
    told: list[PolledChange[Session]] = []
    plan: dict[float, Callable[[], object]] = {
        100.0: lambda: change(sandbox, session_id, status="busy"),
        200.0: lambda: change(sandbox, session_id, status="working", title="a"),
        300.0: lambda: change(sandbox, session_id, status="ready"),
    }
    in_virtual_time(sandbox, waiting(session_id, on_change=told.append), plan)
    assert [(each.before and each.before.status, each.after.status, each.first_seen) for each in told] == [
        (None, "working", {"status": "working"}),
        ("working", "busy", {"status": "busy"}),
        ("busy", "working", {}),
        ("working", "ready", {"status": "ready"}),
    ]


def test_what_on_change_returns_is_awaited(sandbox: Sandbox, session_id: str) -> None:
    told: list[str] = []

    async def tell(change: PolledChange[Session]) -> None:
        await asyncio.sleep(1.0)
        told.append(change.after.session_id)

    in_virtual_time(sandbox, waiting(session_id, timeout=5, on_change=tell))
    assert told == [session_id]


@pytest.mark.parametrize("argument", ["on_change", "until", "unexpected"])
@pytest.mark.parametrize("error", [ZeroDivisionError("mine"), TimeoutError("mine"), ServerError("mine", status=500)])
def test_an_error_of_a_function_is_raised_from_the_wait(
    sandbox: Sandbox, session_id: str, argument: str, error: Exception
) -> None:
    def fail(given: object) -> bool:
        raise error

    with pytest.raises(type(error)) as caught:
        in_virtual_time(sandbox, waiting(session_id, **{argument: fail}))
    assert caught.value is error


NAMES = ("timeout", "every", "max_every", "stalled_after")
OUT_OF_RANGE = [(name, value) for name in NAMES for value in (0, -1, math.inf, math.nan, True, "5")]


@pytest.mark.parametrize(("name", "value"), [*OUT_OF_RANGE, ("max_every", 9)])
def test_a_number_of_seconds_out_of_range_is_refused(sandbox: Sandbox, name: str, value: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=f"{name} must be"):
        in_virtual_time(sandbox, waiting("assistant-none", **{name: value}))


def test_a_cancelled_wait_ends_at_once(sandbox: Sandbox, session_id: str) -> None:
    async def cancel(org: OrganizationScope) -> tuple[float, int]:
        task = asyncio.ensure_future(org.sessions.wait(session_id, until=NEVER))
        await asyncio.sleep(100)
        task.cancel()
        await asyncio.wait((task,))
        assert task.cancelled()
        return asyncio.get_running_loop().time(), len(asyncio.all_tasks())

    assert in_virtual_time(sandbox, cancel) == (100.0, 1)


def test_a_cancelled_wait_keeps_no_client_alive(sandbox: Sandbox, session_id: str) -> None:
    async def main() -> None:
        transport = sandbox.transport()
        platform = sandbox.client(transport=transport)
        task = asyncio.ensure_future(platform.organization("org-acme").sessions.wait(session_id, until=NEVER))
        await asyncio.sleep(100)
        task.cancel()
        await asyncio.wait((task,))
        await platform.aclose()
        kept = weakref.ref(transport)
        del task, platform, transport
        gc.collect()
        assert kept() is None

    run(main())


def test_closing_the_client_ends_its_waits(sandbox: Sandbox, session_id: str) -> None:
    async def main() -> None:
        platform = sandbox.client()
        org = platform.organization("org-acme")
        waits = [asyncio.ensure_future(org.sessions.wait(session_id, until=NEVER)) for _ in range(2)]
        await asyncio.sleep(100)
        await platform.aclose()
        assert asyncio.get_running_loop().time() == 100.0
        ended = await asyncio.gather(*waits, return_exceptions=True)
        assert [type(each) for each in ended] == [ClientClosedError] * 2

    run(main())


def test_the_next_run_of_a_schedule_is_waited_for(sandbox: Sandbox) -> None:
    async def wait(org: OrganizationScope) -> tuple[Any, Any]:
        schedule = await org.schedules.create(name="n", prompt="p", frequency="0 0 * * *")
        loop = asyncio.get_running_loop()
        loop.call_later(500.0, lambda: sandbox.clock.advance(days=1))
        next_run = changed("last_executed_at", since=schedule.last_executed_at)
        return schedule, await org.schedules.wait(schedule.scheduled_session_id, until=next_run)

    schedule, outcome = in_virtual_time(sandbox, wait)
    assert outcome.reason == "matched"
    assert outcome.schedule.last_executed_at - schedule.created_at <= timedelta(days=1)
    assert 500.0 <= outcome.elapsed <= 566.0


# What a wait is for: values by field, a function, or `changed`.

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
        ({"status": set()}, "until must name fields, each with a value"),
        ({1: "x"}, "until names 1, which no Session has"),
        (None, "until must be values by field"),
        (later, "or a plain function"),
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
