"""The settings of a client, and where each of them comes from."""

from __future__ import annotations

import os
from typing import Any, Final

import attrs
from agent_session_platform import ConfigurationError
from agent_session_platform.network import Network

from ..profiles import PROFILE, Profile, chosen_profile, connection_of
from ..settings import Settings

VARIABLES: Final = {
    "base_url": "AGENT_PLATFORM_BASE_URL",
    "token": "AGENT_PLATFORM_TOKEN",
    "token_file": "AGENT_PLATFORM_TOKEN_FILE",
    "organization": "AGENT_PLATFORM_ORG_ID",
}
# For clients that name the organization in each path themselves.
NO_ORGANIZATION: Final = "org-none"
# Seconds that a server, a proxy or a name server may take.
PATIENCE: Final = 10.0


@attrs.frozen
class Setup:
    """The settings of a client.

    Attributes:
        values: What options, profile and environment say, by the argument of `AgentPlatform`.
        places: Where each of them comes from.
        profile: The profile that is used; None for none.
        token_from: Where the token comes from; None for nowhere.
        token_error: Why the profile gives no token; None if it does.
    """

    values: dict[str, Any] = attrs.field(repr=False)
    places: dict[str, str]
    profile: Profile | None
    token_from: str | None
    token_error: str | None = None

    @property
    def base_url(self) -> str:
        """The base URL; empty without."""
        return self.values.get("base_url") or ""

    @property
    def organization(self) -> str | None:
        """The organization; None for none."""
        return self.values.get("organization")

    @property
    def allow_http(self) -> bool:
        """True if the credential may be sent over http."""
        return bool(self.values.get("allow_http"))

    @property
    def network(self) -> Network:
        """The settings of the way to the server."""
        return Network(self.values.get("proxy"), self.values.get("verify", True))

    def place(self, name: str) -> str:
        """Return where a setting comes from, or would."""
        return self.places.get(name, VARIABLES.get(name, name))


def read_setup(settings: Settings) -> Setup:
    """Return the settings of a client.

    Args:
        settings: The global options.

    Raises:
        ConfigurationError: The profile cannot be used.
    """
    profile = chosen_profile(settings.profile)
    values: dict[str, Any] = {}
    places: dict[str, str] = {}

    def add(found: dict[str, Any], place: str = "") -> None:
        for name, value in found.items():
            if value:
                values[name] = value
                places[name] = place or VARIABLES[name]

    token_error = None
    add({name: os.environ.get(variable) for name, variable in VARIABLES.items()})
    if profile is not None:
        try:
            of_profile = connection_of(settings.profile)
        except ConfigurationError as error:
            # Of its settings only the token is read from elsewhere.
            token_error = str(error)
            of_profile = profile.settings()
        if of_profile.keys() & {"token", "token_file"} or token_error:
            values.pop("token", None)
            values.pop("token_file", None)
        add(of_profile, f"the profile {profile.name!r} in {profile.path}")
    options = {name: getattr(settings, name) for name in ("base_url", "organization", "transport")}
    for name, value in options.items():
        add({name: value}, f"--{name.replace('_', '-')}")
    named = profile.token_from if profile is not None else None
    token_from = named or next((VARIABLES[name] for name in ("token", "token_file") if name in values), None)
    return Setup(values, places, profile, token_from, token_error)


def describe_profile(setup: Setup) -> str:
    """Return which profile is used, as a sentence."""
    if setup.profile is None:
        return f"No profile is used; --profile or {PROFILE} would name one."
    return f"The profile {setup.profile.name!r} in {setup.profile.path} is used."
