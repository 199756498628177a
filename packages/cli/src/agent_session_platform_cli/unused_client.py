"""A client that is never called: it has methods to look at, or checks a setting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_session_platform import AgentPlatform

ARGUMENTS: Final[Mapping[str, Any]] = {
    "base_url": "https://platform.invalid",
    "token": "svc_nobody",
    "organization": "org-nobody",
}


def unused_client(**settings: Any) -> AgentPlatform:
    """Return a client that is never called.

    Args:
        settings: Arguments of `AgentPlatform`, which are checked.

    Raises:
        ConfigurationError: One cannot be used.
    """
    given: dict[str, Any] = {**ARGUMENTS, **settings}
    return AgentPlatform(**given)
