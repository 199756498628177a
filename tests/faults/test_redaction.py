"""The token is in no repr, message, log, pickle or local variable of a traceback. No message has what was sent.

Error reporters send local variables. Some local variables have bodies, queries and headers of the caller, as
SECURITY.md says.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import httpx
import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, Credential, RequestOptions, RetryPolicy, errors
from agent_session_platform._api import Request
from hypothesis import given, strategies as st

from tests.faults.exposure import exposed, leaks
from tests.faults.test_bodies import problem
from tests.fixtures import ONE_ATTEMPT, URL, all_transports, make_operation, until
from tests.servers.fault_server import TOKEN, Script, client, fault_server
from tests.servers.scripts import response, silence, then_close, then_reset
from tests.strategies import stable

NOWHERE = "http://127.0.0.1:9"
SECRET = "pzq-value-7f3e91"
ESCAPED = TOKEN.replace("_", "\\u005f")
ECHOES: dict[str, Script] = {
    "members": problem({"title": TOKEN, "detail": f"Bearer {TOKEN}", "type": TOKEN, "instance": f"/x?{TOKEN}"}),
    "validation": problem({"detail": [{"loc": [TOKEN], "msg": TOKEN, TOKEN: {TOKEN: [TOKEN]}}]}),
    "where it is cut": problem({"title": "x" * 290 + TOKEN, "detail": " " * 1190 + TOKEN}),
    "escaped": problem(f'{{"title": "No", "detail": "{ESCAPED}"}}'.encode(), "401 X"),
    "escaped in UTF-16": problem(f'{{"title": "{ESCAPED}"}}'.encode("utf-16")),
    "media type": problem(f"<p>{TOKEN}".encode(), media_type=f"text/{TOKEN}"),
    "headers": problem({}, f"401 {TOKEN}", f"WWW-Authenticate: Bearer {TOKEN}", f"X-Seen: {TOKEN}"),
    "Retry-After": problem({}, "429 X", f"Retry-After: {TOKEN}"),
    "Location": problem({}, "302 X", f"Location: https://e.example/{TOKEN}"),
    "HTML": response(f"<p>Bearer {TOKEN}".encode(), media_type="text/html"),
    "no JSON": response(f"{'x' * 70}{TOKEN}".encode()),
    "status line": then_close(f"HTTP/1.1 {TOKEN}\r\n\r\n".encode()),
    "header line": then_close(f"HTTP/1.1 200 OK\r\n{TOKEN}\r\n\r\n".encode()),
    "length": then_close(f"HTTP/1.1 200 OK\r\nContent-Length: {TOKEN}\r\n\r\n".encode()),
    "chunk": then_close(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{TOKEN}\r\n".encode()),
    "large header": then_close(f"HTTP/1.1 200 OK\r\nX: {TOKEN * 9000}\r\n\r\n".encode()),
    "nothing": then_reset(),
}


async def failure(awaitable: Awaitable[Any]) -> BaseException:
    try:
        await awaitable
    except BaseException as error:
        return error
    raise AssertionError("nothing failed")


@all_transports
@pytest.mark.parametrize("script", ECHOES.values(), ids=ECHOES)
async def test_no_error_shows_an_echoed_token(transport: Any, script: Script, caplog: pytest.LogCaptureFixture) -> None:
    """The log does not show the token either. The log of httpcore is not checked, because it quotes malformed lines."""
    caplog.set_level(logging.DEBUG)
    retry = RetryPolicy(attempts=2, backoff_base=0.0)
    async with fault_server(script) as server, server.client(transport, retry=retry) as platform:
        error: BaseException | None = await failure(platform.enterprise.blueprints.list())
        raw = await failure(platform.request("GET", f"/v3/{TOKEN}"))
    assert error is not None
    assert TOKEN not in f"{raw} {raw!r} {getattr(raw, 'response', None)!r}"
    assert TOKEN not in exposed(error)
    assert TOKEN not in "\n".join(each.getMessage() for each in caplog.records if not each.name.startswith("httpcore"))
    # The traceback of an error of the HTTP library would hold the request with its headers.
    while error is not None:
        assert isinstance(error, AgentPlatformError)
        error = error.__cause__ or error.__context__


async def test_the_token_is_replaced_in_the_message() -> None:
    async with fault_server(problem({"title": TOKEN}, "401 X")) as server, server.client() as platform:
        assert "401 [credential]" in str(await failure(platform.enterprise.blueprints.list()))


SPELLED_TOKEN = "svc_ab/cd+ef/gh==~"
SPELLINGS = {
    "percent-encoded": quote(SPELLED_TOKEN, safe=""),
    "in lower case": quote(SPELLED_TOKEN, safe="").lower(),
    "with its slashes": quote(SPELLED_TOKEN),
    "twice": quote(quote(SPELLED_TOKEN, safe=""), safe=""),
    "every byte": "".join(f"%{byte:02x}" for byte in SPELLED_TOKEN.encode()),
    "some bytes": SPELLED_TOKEN.replace("c", "%63").replace("/", "%2F", 1).replace("+", "%2b"),
    "decoded as a query": SPELLED_TOKEN.replace("+", " "),
    "JSON of PHP": SPELLED_TOKEN.replace("/", r"\/"),
    "JSON of .NET": SPELLED_TOKEN.replace("+", r"\u002B"),
    "HTML of .NET": SPELLED_TOKEN.replace("+", "&#x2B;"),
    "JSON, percent-encoded": quote(SPELLED_TOKEN.replace("/", r"\/"), safe=""),
    "JSON within JSON": SPELLED_TOKEN.replace("/", r"\\\/").replace("+", r"\\u002b"),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("media_type", ["application/json", "text/html"])
async def test_a_token_is_replaced_however_the_server_spells_it(spelling: str, media_type: str) -> None:
    detail = f"<{spelling}> is no token, %41"
    body = json.dumps({"title": "No", "detail": detail}) if "json" in media_type else detail
    headers = {"Content-Type": media_type, "X-Seen": f"<{spelling}>"}
    transport = httpx.MockTransport(lambda request: httpx.Response(400, text=body, headers=headers))
    async with AgentPlatform(URL, SPELLED_TOKEN, transport=transport) as platform:
        error = await failure(platform.enterprise.blueprints.list())
    assert isinstance(error, errors.ProblemError)
    assert error.response is not None
    assert "<[credential]> is no token, %41" in str(error.body)
    assert error.response.headers["x-seen"] == "<[credential]>"
    assert spelling not in exposed(error)


@stable
@given(data=st.data())
def test_no_mix_of_spellings_shows_the_token(data: st.DataObject) -> None:
    def spell(character: str) -> str:
        code = ord(character)
        spellings = [character, f"%{code:02x}", f"%{code:02X}", f"%25{code:02x}", f"\\u{code:04x}"]
        if character == "/":
            spellings.append(r"\/")
        return data.draw(st.sampled_from(spellings))

    spelled = "".join(map(spell, SPELLED_TOKEN))
    platform = AgentPlatform(URL, SPELLED_TOKEN)
    assert platform.redact(f"a/{spelled}/b%2Fc") == "a/[credential]/b%2Fc"


# A token may have what looks like an escape.
@pytest.mark.parametrize("token", ["svc_%41%2F/end", "svc_a%25%2525b/c", r"svc_a\u0041\/b", "svc_%%\\\\/%2F"])
@pytest.mark.parametrize(
    "spell",
    [
        str,
        quote,
        lambda token: quote(quote(token, safe=""), safe=""),
        json.dumps,
        lambda token: json.dumps(json.dumps(token)),
        lambda token: json.dumps(token).replace("/", r"\/"),
        lambda token: json.dumps(quote(token)),
        lambda token: quote(json.dumps(token)[1:-1]),
        unquote,
    ],
)
def test_a_token_that_looks_escaped_is_replaced(token: str, spell: Callable[[str], str]) -> None:
    text = spell(token).strip('\\"')
    assert AgentPlatform(URL, token).redact(f"<{text}>, é %41") == "<[credential]>, é %41"


@pytest.mark.parametrize("part", ["%41", "%25", "%2525", "\\", "\\u0041", "svc_", "a", quote(SPELLED_TOKEN, safe="")])
@pytest.mark.parametrize("token", [SPELLED_TOKEN, "a" * 2000 + "b"])
def test_a_hostile_text_is_redacted_in_linear_time(part: str, token: str) -> None:
    platform = AgentPlatform(URL, token)
    began = time.process_time()
    platform.redact(part * (2**20 // len(part)))
    # It takes less than half a second; with quadratic time it would take hours.
    assert time.process_time() - began < 10


@pytest.mark.parametrize("length", [1_500, 16_000])
@pytest.mark.parametrize("detail", ["100 % of it", r"a\b", "a+b", "{}", "%2F" * 5_000], ids=len)
def test_a_long_token_is_redacted_within_20_ms(length: int, detail: str) -> None:
    token = f"eyJ{'aB3-_x'.join(map(str, range(4_000)))}"[:length]
    platform = AgentPlatform(URL, token)
    text = detail.format(quote(token)) + "."
    seconds: list[float] = []
    for _ in range(3):
        began = time.process_time()
        platform.redact(text)
        seconds.append(time.process_time() - began)
    assert min(seconds) < 0.02


Use = Callable[[AgentPlatform], Awaitable[Any]]
NEVER = Path(tempfile.gettempdir(), "never")
USES: dict[str, Use] = {
    "call": lambda platform: platform.organization().sessions.get("assistant-1"),
    "write": lambda platform: platform.organization().secrets.create(value=SECRET),
    "upload": lambda platform: platform.organization().attachments.upload(file=io.BytesIO(SECRET.encode())),
    "raw": lambda platform: platform.request("POST", "/v3/x", query={"signature": SECRET}, body={"value": SECRET}),
    "pages": lambda platform: anext(platform.organization().sessions.list(origins=[SECRET]).pages()),
    "download": lambda platform: platform.organization().attachments.download("a", "b").read(),
    "file": lambda platform: platform.organization().attachments.download("a", "b").save(NEVER),
}


async def all_leaks(run: Callable[[Use], Awaitable[Any]]) -> dict[str, list[str]]:
    """Run each use, and return the places where its error shows a secret; uses without such places are left out."""
    found: dict[str, list[str]] = {}
    for name, use in USES.items():
        error = await failure(run(use))
        found[name] = leaks(error, TOKEN)
        if isinstance(error, AgentPlatformError) and SECRET in exposed(error):
            found[name].append("what was sent")
    return {name: places for name, places in found.items() if places}


# What the server does, whether the caller cancels the call or closes the client then, and the settings of the client.
ENDS: dict[str, tuple[Script, str | None, dict[str, Any]]] = {
    "404": (problem({"title": "No"}, "404 Not Found"), None, {}),
    "500": (response(b"<html>", "500 X", media_type="text/html"), None, {}),
    "429": (response(b"", "429 X", "Retry-After: 7000"), None, {}),
    "redirect": (response(b"", "307 X", f"Location: https://files.example/a?X-Signature={SECRET}"), None, {}),
    "not gzip": (response(b"no", "200 OK", "Content-Encoding: gzip"), None, {}),
    "closed": (then_close(), None, {}),
    "reset": (then_reset(), None, {}),
    "broken body": (then_close(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"), None, {}),
    "timeout": (silence, None, {"timeout": 0.02}),
    "deadline": (silence, None, {"retry": RetryPolicy(deadline=0.02)}),
    "cancel": (silence, "cancel", {}),
    "close": (silence, "close", {}),
}


@all_transports
@pytest.mark.parametrize(("script", "end", "settings"), ENDS.values(), ids=ENDS)
async def test_no_response_makes_a_traceback_with_the_token(
    transport: Any, script: Script, end: str | None, settings: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """A timeout, a cancelled call and a closed client make no such traceback either."""

    async def run(use: Use) -> None:
        arguments = {"retry": ONE_ATTEMPT, **settings}
        async with fault_server(script) as server, server.client(transport, **arguments) as platform:
            calling = asyncio.ensure_future(use(platform))
            await until(lambda: server.requests or calling.done())
            if end == "cancel":
                calling.cancel()
            elif end == "close":
                await platform.aclose()
            await calling

    caplog.set_level(logging.DEBUG, "agent_session_platform")
    assert await all_leaks(run) == {}
    assert TOKEN not in caplog.text
    assert SECRET not in caplog.text


@all_transports
async def test_no_call_that_is_not_sent_shows_the_token(transport: Any) -> None:
    async with client(NOWHERE, transport, retry=ONE_ATTEMPT) as platform:
        assert await all_leaks(lambda use: use(platform)) == {}
    # The client is closed now.
    assert await all_leaks(lambda use: use(platform)) == {}


class Interrupted(BaseException):
    """An interrupt, in place of KeyboardInterrupt, which would end the event loop of the tests."""


@pytest.mark.parametrize("make", [lambda: KeyError("app"), Interrupted], ids=["error of an application", "interrupt"])
async def test_an_error_of_the_application_shows_no_token(make: Callable[[], BaseException]) -> None:
    for use in USES.values():
        error = make()

        def fail(given: object, error: BaseException = error) -> Any:
            raise error

        async with client(NOWHERE, httpx.MockTransport(fail)) as platform:
            assert await failure(use(platform)) is error
            assert platform.rate_limiter.stats().in_flight == 0
        assert leaks(error, TOKEN) == []


DEEP: Any = {"value": SECRET, "list": [{"a": SECRET, "b": {SECRET.encode()}}]}
TEXT: Any = SECRET
LIST: Any = [SECRET]
REFUSED: dict[str, Callable[[AgentPlatform], Any]] = {
    "type deep inside": lambda platform: platform.organization().secrets.create(body=DEEP),
    "text as a body": lambda platform: platform.organization().secrets.create(body=TEXT),
    "surrogate": lambda platform: platform.organization().secrets.create(value=f"{SECRET}\ud800"),
    "extra body": lambda platform: platform.organization().sessions.create(extra_body=TEXT),
    "query": lambda platform: platform.organization().sessions.list(first=TEXT).collect(),
    "raw path": lambda platform: platform.request("GET", f"/v3/x?signature={SECRET}"),
    "options": lambda platform: platform.request("GET", "/v3/x", body=SECRET, options=DEEP),
    "token as an id": lambda platform: platform.request("GET", f"{TOKEN}/x"),
    "extra query": lambda platform: RequestOptions(extra_query=LIST),
    "another option": lambda platform: RequestOptions(extra_query={"signature": SECRET}, timeout=-1),
}


@pytest.mark.parametrize("use", REFUSED.values(), ids=REFUSED)
async def test_no_refused_argument_is_in_a_message(use: Any) -> None:
    async def run() -> None:
        async with client(NOWHERE) as platform:
            await use(platform)

    error = await failure(run())
    assert type(error).__name__ == "InvalidArgumentError", error
    assert SECRET not in exposed(error)
    assert TOKEN not in exposed(error)


@pytest.mark.parametrize("settings", [{"timeout": -1}, {"organization": "acme"}, {"rate_limiter": 1}])
def test_no_refused_setting_shows_the_token(settings: dict[str, Any]) -> None:
    with pytest.raises(AgentPlatformError) as caught:
        AgentPlatform(URL, TOKEN, **settings)
    assert leaks(caught.value, TOKEN) == []


@pytest.mark.parametrize(("base_url", "organization"), [(TOKEN, None), (URL, TOKEN)])
def test_no_message_about_a_token_in_another_place_shows_it(base_url: str, organization: str | None) -> None:
    with pytest.raises(AgentPlatformError) as caught:
        AgentPlatform(base_url, TOKEN, organization=organization)
    assert TOKEN not in exposed(caught.value)


def test_no_repr_shows_the_token_or_what_is_sent() -> None:
    platform = AgentPlatform(URL, TOKEN)
    attributes = [getattr(platform, name) for name in dir(platform)]
    assert TOKEN not in repr([platform, *attributes, Credential(TOKEN)])
    assert TOKEN not in f"{Credential(TOKEN)} {platform._configuration}"
    headers, query = {"X-Signature": SECRET}, {"signature": SECRET}
    assert SECRET not in repr(RequestOptions(extra_headers=headers, extra_query=query))
    assert SECRET not in repr(Request(make_operation(), dict, {}, query, query))
