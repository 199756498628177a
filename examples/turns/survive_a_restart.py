"""A service that is restarted while it waits: the next process goes on, and sends nothing again."""

import json
from pathlib import Path
from typing import Any

from agent_session_platform import OrganizationScope
from agent_session_platform_jobs import Turn, ask, resume
from deployment import STATES


async def ask_once(org: OrganizationScope, task: str, file: Path) -> Turn[Any]:
    def save(position: dict[str, Any]) -> None:
        file.write_text(json.dumps(position), encoding="utf-8")

    if file.exists():
        position = json.loads(file.read_text(encoding="utf-8"))
        return await resume(org.sessions, position, states=STATES)
    return await ask(org.sessions, task, states=STATES, on_position=save)
