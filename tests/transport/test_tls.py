"""The certificates that a client trusts and shows."""

from __future__ import annotations

import asyncio
import gc
import ssl
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import certifi
import pytest
from agent_session_platform import (
    CertificateError,
    ConfigurationError,
    ConnectionFailedError,
    RetryPolicy,
    TransportError,
)

from tests.fixtures import ONE_ATTEMPT, URL, all_clients, all_transports, httpx_transports, until
from tests.servers.fault_server import AUTHORITY, CERTIFICATES, Connection, client, fault_server, tls_context
from tests.servers.scripts import response

CLIENT, CLIENT_KEY = CERTIFICATES / "client.pem", CERTIFICATES / "client-key.pem"
PASSWORD = "hush-0123456789"
OK = response({"a": 1})


@asynccontextmanager
async def demanding_server(authority: Path) -> AsyncIterator[tuple[str, list[str]]]:
    """Refuse every client in the handshake until the end of the block, and tell it why, which asyncio does not.

    Args:
        authority: File with the certificates of the authorities of the clients, which must show one.

    Yields:
        The host and the port, and what was wrong with each client.
    """
    context = tls_context("loopback", authority)
    refusals: list[str] = []

    async def refuse(connection: Connection) -> None:
        received, written = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context.wrap_bio(received, written, server_side=True)
        data = b"none yet"
        try:
            while data:
                with suppress(ssl.SSLWantReadError):
                    tls.do_handshake()
                    break
                await connection.send(written.read())
                data = await connection.reader.read(65_536)
                received.write(data)
        except ssl.SSLError as error:
            refusals.append(str(error.reason))
        await connection.send(written.read())
        # Closing the connection with unread bytes would lose the alert, so read them first.
        connection.writer.write_eof()
        await connection.reader.read()
        connection.close()

    async with fault_server(on_connect=refuse) as server:
        yield server.base_url.removeprefix("http://"), refusals


