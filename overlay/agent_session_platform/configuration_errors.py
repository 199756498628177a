"""The errors of clients and arguments that cannot be used; `errors` has the tree."""

from __future__ import annotations

from ._api import AgentPlatformError


class ConfigurationError(AgentPlatformError):
    """A client cannot be made or used like this; the message names the setting and what to do.

    Change the setting; no other attempt helps.
    """


class InvalidArgumentError(AgentPlatformError, ValueError):
    """An argument was refused before anything was sent; the message names the argument and what it must be.

    Correct the argument; no other attempt helps.
    """


class InvalidOrganizationError(ConfigurationError, InvalidArgumentError):
    """There is no organization, or its id cannot be one.

    Pass it to `platform.organization()` or to the client, or set AGENT_PLATFORM_ORG_ID.
    """


class CredentialUnavailableError(ConfigurationError):
    """The function or the file that gives the credential has failed; the request was not sent, or was refused with 401.

    Look at `__cause__`, which is what the function raised. The next call asks again.
    """


class ClientClosedError(ConfigurationError, RuntimeError):
    """The client was closed.

    Make a new one, or close it only after the last call.
    """


class EventLoopError(ConfigurationError, RuntimeError):
    """The client belongs to another event loop than the running one, or the running loop is not asyncio's.

    Make a client for each event loop, inside it.
    """
