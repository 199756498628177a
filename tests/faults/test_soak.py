"""A short soak test: `make soak` runs it for longer."""

from __future__ import annotations

from typing import Any

from benchmarks.soak import Soak
from tests.fixtures import all_transports


@all_transports
async def test_a_client_under_random_faults_and_cancellations_leaks_nothing(transport: Any) -> None:
    soak = Soak(transport)
    await soak.run(0.6)
    assert soak.leaks == []
    assert min(soak.outcomes["good"], soak.outcomes["cancelled"]) > 0
