"""The names of the generated package: the only place that imports it, besides `models`, `resources` and `contract`."""

from __future__ import annotations

from agent_session_platform_api.api import (
    EnterpriseScope as EnterpriseScope,
    OrganizationMethods as OrganizationMethods,
    OrganizationScope as OrganizationScope,
    PlatformScope as PlatformScope,
    ResourceMethods as ResourceMethods,
)
from agent_session_platform_api.catalogue import (
    CREDENTIAL_PREFIXES as CREDENTIAL_PREFIXES,
    ID_PREFIXES as ID_PREFIXES,
    OPERATIONS as OPERATIONS,
    RESOURCE_IDS as RESOURCE_IDS,
)
from agent_session_platform_api.contract import (
    Documented as Documented,
    Gap as Gap,
    Observed as Observed,
    Rule as Rule,
)
from agent_session_platform_api.decoding import (
    UnexpectedTypeError as UnexpectedTypeError,
    decode_nothing as decode_nothing,
    decode_text as decode_text,
    has_more as has_more,
)
from agent_session_platform_api.encoding import (
    UNSET as UNSET,
    Unset as Unset,
    json_type as json_type,
    to_json as to_json,
)
from agent_session_platform_api.errors import (
    AgentPlatformError as AgentPlatformError,
    MissingFieldError as MissingFieldError,
)
from agent_session_platform_api.interface import (
    Download as Download,
    DownloadOptions as DownloadOptions,
    FileSource as FileSource,
    Follow as Follow,
    Follower as Follower,
    ListReader as ListReader,
    OpenList as OpenList,
    Outcome as Outcome,
    OutcomeT as OutcomeT,
    Page as Page,
    Pager as Pager,
    PolledChange as PolledChange,
    Reason as Reason,
    StateName as StateName,
    Until as Until,
    Wait as Wait,
)
from agent_session_platform_api.model import (
    Model as Model,
    OpenModel as OpenModel,
    suggest as suggest,
)
from agent_session_platform_api.operation import (
    CallOptions as CallOptions,
    Operation as Operation,
    Parameter as Parameter,
    QueryValue as QueryValue,
    ReceivedResponse as ReceivedResponse,
    Request as Request,
)

PACKAGE = EnterpriseScope.__module__.rpartition(".")[0]
"""The name of the generated package, to import its modules at their first use."""
