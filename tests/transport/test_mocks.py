"""The tools with which programs replace responses in their tests: each works with the default transport."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
import respx
import vcr
from agent_session_platform import AgentPlatform, NotFoundError
from pytest_httpx import HTTPXMock

from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import TOKEN, client, fault_server
from tests.servers.scripts import response

URL = "https://platform.example.com"
PATH = "/v3/x"


def mocked(**settings: Any) -> AgentPlatform:
    return AgentPlatform(URL, TOKEN, retry=ONE_ATTEMPT, **settings)


async def two_calls(platform: AgentPlatform) -> None:
    assert await platform.request("GET", PATH, query={"a": 1}) == {"n": 1}
    with pytest.raises(NotFoundError):
        await platform.request("POST", PATH, body={"b": 2})


async def test_pytest_httpx(httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(url=f"{URL}{PATH}?a=1", method="GET", json={"n": 1})
    httpx_mock.add_response(url=f"{URL}{PATH}", method="POST", match_json={"b": 2}, status_code=404)
    async with mocked() as platform:
        await two_calls(platform)


@respx.mock
async def test_respx() -> None:
    get = respx.get(f"{URL}{PATH}", params={"a": "1"}).mock(httpx.Response(200, json={"n": 1}))
    respx.post(f"{URL}{PATH}", json={"b": 2}).mock(httpx.Response(404))
    async with mocked() as platform:
        await two_calls(platform)
    assert get.calls.last.request.headers["authorization"] == f"Bearer {TOKEN}"


async def test_vcrpy(tmp_path: Path) -> None:
    cassette = str(tmp_path / "cassette.yaml")
    recorder = vcr.VCR(filter_headers=["authorization"])
    async with fault_server(response({"n": 1}), response({}, "404 Not Found")) as server:
        for _ in range(2):
            with recorder.use_cassette(cassette):
                async with client(server.base_url, retry=ONE_ATTEMPT) as platform:
                    await two_calls(platform)
    assert len(server.requests) == 2
    assert TOKEN not in Path(cassette).read_text()


@pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
@pytest.mark.parametrize("passed", ["transport", "http_client"])
async def test_a_mock_transport(library: Any, passed: str) -> None:
    def handle(request: Any) -> Any:
        return library.Response(200, json={"target": request.url.path, "content": request.content.decode()})

    own = library.MockTransport(handle)
    own = library.AsyncClient(transport=own) if passed == "http_client" else own
    async with mocked(**{passed: own}) as platform:
        found = await platform.request("POST", PATH, body={"b": 2})
    assert found == {"target": PATH, "content": '{"b":2}'}
