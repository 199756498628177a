"""The retry policy as a pure decision: whether a call is sent again, after what delay, and what is in doubt."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from agent_session_platform import RetryPolicy, errors
from agent_session_platform.retry import Again, Fail, FailedAttempt, History, Renew, doubt_after

from tests.fixtures import make_operation


def delay(attempt: int = 1, retry_after: float | None = None, time_left: float = 1e9) -> float | None:
    """Return the delay that the policy decides when a GET gets a 503."""
    failed = FailedAttempt(errors.ServerError("no", status=503, retry_after=retry_after), NOW)
    decision = RetryPolicy(attempts=10_000).decide("GET", failed, History(attempt, time_left))
    return decision.delay if isinstance(decision, Again) else None


@pytest.mark.parametrize(
    ("attempt", "ceiling"), [(1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (5, 8.0), (6, 8.0), (50, 8.0), (5000, 8.0)]
)
def test_the_backoff_is_random_from_zero_to_a_bound_that_doubles_up_to_its_cap(attempt: int, ceiling: float) -> None:
    random.seed(1)
    delays = [delay(attempt) or 0.0 for _ in range(200)]
    assert min(delays) < 0.1 * ceiling < 0.9 * ceiling < max(delays) <= ceiling


def test_retry_after_is_obeyed_with_jitter_on_top() -> None:
    random.seed(1)
    delays = [delay(retry_after=10.0) or 0.0 for _ in range(200)]
    assert 10.0 <= min(delays) < 10.05
    assert 10.45 < max(delays) <= 10.5


def test_a_delay_beyond_the_deadline_is_not_begun() -> None:
    assert delay(retry_after=10.0, time_left=9.0) is None


# The one decision after an attempt: a table of method and what happened.

NOW = datetime(2026, 11, 28, tzinfo=UTC)
BEFORE = datetime(2026, 11, 27, tzinfo=UTC)
OPERATION = make_operation()


def problem(status: int, retry_after: float | None = None) -> errors.ProblemError:
    classes: dict[int, Any] = {401: errors.AuthenticationError, 429: errors.RateLimitedError, 503: errors.ServerError}
    return classes.get(status, errors.ProblemError)("no", status=status, retry_after=retry_after)


REFUSED_CONNECTION = FailedAttempt(errors.ConnectionFailedError("refused"))
LOST = FailedAttempt(errors.ConnectionFailedError("reset", may_have_arrived=True), NOW)
CERTIFICATE = FailedAttempt(errors.CertificateError("expired"))
ENDED = FailedAttempt(errors.DeadlineExceededError("no response"), NOW)
NOT_SENT = FailedAttempt(errors.DeadlineExceededError("not sent"))
BAD_BODY = FailedAttempt(errors.DecodeError("html", operation=OPERATION, status=200), NOW)
OWN_ERROR = FailedAttempt(KeyError("of the caller's file"), NOW)
POOL = FailedAttempt(errors.PoolTimeoutError("full"))
CLOSED = FailedAttempt(problem(429, 3600.0))

# What happened; whether a GET, a PUT and a POST are sent again; and whether a PUT and a POST are in doubt if not.
TABLE: dict[str, tuple[FailedAttempt, str, str]] = {
    "connection refused": (REFUSED_CONNECTION, "GET PUT POST", ""),
    "certificate refused": (CERTIFICATE, "", ""),
    "no free connection": (POOL, "", ""),
    "response lost": (LOST, "GET PUT", "POST"),
    "deadline after it was sent": (ENDED, "", "PUT POST"),
    "deadline before": (NOT_SENT, "", ""),
    "bad body": (BAD_BODY, "", "PUT POST"),
    "error of the caller": (OWN_ERROR, "", "PUT POST"),
    "401": (FailedAttempt(problem(401), NOW), "", ""),
    "404": (FailedAttempt(problem(404), NOW), "", ""),
    "413": (FailedAttempt(problem(413), NOW), "", ""),
    "429": (FailedAttempt(problem(429), NOW, 0.5), "GET PUT POST", ""),
    "429 with an hour": (FailedAttempt(problem(429, 3600.0), NOW, 3600.0), "", ""),
    "closed for an hour": (CLOSED, "", ""),
    "500": (FailedAttempt(problem(500), NOW), "GET PUT", "POST"),
    "503 with an hour": (FailedAttempt(problem(503, 3600.0), NOW), "", "PUT POST"),
}
POLICY = RetryPolicy()


@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
@pytest.mark.parametrize(("attempt", "again", "in_doubt"), TABLE.values(), ids=TABLE)
def test_what_follows_an_attempt(method: str, attempt: FailedAttempt, again: str, in_doubt: str) -> None:
    decision = POLICY.decide(method, attempt, History())
    assert isinstance(decision, Again) is (method in again.split())
    if isinstance(decision, Fail):
        assert doubt_after(method, attempt, None) == (NOW if method in in_doubt else None)


@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
@pytest.mark.parametrize("attempt", [attempt for attempt, _, _ in TABLE.values()], ids=TABLE)
def test_the_last_attempt_of_a_write_whose_response_was_lost_leaves_it_in_doubt(
    method: str, attempt: FailedAttempt
) -> None:
    """A 404 of a DELETE, for example, may be what its first attempt has left."""
    assert isinstance(POLICY.decide(method, attempt, History(attempts=5)), Fail)
    since = NOW if attempt.may_have_been_carried_out else BEFORE
    assert doubt_after(method, attempt, BEFORE) == (None if method == "GET" else since)


@pytest.mark.parametrize(("may_renew", "decided"), [(True, Renew()), (False, Fail())])
def test_a_401_is_sent_again_with_another_credential_whatever_the_policy_is(may_renew: bool, decided: object) -> None:
    history = History(attempts=1, time_left=0.0, quota_left=0.0, may_renew=may_renew)
    assert RetryPolicy.none().decide("POST", FailedAttempt(problem(401), NOW), history) == decided


# Why a failure that may pass is not retried.
REASONS: dict[str, tuple[FailedAttempt, History, str | None]] = {
    "attempts": (LOST, History(attempts=5, quota_left=0.0), "given up after 5 attempts"),
    "one attempt": (LOST, History(repeatable=False), "given up after 1 attempt"),
    "closure": (
        FailedAttempt(problem(429, 10.0), NOW, 10.0),
        History(attempts=0, time_left=1.0),
        "given up before the first attempt: the deadline comes before the next one",
    ),
    "deadline": (LOST, History(time_left=0.0), "given up after 1 attempt: the deadline comes before the next one"),
    "quota": (
        LOST,
        History(quota_left=4.0),
        "given up after 1 attempt: too many calls of this client fail, so its retry quota is used up",
    ),
    "Retry-After": (CLOSED, History(), "not waited for: Retry-After is 3600 s, more than max_retry_after=60"),
    "final": (FailedAttempt(problem(404), NOW), History(quota_left=0.0), None),
}


@pytest.mark.parametrize(("attempt", "history", "reason"), REASONS.values(), ids=REASONS)
def test_the_reason_of_a_final_failure(attempt: FailedAttempt, history: History, reason: str | None) -> None:
    decision = RetryPolicy().decide("GET", attempt, history)
    assert isinstance(decision, Fail)
    assert decision.reason == reason


@pytest.mark.parametrize(
    ("retry_after", "number", "bounds"),
    [
        (7.0, 1, (7.0, 7.0)),
        (3600.0, 1, (3600.0, 3600.0)),
        (None, 1, (0.25, 0.5)),
        (None, 3, (1.0, 2.0)),
        # Otherwise all attempts would be over in a moment.
        (0.0, 1, (0.25, 0.5)),
        (0.0, 3, (1.0, 2.0)),
    ],
)
def test_the_seconds_of_a_closure(retry_after: float | None, number: int, bounds: tuple[float, float]) -> None:
    low, high = bounds
    assert low <= RetryPolicy().backoff_after_429(retry_after, number) <= high


def test_a_policy_with_another_number_of_attempts_keeps_the_rest() -> None:
    assert RetryPolicy(deadline=7.0).with_attempts(2) == RetryPolicy(attempts=2, deadline=7.0)
