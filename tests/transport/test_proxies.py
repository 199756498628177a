"""Proxies: which one is used, how it gets the request, and what the error of a failed one shows and hides."""

from __future__ import annotations

import asyncio
import base64
import sys
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, RequestOptions, RetryPolicy, errors

from tests.faults.exposure import leaks
from tests.fixtures import ONE_ATTEMPT, OWN, PASSED, QUICK, URL, all_clients, all_transports, httpx_transports, until
from tests.servers.fault_server import TOKEN, Connection, FaultServer, Script, client, fault_server
from tests.servers.proxy_server import proxy_server, socks_server, tunnel_to
from tests.servers.scripts import response, silence, then_close, then_reset, then_silence

pytestmark = pytest.mark.usefixtures("trust")

OK = response({"a": 1})
PASSWORD = "hush/0123456789@é"
QUOTED = "user:hush%2F0123456789%40%C3%A9"
BASIC = base64.b64encode(f"user:{PASSWORD}".encode()).decode()
# Parts of the credentials that must not be visible in any form.
SECRETS = ("hush", "0123456789", BASIC)

schemes = pytest.mark.parametrize("scheme", ["http", "https"])
given_or_not = pytest.mark.parametrize("given", [True, False], ids=["given", "of the environment"])


def with_credentials(proxy: FaultServer, userinfo: str = QUOTED) -> str:
    """Return the address of a proxy with a user name and a password."""
    return proxy.base_url.replace("://", f"://{userinfo}@")


@asynccontextmanager
async def proxied(scheme: str, script: Any = OK, **settings: Any) -> AsyncIterator[tuple[FaultServer, FaultServer]]:
    """Serve until the end of the block: yields a server and a proxy."""
    certificate = "loopback" if scheme == "https" else None
    async with fault_server(script, certificate=certificate) as server, proxy_server(**settings) as proxy:
        yield server, proxy


def through(proxy: str | None, base_url: str, transport: Any, **settings: Any) -> AgentPlatform:
    """Make a client that goes through a proxy, or through that of the environment, and sends a request once."""
    return client(base_url, transport, proxy=proxy, **{"allow_http": True, "retry": ONE_ATTEMPT, **settings})


# How requests go through a proxy.


@pytest.mark.parametrize(
    ("transport", "certificate", "credentials"),
    [
        *product(OWN.values(), (None, "loopback"), (None, f"user:{PASSWORD}")),
        *product(PASSED, (None,), (None,)),
    ],
)
@schemes
async def test_a_call_goes_through_the_proxy(transport: Any, scheme: str, certificate: Any, credentials: Any) -> None:
    async with proxied(scheme, credentials=credentials, certificate=certificate) as (server, proxy):
        address = with_credentials(proxy) if credentials else proxy.base_url
        async with through(address, server.base_url, transport) as platform:
            for _ in range(2):
                assert await platform.request("POST", "/v3/x", body={"b": 2}) == {"a": 1}
    host = server.base_url.partition("://")[2]
    expected = [("CONNECT", host)] if scheme == "https" else [("POST", f"http://{host}/v3/x")] * 2
    assert [(each.method, each.target) for each in proxy.requests] == expected
    assert (TOKEN in repr(proxy.requests)) is (scheme == "http")
    for request in server.requests:
        assert request.body == b'{"b":2}'
        # Over http, the proxy itself removes these headers.
        assert [name for name, _ in request.fields if name.lower().startswith("proxy")] == []


# Which proxy is used.


