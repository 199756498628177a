"""A sandbox on a port is used by programs of this machine and by its own page, and by no other site."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.http.test_server import exchange

# One of each kind: the API, an unknown path, control, the page, and a path that could be a static file.
PATHS = ["/v3/enterprise/roles", "/v3/nothing", "/_sandbox/state", "/_sandbox/nothing", "/", "/favicon.ico"]


def raw(address: str, *lines: str, version: str = "1.1") -> tuple[int, dict[str, object]]:
    """Send a request as it is, and return status and problem detail of the response."""
    first, *headers = lines
    request = "\r\n".join([f"{first} HTTP/{version}", *headers, "Connection: close", "", ""]).encode("latin-1")
    head, _, body = exchange(address, request).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body) if b"application/problem+json" in head else {}


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS", "HEAD"])
def test_a_request_to_another_host_is_refused_on_every_path(sandbox: Sandbox, address: str, method: str) -> None:
    headers = {"Host": "rebound.example", "Authorization": f"Bearer {sandbox.token}"}
    statuses = [httpx.request(method, f"{address}{path}", headers=headers).status_code for path in PATHS]
    assert (statuses, len(sandbox.journal)) == ([403] * len(PATHS), 0)


def test_a_refused_host_is_told_what_to_do(address: str) -> None:
    detail = httpx.get(address, headers={"Host": "rebound.example"}).json()["detail"]
    assert "use localhost or 127.0.0.1, or start it with --allow-host NAME" in detail


@pytest.mark.parametrize(
    ("status", "hosts"),
    [
        (200, ["localhost", "LOCALHOST:1", "localhost.", "a.localhost:8080", "127.0.0.1", "127.0.0.1:65535"]),
        (200, ["127.255.0.3:80", "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]"]),
        (403, ["localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example", "128.0.0.1", "0.0.0.0"]),
        (403, ["192.168.0.1", "[::2]", "2130706433", "127.1"]),
        (400, ["", "localhost:", "localhost:x", "localhost:99999", "localhost, evil.example", "user@localhost"]),
        (400, ["localhost/evil", "[::1", ".localhost", "a..localhost", "\xbcocalhost"]),
    ],
)
def test_only_names_of_the_loopback_interface_are_accepted(address: str, status: int, hosts: list[str]) -> None:
    statuses = {host: raw(address, "GET /_sandbox/state", f"Host: {host}")[0] for host in hosts}
    assert statuses == dict.fromkeys(hosts, status)


@pytest.mark.parametrize(
    "lines",
    [
        ["GET /_sandbox/state"],
        ["GET /_sandbox/state", "Host: localhost", "Host: localhost"],
        ["GET /_sandbox/state", "Host: localhost", "Host: evil.example"],
        ["GET http://evil.example/_sandbox/state", "Host: localhost"],
        ["GET http://localhost/_sandbox/state", "Host: localhost"],
        ["OPTIONS *", "Host: localhost"],
        ["CONNECT localhost:80", "Host: localhost"],
    ],
)
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_request_without_one_host_and_a_path_is_refused(address: str, lines: list[str], version: str) -> None:
    assert raw(address, *lines, version=version)[0] == 400


def test_an_upgrade_to_a_websocket_is_refused_for_another_host(address: str, caplog: pytest.LogCaptureFixture) -> None:
    upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAA"]
    assert raw(address, "GET /", "Host: rebound.example", *upgrade)[0] == 403


def test_a_preflight_of_another_site_is_refused(address: str) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    response = httpx.options(f"{address}/v3/enterprise/roles", headers=headers)
    assert (response.status_code, "Access-Control-Allow-Origin" in response.headers) == (403, False)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_of_another_site_is_refused_on_every_path(sandbox: Sandbox, address: str, content_type: str) -> None:
    headers = {"Origin": "https://evil.example", "Content-Type": content_type}
    statuses = [httpx.post(f"{address}{path}", content=b"{}", headers=headers).status_code for path in PATHS]
    assert (statuses, len(sandbox.journal)) == ([403] * len(PATHS), 0)


@pytest.mark.parametrize("origin", ["null", "", "http://localhost:1", "http://[", "file://", "http://127.0.0.1"])
def test_only_the_page_of_the_sandbox_is_accepted(address: str, origin: str) -> None:
    statuses = [
        httpx.post(f"{address}/_sandbox/reset", headers={"Origin": each}).status_code for each in (origin, address)
    ]
    assert statuses == [403, 200]


@pytest.mark.parametrize(
    ("site", "destination", "status"),
    [
        ("cross-site", "image", 403),
        ("same-site", "script", 403),
        ("same-origin", "empty", 200),
        # A link to the page of the sandbox.
        ("cross-site", "document", 200),
    ],
)
def test_a_request_of_another_site_is_refused_without_origin(
    address: str, site: str, destination: str, status: int
) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": destination}
    assert httpx.get(f"{address}/_sandbox/state", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("settings", "accepted", "refused"),
    [
        ({"host": "localhost"}, ["localhost", "127.0.0.1"], ["other.example"]),
        ({"allow_hosts": ["S.example", "10.0.0.7"]}, ["s.example:80", "10.0.0.7", "localhost"], ["other.example"]),
        ({"host": "0.0.0.0"}, ["localhost"], ["0.0.0.0", "evil.example", "192.168.0.1"]),
        ({"host": "0.0.0.0", "allow_hosts": ["192.168.0.7"]}, ["192.168.0.7:8080"], ["0.0.0.0", "192.168.0.8"]),
    ],
)
def test_further_hosts_are_accepted_only_by_name(
    sandbox: Sandbox, settings: dict[str, Any], accepted: list[str], refused: list[str]
) -> None:
    with sandbox.serve(**settings) as address:
        statuses = {host: httpx.get(address, headers={"Host": host}).status_code for host in accepted + refused}
    assert statuses == dict.fromkeys(accepted, 200) | dict.fromkeys(refused, 403)


@pytest.mark.parametrize("name", ["", "http://a.example", "a.example:80", "*.example", "a b", "a/b"])
def test_what_is_no_host_name_cannot_be_allowed(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(ValueError, match="must be a host name or an IP address without a scheme and a port"):
        sandbox.serve(allow_hosts=[name])


def test_one_name_in_place_of_a_list_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="allow_hosts must be a list of host names"):
        sandbox.serve(allow_hosts="sandbox.example")


async def test_in_process_no_host_is_checked(http: httpx.AsyncClient) -> None:
    assert (await http.get("/_sandbox/state", headers={"Host": "anything.example"})).status_code == 200


def test_a_refusal_shows_no_credential(sandbox: Sandbox, address: str) -> None:
    response = httpx.get(f"{address}/v3/{sandbox.token}", headers={"Host": "rebound.example"})
    assert sandbox.token not in response.text
