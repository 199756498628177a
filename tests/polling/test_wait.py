"""Waiting for an object, through the client and against the sandbox, and the conditions of a wait."""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import weakref
from typing import Any

import pytest
from agent_session_platform import OrganizationScope, PolledChange, RequestOptions, RetryPolicy, changed, errors
from agent_session_platform.models import Schedule, Session
from agent_session_platform_sandbox import Reply, Sandbox

from tests.fixtures import in_virtual_time
from tests.polling.waiting import GET, NEVER, Watched, change, requests, run_job


@pytest.fixture
def watched(sandbox: Sandbox) -> Watched:
    """Add a session."""
    return Watched(sandbox, sandbox.add_session(status="working"))


@pytest.mark.parametrize(
    ("settings", "fields", "reason"),
    [
        ({}, {"status": "ready"}, "matched"),
        ({"unexpected": {"status": "stuck", "title": "x"}}, {"status": "stuck"}, "unexpected"),
        ({}, {"is_archived": True}, "gone"),
        ({"until": {"is_archived": True}}, {"is_archived": True}, "matched"),
    ],
)
def test_a_change_ends_the_wait(watched: Watched, settings: Any, fields: Any, reason: str) -> None:
    watched.change(100.0, **fields)
    whole_id, watched.session_id = watched.session_id, watched.session_id.removeprefix("assistant-")
    outcome = watched.wait(**settings)
    assert (outcome.reason, outcome.error, outcome.session.session_id) == (reason, None, whole_id)
    assert fields.items() <= outcome.session.to_dict().items()
    # The interval may have grown to 60 s, with its jitter.
    assert 100.0 <= outcome.elapsed <= 166.0


def test_an_object_that_is_not_found_any_more_is_gone(watched: Watched) -> None:
    watched.fail(100.0, status=404)
    outcome = watched.wait()
    assert (outcome.reason, outcome.session.status, type(outcome.error)) == ("gone", "working", errors.NotFoundError)


PATIENT = RequestOptions(retry=RetryPolicy(attempts=1000, backoff_base=60.0, backoff_cap=60.0))


@pytest.mark.parametrize(
    ("fault", "settings"),
    [({"latency": 0.1}, {}), ({"latency": 500.0}, {}), ({"status": 503}, {"options": PATIENT})],
    ids=["nothing happens", "a poll under way", "retries"],
)
def test_the_timeout_is_that_of_the_whole_wait(watched: Watched, fault: dict[str, Any], settings: Any) -> None:
    watched.fail(50.0, **fault)
    outcome = watched.wait(timeout=200, **settings)
    assert (outcome.reason, outcome.session.status) == ("deadline", "working")
    # The last poll is a moment before the end.
    assert 197.0 <= outcome.elapsed <= 200.0


@pytest.mark.parametrize(
    ("fault", "error"),
    [({"latency": 500.0}, "no poll has ended within the 200 s of the wait"), ({"status": 503}, "503 Service Unav")],
)
def test_a_wait_that_has_read_nothing_says_why(watched: Watched, fault: dict[str, Any], error: str) -> None:
    watched.fail(None, **fault)
    outcome = watched.wait(timeout=200)
    assert (outcome.reason, outcome.session, outcome.polls) == ("deadline", None, 0)
    assert str(outcome.error).startswith(f"{GET}: {error}")


def test_a_change_just_before_the_deadline_is_seen(watched: Watched) -> None:
    watched.change(998.5, status="ready")
    assert watched.wait(timeout=1000, every=100).reason == "matched"


@pytest.mark.parametrize(
    ("settings", "least", "most"),
    [
        # 10, 15, 22.5, 33.75, 50.6 and then 60 s, each with its jitter of 10 %.
        ({"timeout": 3600}, 58, 72),
        ({"timeout": 1000, "max_every": 10}, 92, 112),
        # The first poll, and the last one.
        ({"timeout": 1.0}, 2, 2),
    ],
)
def test_the_interval_grows_while_nothing_changes(watched: Watched, settings: Any, least: int, most: int) -> None:
    assert least <= watched.wait(**settings).polls <= most


def test_the_interval_is_short_again_after_a_change(watched: Watched) -> None:
    told: list[float] = []

    def tell(polled: PolledChange[Session]) -> None:
        loop = asyncio.get_running_loop()
        told.append(loop.time())
        if len(told) == 2:
            loop.call_later(1.0, lambda: change(watched.sandbox, watched.session_id, title="b"))

    watched.change(1000.0, title="a")
    watched.wait(timeout=1200, on_change=tell)
    assert 9.0 <= told[2] - told[1] <= 11.0


