"""The aiohttp transport."""

from __future__ import annotations

import sys
from typing import Any
from urllib.parse import quote_plus

import pytest
from agent_session_platform import AgentPlatform, ConfigurationError
from agent_session_platform_sandbox import Sandbox

from tests.fixtures import all_clients
from tests.servers.fault_server import client, fault_server
from tests.servers.scripts import response


async def test_a_call_works(sandbox: Sandbox, address: str) -> None:
    sandbox.add_blueprint()
    async with AgentPlatform(address, sandbox.token, transport="aiohttp") as platform:
        assert len((await platform.enterprise.blueprints.list()).data or ()) == 1


@pytest.mark.parametrize("library", ["aiohttp", "httpx2"])
def test_without_the_library_no_client_is_made(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ConfigurationError, match=f"needs {library}: pip install '{library}>=.*,<.*'$"):
        AgentPlatform("https://platform.example.com", "svc_x", transport=library)


# What servers and proxies tell apart, although some libraries do not.
TARGETS = [
    "/v3/a%2Fb",
    "/v3/a%2fb",
    "/v3/a%25b",
    "/v3/a%2525b",
    "/v3/%7Ea~b",
    "/v3/%41%2D%2E%5F",
    "/v3/a+b,c;d=e",
    "/v3/a:b@c",
    "/v3/!$&'()*",
    "/v3/%C3%A9",
    "/v3/%e2%98%83",
    "/v3/%00%0A",
    "/v3/a//b/",
    "/v3/%3F%23",
    "/v3/%FF",
]


@all_clients
@pytest.mark.parametrize("target", TARGETS)
async def test_a_target_arrives_as_it_was_written(transport: Any, target: str) -> None:
    async with fault_server(response({})) as server, server.client(transport) as platform:
        await platform.request("GET", target)
    assert [request.target for request in server.requests] == [target]


@all_clients
@pytest.mark.parametrize("text", ["a/b", "a%2Fb", "~-._", "a+b c", "a,b", "é☃", "'()*!", "a&b=c#d?e", '"<>|^`{}[]\\'])
async def test_a_query_arrives_as_it_was_written(transport: Any, text: str) -> None:
    written = quote_plus(text)
    async with fault_server(response({})) as server, server.client(transport) as platform:
        await platform.request("GET", "/v3/x", query={"q": text})
    [request] = server.requests
    assert (request.target, request.query) == (f"/v3/x?q={written}", {"q": text})


@all_clients
async def test_the_path_of_the_base_url_arrives_as_it_was_written(transport: Any) -> None:
    async with fault_server(response({})) as server, client(f"{server.base_url}/a%2Fb/%7Ec", transport) as platform:
        await platform.request("GET", "/v3/x")
    assert [request.target for request in server.requests] == ["/a%2Fb/%7Ec/v3/x"]
