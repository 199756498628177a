# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.schedules.create: POST /v3/organizations/{org_id}/schedules."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="create_organization_schedule",
    method="POST",
    path="/v3/organizations/{org_id}/schedules",
    scope="organization",
    resource="schedules",
    verb="create",
    summary="Create a schedule.",
    permission="ManageOrgSchedules",
    level="organization",
    credentials=("serviceUser",),
    deprecated=True,
    media_type="application/json",
    successor="organization.automations.create",
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="name",
            location="body",
            kind="string",
            required=True,
        ),
        Parameter(
            name="prompt",
            location="body",
            kind="string",
            required=True,
        ),
        Parameter(
            name="agent",
            location="body",
            kind="string",
        ),
        Parameter(
            name="bypass_approval",
            location="body",
            kind="boolean",
        ),
        Parameter(
            name="create_as_user_id",
            location="body",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="frequency",
            location="body",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="interval_count",
            location="body",
            kind="integer",
        ),
        Parameter(
            name="notify_on",
            location="body",
            kind="string",
        ),
        Parameter(
            name="platform",
            location="body",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="playbook_id",
            location="body",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="schedule_type",
            location="body",
            kind="string",
        ),
        Parameter(
            name="scheduled_at",
            location="body",
            kind="date-time",
            nullable=True,
        ),
        Parameter(
            name="slack_channel_id",
            location="body",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="slack_team_id",
            location="body",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="tags",
            location="body",
            kind="array",
            nullable=True,
        ),
        Parameter(
            name="target_assistant_id",
            location="body",
            kind="string",
            nullable=True,
        ),
    ),
    rules=(
        Rule(
            "schedule-recurring-frequency",
            "`recurring` requires `frequency`, a standard cron expression (the weekday 9 o'clock example is evaluated in UTC).",
        ),
        Rule(
            "schedule-one-time-scheduled-at",
            "`one_time` requires `scheduled_at`, ISO 8601 with timezone and in the future; after execution the schedule is disabled automatically (`enabled` becomes false).",
        ),
        Rule(
            "schedule-impersonation",
            "Impersonation via `create_as_user_id` requires all of: the service user holds `ImpersonateOrgSessions`; the target user is a member of the organization; the target user holds `UseAssistantSessions`.",
        ),
        Rule(
            "schedule-agent-contradiction",
            "The description table lists an additional agent type `advanced` (advanced agent), while the field's allowed options are only `assistant` and `data_analyst`; the two disagree. The allowed options are encoded.",
        ),
        Rule(
            "schedule-platform-unknown",
            "`platform` is matched case-insensitively against the platforms configured for the organization; an unknown value is rejected with 400 and a list of available platform labels. When omitted, sessions use the organization's default platform at trigger time.",
        ),
        Rule(
            "schedule-creation-migrated",
            "From 24 September 2026 schedule creation returns 403 for organizations already migrated to automations; organizations still migrating keep it until migration completes.",
        ),
        Rule(
            "schedule-existing-keep-working",
            "Read, update and delete keep working for existing schedules, which are to be converted later.",
        ),
    ),
    gaps=(
        Gap(
            "schedule-create-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules/post",
            "The error statuses other than 400 and 403, that of a validation failure among them.",
        ),
        Gap(
            "schedule-create-credential",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules/post",
            "The kinds of credential.",
        ),
        Gap(
            "schedule-platform-labels",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules/post",
            "The shape in which the 400 body lists the available platform labels.",
        ),
    ),
)