def test_an_object_without_any_change_has_stalled(watched: Watched) -> None:
    seen: list[float] = []
    watched.change(100.0, title="a")
    outcome = watched.wait(stalled_after=300, on_change=lambda _: seen.append(asyncio.get_running_loop().time()))
    assert outcome.reason == "stalled"
    # The interval may have grown to 60 s, with its jitter: before the change is seen, and once more before the end.
    assert 100.0 <= seen[-1] <= 166.0
    assert 300.0 <= outcome.elapsed - seen[-1] <= 366.0


def test_polls_that_fail_are_no_evidence_that_nothing_changes(watched: Watched) -> None:
    watched.fail(50.0, status=503)
    watched.change(899.0, title="a")
    watched.plan[900.0] = watched.sandbox.faults.clear
    outcome = watched.wait(stalled_after=300)
    assert outcome.reason == "stalled"
    assert outcome.elapsed >= 1200.0


@pytest.mark.parametrize("fault", [{"status": 503}, {"drop": True}, {"status": 429}, {"html": True}])
def test_an_outage_does_not_end_the_wait(watched: Watched, fault: dict[str, Any]) -> None:
    watched.fail(5.0, **fault)
    watched.plan[500.0] = watched.sandbox.faults.clear
    watched.change(501.0, status="ready")
    outcome = watched.wait()
    assert (outcome.reason, outcome.error) == ("matched", None)


def test_pages_of_html_at_the_first_polls_do_not_end_a_wait(watched: Watched) -> None:
    watched.sandbox.faults.add(GET, times=2, status=502)
    watched.sandbox.faults.add(GET, times=2, html=True)
    watched.change(90.0, status="ready")
    outcome = watched.wait()
    assert (outcome.reason, outcome.error) == ("matched", None)


def test_an_outage_at_the_first_poll_does_not_end_the_wait_of_a_client_that_has_succeeded(watched: Watched) -> None:
    async def job(org: OrganizationScope) -> Any:
        await org.sessions.list().first_page()
        return await org.sessions.wait(watched.session_id, until={"status": "ready"})

    watched.fail(None, html=True)
    watched.plan[500.0] = watched.sandbox.faults.clear
    watched.change(501.0, status="ready")
    assert run_job(watched.sandbox, job, watched.plan).reason == "matched"


def test_each_outage_is_logged_once(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    watched.fail(5.0, status=503)
    watched.plan[500.0] = watched.sandbox.faults.clear
    watched.fail(800.0, status=503)
    with caplog.at_level(logging.WARNING):
        watched.wait()
    text = f"{GET}: a poll has failed, and the wait goes on: {GET}: 503 Service Unavailable"
    assert [each.getMessage().startswith(text) for each in caplog.records] == [True, True]
    assert {each.name for each in caplog.records} == {"agent_session_platform"}


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("retry_after", "timeout"), [(1000, 3600), (120, 135), (3600, 4300), (3600, 3601), (70, 71)])
def test_a_wait_polls_when_the_server_allows_it(
    watched: Watched, status: int, retry_after: float, timeout: float
) -> None:
    watched.sandbox.faults.add(GET, status=status, retry_after=retry_after, times=1)
    outcome = watched.wait(until={"status": "working"}, timeout=timeout)
    assert outcome.reason == "matched"
    assert retry_after <= outcome.elapsed <= 1.05 * retry_after
    assert requests(watched.sandbox)[0] == 2


def test_a_wait_that_has_less_time_than_the_server_asks_for_ends_at_once(watched: Watched) -> None:
    watched.fail(None, status=429, retry_after=3600)
    outcome = watched.wait(timeout=3599)
    assert (outcome.reason, outcome.elapsed, outcome.error.retry_after) == ("deadline", 0.0, 3600.0)
    assert requests(watched.sandbox)[0] == 1


@pytest.mark.parametrize(
    ("at", "fault", "error"),
    [
        # The fault begins with the first poll. Until a call has succeeded, the base URL may be wrong.
        (None, {"html": True}, errors.DecodeError),
        (None, {"status": 404}, errors.NotFoundError),
        (100.0, {"status": 401}, errors.AuthenticationError),
        (100.0, {"status": 400}, errors.BadRequestError),
    ],
)
def test_an_error_that_will_not_pass_is_raised(watched: Watched, at: Any, fault: Any, error: type[Exception]) -> None:
    watched.fail(at, **fault)
    with pytest.raises(error):
        watched.wait()


