"""Async SDK for the Agent Session Platform API.

    from agent_session_platform import AgentPlatform

    async with AgentPlatform() as platform:
        async for session in platform.organization("org-acme").sessions.list():
            print(session.session_id, session.title)

The client is `AgentPlatform`; the models are in `agent_session_platform.models`; the root of all exceptions is
`AgentPlatformError`. `operations` is the catalogue of all operations, `gaps` lists what the API's description does not
show, and `agent_session_platform.legacy` maps the paths of the legacy API to the current ones.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .version import VERSION

if TYPE_CHECKING:
    from . import legacy as legacy
    from . import models as models
    from ._api import (
        UNSET,
        Download,
        EnterpriseScope,
        FileSource,
        Gap,
        JsonLines,
        Observed,
        Operation,
        OrganizationScope,
        Page,
        Pager,
        Parameter,
        ReceivedResponse,
        Rule,
        to_json,
    )
    from .catalogue import Catalogue
    from .errors import (
        AgentPlatformError,
        AuthenticationError,
        BadRequestError,
        CertificateError,
        ClientClosedError,
        ConfigurationError,
        ConflictError,
        ConnectionFailedError,
        CredentialMismatchError,
        CredentialUnavailableError,
        DeadlineExceededError,
        DecodeError,
        EventLoopError,
        InvalidArgumentError,
        InvalidOrganizationError,
        MissingFieldError,
        NotFoundError,
        OutcomeUnknownError,
        PagingError,
        PermissionDeniedError,
        PoolTimeoutError,
        ProblemError,
        RateLimitedError,
        ServerError,
        TransportError,
        UnprocessableContentError,
    )
    from .options import RequestOptions
    from .permissions import RequiredPermissions, UnknownPermission, permissions_for
    from .platform import AgentPlatform
    from .polling.interface import Follower, Outcome, PolledChange
    from .polling.wait.changed import changed
    from .rate_limit.interface import RateLimiter, RateLimiterStats
    from .rate_limit.local import LocalRateLimiter
    from .rate_limit.redis import RedisRateLimiter
    from .request.credentials import Credential
    from .retry import RetryPolicy
    from .retry_event import RetryEvent

    gaps: tuple[Gap, ...]
    """Every fact that the API's description does not show: id, place in the contract, and what is missing."""

    operations: Catalogue
    """The catalogue of all operations that the contract knows."""

__version__ = VERSION
"""The version of the SDK."""

# The modules that have the names of `__all__` and are imported when one of them is first used: `asp --version`, for
# example, uses none.
_MODULES: Final = {
    "_api": (
        *("UNSET", "Download", "EnterpriseScope", "FileSource", "Gap", "JsonLines", "Observed", "Operation"),
        *("OrganizationScope", "Page", "Pager", "Parameter", "ReceivedResponse", "Rule", "to_json"),
    ),
    "catalogue": ("Catalogue",),
    "options": ("RequestOptions",),
    "platform": ("AgentPlatform",),
    "permissions": ("RequiredPermissions", "UnknownPermission", "permissions_for"),
    "polling.interface": ("Follower", "Outcome", "PolledChange"),
    "polling.wait.changed": ("changed",),
    "rate_limit.interface": ("RateLimiter", "RateLimiterStats"),
    "rate_limit.local": ("LocalRateLimiter",),
    "rate_limit.redis": ("RedisRateLimiter",),
    "request.credentials": ("Credential",),
    "retry": ("RetryPolicy",),
    "retry_event": ("RetryEvent",),
}


def __getattr__(name: str) -> Any:
    if name in ("legacy", "models"):
        return import_module(f"{__name__}.{name}")
    if name in ("gaps", "operations"):
        catalogue = import_module(f"{__name__}.catalogue")
        return catalogue.load_gaps() if name == "gaps" else catalogue.Catalogue()
    if name in __all__:
        module = next((module for module, names in _MODULES.items() if name in names), "errors")
        found = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = (
    "UNSET",
    "AgentPlatform",
    "AgentPlatformError",
    "AuthenticationError",
    "BadRequestError",
    "Catalogue",
    "CertificateError",
    "ClientClosedError",
    "ConfigurationError",
    "ConflictError",
    "ConnectionFailedError",
    "Credential",
    "CredentialMismatchError",
    "CredentialUnavailableError",
    "DeadlineExceededError",
    "DecodeError",
    "Download",
    "EnterpriseScope",
    "EventLoopError",
    "FileSource",
    "Follower",
    "Gap",
    "InvalidArgumentError",
    "InvalidOrganizationError",
    "JsonLines",
    "LocalRateLimiter",
    "MissingFieldError",
    "NotFoundError",
    "Observed",
    "Operation",
    "OrganizationScope",
    "Outcome",
    "OutcomeUnknownError",
    "Page",
    "Pager",
    "PagingError",
    "Parameter",
    "PermissionDeniedError",
    "PolledChange",
    "PoolTimeoutError",
    "ProblemError",
    "RateLimitedError",
    "RateLimiter",
    "RateLimiterStats",
    "ReceivedResponse",
    "RedisRateLimiter",
    "RequestOptions",
    "RequiredPermissions",
    "RetryEvent",
    "RetryPolicy",
    "Rule",
    "ServerError",
    "TransportError",
    "UnknownPermission",
    "UnprocessableContentError",
    "__version__",
    "changed",
    "gaps",
    "operations",
    "permissions_for",
    "to_json",
)
