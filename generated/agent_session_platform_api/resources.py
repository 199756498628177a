# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The classes with the methods of each resource, and the outcomes of their waits; each is imported at its first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api.acu_limits import EnterpriseAcuLimits
    from .api.attachments import OrganizationAttachments
    from .api.audit_logs import EnterpriseAuditLogs, OrganizationAuditLogs
    from .api.automations import OrganizationAutomations
    from .api.blueprints import EnterpriseBlueprints
    from .api.consumption import EnterpriseConsumption
    from .api.default_session_tags import OrganizationDefaultSessionTags
    from .api.git_connections import EnterpriseGitConnections
    from .api.git_permissions import EnterpriseGitPermissions
    from .api.guardrail_violations import EnterpriseGuardrailViolations
    from .api.hypervisors import EnterpriseHypervisors
    from .api.idp_groups import EnterpriseIdpGroups
    from .api.ip_access_list import EnterpriseIpAccessList
    from .api.knowledge_notes import OrganizationKnowledgeNotes
    from .api.members import EnterpriseMembers, OrganizationMembers
    from .api.metrics import EnterpriseMetrics
    from .api.org_group_limits import EnterpriseOrgGroupLimits
    from .api.organizations import EnterpriseOrganizations
    from .api.playbooks import OrganizationPlaybooks
    from .api.queue import EnterpriseQueue
    from .api.repositories import EnterpriseRepositories
    from .api.reviews import EnterpriseReviews
    from .api.roles import EnterpriseRoles
    from .api.schedules import OrganizationSchedules
    from .api.searches import EnterpriseSearches, OrganizationSearches
    from .api.secrets import OrganizationSecrets
    from .api.service_users import EnterpriseServiceUsers, OrganizationServiceUsers
    from .api.sessions import EnterpriseSessions, OrganizationSessions
    from .outcomes import ScheduleOutcome, SessionOutcome

__all__ = (
    "EnterpriseAcuLimits",
    "EnterpriseAuditLogs",
    "EnterpriseBlueprints",
    "EnterpriseConsumption",
    "EnterpriseGitConnections",
    "EnterpriseGitPermissions",
    "EnterpriseGuardrailViolations",
    "EnterpriseHypervisors",
    "EnterpriseIdpGroups",
    "EnterpriseIpAccessList",
    "EnterpriseMembers",
    "EnterpriseMetrics",
    "EnterpriseOrganizations",
    "EnterpriseOrgGroupLimits",
    "EnterpriseQueue",
    "EnterpriseRepositories",
    "EnterpriseReviews",
    "EnterpriseRoles",
    "EnterpriseSearches",
    "EnterpriseServiceUsers",
    "EnterpriseSessions",
    "OrganizationAttachments",
    "OrganizationAuditLogs",
    "OrganizationAutomations",
    "OrganizationDefaultSessionTags",
    "OrganizationKnowledgeNotes",
    "OrganizationMembers",
    "OrganizationPlaybooks",
    "OrganizationSchedules",
    "OrganizationSearches",
    "OrganizationSecrets",
    "OrganizationServiceUsers",
    "OrganizationSessions",
    "ScheduleOutcome",
    "SessionOutcome",
)

_MODULES: dict[str, str] = {
    "EnterpriseAcuLimits": ".api.acu_limits",
    "EnterpriseAuditLogs": ".api.audit_logs",
    "EnterpriseBlueprints": ".api.blueprints",
    "EnterpriseConsumption": ".api.consumption",
    "EnterpriseGitConnections": ".api.git_connections",
    "EnterpriseGitPermissions": ".api.git_permissions",
    "EnterpriseGuardrailViolations": ".api.guardrail_violations",
    "EnterpriseHypervisors": ".api.hypervisors",
    "EnterpriseIdpGroups": ".api.idp_groups",
    "EnterpriseIpAccessList": ".api.ip_access_list",
    "EnterpriseMembers": ".api.members",
    "EnterpriseMetrics": ".api.metrics",
    "EnterpriseOrganizations": ".api.organizations",
    "EnterpriseOrgGroupLimits": ".api.org_group_limits",
    "EnterpriseQueue": ".api.queue",
    "EnterpriseRepositories": ".api.repositories",
    "EnterpriseReviews": ".api.reviews",
    "EnterpriseRoles": ".api.roles",
    "EnterpriseSearches": ".api.searches",
    "EnterpriseServiceUsers": ".api.service_users",
    "EnterpriseSessions": ".api.sessions",
    "OrganizationAttachments": ".api.attachments",
    "OrganizationAuditLogs": ".api.audit_logs",
    "OrganizationAutomations": ".api.automations",
    "OrganizationDefaultSessionTags": ".api.default_session_tags",
    "OrganizationKnowledgeNotes": ".api.knowledge_notes",
    "OrganizationMembers": ".api.members",
    "OrganizationPlaybooks": ".api.playbooks",
    "OrganizationSchedules": ".api.schedules",
    "OrganizationSearches": ".api.searches",
    "OrganizationSecrets": ".api.secrets",
    "OrganizationServiceUsers": ".api.service_users",
    "OrganizationSessions": ".api.sessions",
    "ScheduleOutcome": ".outcomes",
    "SessionOutcome": ".outcomes",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name], __package__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
