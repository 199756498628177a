"""Waits that share the polls of a list, through the client and against the sandbox."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from agent_session_platform import AuthenticationError, NotFoundError, OrganizationScope, RequestOptions, changed
from agent_session_platform_sandbox import Call, Reply, Sandbox
from agent_session_platform_sandbox.lists import list_reply

from tests.polling.waiting import LIST, NEVER, change, requests, run_job


def add(sandbox: Sandbox, number: int, **fields: Any) -> list[str]:
    """Add sessions."""
    return [sandbox.add_session(status="working", **fields) for _ in range(number)]


def waits(ids: list[str], **settings: Any) -> Callable[[OrganizationScope], Awaitable[list[Any]]]:
    """Return the job that waits for sessions, all at once."""

    async def job(org: OrganizationScope) -> list[Any]:
        found = (org.sessions.wait(each, **{"until": {"status": "ready"}, **settings}) for each in ids)
        return await asyncio.gather(*found, return_exceptions=True)

    return job


def reasons(outcomes: list[Any]) -> set[str]:
    """Return why waits have ended."""
    return {each.reason for each in outcomes}


@pytest.fixture
def ids(sandbox: Sandbox) -> list[str]:
    """Add ten sessions."""
    return add(sandbox, 10)


WORKING = {"status": "working"}
# The number of sessions, the sessions to wait for, settings, and how many reads and lists are requested.
ROUNDS: dict[str, tuple[int, Callable[[list[str]], list[str]], dict[str, Any], tuple[int, int]]] = {
    "a thousand": (1000, lambda ids: ids, {}, (0, 5)),
    "three of a thousand": (1000, lambda ids: ids[::400], {}, (3, 0)),
    # At most as many pages are listed as ids are left. The last two ids are on the tenth page.
    "far apart": (2000, lambda ids: [*ids[:200:20], *ids[-2:]], {}, (2, 2)),
    "without their prefix": (10, lambda ids: [each.removeprefix("assistant-") for each in ids], {}, (0, 1)),
    "one for ten": (1, lambda ids: ids * 10, {}, (0, 1)),
    "with options": (10, lambda ids: ids, {"options": RequestOptions(timeout=5.0)}, (10, 0)),
    # A function may read any field, also a field that the list does not have.
    "by a function": (10, lambda ids: ids, {"until": lambda session: session.status == "working"}, (10, 0)),
    "by another function": (10, lambda ids: ids, {"unexpected": lambda session: False}, (10, 0)),
}


@pytest.mark.parametrize(("number", "choose", "settings", "sent"), ROUNDS.values(), ids=ROUNDS)
def test_waits_share_the_pages_of_the_list(
    sandbox: Sandbox, number: int, choose: Any, settings: Any, sent: Any
) -> None:
    chosen = choose(add(sandbox, number))
    outcomes = run_job(sandbox, waits(chosen, **{"until": WORKING, **settings}))
    assert (reasons(outcomes), {each.polls for each in outcomes}) == ({"matched"}, {1})
    assert all(outcome.session.session_id.endswith(each) for each, outcome in zip(chosen, outcomes, strict=True))
    assert requests(sandbox) == sent


# Those that begin one after another make their first poll alone.
@pytest.mark.parametrize(("pause", "most"), [(0.0, 24), (0.1, 550)])
def test_many_waits_poll_in_rounds(sandbox: Sandbox, pause: float, most: int) -> None:
    many = add(sandbox, 400)

    async def begin(org: OrganizationScope) -> list[Any]:
        begun: list[Any] = []
        for each in many:
            begun.append(asyncio.ensure_future(org.sessions.wait(each, until={"status": "ready"})))
            if pause:
                await asyncio.sleep(pause)
        return await asyncio.gather(*begun)

    plan = {300.0: lambda: [change(sandbox, each, status="ready") for each in many]}
    assert reasons(run_job(sandbox, begin, plan)) == {"matched"}
    # Alone, each would poll at 0, 10, 25, 47, 81, 132, 192, 252 and 312 s.
    assert sum(requests(sandbox)) <= most


def test_waits_for_what_is_not_in_the_list_read_alone(sandbox: Sandbox, ids: list[str]) -> None:
    outcomes = run_job(sandbox, waits([*ids, "assistant-none"], until=WORKING))
    assert [type(each) for each in outcomes if isinstance(each, Exception)] == [NotFoundError]
    assert requests(sandbox) == (1, 1)


@pytest.mark.parametrize("retry_after", [None, 100])
def test_a_list_that_fails_is_an_outage(
    sandbox: Sandbox, ids: list[str], caplog: pytest.LogCaptureFixture, retry_after: float | None
) -> None:
    sandbox.faults.add(LIST, status=503, retry_after=retry_after)
    with caplog.at_level(logging.WARNING):
        outcomes = run_job(sandbox, waits(ids, until=WORKING))
    assert (reasons(outcomes), [each.error for each in outcomes]) == ({"matched"}, [None] * 10)
    assert all(each.elapsed >= (retry_after or 0.0) for each in outcomes)
    assert (requests(sandbox), len(caplog.records)) == ((0, 2), 1)


@pytest.mark.parametrize("status", [403, 404, 400])
def test_a_list_that_may_not_be_read_is_not_needed(
    sandbox: Sandbox, ids: list[str], status: int, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.faults.add(LIST, status=status, times=None)
    assert reasons(run_job(sandbox, waits(ids, timeout=100))) == {"deadline"}
    assert requests(sandbox)[1] == 1
    [record] = caplog.records
    assert f"waits read each object alone: {LIST}: {status}" in record.getMessage()


@pytest.mark.parametrize("bad", [None, [], {"items": None}, "text"])
def test_after_a_bad_page_of_the_list_a_round_reads_alone(
    sandbox: Sandbox, ids: list[str], caplog: pytest.LogCaptureFixture, bad: Any
) -> None:
    """A page of HTML may come from a proxy: the list is read again in the next round."""
    if bad is None:
        sandbox.faults.add(LIST, html=True)
    else:
        pages = [bad]
        records = sandbox.state.collection("sessions", "org-acme")
        sandbox.handle(LIST, lambda call: Reply(pages.pop()) if pages else list_reply(call, records.values()))
    plan = {60.0: lambda: [change(sandbox, each, status="ready") for each in ids]}
    outcomes = run_job(sandbox, waits(ids, until={"status": "ready"}), plan)
    alone, listed = requests(sandbox)
    assert (reasons(outcomes), alone, len(caplog.records)) == ({"matched"}, 10, 1)
    assert listed > 3


@pytest.mark.parametrize("good", [0, 5], ids=["from the first page", "from the second page"])
def test_a_list_whose_pages_stay_bad_is_logged_once(
    sandbox: Sandbox, ids: list[str], caplog: pytest.LogCaptureFixture, good: int
) -> None:
    records = sandbox.state.collection("sessions", "org-acme")

    def respond(call: Call) -> Reply:
        if "after" in call.query or not good:
            return Reply("text")
        call.query["first"] = good
        return list_reply(call, records.values())

    sandbox.handle(LIST, respond)
    plan = {300.0: lambda: [change(sandbox, each, status="ready") for each in ids]}
    outcomes = run_job(sandbox, waits(ids, until={"status": "ready"}), plan)
    assert reasons(outcomes) == {"matched"}
    assert caplog.text.count("waits read each object alone: organization.sessions.list") == 1


async def test_a_wait_that_is_read_from_the_list_has_its_response(sandbox: Sandbox, ids: list[str]) -> None:
    """Otherwise the result would be lost."""
    async with sandbox.client() as platform:
        sessions = platform.organization("org-acme").sessions
        calls = [platform.with_response(sessions.wait(each, until=WORKING)) for each in ids]
        results = await asyncio.gather(*calls)
    assert reasons([outcome for outcome, _ in results]) == {"matched"}
    assert {response.operation.name for _, response in results} == {LIST}
    assert requests(sandbox) == (0, 1)


def test_a_credential_that_is_refused_ends_all_waits(sandbox: Sandbox, ids: list[str]) -> None:
    sandbox.faults.add(LIST, status=401, times=None)
    assert {type(each) for each in run_job(sandbox, waits(ids))} == {AuthenticationError}
    assert requests(sandbox) == (0, 1)


def test_waits_that_end_leave_the_others(sandbox: Sandbox, ids: list[str]) -> None:
    plan = {60.0: lambda: [change(sandbox, each, status="ready") for each in ids[:9]]}
    outcomes = run_job(sandbox, waits(ids, timeout=1000), plan)
    assert [each.reason for each in outcomes] == ["matched"] * 9 + ["deadline"]


def test_cancelled_waits_end_at_once_and_leave_the_poll_to_the_others(sandbox: Sandbox, ids: list[str]) -> None:
    sandbox.faults.add(LIST, latency=50.0)

    async def cancel_some(org: OrganizationScope) -> tuple[float, list[Any]]:
        found = [asyncio.ensure_future(org.sessions.wait(each, until=WORKING)) for each in ids]
        # Cancel in the middle of the first round.
        await asyncio.sleep(10)
        for task in found[:5]:
            task.cancel()
        await asyncio.wait(found[:5])
        return asyncio.get_running_loop().time(), await asyncio.gather(*found[5:])

    ended, outcomes = run_job(sandbox, cancel_some)
    assert (ended, reasons(outcomes), requests(sandbox)) == (10.0, {"matched"}, (0, 1))


@pytest.mark.parametrize("steps", range(6))
def test_a_wait_may_begin_in_the_moment_in_which_another_is_cancelled(
    sandbox: Sandbox, ids: list[str], steps: int
) -> None:
    async def cancel_and_begin(org: OrganizationScope) -> Any:
        first = asyncio.ensure_future(org.sessions.wait(ids[0], until=WORKING))
        for _ in range(steps):
            await asyncio.sleep(0)
        first.cancel()
        second = asyncio.ensure_future(org.sessions.wait(ids[1], until=WORKING))
        await asyncio.wait((first, second))
        return second.result().reason

    assert run_job(sandbox, cancel_and_begin) == "matched"


def test_a_wait_that_begins_while_others_are_polled_does_not_wait_for_that(sandbox: Sandbox, ids: list[str]) -> None:
    [late] = add(sandbox, 1)
    sandbox.faults.add(LIST, latency=500.0)

    async def one_more(org: OrganizationScope) -> float:
        others = asyncio.ensure_future(waits(ids, until=WORKING)(org))
        await asyncio.sleep(10)
        outcome = await org.sessions.wait(late, until=WORKING)
        await others
        return outcome.elapsed

    assert run_job(sandbox, one_more) == 0.0


def test_the_organizations_of_a_client_do_not_share(sandbox: Sandbox, ids: list[str]) -> None:
    """The same id in another organization is another session, or none."""

    async def in_both(org: OrganizationScope) -> list[Any]:
        async with sandbox.client() as platform:
            scopes = platform.organization("org-acme"), platform.organization("org-globex")
            return await asyncio.gather(*(waits(ids, until=WORKING)(scope) for scope in scopes))

    here, elsewhere = run_job(sandbox, in_both)
    assert reasons(here) == {"matched"}
    assert {type(each) for each in elsewhere} == {NotFoundError}


def show_list(sandbox: Sandbox, shown: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Let the list show each session as a function says."""

    def reply(call: Call) -> Reply:
        page = list_reply(call, sandbox.state.collection("sessions", "org-acme").values()).body
        items = [each if isinstance(each, dict) else each.to_dict() for each in page["items"]]
        return Reply({**page, "items": [shown(each) for each in items]})

    sandbox.handle(LIST, reply)


