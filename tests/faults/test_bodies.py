"""Wrong responses, and responses that are made to be expensive, end in an error of the SDK at a bounded cost."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, DecodeError, ProblemError, ServerError, errors

from tests.faults.exposure import exposed
from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN, Connection, Request, Script, fault_server
from tests.servers.scripts import gzip_response, response, then_close

GOOD = b'{"data": []}'
HTML = b"<!doctype html><title>Welcome</title>"
MIB = 1024 * 1024
UNFIT = "a body that does not fit its Content-Encoding"


def encoded(body: bytes, encoding: str, status: str = "200 OK") -> bytes:
    return response(body, status, f"Content-Encoding: {encoding}")


def nested(depth: int, between: bytes = b"") -> bytes:
    return b'{"data": [], "more": ' + b"[" * depth + b"0" + (between + b"]") * depth + b"}"


def bomb(size: int, layers: int = 1) -> bytes:
    packed = gzip.compress(bytes(size))
    for _ in range(layers - 1):
        packed = gzip.compress(packed)
    return encoded(packed, ", ".join(["gzip"] * layers))


async def failure(script: Script, transport: Any, **settings: Any) -> AgentPlatformError:
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT, **settings) as platform:
        with pytest.raises(AgentPlatformError) as caught:
            await platform.enterprise.blueprints.list()
    return caught.value


@pytest.mark.parametrize(
    ("script", "status", "message"),
    [
        (response(HTML, media_type="text/html"), 200, "text/html instead of JSON, beginning '<!doctype"),
        (response(HTML), 200, "text that is not JSON (Expecting value"),
        (response(HTML, "203 Non-Authoritative", media_type="TEXT/HTML; charset=UTF-8"), 203, "text/html instead"),
        (then_close(b"HTTP/1.1 200 OK\r\nContent-Type: \xff\xfe\r\nContent-Length: 2\r\n\r\n{}"), 200, "instead of"),
        (response(b""), 200, "with an empty body"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", 204, "with an empty body"),
        (encoded(b"", "gzip"), 200, "with an empty body"),
        (response(b'{"data": [}'), 200, "line 1 column 11 (char 10)), beginning '{\"data\": [}'"),
        (response(b'{"data": ' + b"9" * 5000 + b"}"), 200, "text that is not JSON (Exceeds the limit"),
        (response('{"name": "é"}'.encode("latin-1")), 200, "not JSON ('utf-8' codec can't decode byte 0xe9"),
        (response(b"[]"), 200, "an array instead of an object"),
        (response(b"null"), 200, "null instead of an object, beginning 'null'"),
        (response(b"[" * 100_000 + b"]" * 100_000), 200, "JSON that is nested too deeply, beginning '[[["),
        (encoded(b"\x8b\x05\x80{}\x03", "br"), 200, f"{UNFIT} (br: only gzip was accepted)"),
        (encoded(b"no gzip at all", "gzip"), 200, UNFIT),
        (encoded(gzip.compress(GOOD)[:-8] + bytes(8), "gzip"), 200, UNFIT),
        (encoded(gzip.compress(GOOD) + b"garbage", "gzip"), 200, UNFIT),
        (encoded(gzip.compress(gzip.compress(GOOD)), "gzip, gzip"), 200, UNFIT),
        (encoded(zlib.compress(GOOD), "deflate"), 200, "only gzip was accepted"),
        *((gzip_response(GOOD, keep=keep), 200, UNFIT) for keep in (10, 14, -8, -1)),
    ],
)
async def test_an_invalid_success_is_a_decode_error(transport: Any, script: Script, status: int, message: str) -> None:
    error = await failure(script, transport)
    assert type(error) is DecodeError
    assert error.status == status
    assert error.operation is not None
    assert str(error).startswith(f"enterprise.blueprints.list: {status} with ")
    assert message in str(error)
    assert len(str(error)) < 500
    assert TOKEN not in exposed(error)


@all_transports
@pytest.mark.parametrize(
    "script",
    [
        response(GOOD),
        response(b"\xef\xbb\xbf" + GOOD),
        response(GOOD, media_type=None),
        response(GOOD, media_type="Application/JSON;charset=klingon"),
        response(GOOD, "200 OK", "Content-Type: application/json"),
        response(GOOD, media_type="application/vnd.acme+json"),
        response(GOOD, "299 X").replace(b" X\r\n", b" \xff\xfe\xe9\r\n", 1),
        gzip_response(GOOD),
        encoded(gzip.compress(GOOD[:5]) + bytes(4) + gzip.compress(GOOD[5:]) + bytes(4), "gzip"),
        encoded(GOOD, "identity"),
        # What is no compression changes nothing.
        *(encoded(GOOD, name) for name in ("utf-8", "none", "aws-chunked", "UTF8, identity")),
        response(nested(99)),
        response(b'{"data": [' + b"[ ] ," * 101 + b"1]}"),
        b"HTTP/1.1 100 Continue\r\n\r\n" * 50 + response(GOOD),
        response(GOOD, "200 OK", "X-Odd: \xe9", "Set-Cookie: ;;;=;\x7f"),
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6;x=y\r\n{"data\r\n6\r\n": []}\r\n0\r\nX: y\r\n\r\n',
        then_close(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + GOOD),
        b"HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 12\n\n" + GOOD,
    ],
)
async def test_an_odd_but_valid_response_is_accepted(transport: Any, script: Script) -> None:
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        assert (await platform.enterprise.blueprints.list()).data is not None


@all_transports
async def test_a_gzip_body_cut_off_after_its_head_is_not_an_empty_response(transport: Any) -> None:
    async with fault_server(gzip_response(GOOD, keep=10)) as server, server.client(transport) as platform:
        with pytest.raises(AgentPlatformError):
            await platform.request("DELETE", "/v3/x")


@all_transports
@pytest.mark.parametrize(
    ("head", "settings", "cls", "beginning", "sent_at_most"),
    [
        ("200 OK", {"max_body": 100_000}, DecodeError, "200 with a body of more than 100000 bytes", 50 * MIB),
        ("200 OK", {}, DecodeError, "200 with a body of more than 16777216 bytes", 70 * MIB),
        ("500 Oops", {}, ServerError, "500 ", 10 * MIB),
    ],
)
async def test_an_endless_body_is_not_read_on(
    transport: Any, head: str, settings: Any, cls: type[Any], beginning: str, sent_at_most: int
) -> None:
    sent = 0

    async def endless(request: Request, connection: Connection) -> None:
        nonlocal sent
        await connection.send(
            f"HTTP/1.1 {head}\r\nContent-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n".encode()
        )
        while True:
            await connection.send(b" " * 65536)
            sent += 65536

    error = await failure(endless, transport, **settings)
    assert type(error) is cls
    assert str(error).startswith(f"enterprise.blueprints.list: {beginning}")
    # The error keeps 64 KiB of the body. The kernel may have received more than the client has read.
    assert len(error.body or "") <= 65_536
    assert sent < sent_at_most


@all_transports
async def test_a_body_of_exactly_the_limit_is_read(transport: Any) -> None:
    async with fault_server(response(GOOD)) as server, server.client(transport, max_body=len(GOOD)) as platform:
        assert (await platform.enterprise.blueprints.list()).data == []
    assert isinstance(await failure(response(GOOD), transport, max_body=len(GOOD) - 1), DecodeError)


@pytest.fixture
def peak_memory() -> Iterator[Callable[[], int]]:
    """Trace the memory of a test, and yield a function that returns the peak in bytes."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


