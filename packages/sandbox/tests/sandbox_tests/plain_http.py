"""Requests to a sandbox without the SDK, which would refuse invalid ones itself."""

from __future__ import annotations

from typing import Any

import httpx
from agent_session_platform_sandbox import Sandbox

ORGANIZATION = "/v3/organizations/org-acme"
SESSIONS = f"{ORGANIZATION}/sessions"
JSON = "application/json"
PR = "https://git.example.com/acme/shop/pull/7"


def ids(response: Any, name: str) -> list[Any]:
    """Return the member *name* of each item of a response."""
    return [item[name] for item in response["items"]]


async def send(sandbox: Sandbox, method: str, path: str, *, headers: Any = None, **settings: Any) -> httpx.Response:
    """Send a request to a sandbox in process, with a credential that holds all permissions."""
    sent = {"Authorization": f"Bearer {sandbox.token}", "Content-Type": JSON, **(headers or {})}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        return await client.request(method, path, headers=sent, **settings)
