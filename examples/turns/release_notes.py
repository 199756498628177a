"""Write the notes of a release into a file."""

from pathlib import Path

from agent_session_platform import OrganizationScope
from agent_session_platform_jobs import ask
from deployment import STATES


async def write_notes(org: OrganizationScope, version: str, file: Path) -> bool:
    arguments = {"tags": ["release", version], "assistant_mode": "fast"}
    turn = await ask(org.sessions, f"Write the notes of {version}.", states=STATES, arguments=arguments)
    if turn.reason != "done" or turn.interrupted:
        return False
    file.write_text(turn.text, encoding="utf-8")
    return True
