"""A session of aiohttp that the caller has made: used with all that it has, on connections that nothing is left on."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from agent_session_platform import (
    ConfigurationError,
    RequestOptions,
)

from tests.servers.fault_server import Request, client, fault_server
from tests.servers.scripts import response
from tests.servers.tls import make_certificate, needs_openssl, tls_server

OK = response({"n": 1})
PATH = "/v3/x"


async def test_the_middlewares_of_a_session_see_every_attempt() -> None:
    seen: list[str] = []

    async def record(request: aiohttp.ClientRequest, handler: Any) -> Any:
        seen.append(request.headers["x-agent-platform-attempt"])
        return await handler(request)

    busy = response(b"", "429 Too Many Requests", "Retry-After: 0.01")
    async with (
        fault_server(busy, OK) as server,
        aiohttp.ClientSession(middlewares=[record]) as own,
        server.client(http_client=own) as platform,
    ):
        await platform.request("GET", PATH)
    assert seen == ["1", "2"]


async def test_the_headers_and_cookies_of_a_session_go_with_a_request() -> None:
    async with (
        fault_server(OK) as server,
        aiohttp.ClientSession(
            headers={"X-Own": "1", "User-Agent": "other"},
            cookies={"a": "b"},
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            raise_for_status=True,
        ) as own,
        server.client(http_client=own) as platform,
    ):
        await platform.request("POST", PATH, body={"a": 1})
    sent = server.requests[0].headers
    assert (sent["x-own"], sent["cookie"], sent["content-length"]) == ("1", "a=b", "7")
    assert sent["user-agent"].startswith("agent-session-platform/")


@needs_openssl
async def test_nothing_of_a_session_goes_to_another_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))

    async def add_key(request: aiohttp.ClientRequest, handler: Any) -> Any:
        request.headers["X-Middleware"] = "s3cret"
        return await handler(request)

    requests: list[Request] = []
    settings: dict[str, Any] = {"headers": {"X-Own": "s3cret"}, "cookies": {"a": "s3cret"}, "middlewares": [add_key]}
    async with (
        tls_server(certificate, response(b"file", media_type="text/plain"), requests) as address,
        fault_server(response(b"", "302 Found", f"Location: https://{address}/f")) as server,
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=ssl.create_default_context()),
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            **settings,
        ) as own,
        server.client(http_client=own) as platform,
    ):
        options = RequestOptions(extra_headers={"X-Team-Key": "s3cret"})
        download = platform.organization().attachments.download("uuid", "name", options=options)
        assert await download.read(follow=True, hosts=[address]) == b"file"
    assert "s3cret" in str(server.requests[0].fields)
    assert set(requests[0].headers) == {"host", "user-agent", "accept", "accept-encoding"}


async def test_a_session_stays_open() -> None:
    async with fault_server(OK) as server, aiohttp.ClientSession() as own:
        async with server.client(http_client=own) as platform:
            await platform.request("GET", PATH)
        assert not own.closed
        async with own.get(server.base_url) as still:
            assert still.status == 200


async def test_a_closed_session_is_refused() -> None:
    own = aiohttp.ClientSession()
    await own.close()
    async with client("http://127.0.0.1:9", http_client=own) as platform:
        with pytest.raises(ConfigurationError, match="the http_client that was passed is closed"):
            await platform.request("GET", PATH)
