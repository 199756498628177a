"""The adaptive rate as a pure decision: what it makes of responses, at times that the test chooses."""

from __future__ import annotations

import pytest
from agent_session_platform.rate_limit.adaptive_rate import (
    DOUBLING_SECONDS,
    FIRST_REQUESTS,
    LOWEST_FIRST_RATE,
    PER_RESPONSE,
    PROBE_SECONDS,
    RATE_KEPT,
    RISING_SECONDS,
    AdaptiveRate,
    ClosureTest,
    Refusal,
    RequestEnd,
)

NEVER = 10**6


def granted(rate: AdaptiveRate, now: float) -> list[float]:
    """Return the times of all requests that may be sent at one time."""
    times: list[float] = []
    while len(times) < NEVER and rate.take_permit(now):
        times.append(now)
    return times


def one(rate: AdaptiveRate, now: float) -> float:
    assert rate.take_permit(now)
    return now


def limited(requests_per_second: int, *, now: float = 0.0) -> tuple[AdaptiveRate, float]:
    """Return a rate after its first 429 and the probe, and the time: so many requests were accepted within a second."""
    rate = AdaptiveRate(bucket_tokens=requests_per_second + 1.0)
    *accepted, refused = granted(rate, now)
    for permit in accepted:
        rate.learn_from(RequestEnd(permit, now, True))
    rate.learn_from(Refusal(refused, now, 1.0, 1.0))
    rate.learn_from(RequestEnd(one(rate, now + 1.0), now + 1.0, True))
    return rate, now + 1.0


def test_sixteen_requests_go_before_the_first_response_and_two_more_for_each() -> None:
    rate = AdaptiveRate()
    first, *_ = permits = granted(rate, 0.0)
    assert len(permits) == FIRST_REQUESTS == 16
    rate.learn_from(RequestEnd(first, 0.0, True))
    assert len(granted(rate, 0.0)) == PER_RESPONSE


def test_requests_without_a_response_let_others_go_after_a_moment() -> None:
    rate = AdaptiveRate()
    granted(rate, 0.0)
    assert granted(rate, rate.next_look(0.0)) != []
    assert rate.next_look(0.0) <= 0.05


def test_a_429_closes_and_then_one_request_goes_first() -> None:
    rate = AdaptiveRate()
    permits = granted(rate, 0.0)
    rate.learn_from(Refusal(permits[0], 0.0, 5.0, 5.5))
    assert (rate.closed_for(0.0), granted(rate, 5.4)) == (5.0, [])
    assert len(granted(rate, 5.5)) == 1


@pytest.mark.parametrize(("accepted", "seconds"), [(True, 0.1), (False, 0.1), (None, PROBE_SECONDS)])
def test_the_others_follow_the_response_to_the_probe_or_its_silence(accepted: bool | None, seconds: float) -> None:
    rate = AdaptiveRate()
    rate.learn_from(Refusal(granted(rate, 0.0)[0], 0.0, 1.0, 1.0))
    probe = one(rate, 1.0)
    assert granted(rate, 1.0 + seconds - 0.01) == []
    if accepted is not None:
        rate.learn_from(RequestEnd(probe, 1.0 + seconds, accepted))
    assert granted(rate, 1.0 + seconds + 1 / LOWEST_FIRST_RATE) != []


@pytest.mark.parametrize("refused_at", [9.9, 10.1, 10.3, 10.5, 10.7])
def test_the_first_rate_does_not_depend_on_the_moment_of_the_429(refused_at: float) -> None:
    rate = AdaptiveRate(bucket_tokens=10_000.0)
    now = 0.0
    while now < refused_at:
        rate.learn_from(RequestEnd(one(rate, now), now, True))
        now += 1 / 30
    rate.learn_from(Refusal(one(rate, now), now, 1.0, 1.0))
    one(rate, now + 1.0)
    # 30 in a second, and a second without any.
    assert rate.rate_at_429 == pytest.approx(15.0, rel=0.1)


def test_the_first_rate_is_what_was_accepted_divided_by_the_time_until_it_opens() -> None:
    rate, now = limited(50)
    assert rate.rate_at(now) == 50.0
    assert rate.rate_at(now + DOUBLING_SECONDS) == pytest.approx(100.0)


def test_another_429_leaves_a_part_of_the_rate_which_then_rises_to_what_it_was() -> None:
    rate, now = limited(50)
    number = 0
    while number < 60:
        for permit in granted(rate, now):
            rate.learn_from(RequestEnd(permit, now, True))
            number += 1
        now = rate.next_look(now)
    now += 0.1
    permit = one(rate, now)
    before = rate.rate_at(now)
    rate.learn_from(Refusal(permit, now, 1.0, 1.0))
    rate.learn_from(RequestEnd(one(rate, now + 1.0), now + 1.0, True))
    assert rate.rate_at(now + 1.0) == pytest.approx(RATE_KEPT * before)
    assert rate.rate_at(now + 1.0 + RISING_SECONDS) == pytest.approx(before)
    assert rate.rate_at(now + 1.0 + RISING_SECONDS + DOUBLING_SECONDS) == pytest.approx(2 * before)