def set_environment(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Set the variables of the environment among the settings, and return the settings of the client."""
    for name, value in settings.items():
        if name.isupper():
            monkeypatch.setenv(name, value)
    return {name: value for name, value in settings.items() if not name.isupper()}


# Which certificates a client trusts.

WAYS: dict[str, dict[str, Any]] = {
    "a path": {"verify": str(AUTHORITY)},
    "a Path": {"verify": AUTHORITY},
    "a context": {"verify": ssl.create_default_context(cafile=AUTHORITY)},
    "a folder": {"verify": CERTIFICATES},
    "a file of the environment": {"SSL_CERT_FILE": str(AUTHORITY)},
    "folders of the environment": {"SSL_CERT_DIR": f"/no/such:{CERTIFICATES}"},
}


@all_transports
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
async def test_what_is_named_is_trusted(transport: Any, way: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = set_environment(way, monkeypatch)
    async with fault_server(OK, certificate="loopback") as server:
        for base_url in (server.base_url, server.base_url.replace("127.0.0.1", "localhost")):
            async with client(base_url, transport, **settings) as platform:
                assert await platform.request("GET", "/v3/x") == {"a": 1}


UNTRUSTED: dict[str, tuple[str, dict[str, Any], str]] = {
    "of an unknown authority": ("loopback", {}, "set SSL_CERT_FILE to a file with the certificate of the"),
    "expired": ("expired", {"verify": AUTHORITY}, "certificate has expired"),
    "for another host": ("elsewhere", {"verify": AUTHORITY}, "certificate is not valid for '127.0.0.1'"),
    "of the environment only": ("loopback", {"verify": certifi.where()}, r"SSL_CERT_FILE .*, or verify to its path"),
}


@all_transports
@pytest.mark.parametrize(("certificate", "settings", "remedy"), UNTRUSTED.values(), ids=UNTRUSTED)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_refused_certificate_is_told_with_the_way_out_and_not_retried(
    transport: Any, certificate: str, settings: Any, remedy: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if settings:
        monkeypatch.setenv("SSL_CERT_FILE", str(AUTHORITY))
    events: list[object] = []
    async with fault_server(OK, certificate=certificate) as server:
        # An address in capitals is verified as well.
        base_url = server.base_url.replace("https", "HTTPS")
        async with client(base_url, transport, retry=RetryPolicy(on_retry=events.append), **settings) as platform:
            with pytest.raises(CertificateError, match=remedy) as caught:
                await platform.request(method, "/v3/x")
    assert f"could not connect to {server.base_url}: its certificate was refused" in str(caught.value)
    assert (events, caught.value.may_have_arrived, caught.value.__cause__, server.requests) == ([], False, None, [])


@all_transports
@pytest.mark.parametrize("proxied", [False, True], ids=["directly", "through a proxy"])
async def test_a_call_that_is_cancelled_during_the_handshake_leaves_no_socket_open(
    transport: Any, proxied: bool, collector_off: None
) -> None:
    """The sockets are closed at once, and not only by a garbage collection."""

    async def hang(connection: Connection) -> None:
        if proxied:
            await connection.reader.readuntil(b"\r\n\r\n")
            await connection.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
        # The beginning of the handshake.
        await connection.reader.readexactly(100)
        began.append(connection)
        await connection.reader.read()

    began: list[Connection] = []
    async with fault_server(on_connect=hang) as server:
        settings = {"proxy": server.base_url} if proxied else {}
        base_url = URL if proxied else server.base_url.replace("http:", "https:")
        async with client(base_url, transport, retry=ONE_ATTEMPT, **settings) as platform:
            tasks = [asyncio.ensure_future(platform.request("GET", "/v3/x")) for _ in range(20)]
            await until(lambda: began)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await until(lambda: not server.opened)


@pytest.fixture
def collector_off() -> Iterator[None]:
    """Switch the garbage collector off."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def hang_up(connection: Connection) -> None:
    connection.close()


@all_clients
@pytest.mark.parametrize("proxied", [False, True], ids=["directly", "through a proxy"])
async def test_a_certificate_of_something_else_is_no_reason(
    transport: Any, proxied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caller may use another server while it handles the error of the first one; Python chains the errors."""
    monkeypatch.setenv("SSL_CERT_FILE", str(AUTHORITY))
    events: list[object] = []
    settings: dict[str, Any] = {"retry": RetryPolicy(attempts=2, backoff_base=0, on_retry=events.append)}
    refusal = response(b"no", "403 Forbidden")
    async with fault_server(refusal, on_connect=None if proxied else hang_up) as server:
        settings["proxy"] = server.base_url if proxied else None
        base_url = URL if proxied else server.base_url.replace("http:", "https:")
        async with client(base_url, transport, **settings) as platform:
            try:
                raise certificate_error()
            except ssl.SSLCertVerificationError:
                with pytest.raises(ConnectionFailedError) as caught:
                    await platform.request("GET", "/v3/x")
    assert not isinstance(caught.value, CertificateError)
    assert len(events) == 1


def certificate_error() -> ssl.SSLCertVerificationError:
    """Make an error as OpenSSL does for a certificate that has expired."""
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code, error.verify_message = 10, "certificate has expired"
    return error


@all_transports
async def test_certifi_is_trusted_where_truststore_is_missing(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certifi, "where", lambda: str(AUTHORITY))
    async with fault_server(OK, certificate="loopback") as server:
        async with server.client(transport) as platform:
            with pytest.raises(CertificateError):
                await platform.request("GET", "/v3/x")
        monkeypatch.setitem(sys.modules, "truststore", None)
        async with server.client(transport) as platform:
            assert await platform.request("GET", "/v3/x") == {"a": 1}


@all_transports
async def test_no_certificates_are_read_for_http(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such")
    async with fault_server(OK) as server, server.client(transport) as platform:
        assert await platform.request("GET", "/v3/x") == {"a": 1}


# Which certificate a client shows.


def context_with_certificate() -> ssl.SSLContext:
    """Make a context that shows the certificate of the client, with a key that has a password."""
    context = ssl.create_default_context(cafile=AUTHORITY)
    context.load_cert_chain(CLIENT, CLIENT_KEY, PASSWORD)
    return context


@all_transports
async def test_the_certificate_of_a_context_is_shown_to_a_server_that_demands_one(transport: Any) -> None:
    async with (
        fault_server(OK, certificate="loopback", client_authority=CLIENT) as server,
        server.client(transport, verify=context_with_certificate()) as platform,
    ):
        assert await platform.request("GET", "/v3/x") == {"a": 1}


@httpx_transports
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_is_not_shown_the_certificate_of_a_context(transport: Any, scheme: str, trust: None) -> None:
    settings: Any = {"verify": context_with_certificate(), "allow_http": True, "retry": ONE_ATTEMPT}
    async with demanding_server(CLIENT) as (host, refusals):
        platform = client(f"{scheme}://localhost", transport, proxy=f"https://{host}", **settings)
        with pytest.raises(TransportError):
            await platform.request("GET", "/v3/x")
        await platform.aclose()
    assert refusals == ["PEER_DID_NOT_RETURN_A_CERTIFICATE"]


@all_transports
@pytest.mark.parametrize("shown", [False, True], ids=["none", "of another authority"])
async def test_a_write_is_sent_once_to_a_server_that_demands_another_certificate(transport: Any, shown: bool) -> None:
    async with demanding_server(AUTHORITY) as (host, refusals):
        verify = context_with_certificate() if shown else AUTHORITY
        async with client(f"https://{host}", transport, verify=verify) as platform:
            with pytest.raises(TransportError):
                await platform.request("POST", "/v3/x", body={})
    assert refusals == ["CERTIFICATE_VERIFY_FAILED" if shown else "PEER_DID_NOT_RETURN_A_CERTIFICATE"]


# Which settings cannot be used.


@all_transports
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"verify": "/no/such"}, "verify=./no/such. cannot be used: .* No such file"),
        ({"verify": __file__}, r"verify='.*test_tls.py' cannot be used"),
    ],
)
def test_files_that_cannot_be_used_are_an_error_of_the_constructor(
    transport: Any, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        client(URL, transport, **settings)


@all_transports
async def test_a_file_of_the_environment_that_cannot_be_used_is_an_error_of_opening(
    transport: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such")
    platform = client(URL, transport)
    with pytest.raises(ConfigurationError, match="SSL_CERT_FILE.*='/no/such' cannot be used: .*No such") as caught:
        await platform.request("POST", "/v3/x", body={})
    assert not caught.value.outcome_unknown
    with pytest.raises(ConfigurationError, match="SSL_CERT_FILE"):
        async with platform:
            pass
