"""A short soak test: `make soak` looks for the same leaks for longer."""

from __future__ import annotations

from typing import Any

from soak import Report, soak

from tests.conftest import both_transports


@both_transports
async def test_nothing_is_left_of_a_client_that_was_under_fire(transport: Any) -> None:
    report = await soak(1.0, transport)
    assert report.leaks == []
    assert report.outcomes["good"] > 0
    assert report.outcomes["CancelledError"] > 0


def test_what_is_too_much_is_a_leak() -> None:
    report = Report()
    report.expect("descriptors", 7, 7)
    report.expect("tasks", 2, 1)
    assert report.leaks == ["tasks: 2, not more than 1"]
