"""A short soak test: `make soak` looks for the same leaks for longer."""

from __future__ import annotations

from typing import Any

from soak import Report, soak

from tests.conftest import both_transports


@both_transports
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
