"""A client that is never called: it has methods to look at, or checks a setting."""

from __future__ import annotations

from typing import Any

from agent_session_platform import AgentPlatform


def unused_client(**settings: Any) -> AgentPlatform:
    """Return a client that is never called.

    Args:
        settings: Arguments of `AgentPlatform`, which are checked.

    Raises:
        ConfigurationError: One cannot be used.
    """
    nobody = {"base_url": "https://platform.invalid", "token": "svc_nobody", "organization": "org-nobody"}
    given: dict[str, Any] = nobody | settings
    return AgentPlatform(**given)