def test_each_change_is_told(watched: Watched) -> None:
    told: list[PolledChange[Session]] = []
    states = [{"status": "a"}, {"status": "b"}, {"status": "b", "title": "c"}, {"status": "a", "title": "c"}]
    watched.show(*states)
    watched.wait(on_change=told.append)
    assert [each.after.to_dict() for each in told] == states
    assert [each.before and each.before.to_dict() for each in told] == [None, *states[:-1]]


def test_what_on_change_returns_is_awaited(watched: Watched) -> None:
    told: list[str] = []

    async def tell(change: PolledChange[Session]) -> None:
        await asyncio.sleep(1.0)
        told.append(change.after.session_id)

    watched.wait(timeout=5, on_change=tell)
    assert told == [watched.session_id]


@pytest.mark.parametrize("argument", ["on_change", "until", "unexpected"])
@pytest.mark.parametrize(
    "error", [ZeroDivisionError("mine"), TimeoutError("mine"), errors.ServerError("mine", status=500)]
)
def test_an_error_of_a_function_is_raised_from_the_wait(watched: Watched, argument: str, error: Exception) -> None:
    def fail(given: object) -> bool:
        raise error

    with pytest.raises(type(error)) as caught:
        watched.wait(**{argument: fail})
    assert caught.value is error


NAMES = ("timeout", "every", "max_every", "stalled_after")
OUT_OF_RANGE = [(name, value) for name in NAMES for value in (0, -1, math.inf, math.nan, True, "5")]


@pytest.mark.parametrize(("name", "value"), OUT_OF_RANGE)
def test_a_number_of_seconds_out_of_range_is_refused(watched: Watched, name: str, value: Any) -> None:
    with pytest.raises(errors.InvalidArgumentError, match=f"{name} must be"):
        watched.wait(**{name: value})


# The least positive number, and almost the greatest one.
EXTREMES = (math.ulp(0.0), 1e308)


@pytest.mark.parametrize("every", EXTREMES)
@pytest.mark.parametrize("max_every", [None, *EXTREMES])
@pytest.mark.parametrize("timeout", [EXTREMES[0], 0.01])
def test_a_tiny_or_huge_number_of_seconds_is_no_defect(
    watched: Watched, every: float, max_every: float | None, timeout: float
) -> None:
    assert watched.wait(until=NEVER, every=every, max_every=max_every, timeout=timeout).reason == "deadline"


def test_a_wait_may_have_all_the_time(watched: Watched) -> None:
    watched.change(0.5, status="ready")
    assert watched.wait(timeout=EXTREMES[1]).reason == "matched"


@in_virtual_time
async def test_a_cancelled_wait_ends_at_once_and_keeps_no_client_alive(watched: Watched) -> None:
    transport = watched.sandbox.transport()
    platform = watched.sandbox.client(transport=transport)
    org = platform.organization("org-acme")
    task = asyncio.ensure_future(org.sessions.wait(watched.session_id, until=NEVER))
    await asyncio.sleep(100)
    task.cancel()
    await asyncio.wait((task,))
    assert (task.cancelled(), asyncio.get_running_loop().time(), len(asyncio.all_tasks())) == (True, 100.0, 1)
    await platform.aclose()
    kept = weakref.ref(transport)
    del task, org, platform, transport
    gc.collect()
    assert kept() is None


@in_virtual_time
async def test_closing_the_client_ends_its_waits(watched: Watched) -> None:
    platform = watched.sandbox.client()
    org = platform.organization("org-acme")
    waits = [asyncio.ensure_future(org.sessions.wait(watched.session_id, until=NEVER)) for _ in range(2)]
    await asyncio.sleep(100)
    await platform.aclose()
    assert asyncio.get_running_loop().time() == 100.0
    ended = await asyncio.gather(*waits, return_exceptions=True)
    assert [type(each) for each in ended] == [errors.ClientClosedError] * 2


# What a wait is for: values by field, a function, or `changed`.

SESSION: dict[str, Any] = {
    "session_id": "assistant-1",
    "status": "ready",
    "title": "a",
    "tags": ["x", "y"],
    "acus_consumed": 2,
    "empty": [],
    "new": {"a": 1},
}
OTHER = {**SESSION, "title": "b"}
ARCHIVED = {**SESSION, "is_archived": True}


