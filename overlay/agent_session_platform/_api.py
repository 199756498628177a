"""Import the generated package: no other module of the overlay does, but for the models."""

from __future__ import annotations

from agent_session_platform_api.api import EnterpriseScope, OrganizationScope
from agent_session_platform_api.client import MAX_DOWNLOAD, Download, FileSource, JsonLines
from agent_session_platform_api.client import Client as FacadeClient
from agent_session_platform_api.credentials import CREDENTIAL_KINDS, CREDENTIAL_PREFIXES
from agent_session_platform_api.decoding import decode_any, decode_nothing, decode_text
from agent_session_platform_api.encoding import json_type, to_json
from agent_session_platform_api.errors import AgentPlatformError, MissingFieldError
from agent_session_platform_api.id_prefixes import ID_PREFIXES
from agent_session_platform_api.model import Model
from agent_session_platform_api.operation import CallOptions, Gap, Observed, Operation, Parameter, Request, Rule
from agent_session_platform_api.pages import Page, Pager
from agent_session_platform_api.polling import (
    Follow,
    Follower,
    Outcome,
    OutcomeT,
    PolledChange,
    Reason,
    Until,
    Wait,
)
from agent_session_platform_api.received import ReceivedResponse
from agent_session_platform_api.unset import UNSET, Unset

PACKAGE = EnterpriseScope.__module__.rpartition(".")[0]
"""The name of the generated package, to import its modules at their first use."""

__all__ = (
    "CREDENTIAL_KINDS",
    "CREDENTIAL_PREFIXES",
    "ID_PREFIXES",
    "MAX_DOWNLOAD",
    "PACKAGE",
    "UNSET",
    "AgentPlatformError",
    "CallOptions",
    "Download",
    "EnterpriseScope",
    "FacadeClient",
    "FileSource",
    "Follow",
    "Follower",
    "Gap",
    "JsonLines",
    "MissingFieldError",
    "Model",
    "Observed",
    "Operation",
    "OrganizationScope",
    "Outcome",
    "OutcomeT",
    "Page",
    "Pager",
    "Parameter",
    "PolledChange",
    "Reason",
    "ReceivedResponse",
    "Request",
    "Rule",
    "Unset",
    "Until",
    "Wait",
    "decode_any",
    "decode_nothing",
    "decode_text",
    "json_type",
    "to_json",
)
