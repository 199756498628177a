"""The adaptive rate as a pure decision: what it makes of 429s, at times that the test chooses."""

from __future__ import annotations

from agent_session_platform.rate_limit.adaptive_rate import IDLE_SECONDS, AdaptiveRate, Rise
from agent_session_platform.rate_limit.interface import Permit


def granted(rate: AdaptiveRate, now: float) -> Permit:
    permit = rate.grant(now)
    assert permit is not None
    return permit


def burst(rate: AdaptiveRate, now: float, accepted: int, closed: float) -> float:
    """Let all requests of a burst be accepted except the last, and return when the limiter opens."""
    permits = [granted(rate, now) for _ in range(accepted + 1)]
    for permit in permits[:-1]:
        rate.finished(permit, now, accepted=True)
    rate.refused(permits[-1], now, None, lambda _: closed)
    return rate.closed_until


def probe(rate: AdaptiveRate, now: float) -> None:
    rate.finished(granted(rate, now), now, accepted=True)


def test_the_sending_rate_does_not_rise_while_calls_do_not_wait_for_it() -> None:
    rate = AdaptiveRate(burst=1, rise=Rise(start=10.0, target=20.0, seconds=10.0))
    for second in range(50):
        granted(rate, float(second))
    assert rate.rise.rate_at(50.0) < 11.0


def test_a_429_of_an_earlier_round_closes_but_is_no_event() -> None:
    rate = AdaptiveRate()
    late = granted(rate, 0.0)
    now = burst(rate, 0.0, accepted=3, closed=1.0)
    probe(rate, now)
    rate.refused(late, now, 5.0, lambda _: 1.0)
    assert rate.closed_until == now + 5.0
    assert rate.round.refused_at is None


def test_what_was_learned_is_forgotten_after_a_minute_without_a_request() -> None:
    rate = AdaptiveRate()
    probe(rate, now := burst(rate, 0.0, accepted=3, closed=1.0))
    granted(rate, now + 1 + IDLE_SECONDS + 1)
    assert rate.burst is None


def test_a_pause_after_the_closure_does_not_lower_the_rate() -> None:
    rate = AdaptiveRate()
    probe(rate, burst(rate, 0.0, accepted=9, closed=1.0) + 50.0)
    assert rate.sending_rate() == 9.0
    assert rate.rise.doubling_seconds < 1.0