def without_category(session: dict[str, Any]) -> dict[str, Any]:
    return {key: session[key] for key in session if key != "category"}


def without_default(session: dict[str, Any]) -> dict[str, Any]:
    """Leave `is_archived` out while it is false, which the contract states as its default."""
    return {key: session[key] for key in session if key != "is_archived" or session[key]}


@pytest.mark.parametrize(
    ("shown", "settings", "changes", "reason"),
    [
        (without_category, {"until": {"category": "done"}}, {"category": "done"}, "matched"),
        (without_category, {"until": changed("category")}, {"category": "done"}, "matched"),
        (without_default, {}, {"is_archived": True}, "gone"),
        (without_default, {"until": {"is_archived": True}}, {"is_archived": True}, "matched"),
        (without_default, {"until": changed("is_archived")}, {"is_archived": True}, "matched"),
    ],
)
def test_the_list_may_lack_a_field(sandbox: Sandbox, shown: Any, settings: Any, changes: Any, reason: str) -> None:
    ids = add(sandbox, 10, category="x")
    show_list(sandbox, shown)
    plan = {60.0: lambda: [change(sandbox, each, **changes) for each in ids]}
    assert reasons(run_job(sandbox, waits(ids, **settings), plan)) == {reason}


def test_an_item_of_the_list_with_fewer_fields_is_no_change(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10, category="x")
    show_list(sandbox, without_category)
    # The first wait reads its session alone, and then all waits read the list.
    seen: list[object] = []

    async def wait_for_all(org: OrganizationScope) -> list[Any]:
        first = asyncio.create_task(org.sessions.wait(ids[0], until=NEVER, stalled_after=300, on_change=seen.append))
        await asyncio.sleep(0.5)
        others = [org.sessions.wait(each, until=NEVER, timeout=900) for each in ids[1:]]
        outcome, *_ = await asyncio.gather(first, *others)
        return [outcome]

    (outcome,) = run_job(sandbox, wait_for_all)
    assert (outcome.reason, len(seen)) == ("stalled", 1)
    assert outcome.elapsed < 400


