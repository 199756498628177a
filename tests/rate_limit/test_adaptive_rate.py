"""The adaptive rate: a state and its changes, in made-up time."""

from __future__ import annotations

import pytest
from agent_session_platform.rate_limit.adaptive_rate import (
    IDLE_SECONDS,
    INITIAL_WINDOW,
    LEAST_CLOSURE_SECONDS,
    MOST_CLOSURE_SECONDS,
    AdaptiveRate,
)
from agent_session_platform.rate_limit.fresh_requests import FRESH_SECONDS
from agent_session_platform.rate_limit.permit import Permit
from agent_session_platform.rate_limit.rate_state import RateState


def middle(low: float, high: float) -> float:
    return (low + high) / 2


def granted(rate: AdaptiveRate, now: float) -> Permit:
    permit = rate.grant(now)
    assert permit is not None
    return permit


def answered(rate: AdaptiveRate, now: float) -> None:
    """Send a request that is accepted at once."""
    permit = granted(rate, now)
    rate.stop_counting(permit.at)
    rate.accepted(permit)


def silent(rate: AdaptiveRate, now: float) -> int:
    """Send as many requests as the window allows; none of them gets a response."""
    sent = 0
    while rate.grant(now):
        sent += 1
    return sent


def refused(now: float = 5.0, retry_after: float | None = 3.0, accepted: int = 4) -> AdaptiveRate:
    """Return the rate after so many accepted requests and then a 429."""
    rate = AdaptiveRate(middle)
    for _ in range(accepted):
        answered(rate, now)
    permit = granted(rate, now)
    rate.stop_counting(permit.at)
    rate.refused(permit, now, retry_after)
    return rate


def test_the_rate_limits_nothing_before_the_first_429() -> None:
    rate = AdaptiveRate()
    for now in range(100):
        answered(rate, now / 1000)
    assert (rate.rate, rate.next_at) == (None, 0.0)


def test_the_initial_window_limits_what_goes_before_the_first_responses() -> None:
    assert silent(AdaptiveRate(), 0.0) == INITIAL_WINDOW


def test_responses_open_the_window() -> None:
    rate = AdaptiveRate()
    for _ in range(8):
        answered(rate, 0.0)
    assert rate.window == INITIAL_WINDOW + 2


def test_silent_requests_hold_back_nobody_for_long() -> None:
    """A slow operation says nothing about the rate."""
    rate = AdaptiveRate()
    silent(rate, 0.0)
    assert rate.grant(2 * FRESH_SECONDS - 0.01) is None
    assert rate.grant(2 * FRESH_SECONDS)


def test_a_hundred_requests_to_a_slow_server_are_under_way_within_a_second() -> None:
    rate, sent, now = AdaptiveRate(), 0, 0.0
    while sent < 100:
        sent += silent(rate, now)
        now = rate.expires_at
    assert now < 1.0


def test_silent_requests_open_the_window_only_as_far_as_they_outnumber_the_responses() -> None:
    rate = AdaptiveRate()
    permits = [granted(rate, 0.0) for _ in range(10)]
    for permit in permits[:6]:
        rate.stop_counting(permit.at)
        rate.accepted(permit)
    window = rate.window
    granted(rate, 0.5)
    # Four were silent, and six had responses.
    assert rate.window == window


def test_a_response_that_comes_late_is_counted_once() -> None:
    rate = AdaptiveRate()
    permit = granted(rate, 0.0)
    granted(rate, 1.0)
    assert (rate.stop_counting(permit.at), rate.fresh) == (False, 1)


@pytest.mark.parametrize(("latency", "wait"), [(0.01, 0.2), (0.2, 0.6), (0.3, 0.9), (6.0, 1.0)])
def test_a_server_that_is_far_away_has_more_time_to_respond(latency: float, wait: float) -> None:
    """Otherwise a slow start would not wait for its 429s; there is a bound, because the distance may be a slow one."""
    rate = AdaptiveRate()
    rate.latency = latency
    silent(rate, 200.0)
    assert rate.grant(200.0 + wait - 0.01) is None
    now = 200.0
    while not rate.grant(now):
        now = rate.expires_at
    assert now == pytest.approx(200.0 + wait)


def test_a_probe_that_says_nothing_is_replaced() -> None:
    rate = refused(5.0, 3.0)
    granted(rate, 9.0)
    assert rate.grant(9.09) is None
    assert rate.grant(9.0 + 2 * FRESH_SECONDS)


def test_silent_requests_do_not_keep_a_round_from_ending() -> None:
    rate = AdaptiveRate(middle)
    silent(rate, 4.0)
    first = granted(rate, 4.5)
    rate.stop_counting(first.at)
    rate.refused(first, 4.5, 0.0)
    assert granted(rate, 5.0).round == first.round + 1


def test_silent_probes_let_the_rate_double() -> None:
    """Otherwise calls that hang would take all of a rate that has just begun."""
    rate, now = refused(5.0, 0.0, accepted=0), 6.0
    while rate.rate is None or rate.rate < 100:
        rate.grant(now)
        now = max(rate.opens_at, rate.expires_at if rate.fresh >= int(rate.window) else now)
    assert now < 8.0


def test_an_abandoned_request_counts_no_more_and_opens_the_window_as_a_silent_one() -> None:
    rate = refused(5.0, 0.0, accepted=10)
    for step in range(4):
        probe = granted(rate, 6.0 + step)
        rate.balance += rate.stop_counting(probe.at)
    assert rate.window > 2


