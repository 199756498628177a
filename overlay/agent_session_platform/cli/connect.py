"""The client of a command: made from the global options, the profile and the environment."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from typing import Any, TypeVar

from .. import AgentPlatform
from .profiles import connection_of
from .settings import Settings

T = TypeVar("T")


def connect(settings: Settings, **more: Any) -> AgentPlatform:
    """Return the client of a command; use it with `async with`.

    An option wins over the profile, and the profile over the environment.

    Args:
        settings: The global options.
        more: Further arguments of `AgentPlatform`, such as `rate_limiter`.

    Raises:
        ConfigurationError: A setting is missing or malformed; the message says which.

    Example:
        async with connect(settings) as platform:
            await platform.organization().sessions.get("assistant-1")
    """
    if settings.debug:
        os.environ.setdefault("AGENT_PLATFORM_LOG", "debug")
    given = {
        "base_url": settings.base_url,
        "organization": settings.organization,
        "transport": settings.transport,
        "user_agent": "asp",
    }
    arguments = connection_of(settings.profile) | {name: value for name, value in given.items() if value is not None}
    return AgentPlatform(**arguments | more)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the work of a command in an event loop; Ctrl-C cancels it, so that it can close what it has open."""
    return asyncio.run(work)
