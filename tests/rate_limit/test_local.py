"""LocalRateLimiter: a limit for each operation, first come first served, and no permit is lost."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from agent_session_platform import LocalRateLimiter, RateLimiter, errors
from agent_session_platform.rate_limit.adaptive_rate import FIRST_REQUESTS, IDLE_SECONDS

from benchmarks.virtual_time import VirtualTimeLoop
from tests.fixtures import in_virtual_time, make_operation
from tests.rate_limit.places import LIST, OTHER, Call, now, opened, permitted, refuse, settle


def test_it_has_all_members_of_the_protocol() -> None:
    assert isinstance(LocalRateLimiter(), RateLimiter)


@in_virtual_time
async def test_a_429_closes_the_operation_that_got_it_and_no_other_one() -> None:
    limiter = opened(10)
    await refuse(limiter, 30)
    await permitted(limiter, OTHER, 0.0)
    with pytest.raises(TimeoutError):
        await permitted(limiter, LIST, 29.0)
    await permitted(limiter, LIST, 5.0)


@in_virtual_time
async def test_a_key_function_makes_one_limit_of_several_operations() -> None:
    limiter = opened(10, key=lambda operation: "all")
    await refuse(limiter, 30)
    with pytest.raises(TimeoutError):
        await permitted(limiter, OTHER, 29.0)


@pytest.mark.parametrize("key", [None, "all", 7, asyncio.sleep])
def test_a_key_function_that_cannot_be_called_is_refused(key: Any) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="key must be a plain function from an Operation to text"):
        LocalRateLimiter(key=key)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/v3/organizations/org-a/playbooks", "GET /v3/organizations/org-a/playbooks"),
        ("/v3/organizations/org-b/knowledge/notes/note-1", "GET /v3/organizations/org-b/knowledge/notes"),
        ("/v3/enterprise/roles/role-1/members", "GET /v3/enterprise/roles/role-1/members"),
        ("/health", "GET /health"),
    ],
)
async def test_a_path_outside_the_contract_has_its_method_and_five_segments_as_key(path: str, key: str) -> None:
    limiter = opened(10)
    await refuse(limiter, 30, make_operation(id=f"GET {path}", path=path))
    assert list(limiter.stats().limits) == [key]


async def test_an_operation_has_its_name_as_key() -> None:
    limiter = opened(10)
    get = make_operation(id="get_session", path="/v3/x", scope="organization", resource="sessions", verb="get")
    for operation in (get, LIST):
        await refuse(limiter, 30, operation)
    assert list(limiter.stats().limits) == ["organization.sessions.get", "list_things"]


@in_virtual_time
async def test_after_a_429_one_probe_goes_first_and_the_others_follow_at_the_rate() -> None:
    limiter = opened(10)
    await refuse(limiter, 0)
    tasks = [asyncio.create_task(permitted(limiter)) for _ in range(3)]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    assert sum(task.done() for task in tasks) == 1
    await (await tasks[0]).end()
    await settle()
    assert sum(task.done() for task in tasks) == 1
    begun = now()
    await asyncio.gather(*tasks)
    rate = limiter.stats().rate or 0.0
    assert now() - begun >= 1.0 / rate


@in_virtual_time
async def test_a_closure_that_is_longer_than_a_call_waits_for_ends_its_wait_at_once() -> None:
    """Each call decides for itself, also if it waited before the closure began."""
    limiter = opened(1)
    refused = await permitted(limiter)
    patient, impatient = Call(limiter, patience=1000.0), Call(limiter, patience=60.0)
    tasks = [asyncio.create_task(call.permitted(10**6)) for call in (patient, impatient)]
    await settle()
    refused.refused(300.0)
    await settle()
    assert [task.done() for task in tasks] == [False, True]
    assert await impatient.again() == pytest.approx(300.0)
    await tasks[0]
    assert now() >= 300.0


@in_virtual_time
async def test_during_a_long_closure_one_request_asks_again_in_the_time_that_a_call_waits_for() -> None:
    limiter = opened(10)
    await refuse(limiter, 3600.0)
    asked: list[float] = []
    for _ in range(300):
        call = Call(limiter)
        call.place = await call._context.__aenter__()
        if await call.again() is None:
            asked.append(now())
            call.refused(3600.0)
        await call.end(accepted=False)
        await asyncio.sleep(1.0)
    assert [round(at, -1) for at in asked] == [60, 120, 180, 240]


@in_virtual_time
async def test_a_server_that_opens_early_is_noticed() -> None:
    limiter = opened(10)
    await refuse(limiter, 3600.0)
    await asyncio.sleep(61.0)
    asking = await permitted(limiter)
    await asking.end()
    await permitted(limiter, LIST, 1.0)
    assert limiter.stats().closed_for == 0.0


async def test_a_permit_that_was_granted_before_a_429_waits_until_the_limit_opens() -> None:
    """The request with this permit has not been sent yet, and nothing is sent while the limit is closed."""
    limiter = opened(2)
    first, second = await permitted(limiter), await permitted(limiter)
    waiting = asyncio.create_task(permitted(limiter, seconds=1000.0))
    await settle()
    first.place.failed()
    second.refused(50)
    await settle()
    assert (waiting.done(), limiter.stats().in_flight) == (False, 0)
    waiting.cancel()
    await settle()
    assert limiter.stats().in_flight == 0


async def test_a_permit_granted_in_the_turn_of_the_cancellation_is_given_back() -> None:
    limiter = opened(1)
    held = await permitted(limiter)
    waiting = asyncio.create_task(permitted(limiter))
    await settle()
    await held.end()
    waiting.cancel()
    await settle()
    assert limiter.stats().in_flight == 0


@in_virtual_time
async def test_calls_go_in_the_order_in_which_they_came_also_if_others_are_cancelled() -> None:
    """A refused call keeps its place before all calls that came later."""
    random.seed(1)
    limiter = opened(1)
    held = await permitted(limiter)
    order: list[int] = []

    async def call(number: int) -> None:
        waiting = await permitted(limiter, seconds=10**6)
        if number % 7 == 0:
            waiting.refused(0.0)
            await waiting.again(10**6)
        order.append(number)
        await waiting.end()

    tasks = [asyncio.create_task(call(number)) for number in range(1000)]
    await settle()
    cancelled = set(random.sample(range(1000), 400))
    for number in cancelled:
        tasks[number].cancel()
    await held.end()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == [number for number in range(1000) if number not in cancelled]


@in_virtual_time
async def test_calls_that_wait_for_a_connection_go_in_their_order_whatever_their_operation_is() -> None:
    limiter = opened(1)
    held = await permitted(limiter)
    order: list[int] = []

    async def call(number: int) -> None:
        waiting = await permitted(limiter, (LIST, OTHER)[number % 2])
        order.append(number)
        await waiting.end()

    tasks = [asyncio.create_task(call(number)) for number in range(20)]
    await settle()
    await held.end()
    await asyncio.gather(*tasks)
    assert order == sorted(order)


@in_virtual_time
async def test_a_burst_waits_for_the_first_responses() -> None:
    limiter = opened(1000)
    tasks = [asyncio.create_task(permitted(limiter)) for _ in range(500)]
    await settle()
    assert sum(task.done() for task in tasks) == FIRST_REQUESTS
    for task in tasks:
        task.cancel()


@in_virtual_time
async def test_a_limit_that_is_not_used_for_a_minute_is_forgotten() -> None:
    """Ten thousand paths do not stay in memory."""
    limiter = opened(10)
    for number in range(1000):
        path = f"/v3/enterprise/a{number}/b"
        await (await permitted(limiter, make_operation(id=f"GET {path}", path=path))).end()
    await refuse(limiter, 30.0)
    await asyncio.sleep(IDLE_SECONDS + 10)
    await (await permitted(limiter, OTHER)).end()
    assert list(limiter._limits.by_key) == ["list_things", "list_others"]
    await asyncio.sleep(30.0)
    await (await permitted(limiter, OTHER)).end()
    assert list(limiter._limits.by_key) == ["list_others"]


async def test_stats_show_what_the_limiter_is_doing() -> None:
    limiter = opened(3)
    stats = limiter.stats()
    assert (stats.rate, stats.closed_for, stats.closed_until, stats.limits) == (None, 0.0, None, {})
    first = await permitted(limiter)
    first.refused(0)
    # The probe is refused, too.
    second = await permitted(limiter)
    second.refused(5)
    await permitted(limiter, OTHER)
    stats = limiter.stats()
    assert (stats.in_flight, stats.waiting, stats.rate_limited) == (1, 0, 2)
    assert 4 < stats.closed_for <= 5
    assert stats.closed_until is not None
    assert timedelta(seconds=4) < stats.closed_until - datetime.now(UTC) <= timedelta(seconds=5)
    [(key, limit)] = stats.limits.items()
    assert (key, limit.rate, limit.waiting) == ("list_things", stats.rate, 0)
    assert (stats.closed_for, stats.rate) == (pytest.approx(limit.closed_for, abs=0.1), limit.rate)


class EarlyLoop(VirtualTimeLoop):
    """An event loop that wakes its first timer a little early, as uvloop does by up to a millisecond."""

    early = 1e-4

    def call_at(self, when: float, *arguments: Any, context: Any = None) -> asyncio.TimerHandle:
        early, self.early = self.early, 0.0
        return super().call_at(when - early, *arguments, context=context)


def test_a_limiter_whose_timer_wakes_it_early_serves_its_waiters() -> None:
    async def happen() -> None:
        limiter = opened(10)
        await refuse(limiter, 1.0)
        # Without another timer this loop raises an error.
        await permitted(limiter)

    with asyncio.Runner(loop_factory=EarlyLoop) as runner:
        runner.run(happen())
