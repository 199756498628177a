"""Check of whether the server is a sandbox, and not the platform."""

from __future__ import annotations

from typing import Final

from agent_session_platform import AgentPlatform, AgentPlatformError, RequestOptions, RetryPolicy

from .finding import Finding, not_tried, ok
from .way import Way

SANDBOX: Final = "sandbox"
PATH: Final = "/_sandbox"


async def check_sandbox(platform: AgentPlatform, way: Way) -> Finding:
    """Ask a server of this machine whether it is a sandbox; another one is not asked what is not in its API."""
    if way.host != "localhost" and not way.host.startswith("127.") and way.host != "::1":
        return not_tried(SANDBOX, "the server is not on this machine, and the platform has no such path")
    try:
        found = await platform.request("GET", PATH, options=RequestOptions(retry=RetryPolicy.none()))
    except AgentPlatformError:
        found = None
    is_sandbox = isinstance(found, dict) and "addresses" in found
    text = "This is a sandbox: what it says is not about the platform." if is_sandbox else "This is no sandbox."
    return ok(SANDBOX, text, recognized=is_sandbox)
