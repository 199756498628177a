"""A sandbox on a port is used by programs of this machine and by its own page, and by no other site."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.http.test_server import exchange

# One of each kind: the API, an unknown path, control, the page, and a path that could be a static file.
PATHS = ["/v3/enterprise/roles", "/v3/nothing", "/_sandbox/state", "/_sandbox/nothing", "/", "/favicon.ico"]


def status(address: str, *lines: str, version: str = "1.1") -> int:
    """Send a request as it is, and return the status of the response."""
    first, *headers = lines
    request = "\r\n".join([f"{first} HTTP/{version}", *headers, "Connection: close", "", ""]).encode("latin-1")
    return int(exchange(address, request).split()[1])


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS", "HEAD"])
def test_a_request_to_another_host_is_refused_on_every_path(sandbox: Sandbox, tcp: httpx.Client, method: str) -> None:
    headers = {"Host": "rebound.example", "Authorization": f"Bearer {sandbox.token}"}
    statuses = [tcp.request(method, path, headers=headers).status_code for path in PATHS]
    assert (statuses, len(sandbox.journal)) == ([403] * len(PATHS), 0)


def test_a_refused_host_is_told_what_to_do_and_shown_no_credential(sandbox: Sandbox, tcp: httpx.Client) -> None:
    refused = tcp.get(f"/v3/{sandbox.token}", headers={"Host": "rebound.example"})
    assert "use localhost or 127.0.0.1, or allow the name with --allow-host NAME" in refused.json()["detail"]
    assert sandbox.token not in refused.text


@pytest.mark.parametrize(
    ("expected", "hosts"),
    [
        (200, ["localhost", "LOCALHOST:1", "localhost.", "a.localhost:8080", "127.0.0.1", "127.0.0.1:65535"]),
        (200, ["127.255.0.3:80", "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]"]),
        (403, ["localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example", "128.0.0.1", "0.0.0.0"]),
        (403, ["192.168.0.1", "[::2]", "2130706433", "127.1"]),
        (400, ["", "localhost:", "localhost:x", "localhost:99999", "localhost, evil.example", "user@localhost"]),
        (400, ["localhost/evil", "[::1", ".localhost", "a..localhost", "\xbcocalhost"]),
    ],
)
def test_only_names_of_the_loopback_interface_are_accepted(address: str, expected: int, hosts: list[str]) -> None:
    statuses = {host: status(address, "GET /_sandbox/state", f"Host: {host}") for host in hosts}
    assert statuses == dict.fromkeys(hosts, expected)


@pytest.mark.parametrize(
    "lines",
    [
        ["GET /_sandbox/state"],
        ["GET /_sandbox/state", "Host: localhost", "Host: localhost"],
        ["GET http://localhost/_sandbox/state", "Host: localhost"],
        ["OPTIONS *", "Host: localhost"],
    ],
)
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_request_without_one_host_and_a_path_is_refused(address: str, lines: list[str], version: str) -> None:
    assert status(address, *lines, version=version) == 400


def test_an_upgrade_to_a_websocket_is_refused_for_another_host(address: str) -> None:
    upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAA"]
    assert status(address, "GET /", "Host: rebound.example", *upgrade) == 403


@pytest.mark.parametrize(
    ("method", "header"),
    [
        ("OPTIONS", {"Access-Control-Request-Method": "POST"}),
        # A browser sends such a request without a preflight request.
        ("POST", {"Content-Type": "text/plain"}),
    ],
)
def test_another_site_is_refused_on_every_path(sandbox: Sandbox, tcp: httpx.Client, method: str, header: Any) -> None:
    headers = {"Origin": "https://evil.example", **header}
    responses = [tcp.request(method, path, headers=headers) for path in PATHS]
    assert {response.status_code for response in responses} == {403}
    assert not any("Access-Control-Allow-Origin" in response.headers for response in responses)
    assert len(sandbox.journal) == 0


def test_only_the_page_of_the_sandbox_is_accepted(tcp: httpx.Client, address: str) -> None:
    origins = ["null", "", "http://localhost:1", "http://[", "file://", "http://127.0.0.1", address]
    responses = [tcp.post("/_sandbox/reset", headers={"Origin": each}) for each in origins]
    assert [response.status_code for response in responses] == [403] * 6 + [200]


@pytest.mark.parametrize(
    ("site", "destination", "expected"),
    [
        ("cross-site", "image", 403),
        ("same-site", "script", 403),
        ("same-origin", "empty", 200),
        # The request of a link to the page of the sandbox.
        ("cross-site", "document", 200),
    ],
)
def test_another_site_is_refused_without_origin(tcp: httpx.Client, site: str, destination: str, expected: int) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": destination}
    assert tcp.get("/_sandbox/state", headers=headers).status_code == expected


@pytest.mark.parametrize(
    ("settings", "accepted", "refused"),
    [
        ({"host": "localhost"}, ["localhost", "127.0.0.1"], ["other.example"]),
        ({"allow_hosts": ["S.example", "10.0.0.7"]}, ["s.example:80", "10.0.0.7", "localhost"], ["other.example"]),
        ({"host": "0.0.0.0", "allow_hosts": ["192.168.0.7"]}, ["192.168.0.7:8080"], ["0.0.0.0", "192.168.0.8"]),
    ],
)
def test_further_hosts_are_accepted_only_by_name(sandbox: Sandbox, settings: Any, accepted: Any, refused: Any) -> None:
    with sandbox.serve(**settings) as address, httpx.Client(base_url=address) as client:
        statuses = {host: client.get("/", headers={"Host": host}).status_code for host in accepted + refused}
    assert statuses == dict.fromkeys(accepted, 200) | dict.fromkeys(refused, 403)


def test_only_a_list_of_host_names_can_be_allowed(sandbox: Sandbox) -> None:
    for name in ("", "http://a.example", "a.example:80", "*.example", "a b", "a/b"):
        with pytest.raises(ValueError, match="must be a host name or an IP address without a scheme and a port"):
            sandbox.serve(allow_hosts=[name])
    with pytest.raises(ValueError, match="allow_hosts must be a list of host names"):
        sandbox.serve(allow_hosts="sandbox.example")


async def test_in_process_no_host_is_checked(http: httpx.AsyncClient) -> None:
    assert (await http.get("/_sandbox/state", headers={"Host": "anything.example"})).status_code == 200
