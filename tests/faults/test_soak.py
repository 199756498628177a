"""A short soak test: `make soak` runs it for longer."""

from __future__ import annotations

from typing import Any

from benchmarks.soak import Soak
from tests.fixtures import all_transports


@all_transports
async def test_a_client_under_random_faults_and_cancellations_leaks_nothing(transport: Any) -> None:
    soak = Soak(transport)
    await soak.run(1.5)
    assert soak.leaks == []
    assert min(soak.outcomes["good"], soak.outcomes["cancelled"]) > 0


def test_more_than_expected_is_a_leak() -> None:
    soak = Soak()
    soak.expect("descriptors", 7, 7)
    soak.expect("tasks", 2, 1)
    assert soak.leaks == ["tasks: 2, not more than 1"]
