"""Import the generated package: no other module of the overlay does."""

from __future__ import annotations

from agent_session_platform_api.api import EnterpriseScope, OrganizationScope
from agent_session_platform_api.client import CallOptions, Download, FileSource, Page, Pager
from agent_session_platform_api.credentials import CREDENTIAL_PREFIXES
from agent_session_platform_api.errors import AgentPlatformError, MissingFieldError
from agent_session_platform_api.model import UNSET, Model, json_type, to_json
from agent_session_platform_api.operation import Gap, Operation, Parameter, Request, Rule

__all__ = (
    "CREDENTIAL_PREFIXES",
    "UNSET",
    "AgentPlatformError",
    "CallOptions",
    "Download",
    "EnterpriseScope",
    "FileSource",
    "Gap",
    "MissingFieldError",
    "Model",
    "Operation",
    "OrganizationScope",
    "Page",
    "Pager",
    "Parameter",
    "Request",
    "Rule",
    "json_type",
    "to_json",
)

PACKAGE = EnterpriseScope.__module__.rpartition(".")[0]
"""The name of the generated package, to import its modules at their first use."""
