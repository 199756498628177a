"""The profile that a command uses: the one that an option or the environment names, or the default of the file."""

from __future__ import annotations

import os
from typing import Any, Final

from .file import ProfileFile, config_path
from .profile import Profile

PROFILE: Final = "AGENT_PLATFORM_PROFILE"
ORGANIZATION: Final = "AGENT_PLATFORM_ORG_ID"
# Who sets one of these means that server or that credential: the default profile would mix them with its own.
WITHOUT_DEFAULT: Final = ("AGENT_PLATFORM_BASE_URL", "AGENT_PLATFORM_TOKEN", "AGENT_PLATFORM_TOKEN_FILE")


def chosen_profile(name: str | None) -> Profile | None:
    """Return the profile that a command uses; None for none.

    Args:
        name: The name that `--profile` gives; None: the one that AGENT_PLATFORM_PROFILE names, or else the default of
            the file, unless the environment has a base URL or a credential.

    Raises:
        ConfigurationError: There is no such profile, or something in it is wrong.
    """
    named = name or os.environ.get(PROFILE)
    if named:
        return ProfileFile.read(config_path()).profile(named)
    if any(os.environ.get(each) for each in WITHOUT_DEFAULT) or not config_path().exists():
        return None
    file = ProfileFile.read(config_path())
    return file.profile(file.default) if file.default is not None else None


def connection_of(profile: str | None) -> dict[str, Any]:
    """Return the arguments of `AgentPlatform` that a profile has; empty without a profile.

    Args:
        profile: Its name; None: see `chosen_profile`.

    Raises:
        ConfigurationError: There is no such profile, or something in it is wrong.
    """
    found = chosen_profile(profile)
    if found is None:
        return {}
    connection = found.connection()
    if not (profile or os.environ.get(PROFILE)) and os.environ.get(ORGANIZATION):
        # The default profile gives way to what was set for this one command.
        connection.pop("organization", None)
    return connection
