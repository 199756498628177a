"""Async SDK for the Agent Session Platform API.

    from agent_platform import AgentPlatform

    async with AgentPlatform() as platform:
        async for session in platform.organization("org-acme").sessions.list():
            print(session.session_id, session.title)

The client is `AgentPlatform`; models are in `agent_platform.models`; all exceptions are below `AgentPlatformError`.
"""

from __future__ import annotations

from ._api import UNSET, Gap, Operation, Page, Pager, Rule
from .catalogue import Catalogue
from .client import AgentPlatform
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    BadRequestError,
    ClientClosedError,
    ConfigurationError,
    ConflictError,
    ConnectionFailedError,
    CredentialMismatchError,
    DeadlineExceededError,
    DecodeError,
    EventLoopError,
    InvalidArgumentError,
    InvalidOrganizationError,
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
from .retry import RetryEvent, RetryPolicy
from .version import VERSION

__version__ = VERSION

__all__ = (
    "UNSET",
    "AgentPlatform",
    "AgentPlatformError",
    "AuthenticationError",
    "BadRequestError",
    "Catalogue",
    "ClientClosedError",
    "ConfigurationError",
    "ConflictError",
    "ConnectionFailedError",
    "CredentialMismatchError",
    "DeadlineExceededError",
    "DecodeError",
    "EventLoopError",
    "Gap",
    "InvalidArgumentError",
    "InvalidOrganizationError",
    "NotFoundError",
    "Operation",
    "OutcomeUnknownError",
    "Page",
    "Pager",
    "PagingError",
    "PermissionDeniedError",
    "PoolTimeoutError",
    "ProblemError",
    "RateLimitedError",
    "RequestOptions",
    "RetryEvent",
    "RetryPolicy",
    "Rule",
    "ServerError",
    "TransportError",
    "UnprocessableContentError",
    "__version__",
)
