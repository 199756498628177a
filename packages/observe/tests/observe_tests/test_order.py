"""In which order the items of lists come."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_observe.order import Order
from agent_session_platform_observe.tally import Room

DAY = 1_760_000_000


def order_of(*pages: list[int | None]) -> dict[str, Any]:
    """Return what is noted of the pages of a list, whose items are so many seconds apart."""
    order, tally = Order(), dict[str, Any]()
    for number, page in enumerate(pages):
        items = [{"created_at": None if each is None else DAY + each} for each in page]
        body = {"items": items, "end_cursor": f"cursor-{number}"}
        order.read(body, f"cursor-{number - 1}" if number else None, ("created_at",), tally, Room(), 100)
    return tally


@pytest.mark.parametrize(
    ("page", "found"),
    [([1, 2, 2, 3], "ascending"), ([3, 2, 1], "descending"), ([1, 3, 2], "neither"), ([1, None, 2], "ascending")],
)
def test_a_page_has_an_order(page: list[int | None], found: str) -> None:
    assert order_of(page)["pages"]["created_at"] == {found: 1}


@pytest.mark.parametrize("page", [[], [1], [2, 2], [None, None]])
def test_a_page_without_two_different_times_has_none(page: list[int | None]) -> None:
    assert order_of(page).get("pages", {}).get("created_at") is None


def test_an_order_holds_from_page_to_page() -> None:
    assert order_of([1, 2], [3, 4], [5, 6])["seams"]["created_at"] == {"ascending": 2}


def test_an_order_that_breaks_between_pages_is_reported() -> None:
    found = order_of([3, 4], [1, 2])
    assert (found["pages"]["created_at"], found["seams"]["created_at"]) == ({"ascending": 2}, {"descending": 1})
