"""A proxy that does not help: it is named, its credentials are hidden, and nothing was sent."""

from __future__ import annotations

import traceback
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatformError,
    CertificateError,
    ConfigurationError,
    ConnectionFailedError,
    OutcomeUnknownError,
    RequestOptions,
    RetryPolicy,
)

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import CERTIFICATES, Connection, Request, client, fault_server
from tests.servers.proxy_server import proxy_server
from tests.servers.scripts import response, then_close, then_reset
from tests.transport.proxied import BASIC, OK, PASSWORD, QUOTED, SECRETS, proxied, schemes, served, transports


@pytest.fixture(autouse=True)
def trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))


# What is said when it does not help.


@transports
@schemes
@pytest.mark.parametrize("given", [True, False], ids=["given", "of the environment"])
async def test_a_dead_proxy_is_named(transport: Any, scheme: str, given: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    settings: Any = {"proxy": "http://127.0.0.1:1"} if given else {}
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    address = f"{scheme}://platform.example.com"
    async with client(address, transport, allow_http=True, retry=ONE_ATTEMPT, **settings) as platform:
        expected = rf"could not connect to {address} through the proxy http://127.0.0.1:1 \(\w+: "
        with pytest.raises(ConnectionFailedError, match=expected) as caught:
            await platform.request("POST", "/v3/x", body={})
    assert not caught.value.received


@transports
@pytest.mark.parametrize("status", ["403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway"])
async def test_a_proxy_that_refuses_to_connect_is_named(transport: Any, status: str) -> None:
    async with proxied("https", refusal=response(b"no", status)) as (_, proxy):
        address = "https://platform.example.com"
        async with client(address, transport, proxy=proxy.base_url, retry=ONE_ATTEMPT) as platform:
            expected = rf"could not connect to {address} through the proxy {proxy.base_url} \(.*{status[:3]}"
            with pytest.raises(ConnectionFailedError, match=expected) as caught:
                await platform.request("POST", "/v3/x", body={})
    assert (caught.value.received, caught.value.timed_out, caught.value.__cause__) == (False, False, None)


HANGING_UP = [then_close(), then_reset(), then_close(b"HTTP/1.1 200 "), then_close(b"nonsense\r\n\r\n")]


@transports
@pytest.mark.parametrize("script", HANGING_UP, ids=["closes", "resets", "breaks off", "nonsense"])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_only_a_read_is_sent_again_when_the_proxy_hung_up(transport: Any, script: Any, method: str) -> None:
    """The HTTP library does not tell whether that was before the request."""
    refused: list[Any] = []

    async def once(request: Request, connection: Connection) -> None:
        refused.append(request)
        await script(request, connection)

    async with (
        served("https") as server,
        proxy_server(first=once) as proxy,
        client(server.base_url, transport, proxy=proxy.base_url) as platform,
    ):
        if method == "GET":
            assert await platform.request("GET", "/v3/x") == {"a": 1}
        else:
            with pytest.raises(OutcomeUnknownError):
                await platform.request("POST", "/v3/x", body={})
    assert (len(refused), len(server.requests)) == (1, int(method == "GET"))


@transports
async def test_a_proxy_that_says_nothing_is_given_up(transport: Any) -> None:
    async def silent(request: Request, connection: Connection) -> None:
        await connection.reader.read()

    async with proxied("https", refusal=silent) as (_, proxy):
        address = "https://platform.example.com"
        async with client(address, transport, proxy=proxy.base_url, retry=ONE_ATTEMPT, timeout=0.2) as platform:
            with pytest.raises(ConnectionFailedError, match=r"0.2 s") as caught:
                await platform.request("GET", "/v3/x")
    assert caught.value.timed_out


@transports
@schemes
async def test_a_write_that_broke_off_behind_a_proxy_is_not_sent_again(transport: Any, scheme: str) -> None:
    certificate = "loopback" if scheme == "https" else None
    async with (
        fault_server(then_close(), certificate=certificate) as server,
        proxy_server() as proxy,
        client(server.base_url, transport, proxy=proxy.base_url, allow_http=True) as platform,
    ):
        with pytest.raises(OutcomeUnknownError):
            await platform.request("POST", "/v3/x", body={})
    assert len(server.requests) == 1


@transports
@pytest.mark.parametrize(
    ("userinfo", "remedy"),
    [("", "put its user name and its password into"), (QUOTED, "check the user name and the password in its address$")],
    ids=["none", "another"],
)
async def test_a_proxy_that_wants_a_password_is_asked_once_and_says_what_to_do(
    transport: Any, userinfo: str, remedy: str
) -> None:
    async with proxied("https", credentials="user:other") as (server, proxy):
        address = proxy.with_credentials(userinfo) if userinfo else proxy.base_url
        async with client(server.base_url, transport, proxy=address, allow_http=True) as platform:
            expected = rf"through the proxy {proxy.base_url} \(407 .*\); {remedy}"
            with pytest.raises(ConnectionFailedError, match=expected) as caught:
                await platform.request("POST", "/v3/x", body={})
    assert (caught.value.received, caught.value.final, len(proxy.requests)) == (False, True, 1)
    assert server.requests == []
    assert leaks(caught.value, *SECRETS) == []


@transports
@pytest.mark.parametrize("certificate", ["loopback", "elsewhere"], ids=["unknown authority", "other host"])
@pytest.mark.parametrize("whose", ["server", "proxy"])
async def test_a_certificate_that_is_refused_behind_a_proxy_is_tried_once(
    transport: Any, whose: str, certificate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remedy = "use the host name that it is for in base_url"
    if certificate == "loopback":
        monkeypatch.delenv("SSL_CERT_FILE")
        remedy = (
            "set SSL_CERT_FILE to a file with the certificate of the authority that you trust, or pass it as verify="
        )
    events: list[Any] = []
    scheme, of_proxy = ("https", None) if whose == "server" else ("http", certificate)
    async with (
        fault_server(OK, certificate=certificate if scheme == "https" else None) as server,
        proxy_server(certificate=of_proxy) as proxy,
        client(
            server.base_url,
            transport,
            proxy=proxy.base_url,
            allow_http=True,
            retry=RetryPolicy(on_retry=events.append, backoff_base=0),
        ) as platform,
    ):
        with pytest.raises(CertificateError, match=remedy) as caught:
            await platform.request("POST", "/v3/x", body={})
    assert f"through the proxy {proxy.base_url}: its certificate " in str(caught.value)
    assert (events, caught.value.received, server.requests) == ([], False, [])


# What is hidden.


@transports
@schemes
async def test_nothing_shows_the_password_that_a_proxy_sends_back(
    transport: Any, scheme: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def echo(request: Any, connection: Any) -> None:
        sent = request.headers.get("proxy-authorization", "")
        await connection.send(response(f"{sent} {PASSWORD}".encode(), f"502 {sent}"))

    caplog.set_level("DEBUG")
    async with proxied(scheme, refusal=echo) as (server, proxy):
        address = proxy.with_credentials(QUOTED)
        async with client(server.base_url, transport, proxy=address, allow_http=True, retry=ONE_ATTEMPT) as platform:
            with pytest.raises(AgentPlatformError) as caught:
                await platform.request("GET", "/v3/x", options=RequestOptions(retry=ONE_ATTEMPT))
            shown = repr(platform) + repr(platform._configuration) + repr(platform._configuration.network)
    assert proxy.requests[0].headers["proxy-authorization"] == f"Basic {BASIC}"
    assert leaks(caught.value, *SECRETS) == []
    messages = "\n".join(record.getMessage() for record in caplog.records if record.name != "asyncio")
    assert [secret for secret in SECRETS if secret in shown + "".join(map(str, caught.value.args))] == []
    assert [secret for secret in SECRETS[:2] if secret in messages] == []


@pytest.mark.parametrize(
    "address",
    [
        "ftp://user:hush@127.0.0.1:1",
        "http://user:hush@",
        "http://user:hush/x@127.0.0.1:1",
        "http://user:hush@127.0.0.1:x",
        "http://user:hush@127.0.0.1:0",
        "http://user:hush@[::g]:1",
        "http://user:hush@127.0.0.1:1/path",
        "http://user:hush\n@127.0.0.1:1",
        "",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_showing_it(address: str) -> None:
    with pytest.raises(ConfigurationError, match="proxy must be an address such as http://user:p%40ss@") as caught:
        client("https://platform.example.com", proxy=address)
    assert "hush" not in "".join(traceback.format_exception(caught.value))


async def test_an_address_of_the_environment_that_cannot_be_used_names_the_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://user:hush@")
    with pytest.raises(ConfigurationError, match="HTTPS_PROXY or ALL_PROXY must be an address such as") as caught:
        await client("https://platform.example.com").request("GET", "/v3/x")
    assert "hush" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("value", [{"https": "http://user:hush@127.0.0.1:1"}, 5])
def test_an_address_of_another_type_is_refused(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="proxy must be an address such as") as caught:
        client("https://platform.example.com", proxy=value)
    assert "hush" not in str(caught.value)