MANY_VALUES = gzip.compress(b"[" + b"[]," * 8_000_000 + b"[]]")


@all_transports
@pytest.mark.parametrize(
    ("script", "settings"),
    [
        (bomb(32 * MIB), {"max_body": MIB}),
        (bomb(32 * MIB, layers=2), {"max_body": MIB}),
        (encoded(MANY_VALUES, "gzip"), {}),
        (encoded(MANY_VALUES, "gzip", "429 Too Many Requests"), {}),
    ],
    ids=["zeros", "two layers", "millions of values", "millions of values in an error"],
)
async def test_a_bomb_keeps_to_the_memory_limit(transport: Any, script: bytes, settings: Any, peak_memory: Any) -> None:
    await failure(script, transport, **settings)
    assert peak_memory() < 2 * settings.get("max_body", 16 * MIB) + 14 * MIB


@pytest.mark.parametrize(
    ("body", "settings", "beginning"),
    [
        (b"[" * 200 + b"]" * 200, {}, "[[["),
        (b'"' + b"x" * 9000 + b'"', {}, '"xxx'),
        (b"x" * 9000, {"max_body": 5000}, "xxx"),
        ("\u00e9".encode("utf-16") * 9000, {}, "\u00e9"),
        (b" " * (4096 - 10) + TOKEN.encode(), {}, "   "),
    ],
)
async def test_the_body_of_a_decode_error_is_short(transport: Any, body: bytes, settings: Any, beginning: str) -> None:
    error = await failure(response(body), transport, **settings)
    assert isinstance(error, DecodeError)
    assert error.body is not None
    assert error.body.startswith(beginning)
    assert len(error.body) <= 4096
    assert TOKEN[:9] not in exposed(error)


