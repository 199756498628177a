"""Async SDK for the Agent Session Platform API.

    from agent_session_platform import AgentPlatform

    async with AgentPlatform() as platform:
        async for session in platform.organization("org-acme").sessions.list():
            print(session.session_id, session.title)

The client is `AgentPlatform`; the models are in `agent_session_platform.models`, and the classes of the resources in
`agent_session_platform.resources`; the root of all exceptions is `AgentPlatformError`, and
`agent_session_platform.errors` has all of them. `operations` is the catalogue of all operations, `gaps` lists what the
API's description does not show, `agent_session_platform.contract` reads the contract that the operations come from, and
`agent_session_platform.legacy` maps the paths of the legacy API to the current ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import contract as contract, errors as errors, legacy as legacy, models as models, resources as resources
from ._api import (
    UNSET,
    CallOptions,
    Documented,
    Download,
    DownloadOptions,
    EnterpriseScope,
    FileSource,
    Follower,
    Gap,
    ListReader,
    Observed,
    OpenList,
    OpenModel,
    Operation,
    OrganizationScope,
    Outcome,
    Page,
    Pager,
    Parameter,
    PlatformScope,
    PolledChange,
    QueryValue,
    Reason,
    ReceivedResponse,
    Rule,
    StateName,
    Unset,
    Until,
    to_json,
)
from .catalogue import Catalogue, operations
from .configuration import VERSION
from .credentials import Credential, TokenProvider
from .errors import *  # noqa: F403  # all exceptions are exported
from .options import RequestOptions
from .permissions import RequiredPermissions, permissions_for
from .platform import AgentPlatform
from .polling.conditions import SET, AnyOf, Changed, States, any_of, changed
from .rate_limit.limiter import KeyFunction, LimitStats, Place, RateLimiter, RateLimiterStats
from .rate_limit.local import LocalRateLimiter
from .rate_limit.redis import RedisRateLimiter
from .response.exchange import ExchangeRecord
from .retry import RetryEvent, RetryPolicy, RetryQuota
from .transport.choose import TransportName

if TYPE_CHECKING:
    from .resources import *  # noqa: F403  # names are passed on as they are

    gaps: tuple[Gap, ...]
    """Every fact that the API's description does not show: id, place in the contract, and what is missing."""

__version__ = VERSION
"""The version of the SDK."""


def __getattr__(name: str) -> Any:
    # Load the contract only on demand, because loading takes a moment.
    if name == "gaps":
        return contract.load().gaps
    # The classes of `resources` can be imported from here, too. Each is loaded at its first use.
    if name in __all__:
        return getattr(resources, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "SET",
    "UNSET",
    "AgentPlatform",
    "AnyOf",
    "CallOptions",
    "Catalogue",
    "Changed",
    "Credential",
    "Documented",
    "Download",
    "DownloadOptions",
    "EnterpriseScope",
    "ExchangeRecord",
    "FileSource",
    "Follower",
    "Gap",
    "KeyFunction",
    "LimitStats",
    "ListReader",
    "LocalRateLimiter",
    "Observed",
    "OpenList",
    "OpenModel",
    "Operation",
    "OrganizationScope",
    "Outcome",
    "Page",
    "Pager",
    "Parameter",
    "Place",
    "PlatformScope",
    "PolledChange",
    "QueryValue",
    "RateLimiter",
    "RateLimiterStats",
    "Reason",
    "ReceivedResponse",
    "RedisRateLimiter",
    "RequestOptions",
    "RequiredPermissions",
    "RetryEvent",
    "RetryPolicy",
    "RetryQuota",
    "Rule",
    "StateName",
    "States",
    "TokenProvider",
    "TransportName",
    "Unset",
    "Until",
    "__version__",
    "any_of",
    "changed",
    "gaps",
    "operations",
    "permissions_for",
    "to_json",
]
__all__ += errors.__all__

if not TYPE_CHECKING:
    __all__ += dir(resources)
