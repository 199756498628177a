"""Malformed errors and redirects: the status decides, the rest is best effort."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from agent_session_platform import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    DecodeError,
    NotFoundError,
    PermissionDeniedError,
    ProblemError,
    RateLimitedError,
    ServerError,
    UnprocessableContentError,
)

from tests.faults.exposure import exposed
from tests.faults.test_bodies import failure
from tests.fixtures import all_transports
from tests.servers.fault_server import TOKEN, Script, fault_server
from tests.servers.scripts import gzip_response, response, then_close

NAME = "enterprise.blueprints.list"
NESTED = b'{"title": "T", "more": ' + b"[" * 900 + b"]" * 900 + b"}"
PROBLEM = "application/problem+json"


def problem(body: Any, status: str = "422 Unprocessable", *fields: str, media_type: str | None = PROBLEM) -> bytes:
    return response(body, status, *fields, media_type=media_type)


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        (problem({"title": "T", "status": 200}, "401 X"), AuthenticationError, "401 T"),
        (problem({"title": "T"}, "429 X", "Retry-After: 99"), RateLimitedError, "429 T"),
        (problem({"title": "T"}, "418 X"), ProblemError, "418 T"),
        (problem({"detail": "no such thing"}, "404 X"), NotFoundError, "404 Not Found: no such thing"),
        (problem({"title": 7, "detail": {"a": 1}}), UnprocessableContentError, "422 Unprocessable Content"),
        (problem({"title": [], "detail": True, "type": 1, "instance": {}}), UnprocessableContentError, "422 Unproc"),
        (problem({"title": "OK", "status": 200}, "500 X"), ServerError, "500 OK"),
        (problem({"detail": ["a", {"loc": ["body", 1, None], "msg": "m"}, None]}), UnprocessableContentError, ": m"),
        (problem(b"upstream error", "503 X", media_type="text/plain"), ServerError, "upstream error"),
        (problem({"message": "upstream error"}, "400 X"), BadRequestError, "upstream error"),
        (problem({"error": {"message": "upstream error"}}, "400 X"), BadRequestError, "upstream error"),
        (problem([]), UnprocessableContentError, "422 Unprocessable Content"),
        (problem(b"null"), UnprocessableContentError, "422 Unprocessable Content"),
        (problem(NESTED), UnprocessableContentError, "422 T"),
        (problem(b'{"title": "T", "n": ' + b"9" * 5000 + b"}"), UnprocessableContentError, "422 Unprocessable"),
        (problem(b'{"title": "\\ud800"}'), UnprocessableContentError, r"422 \ud800"),
        (problem(b'\xef\xbb\xbf{"title": "T"}'), UnprocessableContentError, "422 T"),
        (problem('{"title": "T"}'.encode("utf-16")), UnprocessableContentError, "422 T"),
        (problem('{"title": "é"}'.encode("latin-1")), UnprocessableContentError, "422 Unprocessable Content"),
        (problem(b"<html>", "502 X", media_type="text/html"), ServerError, "502 Bad Gateway (the body is text/html"),
        (problem(b"<html>", "403 X", media_type=None), PermissionDeniedError, "403 Forbidden (the body is of no type"),
        (problem({}, "599 X").replace(b" X", b" \xff\xfe\xe9", 1), ServerError, "599 unknown status"),
        (gzip_response(b'{"title": "T"}', keep=-8, status="404 X"), NotFoundError, "404 T"),
        (gzip_response(b'{"title": "T"}', keep=12, status="404 X"), NotFoundError, "404 Not Found"),
        (then_close(b'HTTP/1.1 409 X\r\nContent-Length: 100\r\n\r\n{"title":'), ConflictError, "409 Conflict"),
        (then_close(b"HTTP/1.1 500\r\nContent-Length: 0\r\n\r\n"), ServerError, "500 Internal Server Error"),
    ],
)
async def test_the_status_decides_the_class_and_the_message_names_the_operation(
    transport: Any, script: Script, error: type[ProblemError], message: str
) -> None:
    caught = await failure(script, transport)
    assert isinstance(caught, ProblemError)
    assert type(caught) is error
    assert str(caught).startswith(f"{NAME}: {caught.status} ")
    assert message in str(caught)
    assert len(str(caught)) < 400
    assert caught.operation is not None
    assert repr(vars(caught))
    for other in (pickle.loads(pickle.dumps(caught)), copy.deepcopy(caught)):
        assert (type(other), str(other), other.status) == (type(caught), str(caught), caught.status)


@pytest.mark.parametrize(("status", "method"), [(300, "GET"), (301, "POST"), (302, "GET"), (303, "POST"), (307, "GET")])
@pytest.mark.parametrize("elsewhere", [True, False])
async def test_a_redirect_is_never_followed(transport: Any, status: int, method: str, elsewhere: bool) -> None:
    async with (
        fault_server(response(b"{}")) as other,
        fault_server(
            response(b"", f"{status} X", f"Location: {other.base_url if elsewhere else ''}/v3/x"),
            by_path={"/v3/x": response(b"{}")},
        ) as server,
        server.client(transport) as platform,
    ):
        with pytest.raises(DecodeError, match=f"{method} /v3/y: {status} with a redirect to ") as caught:
            await platform.request(method, "/v3/y", body=None if method != "POST" else {"secret": TOKEN})
    assert caught.value.status == status
    assert "/v3/x, which is not followed" in str(caught.value)
    assert (other.connections, [request.path for request in server.requests]) == (0, ["/v3/y"])
    assert TOKEN not in exposed(caught.value)


@all_transports
@pytest.mark.parametrize(
    "location", ["", "//e.example/x", "javascript:alert(1)", "http://[::1", "http://a:b:c/", "ftp://e.example/"]
)
async def test_a_redirect_to_an_invalid_address_is_a_decode_error(transport: Any, location: str) -> None:
    error = await failure(response(b"", "302 X", f"Location: {location}"), transport)
    assert (type(error), error.status) == (DecodeError, 302)