@pytest.mark.parametrize("between", [b"", b" ", b"\t\r\n", b',"x"', b",[]", b",{}", b' , "long text, and ]"'])
@pytest.mark.parametrize("depth", [100, 900])
async def test_nesting_beyond_100_is_refused_whatever_is_between(transport: Any, depth: int, between: bytes) -> None:
    error = await failure(response(nested(depth, between)), transport)
    assert "200 with JSON that is nested too deeply" in str(error)


# For errors and redirects, the status decides the class of the error. Details of the body are best effort.

UNPROCESSABLE = errors.UnprocessableContentError
NESTED = b'{"title": "T", "more": ' + b"[" * 900 + b"]" * 900 + b"}"
PROBLEM = "application/problem+json"


def problem(body: Any, status: str = "422 Unprocessable", *fields: str, media_type: str | None = PROBLEM) -> bytes:
    return response(body, status, *fields, media_type=media_type)


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        (problem({"title": "T", "status": 200}, "401 X"), errors.AuthenticationError, "401 T"),
        (problem({"title": "T"}, "429 X", "Retry-After: 99"), errors.RateLimitedError, "429 T"),
        (problem({"title": "T"}, "418 X"), ProblemError, "418 T"),
        (problem({"detail": "no such thing"}, "404 X"), errors.NotFoundError, "404 Not Found: no such thing"),
        (problem({"title": 7, "detail": {"a": 1}}), UNPROCESSABLE, "422 Unprocessable Content"),
        (problem({"title": [], "detail": True, "type": 1, "instance": {}}), UNPROCESSABLE, "422 Unproc"),
        (problem({"title": "OK", "status": 200}, "500 X"), ServerError, "500 OK"),
        (problem({"detail": ["a", {"loc": ["body", 1, None], "msg": "m"}, None]}), UNPROCESSABLE, ": m"),
        (problem(b"upstream error", "503 X", media_type="text/plain"), ServerError, "upstream error"),
        (problem({"message": "upstream error"}, "400 X"), errors.BadRequestError, "upstream error"),
        (problem({"error": {"message": "upstream error"}}, "400 X"), errors.BadRequestError, "upstream error"),
        (problem([]), UNPROCESSABLE, "422 Unprocessable Content"),
        (problem(NESTED), UNPROCESSABLE, 'beginning \'{"title": "T", '),
        (problem(b'{"title": "\\ud800"}'), UNPROCESSABLE, r"422 \ud800"),
        (problem(b'\xef\xbb\xbf{"title": "T"}'), UNPROCESSABLE, "422 T"),
        (problem('{"title": "T"}'.encode("utf-16")), UNPROCESSABLE, "422 T"),
        (problem('{"title": "é"}'.encode("latin-1")), UNPROCESSABLE, "422 Unprocessable Content"),
        (problem(b"<html>", "502 X", media_type="text/html"), ServerError, "502 Bad Gateway (the body is text/html"),
        (problem(b"<html>", "403 X", media_type=None), errors.PermissionDeniedError, "(the body is of no type"),
        (problem({}, "599 X").replace(b" X", b" \xff\xfe\xe9", 1), ServerError, "599 unknown status"),
        (gzip_response(b'{"title": "T"}', keep=-8, status="404 X"), errors.NotFoundError, "404 T"),
        (gzip_response(b'{"title": "T"}', keep=12, status="404 X"), errors.NotFoundError, "404 Not Found"),
        (then_close(b'HTTP/1.1 409 X\r\nContent-Length: 100\r\n\r\n{"title":'), errors.ConflictError, "409 Conflict"),
        (then_close(b"HTTP/1.1 500\r\nContent-Length: 0\r\n\r\n"), ServerError, "500 Internal Server Error"),
    ],
)
async def test_the_status_decides_the_class(transport: Any, script: Script, error: type[Any], message: str) -> None:
    caught = await failure(script, transport)
    assert isinstance(caught, ProblemError)
    assert type(caught) is error
    assert str(caught).startswith(f"enterprise.blueprints.list: {caught.status} ")
    assert message in str(caught)
    assert len(str(caught)) < 400
    assert caught.operation is not None
    assert repr(vars(caught))
    for other in (pickle.loads(pickle.dumps(caught)), copy.copy(caught), copy.deepcopy(caught)):
        assert (type(other), str(other), vars(other)) == (type(caught), str(caught), vars(caught))


