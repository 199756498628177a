"""Profiles: settings of a client that have a name."""

from __future__ import annotations

import os
from typing import Any, Final

from ..errors import ConfigurationError

PROFILE: Final = "AGENT_PLATFORM_PROFILE"


def connection_of(profile: str | None) -> dict[str, Any]:
    """Return the arguments of `AgentPlatform` that a profile has.

    Args:
        profile: Its name; None: the one that AGENT_PLATFORM_PROFILE names, or none.

    Raises:
        ConfigurationError: There is no such profile.
    """
    name = profile or os.environ.get(PROFILE)
    if not name:
        return {}
    raise ConfigurationError(
        f"there is no profile {name[:80]!r}: this version has none; use --base-url and --organization"
    )
