# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The models of the API; each is imported at its first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .assistant_mode import AssistantMode
    from .audit_log_order import AuditLogOrder
    from .blueprint import Blueprint
    from .blueprint_list import BlueprintList
    from .enterprise_user import EnterpriseUser
    from .enterprise_user_page import EnterpriseUserPage
    from .insights_generation import InsightsGeneration
    from .insights_generation_status import InsightsGenerationStatus
    from .not_shown_page import NotShownPage
    from .queue import Queue
    from .queue_status import QueueStatus
    from .repo_index_job import RepoIndexJob
    from .repository_index_status import RepositoryIndexStatus
    from .review import Review
    from .review_status import ReviewStatus
    from .role import Role
    from .role_assignment import RoleAssignment
    from .role_type import RoleType
    from .schedule import Schedule
    from .schedule_agent import ScheduleAgent
    from .schedule_notify_on import ScheduleNotifyOn
    from .schedule_playbook import SchedulePlaybook
    from .schedule_type import ScheduleType
    from .session import Session
    from .session_message import SessionMessage
    from .session_message_page import SessionMessagePage
    from .session_origin import SessionOrigin
    from .session_page import SessionPage
    from .session_pull_request import SessionPullRequest
    from .session_security_profile import SessionSecurityProfile

__all__ = (
    "AssistantMode",
    "AuditLogOrder",
    "Blueprint",
    "BlueprintList",
    "EnterpriseUser",
    "EnterpriseUserPage",
    "InsightsGeneration",
    "InsightsGenerationStatus",
    "NotShownPage",
    "Queue",
    "QueueStatus",
    "RepoIndexJob",
    "RepositoryIndexStatus",
    "Review",
    "ReviewStatus",
    "Role",
    "RoleAssignment",
    "RoleType",
    "Schedule",
    "ScheduleAgent",
    "ScheduleNotifyOn",
    "SchedulePlaybook",
    "ScheduleType",
    "Session",
    "SessionMessage",
    "SessionMessagePage",
    "SessionOrigin",
    "SessionPage",
    "SessionPullRequest",
    "SessionSecurityProfile",
)

_MODULES: dict[str, str] = {
    "AssistantMode": ".assistant_mode",
    "AuditLogOrder": ".audit_log_order",
    "Blueprint": ".blueprint",
    "BlueprintList": ".blueprint_list",
    "EnterpriseUser": ".enterprise_user",
    "EnterpriseUserPage": ".enterprise_user_page",
    "InsightsGeneration": ".insights_generation",
    "InsightsGenerationStatus": ".insights_generation_status",
    "NotShownPage": ".not_shown_page",
    "Queue": ".queue",
    "QueueStatus": ".queue_status",
    "RepoIndexJob": ".repo_index_job",
    "RepositoryIndexStatus": ".repository_index_status",
    "Review": ".review",
    "ReviewStatus": ".review_status",
    "Role": ".role",
    "RoleAssignment": ".role_assignment",
    "RoleType": ".role_type",
    "Schedule": ".schedule",
    "ScheduleAgent": ".schedule_agent",
    "ScheduleNotifyOn": ".schedule_notify_on",
    "SchedulePlaybook": ".schedule_playbook",
    "ScheduleType": ".schedule_type",
    "Session": ".session",
    "SessionMessage": ".session_message",
    "SessionMessagePage": ".session_message_page",
    "SessionOrigin": ".session_origin",
    "SessionPage": ".session_page",
    "SessionPullRequest": ".session_pull_request",
    "SessionSecurityProfile": ".session_security_profile",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
