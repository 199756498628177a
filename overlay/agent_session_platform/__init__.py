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
from typing import TYPE_CHECKING, Any

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
from .platform import AgentPlatform
from .rate_limit.interface import RateLimiter, RateLimiterStats
from .rate_limit.local import LocalRateLimiter
from .request.credentials import Credential
from .retry import RetryEvent, RetryPolicy
from .version import VERSION

if TYPE_CHECKING:
    from . import legacy as legacy
    from . import models as models
    from .rate_limit.redis import RedisRateLimiter

    gaps: tuple[Gap, ...]
    """Every fact that the API's description does not show: id, place in the contract, and what is missing."""

    operations: Catalogue
    """The catalogue of all operations that the contract knows."""

__version__ = VERSION


def __getattr__(name: str) -> Any:
    # Imported when they are first used.
    if name in ("legacy", "models"):
        return import_module(f"{__name__}.{name}")
    if name == "operations":
        return Catalogue()
    if name == "RedisRateLimiter":
        from .rate_limit.redis import RedisRateLimiter

        return RedisRateLimiter
    if name == "gaps":
        from .catalogue import load_gaps

        return load_gaps()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    "OutcomeUnknownError",
    "Page",
    "Pager",
    "PagingError",
    "PermissionDeniedError",
    "PoolTimeoutError",
    "ProblemError",
    "RateLimitedError",
    "RateLimiter",
    "RateLimiterStats",
    "ReceivedResponse",
    "RedisRateLimiter",
    "RequestOptions",
    "RetryEvent",
    "RetryPolicy",
    "Rule",
    "ServerError",
    "TransportError",
    "UnprocessableContentError",
    "__version__",
    "gaps",
    "operations",
    "to_json",
)
