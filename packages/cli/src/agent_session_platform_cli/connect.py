"""The client of a command: made from the global options, the profile and the environment."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from agent_session_platform import (
    AgentPlatform,
    ConfigurationError,
    CredentialUnavailableError,
    InvalidOrganizationError,
    Operation,
    OrganizationScope,
)

from .group import to_install
from .profiles import connection_of
from .settings import Settings

T = TypeVar("T")

BASE_URL: Final = "AGENT_PLATFORM_BASE_URL"
TOKEN: Final = "AGENT_PLATFORM_TOKEN"
TOKEN_FILE: Final = "AGENT_PLATFORM_TOKEN_FILE"
ORGANIZATION: Final = "AGENT_PLATFORM_ORG_ID"
LOG: Final = "AGENT_PLATFORM_LOG"
OBSERVE: Final = "AGENT_PLATFORM_OBSERVE"


def connect(settings: Settings, **more: Any) -> AgentPlatform:
    """Return the client of a command; use it with `async with`.

    An option wins over the profile, and the profile over the environment.

    Args:
        settings: The global options.
        more: Further arguments of `AgentPlatform`, such as `rate_limiter`.

    Raises:
        ConfigurationError: A setting is missing or malformed, or what it needs is not installed; the message says
            which.
        CredentialUnavailableError: No setting says where the credential is.

    Example:
        async with connect(settings) as platform:
            await platform.organization().sessions.get("assistant-1")
    """
    given: dict[str, Any] = {
        "base_url": settings.base_url,
        "organization": settings.organization,
        "transport": settings.transport,
        "user_agent": "asp",
    }
    arguments = connection_of(settings.profile) | {name: value for name, value in given.items() if value is not None}
    # The SDK would name its own arguments.
    if not ("base_url" in arguments or os.environ.get(BASE_URL)):
        raise ConfigurationError(f"no server: use --base-url or set {BASE_URL}")
    if not (arguments.keys() & {"token", "token_file"} or os.environ.get(TOKEN) or os.environ.get(TOKEN_FILE)):
        raise CredentialUnavailableError(f"no credential: set {TOKEN}, or {TOKEN_FILE} to the path of a file with it")
    if os.environ.get(OBSERVE):
        try:
            from agent_session_platform_observe import observations_from_environment
        except ModuleNotFoundError as error:
            raise ConfigurationError(
                f"{OBSERVE} needs the package observe ({error}): {to_install('observe')}"
            ) from None
        arguments["on_exchange"] = observations_from_environment()
    logs = settings.debug and LOG not in os.environ
    if logs:
        # The client reads it when it is made; a process of this one should not log.
        os.environ[LOG] = "debug"
    try:
        return AgentPlatform(**arguments | more)
    finally:
        if logs:
            del os.environ[LOG]


def organization_scope(platform: AgentPlatform, settings: Settings) -> OrganizationScope:
    """Return the organization that the global options, the profile or the environment name.

    Raises:
        InvalidOrganizationError: None of them does, or its id is malformed.
    """
    try:
        return platform.organization()
    except InvalidOrganizationError as error:
        if settings.organization is not None or os.environ.get(ORGANIZATION):
            raise
        raise InvalidOrganizationError(f"no organization: use --organization or set {ORGANIZATION}") from error


def method_of(platform: AgentPlatform, settings: Settings, operation: Operation, name: str | None = None) -> Any:
    """Return the method of a client that calls an operation.

    Args:
        platform: The client.
        settings: The global options, which may name the organization.
        operation: The operation.
        name: Another method of the same resource, such as its `job`.
    """
    scope = organization_scope(platform, settings) if operation.scope == "organization" else platform.enterprise
    return getattr(getattr(scope, operation.resource), name or operation.verb)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the work of a command in an event loop; Ctrl-C cancels it, so that it can close what it has open."""
    return asyncio.run(work)