@pytest.mark.parametrize("until", [{"status": "ready"}, {"is_archived": True}])
def test_a_field_with_a_default_that_the_list_leaves_out_needs_no_read(sandbox: Sandbox, until: Any) -> None:
    ids = add(sandbox, 100)
    show_list(sandbox, without_default)
    assert reasons(run_job(sandbox, waits(ids, until=until))) == {"deadline"}
    assert requests(sandbox)[0] == 0


def test_a_field_without_a_default_that_the_list_leaves_out_is_read(sandbox: Sandbox, ids: list[str]) -> None:
    show_list(sandbox, without_category)
    assert reasons(run_job(sandbox, waits(ids, until={"category": None}))) == {"matched"}
    assert requests(sandbox) == (10, 1)


@pytest.mark.parametrize("listed", [str, "assistant-{}".format, int], ids=["bare", "with prefix", "number"])
@pytest.mark.parametrize("passed", [str, "assistant-{}".format], ids=["bare", "with prefix"])
def test_an_object_is_found_in_the_list_in_every_form_of_its_id(sandbox: Sandbox, listed: Any, passed: Any) -> None:
    items = [{"session_id": listed(number), "status": "working"} for number in range(10)]
    page = {"items": items, "end_cursor": None, "has_next_page": False}
    # The sandbox has no such sessions, so that a read would be refused.
    sandbox.handle(LIST, lambda call: Reply(page))
    outcomes = run_job(sandbox, waits([passed(number) for number in range(10)], until=WORKING))
    assert [each.session.to_dict() for each in outcomes] == items
    assert requests(sandbox) == (0, 1)


@pytest.mark.parametrize("listed", [None, True, "", 1.5, [], {}, "assistant-", "org-1", "task-1"])
def test_an_item_without_an_id_is_no_object_of_a_wait(sandbox: Sandbox, ids: list[str], listed: Any) -> None:
    show_list(sandbox, lambda session: {**session, "session_id": listed, "title": "another"})
    outcomes = run_job(sandbox, waits([*ids, "None", "True", "assistant-"], until=WORKING))
    assert [each.session.session_id for each in outcomes[:10]] == ids
    assert {type(each) for each in outcomes[10:]} == {NotFoundError}
    assert requests(sandbox) == (13, 1)


def test_a_field_that_the_list_shows_later_is_shared_from_then_on(sandbox: Sandbox, ids: list[str]) -> None:
    # The first session is waited for until the end, so that the list shows the field in each round.
    plan = {60.0: lambda: change(sandbox, ids[0], category="begun")}
    outcomes = run_job(sandbox, waits(ids, until={"category": "done"}, timeout=600), plan)
    assert reasons(outcomes) == {"deadline"}
    assert requests(sandbox)[0] < sum(each.polls for each in outcomes) / 2
