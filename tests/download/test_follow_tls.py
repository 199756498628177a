"""Redirects of downloads to a real server with TLS, on every transport and every client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import ConnectionFailedError

from tests.download.test_follow import SIGNATURE, assert_hidden, download
from tests.fixtures import ONE_ATTEMPT, all_clients, all_transports
from tests.servers.fault_server import Request, fault_server
from tests.servers.file_server import FileScript
from tests.servers.scripts import response, then_close, then_reset, then_silence
from tests.servers.tls import make_certificate, needs_openssl, tls_server


def redirect(address: str) -> bytes:
    """A redirect of the API."""
    return response(b"", "302 Found", f"Location: https://{address}/a%2Fb?X-Signature={SIGNATURE}%2B")


@needs_openssl
@all_clients
async def test_a_file_comes_over_tls_and_is_continued(
    transport: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    requests: list[Request] = []
    async with (
        tls_server(certificate, FileScript(b"x" * 100_000, cuts=[50_000]), requests) as address,
        fault_server(redirect(address)) as server,
        server.client(transport) as platform,
    ):
        size = await download(platform).save(tmp_path / "copy", follow=True, hosts=[address])
        assert platform.rate_limiter.stats().in_flight == 0
    assert size == (tmp_path / "copy").stat().st_size == 100_000
    for each in requests:
        assert set(each.headers) <= {"host", "user-agent", "accept", "accept-encoding", "range", "if-range"} | {
            "connection"
        }
    assert requests[0].target == f"/a%2Fb?X-Signature={SIGNATURE}%2B"
    assert len(requests) == 2


@needs_openssl
@all_clients
async def test_the_certificate_of_the_other_server_is_verified(
    transport: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    requests: list[Request] = []
    async with (
        tls_server(certificate, response(b"evil"), requests) as address,
        fault_server(redirect(address)) as server,
        server.client(transport, retry=ONE_ATTEMPT) as platform,
    ):
        with pytest.raises(ConnectionFailedError) as caught:
            await download(platform).read(follow=True, hosts=[address])
    assert requests == []
    assert_hidden(caught.value)


@needs_openssl
@all_clients
async def test_a_storage_that_hangs_up_is_a_connection_error(
    transport: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    requests: list[Request] = []
    async with (
        tls_server(certificate, then_reset(), requests) as address,
        fault_server(redirect(address)) as server,
        server.client(transport) as platform,
    ):
        with pytest.raises(ConnectionFailedError, match="given up after 5 attempts") as caught:
            await download(platform).read(follow=True, hosts=[address])
    assert len(requests) == 5
    assert_hidden(caught.value)


@needs_openssl
@all_clients
async def test_a_storage_that_speaks_no_http_is_named_without_the_path_of_the_file(
    transport: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    async with (
        tls_server(certificate, then_close(b"nonsense\r\n\r\n"), []) as address,
        fault_server(redirect(address)) as server,
        server.client(transport, retry=ONE_ATTEMPT) as platform,
    ):
        with pytest.raises(ConnectionFailedError, match="the exchange broke off") as caught:
            await download(platform).read(follow=True, hosts=[address])
    assert_hidden(caught.value)
    assert "a%2Fb" not in str(caught.value)


@needs_openssl
@all_transports
async def test_as_many_files_are_held_as_there_may_be_connections(
    transport: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    half = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
    async with (
        tls_server(certificate, half, []) as address,
        fault_server(redirect(address)) as server,
        server.client(transport, timeout=1, retry=ONE_ATTEMPT, max_connections=12) as platform,
    ):
        streams = [download(platform).stream(follow=True, hosts=[address]) for _ in range(11)]
        assert [await anext(each) for each in streams] == [b"abc"] * 11
