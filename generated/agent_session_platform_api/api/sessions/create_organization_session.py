# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.create: POST /v3/organizations/{org_id}/sessions."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="create_organization_session",
    method="POST",
    path="/v3/organizations/{org_id}/sessions",
    scope="organization",
    resource="sessions",
    verb="create",
    summary="Create a session.",
    credentials=("serviceUser",),
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="assistant_mode",
            location="body",
            kind="string",
        ),
        Parameter(
            name="create_as_user_id",
            location="body",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="session_secrets",
            location="body",
        ),
        Parameter(
            name="child_playbook_id",
            location="body",
        ),
        Parameter(
            name="session_links",
            location="body",
        ),
        Parameter(
            name="bypass_approval",
            location="body",
        ),
    ),
    rules=(
        Rule(
            "session-secrets-temporary",
            "Secrets given as `session_secrets` are temporary and not stored as organization secrets.",
        ),
        Rule(
            "session-mode-default",
            'Of `assistant_mode` it is said that "`normal` default behavior is the organization\'s default when omitted".',
        ),
        Rule(
            "session-impersonation",
            "Session creation accepts `create_as_user_id` as well (the schedule creation rules tell what it requires).",
        ),
    ),
    gaps=(
        Gap(
            "session-create-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions/post",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "session-create-request",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions/post",
            "The request payload beyond the parameters named, and whether one is required.",
        ),
        Gap(
            "session-create-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions/post",
            "The success status and the response payload.",
        ),
        Gap("session-create-errors", "#/paths/~1v3~1organizations~1{org_id}~1sessions/post", "The error statuses."),
    ),
)
