# Generated from openapi.yaml by codegen/generate.py: change those, not this file.
"""The catalogue: where each operation is defined, by its id."""

from __future__ import annotations

from typing import Final

MODULES: Final[dict[str, str]] = {
    "update_organization_automation": "api.automations.update_organization_automation",
    "create_organization_schedule": "api.schedules.create_organization_schedule",
    "archive_organization_session": "api.sessions.archive_organization_session",
    "create_organization_session": "api.sessions.create_organization_session",
    "get_organization_session": "api.sessions.get_organization_session",
    "list_organization_sessions": "api.sessions.list_organization_sessions",
    "send_organization_session_message": "api.sessions.send_organization_session_message",
    "terminate_organization_session": "api.sessions.terminate_organization_session",
    "delete_enterprise_blueprint": "api.blueprints.delete_enterprise_blueprint",
    "list_enterprise_blueprints": "api.blueprints.list_enterprise_blueprints",
    "list_enterprise_member_users": "api.members.list_enterprise_member_users",
    "list_enterprise_repository_index_status": "api.repositories.list_enterprise_repository_index_status",
    "create_enterprise_review": "api.reviews.create_enterprise_review",
    "list_enterprise_session_messages": "api.sessions.list_enterprise_session_messages",
}
"""The module of each operation, relative to this package; it has the `Operation` as OPERATION."""
