"""Waits that share the polls of a list, through the client and against the sandbox."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from agent_session_platform import AuthenticationError, NotFoundError, OrganizationScope, RequestOptions, changed
from agent_session_platform_sandbox import Call, Reply, Sandbox
from agent_session_platform_sandbox.handlers import paginate

from tests.polling.waiting import GET, LIST, NEVER, change, in_virtual_time, requests

Job = Callable[[OrganizationScope], Awaitable[list[Any]]]


def add(sandbox: Sandbox, number: int, **fields: Any) -> list[str]:
    """Add sessions."""
    return [sandbox.add_session(status="working", **fields) for _ in range(number)]


def waits(ids: list[str], **settings: Any) -> Job:
    """Return the job that waits for sessions, all at once."""

    async def job(org: OrganizationScope) -> list[Any]:
        found = (org.sessions.wait(each, **{"until": {"status": "ready"}, **settings}) for each in ids)
        return await asyncio.gather(*found, return_exceptions=True)

    return job


def reasons(outcomes: list[Any]) -> set[str]:
    """Return why waits have ended."""
    return {each.reason for each in outcomes}


WORKING = {"status": "working"}
# The sessions that there are and those that are waited for, settings, and how many are read and listed.
ROUNDS: dict[str, tuple[int, Callable[[list[str]], list[str]], dict[str, Any], tuple[int, int]]] = {
    "a thousand": (1000, lambda ids: ids, {}, (0, 5)),
    "without their prefix": (10, lambda ids: [each.removeprefix("assistant-") for each in ids], {}, (0, 1)),
    "one for ten": (1, lambda ids: ids * 10, {}, (0, 1)),
    "with options": (10, lambda ids: ids, {"options": RequestOptions(timeout=5.0)}, (10, 0)),
    # A function may read any field, also one that the list lacks.
    "by a function": (10, lambda ids: ids, {"until": lambda session: session.status == "working"}, (10, 0)),
}


@pytest.mark.parametrize(("number", "choose", "settings", "sent"), ROUNDS.values(), ids=ROUNDS)
def test_waits_share_the_pages_of_the_list(
    sandbox: Sandbox,
    number: int,
    choose: Callable[[list[str]], list[str]],
    settings: dict[str, Any],
    sent: tuple[int, int],
) -> None:
    ids = choose(add(sandbox, number))
    outcomes = in_virtual_time(sandbox, waits(ids, **{"until": WORKING, **settings}))
    assert (reasons(outcomes), {each.polls for each in outcomes}) == ({"matched"}, {1})
    assert [each.session.session_id.removeprefix("assistant-") for each in outcomes] == [
        each.removeprefix("assistant-") for each in ids
    ]
    assert requests(sandbox) == sent


def test_an_unexpected_value_by_a_function_is_read_alone(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10, category="done")
    assert reasons(in_virtual_time(sandbox, waits(ids, unexpected=lambda each: each.category == "done"))) == {
        "unexpected"
    }
    assert requests(sandbox) == (10, 0)


def test_the_rounds_of_a_thousand_waits_stay_together(sandbox: Sandbox) -> None:
    ids = add(sandbox, 1000)
    plan = {300.0: lambda: [change(sandbox, each, status="ready") for each in ids]}
    outcomes = in_virtual_time(sandbox, waits(ids), plan)
    assert reasons(outcomes) == {"matched"}
    read, listed = requests(sandbox)
    # Alone, each would poll at 0, 10, 25, 47, 81, 132, 192, 252 and 312 s.
    assert read == 0
    assert listed <= 5 * 12


def test_a_few_waits_among_a_thousand_sessions_read_alone(sandbox: Sandbox) -> None:
    ids = add(sandbox, 1000)
    outcomes = in_virtual_time(sandbox, waits(ids[::400], timeout=100))
    assert reasons(outcomes) == {"deadline"}
    read, listed = requests(sandbox)
    assert (read, listed) == (sum(each.polls for each in outcomes), 0)


def test_waits_for_what_is_not_in_the_list_read_alone(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10)
    outcomes = in_virtual_time(sandbox, waits([*ids, "assistant-none"], until=WORKING))
    assert [type(each) for each in outcomes if isinstance(each, Exception)] == [NotFoundError]
    assert requests(sandbox) == (1, 1)


def test_pages_are_read_until_as_many_were_read_as_there_are_ids_left(sandbox: Sandbox) -> None:
    ids = add(sandbox, 2000)
    chosen = [*ids[:200:20], *ids[-2:]]
    outcomes = in_virtual_time(sandbox, waits(chosen, until=WORKING))
    assert reasons(outcomes) == {"matched"}
    # The other two are on the last of ten pages.
    assert requests(sandbox) == (2, 2)


def test_a_list_without_a_total_is_read_while_that_may_pay(sandbox: Sandbox) -> None:
    ids = add(sandbox, 1000)
    every = sandbox.state.collection("sessions", "org-acme")

    def without_total(call: Call) -> Reply:
        page = paginate(every.values(), call.query)
        del page["total"]
        return Reply(page)

    sandbox.handle(LIST, without_total)
    in_virtual_time(sandbox, waits(ids, until=WORKING))
    assert requests(sandbox) == (0, 5)


def test_a_list_that_cannot_be_read_for_a_time_is_an_outage_of_all(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    ids = add(sandbox, 10)
    sandbox.faults.add(LIST, status=503)
    with caplog.at_level(logging.WARNING):
        outcomes = in_virtual_time(sandbox, waits(ids, until=WORKING))
    assert (reasons(outcomes), [each.error for each in outcomes]) == ({"matched"}, [None] * 10)
    assert (requests(sandbox), len(caplog.records)) == ((0, 2), 1)


@pytest.mark.parametrize("status", [403, 404, 400])
def test_a_list_that_may_not_be_read_is_not_needed(sandbox: Sandbox, status: int) -> None:
    ids = add(sandbox, 10)
    sandbox.faults.add(LIST, status=status, times=None)
    assert reasons(in_virtual_time(sandbox, waits(ids, timeout=100))) == {"deadline"}
    assert requests(sandbox)[1] == 1


def test_a_credential_that_is_refused_ends_all_waits(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=401, times=None)
    outcomes = in_virtual_time(sandbox, waits(add(sandbox, 10)))
    assert {type(each) for each in outcomes} == {AuthenticationError}
    assert requests(sandbox) == (0, 1)


def test_a_field_that_the_list_lacks_is_read_alone(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10)
    sandbox.handle(
        GET, lambda call: Reply({"session_id": call.path["assistant_id"], "status": "working", "category": "done"})
    )
    outcomes = in_virtual_time(sandbox, waits(ids, until={"category": "done"}))
    assert reasons(outcomes) == {"matched"}


def test_waits_that_end_leave_the_others(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10)
    plan = {60.0: lambda: [change(sandbox, each, status="ready") for each in ids[:9]]}
    outcomes = in_virtual_time(sandbox, waits(ids, timeout=1000), plan)
    assert [each.reason for each in outcomes] == ["matched"] * 9 + ["deadline"]


def test_cancelled_waits_end_at_once(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10)
    sandbox.faults.add(LIST, latency=50.0, times=None)

    async def cancel(org: OrganizationScope) -> float:
        tasks = [asyncio.ensure_future(org.sessions.wait(each, until=NEVER)) for each in ids]
        # In the middle of the first round.
        await asyncio.sleep(10)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        return asyncio.get_running_loop().time()

    assert in_virtual_time(sandbox, cancel) == 10.0


def test_one_that_is_cancelled_leaves_the_poll_to_the_others(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10)
    sandbox.faults.add(LIST, latency=50.0)

    async def cancel_one(org: OrganizationScope) -> list[Any]:
        found = [asyncio.ensure_future(org.sessions.wait(each, until=WORKING)) for each in ids]
        await asyncio.sleep(10)
        found[0].cancel()
        return await asyncio.gather(*found[1:])

    assert reasons(in_virtual_time(sandbox, cancel_one)) == {"matched"}
    assert requests(sandbox) == (0, 1)


def test_waits_that_begin_while_others_are_polled_do_not_wait_for_that(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10)
    late = add(sandbox, 1)
    sandbox.faults.add(LIST, latency=500.0)

    async def one_more(org: OrganizationScope) -> float:
        others = [asyncio.ensure_future(org.sessions.wait(each, until=WORKING)) for each in ids]
        await asyncio.sleep(10)
        outcome = await org.sessions.wait(late[0], until=WORKING)
        await asyncio.gather(*others)
        return outcome.elapsed

    assert in_virtual_time(sandbox, one_more) == 0.0


def test_the_organizations_of_a_client_do_not_share(sandbox: Sandbox) -> None:
    """The same id in another organization is another session, or none."""
    ids = add(sandbox, 10)

    async def elsewhere(org: OrganizationScope) -> list[Any]:
        async with sandbox.client() as platform:
            found = [
                scope.sessions.wait(each, until=WORKING)
                for scope in (platform.organization("org-acme"), platform.organization("org-globex"))
                for each in ids
            ]
            return await asyncio.gather(*found, return_exceptions=True)

    outcomes = in_virtual_time(sandbox, elsewhere)
    assert reasons(outcomes[:10]) == {"matched"}
    assert {type(each) for each in outcomes[10:]} == {NotFoundError}


def without(sandbox: Sandbox, *fields: str) -> None:
    """Let the list lack fields that a session has when it is read alone."""

    def reply(call: Call) -> Reply:
        page = paginate(sandbox.state.collection("sessions", "org-acme").values(), call.query)
        items = [each if isinstance(each, dict) else each.to_dict() for each in page["items"]]
        return Reply({**page, "items": [{key: each[key] for key in each if key not in fields} for each in items]})

    sandbox.handle(LIST, reply)


@pytest.mark.parametrize("until", [{"category": "done"}, changed("category")], ids=["values", "changed"])
def test_what_a_condition_reads_may_be_lacking_in_the_list(until: Any, sandbox: Sandbox) -> None:
    ids = add(sandbox, 10, category="x")
    without(sandbox, "category")
    plan = {60.0: lambda: [change(sandbox, each, category="done") for each in ids]}
    assert reasons(in_virtual_time(sandbox, waits(ids, until=until), plan)) == {"matched"}


def test_a_field_that_the_list_shows_later_is_shared_from_then_on(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10)
    plan = {60.0: lambda: change(sandbox, ids[0], category="done")}
    outcomes = in_virtual_time(sandbox, waits(ids, until={"category": "done"}, timeout=600), plan)
    assert [each.reason for each in outcomes] == ["matched"] + ["deadline"] * 9
    assert requests(sandbox)[0] < sum(each.polls for each in outcomes) / 2


def test_the_flag_of_what_is_gone_may_be_lacking_in_the_list(sandbox: Sandbox) -> None:
    ids = add(sandbox, 10)
    without(sandbox, "is_archived")
    plan = {60.0: lambda: [change(sandbox, each, is_archived=True) for each in ids]}
    assert reasons(in_virtual_time(sandbox, waits(ids), plan)) == {"gone"}
