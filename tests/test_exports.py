"""The names that the package exports, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import agent_session_platform


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


def test_a_client_is_made_without_importing_httpx_or_a_model() -> None:
    loaded = loaded_by(
        "import agent_session_platform; agent_session_platform.AgentPlatform('https://e.example', 'svc_x')"
    )
    unwanted = ("httpx", "agent_session_platform_api.models.", "starlette")
    assert not {name for name in loaded if name.startswith(unwanted)}


def test_a_first_call_imports_only_what_it_needs() -> None:
    """A transport that was not chosen and the library of an extra are imported at their first use."""
    loaded = loaded_by(
        "import asyncio, httpx\n"
        "from agent_session_platform import AgentPlatform\n"
        "async def main():\n"
        "    transport = httpx.MockTransport(lambda request: httpx.Response(200, json={}))\n"
        "    async with AgentPlatform('https://e.example', 'svc_x', transport=transport) as platform:\n"
        "        await platform.organization('org-a').sessions.get('assistant-1')\n"
        "asyncio.run(main())"
    )
    unwanted = {"redis", "httpx2", "aiohttp", "opentelemetry"}
    assert loaded & unwanted == set()


def test_pydantic_is_imported_only_where_it_is_in_use() -> None:
    loaded = loaded_by("from agent_session_platform.models import Session; repr(Session(title='x'))")
    assert not {name for name in loaded if name.startswith("pydantic")}


def test_a_model_is_imported_when_it_is_asked_for() -> None:
    loaded = loaded_by("from agent_session_platform.models import Review")
    assert {name for name in loaded if name.startswith("agent_session_platform_api.models.")} == {
        "agent_session_platform_api.models.review"
    }


def test_the_pytest_plugin_imports_nothing_of_the_sandbox() -> None:
    """Pytest loads it in every project of its environment."""
    loaded = loaded_by("import agent_session_platform_sandbox.pytest_plugin")
    late = ("agent_session_platform_sandbox.sandbox", "starlette", "httpx")
    assert not {name for name in loaded if name.startswith(late)}
