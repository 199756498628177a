"""The path and the query of a request are quoted, and a value that has no place in them is refused."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform.request.prepare import write_path
from agent_session_platform.request.values import write_query


@pytest.mark.parametrize("value", ["", ".", "..", None, {"a": 1}, [], ["."]])
def test_a_path_segment_that_changes_the_path_is_refused(value: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="org_id must be"):
        write_path("/v3/organizations/{org_id}/sessions", {"org_id": value})


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a/b", "/x/a%2Fb"),
        ("ä ö", "/x/%C3%A4%20%C3%B6"),
        ("%2e%2e", "/x/%252e%252e"),
        ("a?b#c", "/x/a%3Fb%23c"),
        (7, "/x/7"),
        (["a", "b,c"], "/x/a,b%2Cc"),
        (True, "/x/true"),
        (date(2026, 1, 2), "/x/2026-01-02"),
        (UUID(int=7), "/x/00000000-0000-0000-0000-000000000007"),
    ],
)
def test_a_path_segment_is_quoted(value: Any, written: str) -> None:
    assert write_path("/x/{id}", {"id": value}) == written


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ({"first": None, "after": None}, ""),
        ({"first": 10, "after": "a&b=c"}, "first=10&after=a%26b%3Dc"),
        ({"origins": ["api", "slack"]}, "origins=api&origins=slack"),
        ({"origins": []}, ""),
        ({"archive": True, "ratio": 0.5}, "archive=true&ratio=0.5"),
        ({"since": datetime(2026, 1, 1, tzinfo=UTC)}, "since=2026-01-01T00%3A00%3A00%2B00%3A00"),
    ],
)
def test_a_query_is_written(values: dict[str, Any], written: str) -> None:
    assert write_query(values) == written


@pytest.mark.parametrize(
    ("style", "value", "written"),
    [
        ("comma", ["a,b", "c d"], "x=a%2Cb,c%20d"),
        ("comma", {"a": 1, "b": True}, "x=a,1,b,true"),
        ("space", [1, 2], "x=1%202"),
        ("pipe", ["a|b", "c"], "x=a%7Cb%7Cc"),
        ("deep", {"from": date(2026, 1, 2), "to": None, "open": True}, "x%5Bfrom%5D=2026-01-02&x%5Bopen%5D=true"),
        ("members", {"a": 1, "b": "c&d"}, "a=1&b=c%26d"),
        ("json", {"a": [1, None]}, "x=%7B%22a%22%3A%5B1%2Cnull%5D%7D"),
        ("json", [timedelta(hours=1)], "x=%5B%22PT1H%22%5D"),
    ],
)
def test_a_query_is_written_in_its_style(style: str, value: Any, written: str) -> None:
    assert write_query({"x": value}, {"x": style}) == written


def test_a_query_value_must_be_a_scalar() -> None:
    with pytest.raises(InvalidArgumentError, match="metadata must be a string, a number or a boolean, not an object"):
        write_query({"metadata": {"a": 1}})


def test_a_datetime_without_a_timezone_is_refused_in_a_query() -> None:
    with pytest.raises(InvalidArgumentError, match="since must have a timezone"):
        write_query({"since": datetime(2026, 1, 1)})


def test_half_of_a_surrogate_pair_in_a_query_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="half of a surrogate pair"):
        write_query({"after": "\ud800"})
