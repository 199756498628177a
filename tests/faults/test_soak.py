"""A short soak: what the long one looks for must not be there after a second or two either."""

from __future__ import annotations

from typing import Any

import pytest
from soak import Report, soak


@pytest.mark.parametrize("transport", [None, "aiohttp"])
async def test_nothing_is_left_of_a_client_that_was_under_fire(transport: Any) -> None:
    report = await soak(2.0, transport)
    assert report.leaks == []
    assert report.outcomes["good"] > 0
    assert report.outcomes["CancelledError"] > 0


def test_what_is_too_much_is_a_leak() -> None:
    report = Report()
    report.expect("descriptors", 7, 7)
    report.expect("tasks", 2, 1)
    assert report.leaks == ["tasks: 2, not more than 1"]
