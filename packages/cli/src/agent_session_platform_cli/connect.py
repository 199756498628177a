"""Make the client of a command from the global options, the profile and the environment."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any, Final

import attrs
from agent_session_platform import (
    AgentPlatform,
    ConfigurationError,
    CredentialUnavailableError,
    InvalidOrganizationError,
    Operation,
)

from .group import import_companion
from .profiles import PROFILE, chosen_profile
from .settings import Settings
from .terminal_text import escaped

VARIABLES: Final = {
    "base_url": "AGENT_PLATFORM_BASE_URL",
    "token": "AGENT_PLATFORM_TOKEN",
    "token_file": "AGENT_PLATFORM_TOKEN_FILE",
    "organization": "AGENT_PLATFORM_ORG_ID",
}
OBSERVE: Final = "AGENT_PLATFORM_OBSERVE"
LOG: Final = "AGENT_PLATFORM_LOG"
DETAILED: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


@attrs.frozen
class Setup:
    """The settings of a client.

    Attributes:
        arguments: The arguments of `AgentPlatform`. A token in the environment is not here: the SDK reads it itself.
        places: The option, variable or profile that each argument comes from.
    """

    arguments: Mapping[str, Any] = attrs.field(repr=False)
    places: Mapping[str, str]

    def place(self, *names: str) -> str:
        """Return the option, variable or profile that a setting comes from.

        Args:
            names: The possible names of the setting. If none of them is set, return the variable for the first name.
        """
        return next((self.places[name] for name in names if name in self.places), VARIABLES.get(names[0], names[0]))


def read_setup(settings: Settings) -> Setup:
    """Return the settings of a client. Options win over the profile, and the profile wins over the environment.

    Args:
        settings: The global options.

    Raises:
        ConfigurationError: The profile cannot be used.
    """
    places = {name: variable for name, variable in VARIABLES.items() if os.environ.get(variable)}
    arguments: dict[str, Any] = {
        name: os.environ[VARIABLES[name]] for name in ("base_url", "organization") if name in places
    }
    profile = chosen_profile(settings.profile)
    if profile is not None:
        found = profile.connection()
        if "organization" in places and not (settings.profile or os.environ.get(PROFILE)):
            # An organization of the environment wins over the default profile.
            found.pop("organization", None)
        if profile.token_key is not None:
            places = {name: place for name, place in places.items() if not name.startswith("token")}
        arguments |= found
        places |= dict.fromkeys(found, profile.where)
    for name in ("base_url", "organization", "transport"):
        if (value := getattr(settings, name)) is not None:
            arguments[name] = value
            places[name] = f"--{name.replace('_', '-')}"
    return Setup(arguments, places)


def connect(settings: Settings, **more: Any) -> AgentPlatform:
    """Return the client of a command; use it with `async with`.

    Args:
        settings: The global options.
        more: Further arguments of `AgentPlatform`, such as `rate_limiter`.

    Raises:
        ConfigurationError: A setting is missing or malformed, or a package is not installed.
        CredentialUnavailableError: No setting contains the credential, or says where it is.

    Example:
        async with connect(settings) as platform:
            await platform.organization().sessions.get("assistant-1")
    """
    setup = read_setup(settings)
    # These checks come before those of the SDK, whose messages name Python arguments instead of options.
    if "base_url" not in setup.places:
        raise ConfigurationError(f"no server: use --base-url or set {VARIABLES['base_url']}")
    if not setup.places.keys() & {"token", "token_file"}:
        raise CredentialUnavailableError(
            f"no credential: set {VARIABLES['token']}, or {VARIABLES['token_file']} to the path of a file with it"
        )
    if os.environ.get(OBSERVE):
        observe = import_companion("agent_session_platform_observe", OBSERVE)
        more["on_exchange"] = observe.observations_from_environment()
    show_logs(is_debug=settings.debug)
    platform = AgentPlatform(user_agent="asp", **setup.arguments, **more)
    settings.redact = platform.redact
    return platform


class EscapingFormatter(logging.Formatter):
    """A formatter for a terminal: a server chooses a part of the messages."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record, with control characters escaped."""
        return escaped(super().format(record), kept="\n")


def show_logs(*, is_debug: bool) -> None:
    """Write the logs to stderr: warnings like other messages; with `--debug`, everything of the SDK.

    Args:
        is_debug: Whether `--debug` is given.
    """
    is_detailed = is_debug or bool(os.environ.get(LOG))
    handler = logging.StreamHandler()
    handler.setFormatter(EscapingFormatter(DETAILED if is_detailed else "asp: %(message)s"))
    logging.basicConfig(handlers=[handler])
    if is_debug:
        logging.getLogger("agent_session_platform").setLevel(logging.DEBUG)


def method_of(platform: AgentPlatform, operation: Operation, name: str | None = None) -> Any:
    """Return the method of a client that calls an operation.

    Args:
        platform: The client.
        operation: The operation.
        name: The name of another method of the resource, such as `wait`.

    Raises:
        InvalidOrganizationError: The operation needs an organization, and no setting names one.
    """
    scope: Any = platform
    if operation.scope == "enterprise":
        scope = platform.enterprise
    elif operation.scope == "organization":
        try:
            scope = platform.organization()
        except InvalidOrganizationError:
            # The organization is missing. A malformed organization was refused before, when the client was made.
            text = f"no organization: use --organization or set {VARIABLES['organization']}"
            raise InvalidOrganizationError(text) from None
    return getattr(getattr(scope, operation.resource), name or operation.verb)
