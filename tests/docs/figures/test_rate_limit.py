"""The figure of a rate limit: its numbers are those of a simulation, and those of the page."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from benchmarks.limiters import TokenBucket
from docs.check import ROOT
from docs.figures import limits, rate_limit
from docs.figures.simulation import CALLS, LIMIT, Limit, ways

PAGE = ROOT / "docs/pages/explanation/rate-limits.md"


@pytest.mark.parametrize("retry_after", [False, True])
def test_no_call_of_the_sdk_fails_and_few_requests_are_refused(*, retry_after: bool) -> None:
    ours, alone, *_ = ways(retry_after=retry_after)
    assert ours.failed == 0
    assert ours.refused < alone.refused / 10


@pytest.mark.parametrize("retry_after", [False, True])
def test_nobody_is_faster_than_the_server(*, retry_after: bool) -> None:
    for way in ways(retry_after=retry_after):
        assert way.seconds >= TokenBucket(*LIMIT).ideal(CALLS)
        assert len(way.ended) + way.failed == CALLS
        assert all(before <= after for before, after in pairwise(way.ended))


@pytest.mark.parametrize("limit", rate_limit.OTHER_LIMITS)
def test_the_sdk_is_good_at_every_limit(limit: Limit) -> None:
    """The page says so: no call fails, few requests are refused, and it takes at most 1.6 times the shortest time."""
    ours, *_ = ways(limit)
    assert (ours.failed, ours.refused <= 40, ours.seconds <= 1.6 * TokenBucket(*limit).ideal(CALLS)) == (0, True, True)


@pytest.mark.parametrize("table", [limits.table, rate_limit.table, rate_limit.table_of_other_limits])
def test_the_page_has_the_numbers_of_the_simulation(table: Callable[[], str]) -> None:
    assert table() in PAGE.read_text(encoding="utf-8")


def test_a_guessed_rate_holds_for_retries_too() -> None:
    """Its requests, with those that are refused, take no less time than the rate allows."""
    (guessed,) = (way for way in ways(rate_limit.OTHER_LIMITS[0]) if way.name.startswith("40 calls a second"))
    assert guessed.refused > 0
    assert guessed.seconds >= (len(guessed.ended) + guessed.refused - 1) / 40


def test_the_simulation_leaves_the_random_numbers_of_the_process_alone() -> None:
    before = random.getstate()
    ways.__wrapped__()
    assert random.getstate() == before


def test_every_way_has_a_curve_and_a_name_in_the_figure() -> None:
    drawn = ElementTree.fromstring(rate_limit.svg())
    texts = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    names = {way.name for way in ways()}
    assert names <= texts
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))) >= 2 * len(names)
