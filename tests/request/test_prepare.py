"""Path, query, headers and body are written as the contract says, and arrive unchanged. Other arguments are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote_plus
from uuid import UUID

import pytest
from agent_session_platform import UNSET, InvalidArgumentError, RequestOptions
from agent_session_platform._api import Parameter, Request
from agent_session_platform.models import Session
from agent_session_platform.request.prepare import PreparedRequest, prepare

from tests.fixtures import all_clients, make_operation
from tests.servers.fault_server import client, fault_server
from tests.servers.scripts import response

PLACES = {"path": "path", "query": "query", "headers": "header"}


def prepared(
    media_type: str = "application/json", kind: str = "", wildcard: bool = False, **arguments: Any
) -> PreparedRequest:
    """Prepare a call of an operation that has each argument that is given."""
    parameters = tuple(
        Parameter(name, PLACES[place], kind, wildcard=wildcard)
        for place in arguments.keys() & PLACES.keys()
        for name in arguments[place]
    )
    path, query = arguments.pop("path", {}), arguments.pop("query", {})
    template = "/x/{n}" if path else "/x"
    operation = make_operation(method="POST", path=template, media_type=media_type, parameters=parameters)
    extras = {name: arguments.pop(name) for name in ("extra_query", "extra_headers") if name in arguments}
    options = RequestOptions(**extras)
    return prepare(Request(operation, dict, path, query, arguments.pop("body", UNSET), **arguments), options)


@pytest.mark.parametrize("value", ["", ".", "..", None, [], ["a"], {}, object()])
def test_a_path_segment_that_changes_the_path_is_refused(value: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="n must be"):
        prepared(path={"n": value})


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a/b", "/x/a%2Fb"),
        ("%2e%2e", "/x/%252e%252e"),
        ("a?b#c", "/x/a%3Fb%23c"),
        (True, "/x/true"),
        (date(2026, 1, 2), "/x/2026-01-02"),
        (UUID(int=7), "/x/00000000-0000-0000-0000-000000000007"),
    ],
)
def test_a_path_segment_is_quoted(value: Any, written: str) -> None:
    assert prepared(path={"n": value}).target == written


def test_a_wildcard_has_several_segments() -> None:
    assert prepared(path={"n": "a/b c"}, wildcard=True).target == "/x/a/b%20c"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, ""),
        (10, "?n=10"),
        ("a&b=c d", "?n=a%26b%3Dc+d"),
        (["api", "slack"], "?n=api&n=slack"),
        (["a,b", "c|d"], "?n=a%2Cb&n=c%7Cd"),
        ([], ""),
        (datetime(2026, 1, 1, tzinfo=UTC), "?n=2026-01-01T00%3A00%3A00%2B00%3A00"),
    ],
)
def test_a_query_repeats_the_name_of_a_list(value: Any, written: str) -> None:
    assert prepared(query={"n": value}).target == f"/x{written}"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"a": 1, "b": "c&d"}, "?a=1&b=c%26d"),
        ({"from": date(2026, 1, 2), "to": None, "open": True}, "?from=2026-01-02&open=true"),
        (Session(title="x y"), "?title=x+y"),
        ({}, ""),
        (None, ""),
    ],
)
def test_each_member_of_an_object_in_a_query_is_a_parameter_of_its_own(value: Any, written: str) -> None:
    assert prepared(query={"n": value}, kind="object").target == f"/x{written}"


def test_a_member_of_an_object_in_a_query_replaces_no_other_argument() -> None:
    operation = make_operation(path="/x", parameters=(Parameter("n", "query", "object"), Parameter("a", "query")))
    with pytest.raises(InvalidArgumentError, match="n has a, which the operation takes by name"):
        prepare(Request(operation, dict, {}, {"n": {"a": 1}, "a": 2}), RequestOptions())


def test_extra_query_follows_the_query() -> None:
    assert prepared(query={"n": 1}, extra_query={"m": 2}).target == "/x?n=1&m=2"


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"headers": {"X-Tag": "plain", "X-Flag": True}}, {"x-tag": "plain", "x-flag": "true"}),
        ({"headers": {"X-Tag": ["a", "b"]}}, {"x-tag": "a,b"}),
        ({"headers": {"X-Tag": "a"}, "extra_headers": {"X-More": " b "}}, {"x-tag": "a", "x-more": "b"}),
    ],
)
def test_headers_are_written_as_text(arguments: Any, headers: dict[str, str]) -> None:
    assert prepared(**arguments).headers == headers


@pytest.mark.parametrize("value", ["line\r\nbreak", "Zoë"])
def test_a_value_that_a_header_cannot_carry_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(InvalidArgumentError, match="X-Tag has characters that a header cannot carry") as caught:
        prepared(headers={"X-Tag": value})
    assert value not in str(caught.value)


NUMBERS: dict[str, Callable[[Any], PreparedRequest]] = {
    "path": lambda n: prepared(path={"n": n}),
    "query": lambda n: prepared(query={"n": n}),
    "list in a query": lambda n: prepared(query={"n": [n]}),
    "extra query": lambda n: prepared(extra_query={"n": n}),
    "header": lambda n: prepared(headers={"n": n}),
    "list in a header": lambda n: prepared(headers={"n": [n]}),
    "deep in a body": lambda n: prepared(body={"n": [{"member": (n,)}]}),
    "extra body": lambda n: prepared(extra_body={"n": n}),
    "list in a multipart": lambda n: prepared("multipart/form-data", body={"n": [n]}),
    "object of a multipart": lambda n: prepared("multipart/form-data", body={"n": {"member": n}}, files={"file": b""}),
}


@pytest.mark.parametrize("place", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("number", [10**5000, float("nan"), float("-inf")], ids=["long", "nan", "-inf"])
def test_a_number_that_cannot_be_written_is_refused_by_its_name(place: Callable[[Any], None], number: float) -> None:
    with pytest.raises(InvalidArgumentError, match=r"^n\S* cannot be written: "):
        place(number)


# A body is written in the media type of its operation. If that is not possible, the error names the place.


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ({"a": UNSET, "b": None}, {"b": None}),
        ([{"a": 1}, Session(title="x")], [{"a": 1}, {"title": "x"}]),
        (None, None),
        (
            {"day": date(2026, 1, 2), "at": datetime(2026, 1, 2, tzinfo=UTC), "key": UUID(int=7)},
            {"day": "2026-01-02", "at": "2026-01-02T00:00:00+00:00", "key": "00000000-0000-0000-0000-000000000007"},
        ),
        ({"wait": timedelta(days=1, hours=2, seconds=0.5)}, {"wait": "PT93600.5S"}),
    ],
)
def test_any_value_is_written_as_json(body: Any, written: Any) -> None:
    assert json.loads(prepared(body=body).body.content or b"") == written


@pytest.mark.parametrize(
    ("media_type", "body", "content"),
    [
        ("text/csv", "Ä", b"\xc3\x84"),
        ("text/csv", b"\x00", b"\x00"),
        ("text/csv", bytearray(b"x"), b"x"),
    ],
)
def test_text_and_bytes_are_written(media_type: str, body: Any, content: bytes) -> None:
    written = prepared(media_type, body=body)
    assert written.body[:2] == (content, media_type)


def test_extra_members_join_the_body() -> None:
    assert json.loads(prepared(body={"a": 1}, extra_body={"b": 2}).body.content or b"") == {"a": 1, "b": 2}


ITSELF: dict[str, Any] = {}
ITSELF["prompt"] = [ITSELF]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": {"n": "a/../b"}, "wildcard": True}, r"n must be a path, not 'a/\.\./b'"),
        ({"query": {"n": {"a": 1}}}, "n must be a string, a number or a boolean, not dict"),
        ({"query": {"n": datetime(2026, 1, 1)}}, "n cannot be written: a datetime must have a timezone; add one"),
        ({"query": {"n": "\ud800"}}, "n cannot be written: 'utf-8' codec can't encode"),
        ({"query": {"n": 1}, "extra_query": {"n": 2}}, "extra_query has n, which the operation takes by name"),
        ({"headers": {"X-Tag": "a"}, "extra_headers": {"X-TAG": "b"}}, "extra_headers has x-tag, which the operation"),
        ({"media_type": "text/plain", "body": 7}, "body must be text or bytes, not int"),
        ({"media_type": "text/plain", "body": {"a": 1}}, "body must be text or bytes, not dict"),
        ({"media_type": "text/plain", "body": "\ud800"}, "body cannot be written: 'utf-8' codec can't encode"),
        ({"body": {"n": "\ud800"}}, "n cannot be written: 'utf-8' codec can't encode"),
        ({"body": {"m": 1, "n": object()}}, "n cannot be written: a value of type object"),
        ({"body": {"n": [1, {"b": {2j}}]}}, "n cannot be written: a value of type complex"),
        ({"body": {"n": {(1, 2): "x"}}}, "n cannot be written: keys must be str"),
        ({"body": ITSELF}, "prompt cannot be written: Circular reference detected"),
        ({"body": {"a": 1}, "extra_body": {"a": 2}}, "extra_body repeats a, which is given"),
        ({"body": {}, "extra_body": ["a"]}, "extra_body must be a mapping, not list"),
    ],
)
def test_what_cannot_be_written_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        prepared(**arguments)


# Requests as they arrive.

# Servers and proxies tell these paths apart, but some libraries do not. Encoded characters stay as they are.
TARGETS = {
    "/v3/a%2Fb%2fc%20d/100%/%zz": "/v3/a%2Fb%2fc%20d/100%25/%25zz",
    "/v3/a%25b%2525": "/v3/a%25b%2525",
    "/v3/%7Ea~b%41%2D%2E%5F": "/v3/%7Ea~b%41%2D%2E%5F",
    "/v3/a:b@c;d=e,f!$&'()*+-._~/": "/v3/a:b@c;d=e,f!$&'()*+-._~/",
    "/v3/é%C3%A9%e2%98%83%FF": "/v3/%C3%A9%C3%A9%e2%98%83%FF",
    "/v3/%00%0A%3F%23": "/v3/%00%0A%3F%23",
    "/v3/a//b/": "/v3/a//b/",
    '/v3/[a]|"{b}\\': "/v3/%5Ba%5D%7C%22%7Bb%7D%5C",
}


@all_clients
@pytest.mark.parametrize(("path", "target"), TARGETS.items())
@pytest.mark.parametrize("prefix", ["", "/a%2Fb/%7Ec"])
async def test_a_path_is_percent_encoded_once(transport: Any, path: str, target: str, prefix: str) -> None:
    """Every HTTP library sends the same bytes."""
    async with fault_server(response({})) as server, client(f"{server.base_url}{prefix}", transport) as platform:
        await platform.request("GET", path)
    assert [request.target for request in server.requests] == [f"{prefix}{target}"]


@all_clients
@pytest.mark.parametrize("text", ["a/b%2Fc", "~-._+b c,d", "é☃", "'()*!", "a&b=c#d?e", '"<>|^`{}[]\\'])
async def test_a_query_arrives_as_it_was_written(transport: Any, text: str) -> None:
    written = quote_plus(text)
    async with fault_server(response({})) as server, server.client(transport) as platform:
        await platform.request("GET", "/v3/x", query={"é": text})
    [request] = server.requests
    assert (request.target, request.query) == (f"/v3/x?%C3%A9={written}", {"é": text})
