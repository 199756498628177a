"""Redirects of downloads to a real server with TLS, on every transport and every client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, ConnectionFailedError

from tests.download.test_follow import SIGNATURE, assert_hidden, download
from tests.fixtures import ONE_ATTEMPT, all_clients, all_transports
from tests.servers.fault_server import CERTIFICATES, FaultServer, Script, fault_server
from tests.servers.file_server import FileScript
from tests.servers.scripts import response, then_close, then_reset, then_silence


@pytest.fixture(autouse=True)
def trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))


@asynccontextmanager
async def stored(script: Script, transport: Any, **settings: Any) -> AsyncIterator[tuple[FaultServer, AgentPlatform]]:
    """A storage, and a client of a server that redirects to it."""
    async with fault_server(script, certificate="loopback") as storage:
        redirect = response(b"", "302 Found", f"Location: {storage.base_url}/a%2Fb?X-Signature={SIGNATURE}%2B")
        async with fault_server(redirect) as server, server.client(transport, **settings) as platform:
            yield storage, platform


def hosts(storage: FaultServer) -> list[str]:
    return [storage.base_url.removeprefix("https://")]


@all_clients
async def test_a_file_comes_over_tls_and_is_continued(transport: Any, tmp_path: Path) -> None:
    async with stored(FileScript(b"x" * 100_000, cuts=[50_000]), transport) as (storage, platform):
        size = await download(platform).save(tmp_path / "copy", follow=True, hosts=hosts(storage))
        assert platform.rate_limiter.stats().in_flight == 0
    assert size == (tmp_path / "copy").stat().st_size == 100_000
    allowed = {"host", "user-agent", "accept", "accept-encoding", "range", "if-range", "connection"}
    assert [set(each.headers) <= allowed for each in storage.requests] == [True, True]
    assert storage.requests[0].target == f"/a%2Fb?X-Signature={SIGNATURE}%2B"


@all_clients
async def test_the_certificate_of_the_other_server_is_verified(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    async with stored(response(b"evil"), transport, retry=ONE_ATTEMPT) as (storage, platform):
        with pytest.raises(ConnectionFailedError) as caught:
            await download(platform).read(follow=True, hosts=hosts(storage))
    assert storage.requests == []
    assert_hidden(caught.value)


@all_clients
@pytest.mark.parametrize("script", [then_reset(), then_close(b"nonsense\r\n\r\n")], ids=["reset", "no HTTP"])
async def test_a_storage_that_breaks_off_is_named_without_the_path_of_the_file(transport: Any, script: Script) -> None:
    async with stored(script, transport) as (storage, platform):
        with pytest.raises(ConnectionFailedError, match=r"the exchange broke off.*given up after 5 attempts") as caught:
            await download(platform).read(follow=True, hosts=hosts(storage))
    assert len(storage.requests) == 5
    assert_hidden(caught.value)
    assert "a%2Fb" not in str(caught.value)


@all_transports
async def test_as_many_files_are_held_as_there_may_be_connections(transport: Any) -> None:
    half = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
    settings: Any = {"timeout": 1, "retry": ONE_ATTEMPT, "max_connections": 12}
    async with stored(half, transport, **settings) as (storage, platform):
        streams = [download(platform).stream(follow=True, hosts=hosts(storage)) for _ in range(11)]
        assert [await anext(each) for each in streams] == [b"abc"] * 11
