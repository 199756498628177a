"""Certificates: one that is refused is told with the way out, and nothing is sent again."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatform, CertificateError, RequestOptions, RetryPolicy

from tests.fixtures import all_transports
from tests.servers.fault_server import CERTIFICATES, TOKEN, FaultServer, fault_server
from tests.servers.scripts import response

OK = response({})
AUTHORITY = CERTIFICATES / "authority.pem"

REFUSED = {
    "of an unknown authority": ("loopback", None, "set SSL_CERT_FILE to a file with the certificate"),
    "expired": ("expired", AUTHORITY, r"certificate has expired\); renew it on the server"),
    "for another host": ("elsewhere", AUTHORITY, "use the host name that it is for in base_url"),
}
refused = pytest.mark.parametrize(("certificate", "trusted", "remedy"), REFUSED.values(), ids=REFUSED)
methods = pytest.mark.parametrize("method", ["GET", "POST"])


def trust(monkeypatch: pytest.MonkeyPatch, trusted: Any) -> None:
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    else:
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)


async def is_refused(server: FaultServer, platform: AgentPlatform, method: str, remedy: str) -> None:
    events: list[object] = []
    options = RequestOptions(retry=RetryPolicy(on_retry=events.append))
    with pytest.raises(CertificateError, match=remedy) as caught:
        await platform.request(method, "/v3/x", options=options)
    assert f"could not connect to {server.base_url}: its certificate was refused" in str(caught.value)
    assert (events, caught.value.received, caught.value.__cause__) == ([], False, None)


@all_transports
@refused
@methods
async def test_a_refused_certificate_is_not_retried(
    transport: Any, certificate: str, trusted: Any, remedy: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trust(monkeypatch, trusted)
    async with fault_server(OK, certificate=certificate) as server, server.client(transport) as platform:
        await is_refused(server, platform, method, remedy)
    assert server.requests == []


@all_transports
async def test_a_trusted_certificate_is_accepted(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    trust(monkeypatch, AUTHORITY)
    async with fault_server(OK, certificate="loopback") as server:
        for base_url in (server.base_url, server.base_url.replace("127.0.0.1", "localhost")):
            async with AgentPlatform(base_url, TOKEN, transport=transport) as platform:
                assert await platform.request("GET", "/v3/x") == {}
