"""A short soak test, and short attacks: `make soak` and `make attacks` try the same for longer."""

from __future__ import annotations

from typing import Any

import pytest
from attacks import TRANSPORTS, cancellations, mutations
from soak import Report, soak

from tests.fixtures import all_transports


@all_transports
async def test_a_client_under_random_faults_leaks_nothing(transport: Any) -> None:
    report = await soak(1.0, transport)
    assert report.leaks == []
    assert report.outcomes["good"] > 0
    assert report.outcomes["CancelledError"] > 0


def test_more_than_expected_is_a_leak() -> None:
    report = Report()
    report.expect("descriptors", 7, 7)
    report.expect("tasks", 2, 1)
    assert report.leaks == ["tasks: 2, not more than 1"]


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_mutated_responses_end_in_a_result_or_a_documented_error(transport: str) -> None:
    report = await mutations(300, transport, seed=7)
    assert report.leaks == []
    assert report.outcomes["good"] > 0
    assert report.outcomes["DecodeError"] > 0


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_calls_that_are_cancelled_at_any_step_leak_nothing(transport: str) -> None:
    report = await cancellations(120, transport, seed=7)
    assert report.leaks == []
    assert report.outcomes["cancelled"] > 0