@pytest.mark.parametrize(
    "until",
    [
        {"status": "ready"},
        {"status": {"ready", "failed"}},
        {"status": "ready", "title": {"a", "b"}},
        {"acus_consumed": 2.0},
        {"tags": ["x", "y"]},
        {"tags": [["x"], ["x", "y"]]},
        {"new": {"a": 1}},
        {"empty": []},
        {"category": None, "url": None},
        {"is_archived": False},
        lambda session: session.status == "ready",
        lambda session: session.tags,
    ],
)
def test_an_object_that_matches_already_needs_one_poll(watched: Watched, until: Any) -> None:
    watched.show(SESSION)
    outcome = watched.wait(until=until)
    assert (outcome.reason, outcome.polls, outcome.elapsed) == ("matched", 1, 0.0)


@pytest.mark.parametrize(
    ("session", "until", "unexpected", "reason"),
    [
        (SESSION, {"status": "already"}, None, "deadline"),
        (SESSION, {"status": "ready", "title": "b"}, None, "deadline"),
        (SESSION, {"tags": {"z"}}, None, "deadline"),
        (SESSION, lambda session: session.status == "failed", None, "deadline"),
        # `until` is checked first, then `unexpected`, and then whether the object is gone.
        (SESSION, {"status": "ready"}, {"status": "ready"}, "matched"),
        (ARCHIVED, {"status": "x"}, {"status": "ready", "title": "b"}, "unexpected"),
        # `is_archived` ends a wait only if it is true, and if the wait does not name it.
        ({**SESSION, "is_archived": "no"}, {"status": "x"}, None, "deadline"),
        (ARCHIVED, {"is_archived": True, "status": "x"}, None, "deadline"),
        # A required field that is missing is None.
        ({"status": "ready"}, {"session_id": None}, None, "matched"),
    ],
)
def test_an_object_that_stays_as_it_is_may_end_the_wait(
    watched: Watched, session: Any, until: Any, unexpected: Any, reason: str
) -> None:
    watched.show(session)
    assert watched.wait(until=until, unexpected=unexpected, timeout=20).reason == reason


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("is_changed", [True, False])
def test_a_time_is_compared_as_a_time_or_as_text(sandbox: Sandbox, as_text: bool, is_changed: bool) -> None:
    text = "2026-01-01T00:00:00Z"
    sandbox.handle("organization.schedules.get", lambda call: Reply({"last_executed_at": text}))
    value = text if as_text else Schedule.from_dict({"last_executed_at": text}).last_executed_at
    until: Any = changed("last_executed_at", since=value) if is_changed else {"last_executed_at": value}
    outcome = run_job(sandbox, lambda org: org.schedules.wait("schedule-1", until=until, timeout=10))
    assert outcome.reason == ("deadline" if is_changed else "matched")


def test_values_are_read_once(watched: Watched) -> None:
    values = {"failed"}
    watched.change(5.0, status="ready")
    assert watched.wait(until={"status": values}, on_change=lambda _: values.add("ready")).reason == "deadline"


async def later(session: Session) -> bool:
    return True


class Later:
    async def __call__(self, session: Session) -> bool:
        return True


UNKNOWN = "^until names .*, which no Session has: it has session_id, .* new$"


@pytest.mark.parametrize(
    ("until", "message"),
    [
        ({}, "until must be values by field"),
        ({1: "x"}, "until names 1, which no Session has"),
        (None, "until must be values by field"),
        (later, "or a plain function"),
        (Later(), "or a plain function"),
        *((each, UNKNOWN) for each in ({"titel": 1}, changed("titel"), {"unknown_fields": 1}, {"to_dict": 1})),
    ],
)
def test_what_could_never_match_is_refused(watched: Watched, until: Any, message: str) -> None:
    watched.show(SESSION)
    with pytest.raises(errors.InvalidArgumentError, match=message):
        watched.wait(until=until)


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
def test_changed_matches_another_value_than_before(watched: Watched, until: Any, reason: str) -> None:
    watched.show(SESSION, OTHER)
    assert watched.wait(until=until).reason == reason


def test_changed_begins_anew_with_each_wait(watched: Watched) -> None:
    title_changed = changed("title")
    for objects, reason in (((SESSION, OTHER), "matched"), ((OTHER,), "deadline")):
        watched.show(*objects)
        assert watched.wait(until=title_changed).reason == reason


@pytest.mark.parametrize(("names", "since"), [((), "a"), (("a", "b"), "a")])
def test_wrong_arguments_of_changed_are_refused(names: tuple[Any, ...], since: Any) -> None:
    with pytest.raises(errors.InvalidArgumentError):
        changed(*names, since=since)
