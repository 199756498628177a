"""Items of lists, and exports of them."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

from agent_session_platform_jobs import export

from tests.servers.growing_list import GrowingList


def sessions(*numbers: int, **fields: Any) -> list[dict[str, Any]]:
    """Return sessions with these numbers."""
    return [{"session_id": f"assistant-{number}", "status": "new", **fields} for number in numbers]


def messages(*texts: str) -> list[dict[str, Any]]:
    """Return messages with these texts, which have no id."""
    return [{"message": text, "source": "user"} for text in texts]


def read(path: Path) -> list[Any]:
    content = path.read_text(encoding="utf-8")
    assert content.endswith("\n") or not content
    return [json.loads(line) for line in content.split("\n")[:-1]]


async def run(listing: GrowingList, path: Path, **arguments: Any) -> Any:
    """Export the sessions of an organization."""
    async with listing.client() as platform:
        return await export(platform.organization().sessions.list, path, **arguments)


async def run_messages(listing: GrowingList, path: Path, **arguments: Any) -> Any:
    async with listing.client() as platform:
        source = partial(platform.enterprise.sessions.list_messages, "assistant-1")
        return await export(source, path, chronological=True, **arguments)
