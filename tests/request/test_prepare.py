"""The path and the query of a request are quoted, and a value that has no place in them is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from agent_session_platform import InvalidArgumentError, RequestOptions
from agent_session_platform._api import UNSET, Operation, Parameter, Request
from agent_session_platform.request.prepare import prepare, write_path
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


def prepared(media_type: str = "application/json", style: str = "", **arguments: Any) -> None:
    """Prepare a call whose argument `n` may be anywhere."""
    places = {"path": "path", "query": "query", "headers": "header", "cookies": "cookie"}
    parameters = tuple(Parameter("n", places[each], style=style) for each in arguments if each in places)
    operation = Operation(
        id="o",
        method="POST",
        path="/x/{n}" if "path" in arguments else "/x",
        scope="",
        resource="",
        verb="",
        media_type=media_type,
        parameters=parameters,
    )
    options = RequestOptions(extra_query=arguments.pop("extra_query", None))
    path, query = arguments.pop("path", {}), arguments.pop("query", {})
    prepare(Request(operation, dict, path, query, arguments.pop("body", UNSET), **arguments), options)


PLACES: dict[str, Callable[[Any], None]] = {
    "path": lambda n: prepared(path={"n": n}),
    "list in a path": lambda n: prepared(path={"n": ["a", n]}),
    "query": lambda n: prepared(query={"n": n}),
    "list in a query": lambda n: prepared(query={"n": ["a", n]}),
    "object in a query": lambda n: prepared(query={"n": {"member": n}}, style="deep"),
    "JSON in a query": lambda n: prepared(query={"n": {"member": [n]}}, style="json"),
    "extra query": lambda n: prepared(extra_query={"n": n}),
    "header": lambda n: prepared(headers={"n": n}),
    "JSON in a header": lambda n: prepared(headers={"n": {"member": n}}, style="json"),
    "cookie": lambda n: prepared(cookies={"n": [n]}),
    "member of a body": lambda n: prepared(body={"n": n}),
    "deep in a body": lambda n: prepared(body={"n": [{"member": (n,)}]}),
    "extra body": lambda n: prepared(extra_body={"n": n}),
    "form": lambda n: prepared("application/x-www-form-urlencoded", body={"n": n}),
    "list in a form": lambda n: prepared("application/x-www-form-urlencoded", body={"n": [n]}),
    "multipart": lambda n: prepared("multipart/form-data", body={"n": n}, files={"file": b""}),
    "object of a multipart": lambda n: prepared("multipart/form-data", body={"n": {"member": n}}, files={"file": b""}),
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(
    "number",
    [10**5000, -(10**5000), float("nan"), float("inf"), float("-inf")],
    ids=["long", "low", "nan", "inf", "-inf"],
)
def test_a_number_that_cannot_be_written_is_refused_by_its_name(place: Callable[[Any], None], number: float) -> None:
    with pytest.raises(InvalidArgumentError, match=r"^n\S* (is an integer of more digits|must be a finite number)"):
        place(number)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_number_of_many_digits_is_sent(place: Callable[[Any], None]) -> None:
    place(10**4000)
