"""The figure of a rate limit: its numbers are those of a simulation, and those of the page."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from docs.check import ROOT
from docs.figures import rate_limit
from docs.figures.simulation import CALLS, ways

PAGE = ROOT / "docs/pages/explanation/rate-limits.md"


@pytest.mark.parametrize("retry_after", [False, True])
def test_no_call_of_the_sdk_fails_and_few_requests_are_refused(*, retry_after: bool) -> None:
    ours, alone, *_ = ways(retry_after=retry_after)
    assert ours.failed == 0
    assert ours.refused < alone.refused / 10


@pytest.mark.parametrize("retry_after", [False, True])
def test_nobody_is_faster_than_the_server(*, retry_after: bool) -> None:
    for way in ways(retry_after=retry_after):
        assert way.seconds >= rate_limit.shortest()
        assert len(way.ended) + way.failed == CALLS
        assert all(before <= after for before, after in pairwise(way.ended))


def test_the_page_has_the_numbers_of_the_simulation() -> None:
    assert rate_limit.table() in PAGE.read_text(encoding="utf-8")


def test_every_way_has_a_curve_and_a_name_in_the_figure() -> None:
    drawn = ElementTree.fromstring(rate_limit.svg())
    texts = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    names = {way.name for way in ways(retry_after=False)}
    assert names <= texts
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))) >= 2 * len(names)
