"""A session of aiohttp that the caller has made: used with all that it has, on connections that nothing is left on."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from agent_session_platform import (
    CertificateError,
    ConfigurationError,
    ConnectionFailedError,
    OutcomeUnknownError,
    RequestOptions,
)

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import CERTIFICATES, Request, client, fault_server
from tests.servers.scripts import response, then_close
from tests.servers.tls import demanding_server, make_certificate, needs_openssl, tls_server

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


async def test_a_middleware_of_a_session_may_send_again() -> None:
    async def again(request: aiohttp.ClientRequest, handler: Any) -> Any:
        try:
            return await handler(request)
        except aiohttp.ServerDisconnectedError:
            return await handler(request)

    async with (
        fault_server(then_close(b""), OK) as server,
        aiohttp.ClientSession(middlewares=[again]) as own,
        server.client(http_client=own, retry=ONE_ATTEMPT) as platform,
    ):
        assert await platform.request("GET", PATH) == {"n": 1}


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


@pytest.mark.parametrize("leftover", [response({"n": "uninvited"}), b"HTTP/1.1 200 OK\r\n", b"x"])
async def test_no_call_gets_what_came_after_a_response_to_the_application(leftover: bytes) -> None:
    async with (
        fault_server(OK) as server,
        aiohttp.ClientSession() as own,
        server.client(http_client=own, retry=ONE_ATTEMPT) as platform,
    ):
        for _ in range(3):
            async with own.get(server.base_url) as received:
                await received.read()
            [connection] = server.opened
            await connection.send(leftover)
            assert await platform.request("POST", PATH, body={}) == {"n": 1}
            while server.opened:
                await asyncio.sleep(0)


async def test_a_write_does_not_go_over_a_connection_of_the_application_that_was_closed() -> None:
    async with (
        fault_server(then_close(OK), OK) as server,
        aiohttp.ClientSession() as own,
        server.client(http_client=own, retry=ONE_ATTEMPT) as platform,
    ):
        async with own.get(server.base_url) as received:
            await received.read()
        while server.opened:
            await asyncio.sleep(0)
        assert await platform.request("POST", PATH, body={}) == {"n": 1}


async def test_nothing_is_sent_to_a_server_that_begins_to_talk() -> None:
    async def talk(connection: Any) -> None:
        await connection.send(b"220 mail.example.com ESMTP\r\n")

    async with (
        fault_server(OK, on_connect=talk) as server,
        aiohttp.ClientSession() as own,
        server.client(http_client=own, retry=ONE_ATTEMPT, timeout=2) as platform,
    ):
        expected = (
            r"could not connect to .* \(UnusableConnectionError: every connection had bytes that no request asked"
        )
        with pytest.raises(ConnectionFailedError, match=expected) as caught:
            await platform.request("POST", PATH, body={})
    assert not caught.value.received
    assert server.requests == []


async def test_a_connection_that_cannot_be_used_after_a_request_is_no_proof_that_nothing_was_sent() -> None:
    """A middleware sends again: first over a connection that breaks off, then over those that begin to talk."""
    connections: list[Any] = []

    async def talk_later(connection: Any) -> None:
        connections.append(connection)
        if len(connections) > 1:
            await connection.send(b"220 mail.example.com ESMTP\r\n")

    async def again(request: aiohttp.ClientRequest, handler: Any) -> Any:
        try:
            return await handler(request)
        except aiohttp.ServerDisconnectedError:
            return await handler(request)

    async with (
        fault_server(then_close(b""), OK, on_connect=talk_later) as server,
        aiohttp.ClientSession(middlewares=[again]) as own,
        server.client(http_client=own, retry=ONE_ATTEMPT, timeout=2) as platform,
    ):
        with pytest.raises(OutcomeUnknownError):
            await platform.request("POST", PATH, body={})
    assert len(server.requests) == 1


async def test_a_session_that_finds_other_credentials_in_netrc_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login user password hush-0123456789\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    async with (
        fault_server(OK) as server,
        aiohttp.ClientSession(trust_env=True) as own,
        server.client(http_client=own) as platform,
    ):
        with pytest.raises(ConfigurationError, match=r"has trust_env=True, .* netrc file") as caught:
            await platform.request("GET", PATH)
    assert server.requests == []
    assert leaks(caught.value, "hush-0123456789") == []


@needs_openssl
async def test_a_server_that_demands_a_certificate_of_a_session_is_told_so(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    with demanding_server(tmp_path / "certificate.pem") as seen:
        context = ssl.create_default_context(cafile=CERTIFICATES / "authority.pem")
        async with (
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context)) as own,
            client(f"https://{seen[0]}", http_client=own) as platform,
        ):
            with pytest.raises(CertificateError, match="the server demands a client certificate") as caught:
                await platform.request("POST", PATH, body={})
    assert not caught.value.received
