# Generated from openapi.yaml by codegen/generate.py: change those, not this file.
"""The methods of schedules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from ...model import UNSET
from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions
    from ...model import Unset
    from ...models.schedule import Schedule
    from ...models.schedule_agent import ScheduleAgent
    from ...models.schedule_notify_on import ScheduleNotifyOn
    from ...models.schedule_type import ScheduleType


class OrganizationSchedules:
    """Schedules in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    async def create(
        self,
        *,
        name: str,
        prompt: str,
        agent: ScheduleAgent | Unset = UNSET,
        bypass_approval: bool | Unset = UNSET,
        create_as_user_id: str | None | Unset = UNSET,
        frequency: str | None | Unset = UNSET,
        interval_count: int | Unset = UNSET,
        notify_on: ScheduleNotifyOn | Unset = UNSET,
        platform: str | None | Unset = UNSET,
        playbook_id: str | None | Unset = UNSET,
        schedule_type: ScheduleType | Unset = UNSET,
        scheduled_at: datetime | str | None | Unset = UNSET,
        slack_channel_id: str | None | Unset = UNSET,
        slack_team_id: str | None | Unset = UNSET,
        tags: Sequence[str] | None | Unset = UNSET,
        target_assistant_id: str | None | Unset = UNSET,
        options: RequestOptions | None = None,
    ) -> Schedule:
        """Create a schedule.

        Deprecated in favor of automations, which use a `schedule:recurring` trigger (an iCalendar RRULE
        evaluated in UTC) and a `start_session` action.

        Deprecated.

        Permission: `ManageOrgSchedules` (organization level). Credential: service user.

        `POST /v3/organizations/{org_id}/schedules`

        Arguments:
            name
            prompt
            agent: Which agent a schedule starts.
            bypass_approval
            create_as_user_id: Impersonation; see the rules of the operation.
            frequency: Cron expression; required when schedule_type is `recurring`.
            interval_count
            notify_on: When a schedule notifies.
            platform: VM platform for spawned sessions, matched case-insensitively against the platforms
                configured for the organization. When omitted, sessions use the organization's default
                platform at trigger time. An unknown value is rejected with 400 and a list of available
                platform labels.
            playbook_id
            schedule_type: Whether a schedule recurs or runs once.
            scheduled_at: Required when schedule_type is `one_time`; ISO 8601 with timezone; must be in the
                future.
            slack_channel_id
            slack_team_id
            tags
            target_assistant_id

        Rules:
            schedule-recurring-frequency: `recurring` requires `frequency`, a standard cron expression (the
                weekday 9 o'clock example is evaluated in UTC).
            schedule-one-time-scheduled-at: `one_time` requires `scheduled_at`, ISO 8601 with timezone and
                in the future; after execution the schedule is disabled automatically (`enabled` becomes
                false).
            schedule-impersonation: Impersonation via `create_as_user_id` requires all of: the service user
                holds `ImpersonateOrgSessions`; the target user is a member of the organization; the target
                user holds `UseAssistantSessions`.
            schedule-agent-contradiction: The description table lists an additional agent type `advanced`
                (advanced agent), while the field's allowed options are only `assistant` and `data_analyst`;
                the two disagree. The allowed options are encoded.
            schedule-platform-unknown: `platform` is matched case-insensitively against the platforms
                configured for the organization; an unknown value is rejected with 400 and a list of
                available platform labels. When omitted, sessions use the organization's default platform at
                trigger time.
            schedule-creation-migrated: From 24 September 2026 schedule creation returns 403 for
                organizations already migrated to automations; organizations still migrating keep it until
                migration completes. Read, update and delete keep working for existing schedules, which are
                to be converted later.

        Not shown:
            schedule-create-errors: The error statuses other than 400 and 403, that of a validation failure
                among them.
            schedule-create-credential: The kinds of credential.
            schedule-platform-labels: The shape in which the 400 body lists the available platform labels.
        """
        from .create_organization_schedule import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={},
            body={
                "name": name,
                "prompt": prompt,
                "agent": agent,
                "bypass_approval": bypass_approval,
                "create_as_user_id": create_as_user_id,
                "frequency": frequency,
                "interval_count": interval_count,
                "notify_on": notify_on,
                "platform": platform,
                "playbook_id": playbook_id,
                "schedule_type": schedule_type,
                "scheduled_at": scheduled_at,
                "slack_channel_id": slack_channel_id,
                "slack_team_id": slack_team_id,
                "tags": tags,
                "target_assistant_id": target_assistant_id,
            },
        )
        return await self._client.send(request, options)
