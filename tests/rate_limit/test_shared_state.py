"""The state that processes share: the same through JSON as in memory, whatever happens."""

from __future__ import annotations

import random

import attrs
import pytest
from agent_session_platform.rate_limit.adaptive_rate import INITIAL_WINDOW
from agent_session_platform.rate_limit.permit import Permit
from agent_session_platform.rate_limit.rate_state import RateState
from agent_session_platform.rate_limit.shared_state import Report, SharedState


@pytest.mark.parametrize("seed", range(12))
def test_a_state_that_goes_through_json_after_each_step_behaves_as_one_in_memory(seed: int) -> None:
    """Any history: permits, responses of this round and of earlier ones, 429s with and without a hint, idle time."""
    chance, now, luck = random.Random(seed), 1000.0, 0.5

    def uniform(low: float, high: float) -> float:
        return low + luck * (high - low)

    state = SharedState.start(now)
    rate = state.rate.resume(uniform)
    permits: list[Permit] = []
    for _ in range(400):
        now += chance.choice([0.0, 0.001, 0.02, 0.3, 2.0, 70.0 if chance.random() < 0.02 else 0.01])
        luck = chance.random()
        accepted: dict[int, int] = {}
        refusals: list[tuple[Permit, float | None]] = []
        over: dict[float, int] = {}
        if permits and chance.random() < 0.6:
            permit = permits.pop(chance.randrange(len(permits)))
            over[permit.at] = 1
            rate.stop_counting(permit.at)
            if chance.random() < 0.85:
                rate.accepted(permit)
                accepted[permit.round] = 1
            else:
                retry_after = chance.choice([None, 0.0, 0.02, 1.0, 5.0])
                rate.refused(permit, now, retry_after)
                refusals.append((permit, retry_after))
        report = Report(chance.randrange(4), over, {}, accepted, refusals)
        state, shared_permits = SharedState.from_json(state.to_json()).after(report, now, uniform)
        granted: list[Permit] = []
        while len(granted) < report.wanted and (granted_now := rate.grant(now)):
            granted.append(granted_now)
        assert shared_permits == granted
        assert state.rate == RateState.of(rate)
        permits += granted


def test_a_report_of_nothing_changes_nothing() -> None:
    state, _ = SharedState.start(1000.0).after(Report(3), 1000.0)
    after, permits = state.after(Report(), 1001.0)
    assert after is state
    assert permits == []


def test_processes_share_the_window() -> None:
    state, permits = SharedState.start(1000.0).after(Report(INITIAL_WINDOW - 2), 1000.0)
    assert len(permits) == INITIAL_WINDOW - 2
    state, permits = state.after(Report(INITIAL_WINDOW), 1000.0)
    assert (len(permits), state.is_full) == (2, True)


@pytest.mark.parametrize("what", ["over", "abandoned"])
def test_a_request_that_is_over_or_abandoned_makes_room(what: str) -> None:
    state, permits = SharedState.start(1000.0).after(Report(INITIAL_WINDOW), 1000.0)
    state, _ = state.after(Report(**{what: {permits[0].at: 3}}), 1000.05)  # type: ignore[arg-type]
    assert len(state.after(Report(5), 1000.05)[1]) == 3


def test_silent_requests_of_another_process_or_of_one_that_vanished_do_not_count_any_more() -> None:
    state, _ = SharedState.start(1000.0).after(Report(INITIAL_WINDOW), 1000.0)
    assert state.after(Report(1), 1000.09)[1] == []
    assert len(state.after(Report(1), 1000.21)[1]) == 1


@pytest.mark.parametrize(("changes", "used"), [((10, 20), 30), ((10, -1), 9), ((10, -20), 0), ((400, 400), 500)])
def test_processes_share_the_retry_quota(changes: tuple[float, float], used: float) -> None:
    state = SharedState.start(1000.0)
    for change in changes:
        state = SharedState.from_json(state.to_json()).after(Report(quota_change=change), 1000.0)[0]
    assert state.quota_used == used


def test_a_known_closure_is_restored_in_a_state_that_lost_it() -> None:
    state, permits = SharedState.start(1000.0).after(Report(1, closed_for=30.0), 1000.0)
    assert (state.rate.closed_until, permits) == (1030.0, [])


def test_clocks_that_differ_a_little_do_not_lengthen_a_closure() -> None:
    state, _ = SharedState.start(1000.0).after(Report(closed_for=30.0), 1000.0)
    assert state.after(Report(closed_for=30.05), 1000.0)[0] is state


def test_time_never_goes_backwards_in_a_state() -> None:
    """The clock of another process may be a little behind."""
    state, _ = SharedState.start(1000.0).after(Report(1), 1000.5)
    state, [permit] = state.after(Report(1), 1000.2)
    assert (permit.at, state.changed_at) == (1000.5, 1000.5)


def test_a_clock_that_was_set_back_closes_nothing() -> None:
    state, [permit] = SharedState.start(5000.0).after(Report(1), 5000.0)
    state, _ = state.after(Report(refusals=[(permit, 1.0)]), 5000.1)
    state, permits = state.after(Report(1), 1400.0)
    assert permits == []
    assert state.rate.closed_until - 1400.0 < 1.2
    assert len(state.after(Report(1), 1402.0)[1]) == 1


def test_a_new_state_uses_no_round_of_a_lost_one_again() -> None:
    assert SharedState.start(1001.0).rate.round >= SharedState.start(1000.0).rate.round + 1000


def test_a_state_cannot_be_changed() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        SharedState.start(1000.0).changed_at = 2.0  # type: ignore[misc]


@pytest.mark.parametrize(
    "text", ["", "7", "{}", '{"changed_at": 1, "rate": {}, "leases": {}}', '{"changed_at": 1, "rate": {"x": 1}}']
)
def test_a_text_that_is_no_state_raises(text: str) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        SharedState.from_json(text)
