"""Import the generated package: no other module of the overlay does."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agent_session_platform_api.api import EnterpriseScope, OrganizationScope
from agent_session_platform_api.credentials import CREDENTIAL_KINDS, CREDENTIAL_PREFIXES
from agent_session_platform_api.decoding import decode_any, decode_nothing, decode_text
from agent_session_platform_api.encoding import json_type, to_json
from agent_session_platform_api.errors import AgentPlatformError, MissingFieldError
from agent_session_platform_api.id_prefixes import ID_PREFIXES
from agent_session_platform_api.model import Model
from agent_session_platform_api.operation import CallOptions, Gap, Observed, Operation, Parameter, Request, Rule
from agent_session_platform_api.unset import UNSET, Unset

if TYPE_CHECKING:
    from agent_session_platform_api.client import MAX_DOWNLOAD, Download, FileSource, JsonLines
    from agent_session_platform_api.client import Client as FacadeClient
    from agent_session_platform_api.pages import Page, Pager

    # Imported by the jobs at runtime, because it would add to the start-up of every program.
    from agent_session_platform_api.polling import Follow, Follower, OutcomeT, Wait
    from agent_session_platform_api.received import ReceivedResponse

__all__ = (
    "CREDENTIAL_KINDS",
    "CREDENTIAL_PREFIXES",
    "ID_PREFIXES",
    "MAX_DOWNLOAD",
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
    "OutcomeT",
    "Page",
    "Pager",
    "Parameter",
    "ReceivedResponse",
    "Request",
    "Rule",
    "Unset",
    "Wait",
    "decode_any",
    "decode_nothing",
    "decode_text",
    "json_type",
    "to_json",
)

PACKAGE = EnterpriseScope.__module__.rpartition(".")[0]
"""The name of the generated package, to import its modules at their first use."""

# What most programs do not need is imported when it is first used: each name with its module.
LAZY = {
    **dict.fromkeys(("MAX_DOWNLOAD", "Download", "FileSource", "JsonLines"), "client"),
    **dict.fromkeys(("Page", "Pager"), "pages"),
    "ReceivedResponse": "received",
}


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(import_module(f"{PACKAGE}.{LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
