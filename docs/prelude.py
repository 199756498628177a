"""Names that the blocks of the documents use without defining them. Type checkers read this; it never runs."""

from __future__ import annotations

from agent_session_platform import AgentPlatform

platform = AgentPlatform()
org = platform.organization()

saved_cursor: str | None = None
uuid = "0b5a3c1e"


def save(cursor: str | None) -> None:
    """Keep a cursor."""