def test_the_rate_rises_only_in_the_share_of_time_in_which_calls_wait_for_it() -> None:
    """One request a second at a rate of ten: of fifty seconds five count."""
    rate = AdaptiveRate(bucket_size=1.0, rate_at_429=14.0)
    for second in range(50):
        one(rate, float(second))
    assert rate.rate_at(50.0) < 14.0


def test_what_fell_due_while_the_loop_was_blocked_goes_at_once_up_to_what_was_accepted_at_once() -> None:
    rate = AdaptiveRate(bucket_tokens=0.0, bucket_size=8.0, rate_at_429=20.0 / RATE_KEPT)
    assert len(granted(rate, 0.2)) == 4
    assert len(granted(rate, 1.4)) == 8


def test_the_example_of_the_docstring_is_true() -> None:
    rate = AdaptiveRate()
    first = granted(rate, 0.0)
    for sent_at in first:
        rate.learn_from(RequestEnd(sent_at, 0.1, True))
    second = granted(rate, 0.1)
    assert (len(first), len(second), rate.state_at(0.1)) == (16, 32, "unlimited")
    for sent_at in second[:6]:
        rate.learn_from(RequestEnd(sent_at, 0.2, True))
    for sent_at in second[6:]:
        rate.learn_from(Refusal(sent_at, 0.2, 1.0, 1.05))
    assert rate.state_at(0.2) == "closed"
    probe = one(rate, 1.25)
    assert (rate.state_at(1.25), rate.rate_at(1.25)) == ("probing", pytest.approx(17.6))
    rate.learn_from(RequestEnd(probe, 1.35, True))
    assert (len(granted(rate, 1.35)), rate.state_at(1.35)) == (1, "limited")
    # Calls wait for the rate all the time.
    now = 1.35
    while now < 2.1:
        granted(rate, now)
        now += 0.01
    refused = one(rate, 2.15)
    assert rate.rate_at(2.15) == pytest.approx(35.2, abs=0.1)
    rate.learn_from(Refusal(refused, 2.25, 1.0, 1.05))
    assert rate.state_at(2.25) == "closed"
    probe = one(rate, 3.3)
    assert (rate.state_at(3.3), rate.rate_at(3.3)) == ("probing", pytest.approx(24.6, abs=0.1))
    rate.learn_from(RequestEnd(probe, 3.4, True))
    assert rate.state_at(3.4) == "limited"
    assert rate.rate_at(9.4) == pytest.approx(35.2, abs=0.1)


def test_a_429_of_what_was_in_flight_closes_and_is_no_second_event() -> None:
    rate = AdaptiveRate()
    first, second, late, *_ = granted(rate, 0.0)
    rate.learn_from(Refusal(first, 0.1, 1.0, 1.0))
    assert (rate.closure_number(second), rate.closures) == (1, 1)
    rate.learn_from(Refusal(second, 0.2, 5.0, 5.0))
    assert (rate.closed_for(0.2), rate.closures) == (5.0, 1)
    rate.learn_from(RequestEnd(one(rate, 5.2), 5.3, True))
    rate.learn_from(Refusal(late, 5.4, 3.0, 3.0))
    assert (rate.closures, rate.is_probe_due, rate.closed_for(5.4)) == (0, False, pytest.approx(3.0))
    assert granted(rate, 8.3) == []
    assert granted(rate, 8.5) != []


def test_an_early_429_shortens_no_closure() -> None:
    rate = AdaptiveRate()
    first, second, *_ = granted(rate, 0.0)
    rate.learn_from(Refusal(first, 0.0, 5.0, 5.0))
    rate.learn_from(Refusal(second, 0.1, 1.0, 1.0))
    assert rate.closed_for(0.1) == 4.9


@pytest.mark.parametrize(("outcome", "closed_for"), [("accepted", 0.0), ("refused", 10.0)])
def test_a_probe_of_a_long_closure_ends_it_or_replaces_it(outcome: str, closed_for: float) -> None:
    rate = AdaptiveRate()
    rate.learn_from(Refusal(granted(rate, 0.0)[0], 0.0, 3600.0, 3600.0))
    rate.learn_from(ClosureTest(59.0, 60.0))
    assert granted(rate, 59.0) == []
    rate.learn_from(ClosureTest(60.0, 60.0))
    probe = one(rate, 60.0)
    if outcome == "accepted":
        rate.learn_from(RequestEnd(probe, 60.0, True))
    else:
        rate.learn_from(Refusal(probe, 60.0, 10.0, 10.0))
    assert rate.closed_for(60.0) == closed_for


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.0, 7.0),
        (RISING_SECONDS / 2, 7.75),
        (RISING_SECONDS, 10.0),
        (RISING_SECONDS + DOUBLING_SECONDS, 20.0),
        (-1.0, 7.0),
        (1e9, 10 * 2.0**60),
    ],
)
def test_the_rate_rises_to_what_it_was_and_then_doubles(seconds: float, expected: float) -> None:
    rate = AdaptiveRate(bucket_size=1.0, rate_at_429=10.0)
    assert rate.rate_at(seconds) == pytest.approx(expected)
