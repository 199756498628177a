# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of schedules."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...encoding import UNSET, Unset
from ...interface import OpenList, PolledChange, Until, Wait
from ...model import OpenModel
from ...models.schedule import Schedule
from ...models.schedule_agent import ScheduleAgent
from ...models.schedule_notify_on import ScheduleNotifyOn
from ...models.schedule_type import ScheduleType
from ...operation import CallOptions, Refused, Request, deprecated, warn
from ...outcomes import ScheduleOutcome


class OrganizationSchedules(api.OrganizationMethods):
    """The schedules of the organization."""

    scope = "organization"
    resource = "schedules"

    @deprecated("use organization.automations.create")
    def create(
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
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Coroutine[Any, Any, Schedule]:
        """Create a schedule.

        Deprecated in favor of automations, which use a `schedule:recurring` trigger (an iCalendar RRULE
        evaluated in UTC) and a `start_session` action.

        Deprecated in favor of `organization.automations.create`.

        Sends `POST /v3/organizations/{org_id}/schedules`.

        Not shown by the API's description: schedule-create-errors, schedule-create-credential,
        schedule-platform-labels.

        Args:
            name: Name of the schedule.
            prompt: Prompt of the schedule; how its sessions use it is not shown.
            agent: Agent type of the schedule; the server's default is `'assistant'`.
            bypass_approval: Whether to bypass approval. What needs approval is not shown; the server's
                default is `False`.
            create_as_user_id: Id of the user to impersonate; the rule schedule-impersonation says what this
                requires.
            frequency: Cron expression; required when schedule_type is `recurring`.
            interval_count: Count of intervals. Which intervals these are is not shown; the server's default
                is 1.
            notify_on: When the schedule notifies. Whom it notifies, and how, is not shown; the server's
                default is `'failure'`.
            platform: VM platform for spawned sessions, matched case-insensitively against the platforms
                configured for the organization. When omitted, sessions use the organization's default
                platform at trigger time. An unknown value is rejected with 400 and a list of available
                platform labels.
            playbook_id: Id of a playbook; how the sessions of the schedule use it is not shown.
            schedule_type: Whether the schedule recurs, by `frequency`, or runs once, at `scheduled_at`; the
                server's default is `'recurring'`.
            scheduled_at: When the schedule runs; required when schedule_type is `one_time`. ISO 8601 with
                timezone; must be in the future.
            slack_channel_id: Id of a Slack channel; what happens there is not shown.
            slack_team_id: Id of a Slack team; its relation to `slack_channel_id` is not shown.
            tags: Tags of the schedule; whether its sessions get them is not shown.
            target_assistant_id: Id of a target session, as the name says; what the schedule does with it is
                not shown.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The `Schedule`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSchedules` at organization level.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            schedule = await organization.schedules.create(name="Weekday triage", prompt="Triage new issues")

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
                migration completes.
            schedule-existing-keep-working: Read, update and delete keep working for existing schedules,
                which are to be converted later.
        """
        request = Request(
            OPERATIONS["create_organization_schedule"],
            partial(read_payload, models.Schedule.from_item, ["an object"]),
            path={"org_id": self.org_id},
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
            members=unknown,
            options=options,
        )
        warn(request.operation)
        return self._client.send(request)

    async def delete(
        self,
        schedule_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Delete a schedule.

        Read, update and delete keep working for existing schedules; schedules are deprecated in favor of
        automations.

        Sends `DELETE /v3/organizations/{org_id}/schedules/{schedule_id}`.

        Not shown by the API's description: schedule-delete-level, schedule-delete-response,
        schedule-delete-errors.

        Args:
            schedule_id: Id of the schedule; whether it is the `scheduled_session_id` of the Schedule is not
                shown.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSchedules` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.schedules.delete("schedule-1")

        Rules:
            schedule-existing-keep-working: Read, update and delete keep working for existing schedules,
                which are to be converted later.
        """
        request = Request(
            OPERATIONS["delete_organization_schedule"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "schedule_id": schedule_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        schedule_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Schedule:
        """Get a schedule.

        Read, update and delete keep working for existing schedules; schedules are deprecated in favor of
        automations.

        Sends `GET /v3/organizations/{org_id}/schedules/{schedule_id}`.

        Not shown by the API's description: schedule-get-level, schedule-get-replacement,
        schedule-get-response, schedule-get-errors.

        Args:
            schedule_id: Id of the schedule; whether it is the `scheduled_session_id` of the Schedule is not
                shown.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The `Schedule`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSchedules` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            schedule = await organization.schedules.get("schedule-1")

        Rules:
            schedule-existing-keep-working: Read, update and delete keep working for existing schedules,
                which are to be converted later.
            schedule-converted: A converted schedule's GET response points to the replacement automation.
        """
        request = Request(
            OPERATIONS["get_organization_schedule"],
            partial(read_payload, models.Schedule.from_item, ["an object"]),
            path={"org_id": self.org_id, "schedule_id": schedule_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    def list(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the schedules of an organization.

        Read, update and delete keep working for existing schedules; schedules are deprecated in favor of
        automations.

        Sends `GET /v3/organizations/{org_id}/schedules`.

        Not shown by the API's description: schedule-list-level, schedule-list-response,
        schedule-list-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSchedules` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.schedules.list():
                print(item)

        Rules:
            schedule-existing-keep-working: Read, update and delete keep working for existing schedules,
                which are to be converted later.
        """
        request = Request(
            OPERATIONS["list_organization_schedules"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    async def update(
        self,
        /,
        schedule_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> Schedule:
        """Update a schedule.

        Read, update and delete keep working for existing schedules; schedules are deprecated in favor of
        automations.

        Sends `PATCH /v3/organizations/{org_id}/schedules/{schedule_id}`.

        Not shown by the API's description: schedule-update-level, schedule-update-request,
        schedule-update-response, schedule-update-errors.

        Args:
            schedule_id: Id of the schedule; whether it is the `scheduled_session_id` of the Schedule is not
                shown.
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The `Schedule`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSchedules` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            schedule = await organization.schedules.update("schedule-1", body=payload)

        Rules:
            schedule-existing-keep-working: Read, update and delete keep working for existing schedules,
                which are to be converted later.
        """
        request = Request(
            OPERATIONS["update_organization_schedule"],
            partial(read_payload, models.Schedule.from_item, ["an object"]),
            path={"org_id": self.org_id, "schedule_id": schedule_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def wait(
        self,
        schedule_id: str,
        *,
        until: Until[Schedule],
        unexpected: Until[Schedule] | None = None,
        timeout: float = 3600.0,
        every: float = 10.0,
        max_every: float | None = None,
        stalled_after: float | None = None,
        on_change: Callable[[PolledChange[Schedule]], object] | None = None,
        options: CallOptions | None = None,
    ) -> ScheduleOutcome:
        """Wait until a schedule is as `until` says, or until the wait ends otherwise.

        The description shows no event, so the object is polled, through the client's rate limiter. A poll
        that fails, for example because the server cannot be reached for a while, does not end the wait;
        closing the client does. If the server asks for a wait (Retry-After), the next poll is no sooner. If
        that is after `timeout`, the wait ends at once with the reason `deadline`, and its `error` says how
        long the server asks to wait.

        If there is a list of such objects, many waits share one poll of the list. Its items may lack
        fields: if a value by field or `changed` needs such a field, the object is read alone. But if the
        contract states a default, an absent field has this default. A function may need any field, so with
        a function the object is read alone at every poll. For many waits, prefer values by field.

        Args:
            schedule_id: Id of the schedule; whether it is the `scheduled_session_id` of the Schedule is not
                shown.
            until: Values by field, `{"title": {"done", "failed"}}`: each field must have the given value,
                or one of the given values. Or `agent_session_platform.any_of` several of these, or
                `States`, or a function that takes the object and returns whether the wait has ended, such
                as `agent_session_platform.changed("updated_at")`. The description does not say which values
                are final: name the values that are final for you.
            unexpected: Another condition that ends the wait, in the same forms; if it names several fields,
                one match is enough.
            timeout: Seconds for the whole wait, more than 0; the timeout of a request is in `options`.
            every: Seconds between two polls, more than 0; after each poll without a change the pause is
                longer by a half.
            max_every: Seconds between two polls at most; None means six times `every`.
            stalled_after: Seconds without a change of the object after which the wait ends, at a poll that
                does not fail; None means never.
            on_change: Called with a `PolledChange` for the first poll and for each change; an awaitable
                that it returns is awaited, even beyond `timeout`. What it raises ends the wait.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            The outcome: its `schedule` as it was read last, its `reason`, and its `error`, which may be
                None.

        Raises:
            NotFoundError: There is no such object at the first poll.
            ClientClosedError: The client was closed.
            InvalidArgumentError: An argument is refused; or the first object that is read, and its model,
                lack a field that `until` or `unexpected` names.
            PermissionDeniedError: The credential lacks `ManageOrgSchedules` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            outcome = await organization.schedules.wait("schedule-1", until=is_ready, timeout=600)
            print(outcome.reason, outcome.schedule)
        """
        return await self._client.wait(
            Wait(
                operation=OPERATIONS["get_organization_schedule"],
                key=schedule_id,
                read=partial(self.get, schedule_id, options=options),
                until=until,
                unexpected=unexpected,
                timeout=timeout,
                every=every,
                max_every=max_every,
                stalled_after=stalled_after,
                on_change=on_change,
                outcome=ScheduleOutcome,
            )
        )