def test_nothing_is_granted_while_closed() -> None:
    rate = refused(5.0, 3.0)
    assert rate.grant(7.999) is None
    assert rate.opens_at == pytest.approx(8.0 + 3.0 * 0.05 / 2)


def test_a_single_probe_goes_first_after_a_429() -> None:
    rate = refused(5.0, 3.0)
    probe = granted(rate, 9.0)
    assert rate.grant(9.09) is None
    rate.stop_counting(probe.at)
    rate.accepted(probe)
    assert rate.grant(10.0)


def test_without_a_hint_each_429_doubles_the_closure() -> None:
    rate, closures, now = AdaptiveRate(middle), [], 0.0
    for _ in range(7):
        permit = granted(rate, now)
        rate.stop_counting(permit.at)
        rate.refused(permit, now, None)
        closures.append(rate.closed_until - now)
        now = rate.closed_until
    assert closures[:3] == pytest.approx([0.375, 0.75, 1.5])
    assert closures[-1] == pytest.approx(MOST_CLOSURE_SECONDS * 0.75)


def test_of_several_429s_to_one_round_only_the_first_counts() -> None:
    rate = AdaptiveRate(middle)
    permits = [granted(rate, 1.0) for _ in range(5)]
    for permit in permits:
        rate.refused(permit, 1.5, None)
    assert rate.closed_until == pytest.approx(1.875)


def test_a_429_to_a_permit_of_an_earlier_round_closes_too() -> None:
    rate = refused(5.0, 1.0)
    granted(rate, 7.0)
    rate.refused(Permit(0, 5.0), 7.0, 2.0)
    assert rate.grant(8.9) is None


def test_the_second_429_measures_the_rate() -> None:
    """A bucket of 10 that fills with 50 a second, with far too many requests."""
    rate, tokens, at, now = AdaptiveRate(middle), 10.0, 0.0, 0.0
    refused = 0
    while refused < 2:
        now = max(now + 0.0005, rate.opens_at)
        permit = granted(rate, now)
        rate.stop_counting(permit.at)
        tokens, at = min(10.0, tokens + (now - at) * 50), now
        if tokens >= 1:
            tokens -= 1
            rate.accepted(permit)
        else:
            refused += 1
            rate.refused(permit, now, 1.0)
    granted(rate, rate.opens_at)
    assert rate.rate == pytest.approx(50, rel=0.08)


def test_a_refused_probe_does_not_change_the_rate() -> None:
    rate = refused(5.0, 1.0, accepted=4)
    probe = granted(rate, 7.0)
    before = rate.rate
    rate.refused(probe, 7.0, 1.0)
    granted(rate, 9.0)
    assert rate.rate == before


def test_an_idle_minute_resets_what_was_learned() -> None:
    rate = refused(5.0, 3.0)
    granted(rate, 5.0 + IDLE_SECONDS + 1)
    assert (rate.rate, rate.window) == (None, INITIAL_WINDOW)


def test_a_late_sender_catches_up_on_a_twentieth_of_a_second_only() -> None:
    rate = refused(5.0, 0.0, accepted=10)
    answered(rate, 6.0)
    assert rate.rate == 40
    assert silent(rate, 8.0) == 3


def test_a_429_never_makes_the_next_request_go_earlier() -> None:
    """Also with `Retry-After: 0`, and when it is of an earlier round."""
    rate = refused(5.0, 0.0, accepted=10)
    answered(rate, 6.0)
    last = granted(rate, 6.1)
    opens_at = rate.opens_at
    rate.refused(Permit(0, 5.0), 6.05, 0.0)
    assert rate.opens_at == opens_at
    rate.refused(last, 6.05, 0.0)
    assert rate.opens_at == opens_at


def test_every_429_closes_for_some_milliseconds() -> None:
    """Also with `Retry-After: 0`: the refused calls need them to come back to the queue before others are served."""
    rate = refused(5.0, 0.0)
    assert rate.grant(5.0) is None
    assert rate.opens_at == 5.0 + LEAST_CLOSURE_SECONDS
    rate = refused(5.0, 0.0)
    rate.refused(Permit(0, 5.0), 6.0, None)
    assert rate.closed_until == 6.0 + LEAST_CLOSURE_SECONDS


def test_probing_rises_with_the_cube_of_the_time() -> None:
    """Flat near the measured rate, and back at it after the probing interval."""
    rate = refused(5.0, 0.0)
    rate.rate = rate.measured_rate = 100.0
    rate.refused_at = None
    rate.closed_until, rate.next_at, rate.window = 0.0, 0.0, 1e9
    rate.probing_since = rate.granted_at = rate.interval_at = 10.0
    shares = []
    for tenth in range(1, 91):
        granted(rate, 10.0 + tenth / 10)
        shares.append(rate.rate / 100.0)
    assert shares[0] == pytest.approx(0.97, abs=1e-3)
    assert shares[29] == pytest.approx(1.0)
    assert shares[59] == pytest.approx(0.97 + 0.03 * 8)
    assert shares == sorted(shares)


def test_a_rate_that_is_restored_goes_on_as_the_old_one() -> None:
    rate = refused(5.0, 1.0)
    answered(rate, 7.0)
    copy = RateState.of(rate).resume(middle)
    assert RateState.of(copy) == RateState.of(rate)
    assert [copy.grant(7.0 + step) for step in range(5)] == [rate.grant(7.0 + step) for step in range(5)]
