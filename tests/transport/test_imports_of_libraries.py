"""Which HTTP library a process imports: the one that it sends through, with its first request, and no other."""

from __future__ import annotations

import subprocess
import sys

import pytest
from agent_session_platform_sandbox import Sandbox

MAKE = "import agent_session_platform as sdk; sdk.AgentPlatform('https://x.example.com', 'svc_x'{}); "
SEND = """
import asyncio, sys
{imported}
from agent_session_platform import AgentPlatform, AgentPlatformError

async def main():
    async with AgentPlatform({address!r}, {token!r}, {setting}) as platform:
        await platform.enterprise.blueprints.list()
        try:
            await platform.request("GET", "/v3/enterprise/no-such-thing")
        except AgentPlatformError:
            pass
        {close}

asyncio.run(main())
"""
SHOW = "\nimport sys; print(sorted({'httpx', 'httpcore', 'httpx2', 'httpcore2', 'aiohttp'} & set(sys.modules)))"


def imported(code: str) -> str:
    command = [sys.executable, "-c", code + SHOW]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("settings", ["", ", transport='httpx2'", ", transport='aiohttp'"])
def test_making_a_client_imports_no_library(settings: str) -> None:
    assert imported(MAKE.format(settings)) == "[]"


@pytest.mark.parametrize(
    ("setting", "imports", "close", "found"),
    [
        ("", "", "", "['httpcore', 'httpx']"),
        ("transport='httpx2'", "", "", "['httpcore2', 'httpx2']"),
        ("transport='aiohttp'", "", "", "['aiohttp']"),
        ("http_client=(own := httpx2.AsyncClient())", "import httpx2", "await own.aclose()", "['httpcore2', 'httpx2']"),
        ("transport=httpx2.AsyncHTTPTransport()", "import httpx2", "", "['httpcore2', 'httpx2']"),
        ("http_client=(own := aiohttp.ClientSession())", "import aiohttp", "await own.close()", "['aiohttp']"),
    ],
)
def test_sending_imports_the_library_that_sends(
    sandbox: Sandbox, address: str, setting: str, imports: str, close: str, found: str
) -> None:
    code = SEND.format(imported=imports, address=address, token=sandbox.token, setting=setting, close=close)
    assert imported(code) == found