@all_transports
@pytest.mark.parametrize(
    ("variable", "scheme"),
    [("HTTP_PROXY", "http"), ("HTTPS_PROXY", "https"), ("ALL_PROXY", "http"), ("all_proxy", "https")],
)
async def test_the_environment_names_the_proxy(
    transport: Any, variable: str, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxied(scheme) as (server, proxy):
        monkeypatch.setenv(variable, proxy.base_url)
        async with through(None, server.base_url, transport) as platform:
            await platform.request("GET", "/v3/x")
    assert len(proxy.requests) == 1


EXCEPTED = ["*", "127.0.0.1", "127.0.0.1:{port}", "example.com, 127.0.0.1"]
NOT_EXCEPTED = ["", "127.0.0.2", "127.0.0.1:1", "localhost", "::1"]


@pytest.mark.parametrize("variable", ["NO_PROXY", "no_proxy"])
@pytest.mark.parametrize("no_proxy", [*EXCEPTED, *NOT_EXCEPTED])
async def test_no_proxy_excepts_servers(no_proxy: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with proxied("http") as (server, proxy):
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        monkeypatch.setenv(variable, no_proxy.format(port=server.base_url.rpartition(":")[2]))
        async with through(None, server.base_url, None) as platform:
            await platform.request("GET", "/v3/x")
    assert len(proxy.requests) == (no_proxy in NOT_EXCEPTED)


@all_transports
async def test_http_to_this_machine_uses_no_proxy_variable(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy, and everybody between, could read the token."""
    async with proxied("http") as (server, proxy):
        monkeypatch.setenv("ALL_PROXY", proxy.base_url)
        async with client(f"{server.base_url}/prefix", transport) as platform:
            await platform.request("GET", "/v3/x")
    assert (len(server.requests), len(proxy.requests)) == (1, 0)


@all_transports
async def test_a_proxy_that_is_given_is_used_for_every_server(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async with proxied("https") as (server, proxy):
        monkeypatch.setenv("NO_PROXY", "*")
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
        async with through(proxy.base_url, server.base_url, transport) as platform:
            await platform.request("GET", "/v3/x")
    assert len(proxy.requests) == 1


# What the error of a failed proxy says.


@all_transports
@schemes
@given_or_not
async def test_a_dead_proxy_is_named(transport: Any, scheme: str, given: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    dead, address = "http://127.0.0.1:1", f"{scheme}://platform.example.com"
    monkeypatch.setenv("ALL_PROXY", dead)
    async with through(dead if given else None, address, transport) as platform:
        expected = rf"could not connect to {address} through the proxy {dead} \(\w+: "
        with pytest.raises(errors.ConnectionFailedError, match=expected) as caught:
            await platform.request("POST", "/v3/x", body={})
    assert not caught.value.may_have_arrived


# What the proxy does, the user name that it gets, whether the error is final, and what the message says.
REFUSALS: dict[str, tuple[dict[str, Any], str, bool, str]] = {
    "403": ({"refusal": response(b"no", "403 Forbidden")}, QUOTED, False, "403"),
    "502": ({"refusal": response(b"no", "502 Bad Gateway")}, QUOTED, False, "502"),
    "no password": ({"credentials": "user:other"}, "", True, r"407.*\); check the user name and the password in the"),
    "another": ({"credentials": "user:other"}, QUOTED, True, r"407.*\); check the user name and the password in the"),
}


@all_clients
@given_or_not
@pytest.mark.parametrize("case", REFUSALS)
async def test_a_proxy_that_refuses_to_connect_is_no_unknown_outcome(
    transport: Any, case: str, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, userinfo, final, message = REFUSALS[case]
    async with proxied("https", **settings) as (server, proxy):
        address = with_credentials(proxy, userinfo) if userinfo else proxy.base_url
        monkeypatch.setenv("HTTPS_PROXY", address)
        named = f" through the proxy {proxy.base_url}"
        if transport in PASSED:
            named = ""
        async with through(address if given else None, server.base_url, transport, retry=QUICK) as platform:
            expected = rf"could not connect to {server.base_url}{named} \(.*{message}"
            with pytest.raises(errors.ConnectionFailedError, match=expected) as caught:
                await platform.request("POST", "/v3/x", body={})
    monkeypatch.undo()
    assert (caught.value.may_have_arrived, caught.value.timed_out, caught.value.__cause__) == (False, False, None)
    assert (caught.value.final, len(proxy.requests)) == (final, 1 if final else 5)
    assert leaks(caught.value, *SECRETS) == []


HANGING_UP = [then_close(), then_reset(), then_close(b"HTTP/1.1 200 "), then_close(b"nonsense\r\n\r\n")]


@all_transports
@pytest.mark.parametrize("script", HANGING_UP, ids=["closes", "resets", "breaks off", "nonsense"])
async def test_a_write_is_not_sent_again_when_the_proxy_hung_up(transport: Any, script: Any) -> None:
    """The HTTP library does not tell whether the proxy hung up before or after it had the request."""
    async with (
        proxied("https", refusal=script) as (server, proxy),
        through(proxy.base_url, server.base_url, transport, retry=QUICK) as platform,
    ):
        with pytest.raises(errors.OutcomeUnknownError):
            await platform.request("POST", "/v3/x", body={})
    assert len(proxy.requests) == 1


@all_transports
@pytest.mark.parametrize("whose", ["server", "proxy"])
async def test_a_certificate_that_is_refused_behind_a_proxy_is_tried_once(transport: Any, whose: str) -> None:
    events: list[Any] = []
    retry = RetryPolicy(on_retry=events.append, backoff_base=0)
    async with (
        fault_server(OK, certificate="elsewhere" if whose == "server" else None) as server,
        proxy_server(certificate="elsewhere" if whose == "proxy" else None) as proxy,
        through(proxy.base_url, server.base_url, transport, retry=retry) as platform,
    ):
        with pytest.raises(errors.CertificateError, match="certificate is not valid for '127.0.0.1'") as caught:
            await platform.request("POST", "/v3/x", body={})
    assert f"through the proxy {proxy.base_url}: its certificate " in str(caught.value)
    assert (events, caught.value.may_have_arrived, server.requests) == ([], False, [])


CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"
FAILURES: dict[str, Script] = {
    **dict(zip(["closed", "reset", "half an answer", "garbage"], HANGING_UP, strict=True)),
    **{status: response(b"no", status) for status in ("403 x", "407 x", "502 x", "503 x", "504 x")},
    "silent": silence,
    "closed after the answer": then_close(CONNECTED),
    "reset after the answer": then_reset(CONNECTED),
    "silent after the answer": then_silence(CONNECTED),
    "no TLS": then_close(CONNECTED + b"no TLS"),
    "TLS that breaks off": then_close(CONNECTED + b"\x16\x03\x03\x40\x00"),
}


@all_transports
@pytest.mark.parametrize("certificate", [None, "loopback"], ids=["http", "https"])
async def test_a_client_survives_any_number_of_failed_tunnels(transport: Any, certificate: Any) -> None:
    """The library loses the place of a connection whose tunnel fails: without places, every call would fail."""
    failures = [script for script in FAILURES.values() for _ in range(3)]
    settings: dict[str, Any] = {"max_connections": 2}
    async with (
        proxied("https", failures=failures, certificate=certificate) as (server, proxy),
        through(proxy.base_url, server.base_url, transport, **settings) as platform,
    ):
        for script in failures:
            waits = script in (FAILURES["silent"], FAILURES["silent after the answer"])
            options = RequestOptions(timeout=0.05 if waits else 5)
            with pytest.raises(errors.ConnectionFailedError):
                await platform.request("GET", "/v3/x", options=options)
        assert await platform.request("GET", "/v3/x") == {"a": 1}
        await until(lambda: len(proxy.opened) == 1)


@all_transports
async def test_a_client_survives_tunnels_to_servers_that_are_not_trusted(transport: Any) -> None:
    settings: dict[str, Any] = {"max_connections": 2}
    async with (
        fault_server(OK, certificate="elsewhere") as other,
        proxied("https", failures=[tunnel_to(other)] * 3) as (server, proxy),
        through(proxy.base_url, server.base_url, transport, **settings) as platform,
    ):
        for _ in range(3):
            with pytest.raises(errors.CertificateError):
                await platform.request("GET", "/v3/x")
        assert await platform.request("GET", "/v3/x") == {"a": 1}


@all_transports
@pytest.mark.parametrize("script", [silence, then_silence(CONNECTED)], ids=["CONNECT", "TLS"])
async def test_a_client_survives_cancelled_tunnels(transport: Any, script: Script) -> None:
    settings: dict[str, Any] = {"max_connections": 2}
    async with (
        proxied("https", failures=[script] * 3) as (server, proxy),
        through(proxy.base_url, server.base_url, transport, **settings) as platform,
    ):
        for number in range(3):
            call = asyncio.ensure_future(platform.request("GET", "/v3/x"))
            await until(lambda number=number: len(proxy.requests) > number)
            call.cancel()
            await asyncio.wait([call])
        assert await platform.request("GET", "/v3/x") == {"a": 1}
        await until(lambda: len(proxy.opened) == 1)


# What an error hides.


@all_transports
@schemes
async def test_the_password_of_a_proxy_is_not_shown(
    transport: Any, scheme: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with (
        proxied(scheme, refusal=response(b"no", "502 Bad Gateway")) as (server, proxy),
        through(with_credentials(proxy), server.base_url, transport) as platform,
    ):
        with pytest.raises(AgentPlatformError) as caught:
            await platform.request("GET", "/v3/x")
        shown = repr(platform) + repr(platform._configuration) + repr(platform._configuration.proxy)
    assert proxy.requests[0].headers["proxy-authorization"] == f"Basic {BASIC}"
    assert leaks(caught.value, *SECRETS) == []
    messages = "\n".join(record.getMessage() for record in caplog.records if record.name != "asyncio")
    assert [secret for secret in SECRETS if secret in shown + "".join(map(str, caught.value.args))] == []
    assert [secret for secret in SECRETS[:2] if secret in messages] == []


UNUSABLE: dict[str, Any] = {
    "another scheme": "ftp://user:hush@127.0.0.1:1",
    "no host": "http://user:hush@",
    "no port": "http://user:hush@127.0.0.1:x",
    "a large port": "http://user:hush@127.0.0.1:99999",
    "a slash": "http://user:hush/x@127.0.0.1:1",
    "a control character": "http://user:hush\x01@127.0.0.1:1",
    "a wrong IPv6 address": "http://user:hush@[::g]:1",
    "a path": "http://user:hush@127.0.0.1:1/path",
}


@pytest.mark.parametrize("address", [*UNUSABLE.values(), "https://user:hush x@127.0.0.1:1", "user:hush@127.0.0.1:1"])
@schemes
async def test_a_wrong_address_of_the_environment_is_not_shown(
    address: str, scheme: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", address)
    caplog.set_level("DEBUG", "agent_session_platform")
    with pytest.raises(AgentPlatformError) as caught:
        async with client(f"{scheme}://platform.invalid", allow_http=True, retry=ONE_ATTEMPT) as platform:
            await platform.request("GET", "/v3/x")
    monkeypatch.undo()
    assert "hush" not in "".join(traceback.format_exception(caught.value)) + caplog.text
    if isinstance(caught.value, errors.ConfigurationError):
        assert "_PROXY or ALL_PROXY must be an address such as" in str(caught.value)


# SOCKS proxies, on httpx and httpx2.


@httpx_transports
@schemes
@pytest.mark.parametrize("credentials", [None, ("user", PASSWORD)], ids=["open", "with credentials"])
async def test_a_call_goes_through_a_socks_proxy(transport: Any, scheme: str, credentials: Any) -> None:
    async with proxied(scheme) as (server, _):
        port = int(server.base_url.rpartition(":")[2])
        async with socks_server(port, credentials) as (address, connected):
            proxy = f"socks5://{f'{QUOTED}@' if credentials else ''}{address}"
            settings: Any = {"allow_http": True, "proxy": proxy}
            async with client(f"{scheme}://localhost", transport, **settings) as platform:
                assert await platform.request("GET", "/v3/x") == {"a": 1}
    assert connected == ["localhost"]


@httpx_transports
@pytest.mark.parametrize("reply", [b"\x05", b"\x01\x01\x01"], ids=["cut", "malformed"])
async def test_after_an_invalid_reply_of_a_socks_proxy_nothing_was_sent(transport: Any, reply: bytes) -> None:
    async def answer(connection: Connection) -> None:
        await connection.reader.read(3)
        await connection.send(reply)

    async with fault_server(on_connect=answer) as proxy:
        address = proxy.base_url.replace("http", "socks5")
        async with client("https://localhost", transport, proxy=address, retry=ONE_ATTEMPT, timeout=2) as platform:
            with pytest.raises(errors.ConnectionFailedError, match="could not connect to https://localhost through"):
                await platform.request("POST", "/v3/x")


@all_transports
@given_or_not
def test_what_socks_needs_is_named_by_the_constructor(
    transport: Any, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv("ALL_PROXY", "socks5h://127.0.0.1:1")
    settings: Any = {"proxy": "socks5://127.0.0.1:1"} if given else {}
    needed = "socksio: pip install 'socksio>=1.0,<2'$"
    if transport == "aiohttp":
        needed = "transport='httpx' or 'httpx2'"
    with pytest.raises(errors.ConfigurationError, match=f"a SOCKS proxy .* needs {needed}"):
        client(URL, transport, **settings)