async def test_a_304_is_no_redirect(transport: Any) -> None:
    error = await failure(b"HTTP/1.1 304 Not Modified\r\n\r\n", transport)
    assert "304 Not Modified: there is no body, because a condition such as If-None-Match holds" in str(error)
    assert "redirect" not in str(error)


CHARSETS = {
    "ISO-8859-1": "Café",
    "windows-1252": "“Café”",
    "windows-1251": "Привет",
    "Shift_JIS": "日本語",
    "koi8-r": "Привет",
    "gb18030": "日本語",
    "utf-16le": "日本語",
    "utf-8": "日本語",
    "ISO_8859-1": "Café",
    "cp1252": "“Café”",
}


@all_transports
@pytest.mark.parametrize(("charset", "text"), CHARSETS.items(), ids=CHARSETS)
async def test_json_may_be_in_the_charset_that_the_response_declares(transport: Any, charset: str, text: str) -> None:
    content = json.dumps({"data": [], "title": text, "detail": text}, ensure_ascii=False).encode(charset)
    script = response(content, media_type=f"application/json; charset={charset}")
    async with fault_server(script) as server, server.client(transport) as platform:
        assert (await platform.enterprise.blueprints.list()).to_dict()["title"] == text
    problem = response(content, "422 X", media_type=f'application/problem+json; charset="{charset}"')
    error: Any = await failure(problem, transport)
    assert (error.title, error.detail) == (text, text)


@all_transports
async def test_the_declared_charset_does_not_count_where_the_body_is_in_utf_8(transport: Any) -> None:
    content = json.dumps({"data": [], "title": "Café"}, ensure_ascii=False).encode()
    script = response(content, media_type="application/json; charset=ISO-8859-1")
    async with fault_server(script) as server, server.client(transport) as platform:
        assert (await platform.enterprise.blueprints.list()).to_dict()["title"] == "Café"


@all_transports
@pytest.mark.parametrize("charset", ["klingon", "punycode", "rot13", "idna", "unicode_escape", "windows-9999"])
async def test_an_unknown_charset_is_taken_for_utf_8(transport: Any, charset: str) -> None:
    script = response('{"title": "é"}'.encode("latin-1"), media_type=f"application/json; charset={charset}")
    assert "'utf-8' codec can't decode byte 0xe9" in str(await failure(script, transport))


@all_transports
async def test_a_header_that_is_no_utf_8_is_latin_1(transport: Any) -> None:
    latin, utf = "X-Reason: Straße".encode("latin-1"), "X-Place: Zürich".encode()
    error = await failure(b"HTTP/1.1 422 X\r\nContent-Length: 0\r\n%b\r\n%b\r\n\r\n" % (latin, utf), transport)
    assert error.response is not None
    assert error.response.headers["x-reason"] == "Straße"
    assert error.response.headers["x-place"] == "Zürich"


@all_transports
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
