"""The names that the package exports, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import agent_session_platform
import pytest


def loaded_by(statement: str) -> set[str]:
    """Return the names of the modules that a fresh interpreter has loaded after *statement*."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_every_exported_name_is_documented() -> None:
    exported = [name for name in agent_session_platform.__all__ if not name.startswith("__") and name != "UNSET"]
    assert [name for name in exported if not (getattr(agent_session_platform, name).__doc__ or "").strip()] == []


def test_every_exported_name_exists_once() -> None:
    assert sorted(agent_session_platform.__all__) == sorted(set(agent_session_platform.__all__))
    assert [name for name in agent_session_platform.__all__ if not hasattr(agent_session_platform, name)] == []


async def test_pagers_pages_downloads_and_rate_limiters_are_instances_of_what_is_exported(
    platform: agent_session_platform.AgentPlatform,
) -> None:
    org = platform.organization("org-acme")
    pager = org.sessions.list()
    assert isinstance(pager, agent_session_platform.Pager)
    assert isinstance(await pager.first_page(), agent_session_platform.Page)
    assert isinstance(org.attachments.download("id", "name"), agent_session_platform.Download)
    assert isinstance(platform.rate_limiter, agent_session_platform.RateLimiter)
    assert not isinstance([], agent_session_platform.Pager)


MODELS = "agent_session_platform_api.models."
FIRST_CALL = """
import asyncio, httpx
from agent_session_platform import AgentPlatform
async def main():
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json={}))
    async with AgentPlatform("https://e.example", "svc_x", transport=transport) as platform:
        await platform.organization("org-a").sessions.get("assistant-1")
asyncio.run(main())
"""
# A transport that was not chosen and the library of an extra are imported at their first use.
NOT_NEEDED = {
    "import agent_session_platform; agent_session_platform.AgentPlatform('https://e.example', 'svc_x')": (
        "httpx",
        MODELS,
    ),
    FIRST_CALL: ("redis", "httpx2", "aiohttp", "opentelemetry"),
    "from agent_session_platform.models import Session; repr(Session(title='x'))": ("pydantic", f"{MODELS}review"),
    # Pytest loads it in every project of its environment.
    "import agent_session_platform_sandbox.pytest_plugin": (
        "agent_session_platform_sandbox.sandbox",
        "starlette",
        "httpx",
    ),
}


@pytest.mark.parametrize(("code", "unwanted"), NOT_NEEDED.items(), ids=["client", "call", "model", "plugin"])
def test_nothing_is_imported_that_is_not_needed(code: str, unwanted: tuple[str, ...]) -> None:
    assert [name for name in loaded_by(code) if name.startswith(unwanted)] == []
