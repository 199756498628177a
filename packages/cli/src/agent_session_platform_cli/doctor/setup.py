"""Settings of a client and their origins, and its credential. Nothing is sent."""

from __future__ import annotations

import os
from typing import Any, Final

import attrs
from agent_session_platform import AgentPlatform, ConfigurationError, Credential

from ..profiles import PROFILE, Profile, chosen_profile
from ..settings import Settings
from ..unused_client import unused_client

VARIABLES: Final = {
    "base_url": "AGENT_PLATFORM_BASE_URL",
    "token": "AGENT_PLATFORM_TOKEN",
    "token_file": "AGENT_PLATFORM_TOKEN_FILE",
    "organization": "AGENT_PLATFORM_ORG_ID",
}

# Seconds that a server, a proxy or a name server may take.
PATIENCE: Final = 10.0
CONNECTIONS: Final = 4


@attrs.frozen
class Setup:
    """The settings of a client.

    Attributes:
        profile: The profile that is used; None for none.
        values: What options, profile and environment say, by the argument of `AgentPlatform`; without the token.
        places: Where each of them, and the token, comes from.
    """

    profile: Profile | None
    values: dict[str, Any]
    places: dict[str, str]

    @property
    def base_url(self) -> str:
        """The base URL; empty without."""
        return str(self.values.get("base_url", ""))

    @property
    def organization(self) -> str | None:
        """The organization; None for none."""
        return self.values.get("organization")

    def place(self, name: str) -> str:
        """Return where a setting comes from, or would."""
        return self.places.get(name, VARIABLES.get(name, name))

    def client(self, credential: Credential) -> AgentPlatform:
        """Return a client with these settings.

        Args:
            credential: What it sends; the command of a profile is not run again.

        Raises:
            ConfigurationError: One cannot be used; the message names it.
        """
        # The paths that are read name the organization; that of the environment may be malformed.
        given: dict[str, Any] = {"organization": "org-none", **self.values}
        return AgentPlatform(
            token=lambda: credential, timeout=PATIENCE, max_connections=CONNECTIONS, user_agent="asp", **given
        )


def read_setup(settings: Settings) -> Setup:
    """Return the settings of a client: an option wins over the profile, and the profile over the environment.

    Args:
        settings: The global options.

    Raises:
        ConfigurationError: The profile cannot be used.
    """
    profile = chosen_profile(settings.profile)
    found: dict[str, tuple[Any, str]] = {
        name: (os.environ[variable], variable) for name, variable in VARIABLES.items() if os.environ.get(variable)
    }
    if profile is not None:
        place = f"the profile {profile.name!r} in {profile.path}"
        of_profile = {name: (value, place) for name, value in profile.settings().items()}
        if not (settings.profile or os.environ.get(PROFILE)) and "organization" in found:
            of_profile.pop("organization", None)
        found |= of_profile
    for name in ("base_url", "organization", "transport"):
        if getattr(settings, name) is not None:
            found[name] = getattr(settings, name), f"--{name.replace('_', '-')}"
    places = {name: place for name, (_, place) in found.items()}
    token_from = places.get("token") or places.get("token_file")
    if profile is not None and profile.token_from is not None:
        token_from = profile.token_from
    if token_from is not None:
        places["token"] = token_from
    return Setup(profile, {name: found[name][0] for name in found if not name.startswith("token")}, places)


def read_credential(setup: Setup) -> Credential:
    """Return the credential that the settings name.

    Raises:
        ConfigurationError: There is none, or it cannot be one.
        OSError: Its file cannot be read.
    """
    sources: dict[str, Any] = {} if setup.profile is None else setup.profile.connection()
    if not sources.keys() & {"token", "token_file"}:
        sources = {name: os.environ.get(VARIABLES[name]) for name in ("token", "token_file")}
    if token := sources.get("token"):
        return Credential(token() if callable(token) else token)  # pyright: ignore[reportArgumentType]  # of any type
    if not sources.get("token_file"):
        raise ConfigurationError(f"there is none: set {VARIABLES['token']} or {VARIABLES['token_file']}, or a profile")
    with open(sources["token_file"], encoding="utf-8", errors="replace") as file:
        return Credential(file.read(64 * 1024).rstrip("\r\n"))


def check_settings(setup: Setup) -> None:
    """Check each setting by itself; nothing is sent.

    Raises:
        ConfigurationError: One is missing or cannot be used; the message names it.
    """
    if not setup.base_url:
        raise ConfigurationError("base_url is missing: use --base-url, a profile, or set AGENT_PLATFORM_BASE_URL")
    unused_client(**setup.values)
