"""Names that the blocks of the documents use without defining them. Type checkers read this; it never runs."""

from __future__ import annotations

from collections.abc import Callable

from agent_session_platform import AgentPlatform
from agent_session_platform.sandbox import Sandbox
from starlette.applications import Starlette

platform = AgentPlatform()
org = platform.organization()
sandbox = Sandbox()

saved_cursor: str | None = None
uuid = "0b5a3c1e"


def make_app(make_platform: Callable[[], AgentPlatform]) -> Starlette:
    """Return an application that makes its client in its lifespan."""
    return Starlette()


def save(cursor: str | None) -> None:
    """Keep a cursor."""


def load() -> str | None:
    """Return what was kept last."""
    return None
