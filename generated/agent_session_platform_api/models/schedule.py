# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from ..decoding import convert_list, parse_datetime
from ..encoding import UNSET, Unset, to_json
from ..model import ListModel, missing
from .schedule_agent import ScheduleAgent
from .schedule_notify_on import ScheduleNotifyOn
from .schedule_type import ScheduleType


class Schedule(ListModel):
    """A schedule that starts sessions.

    Not shown by the API's description: schedule-session.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "agent": "agent",
        "consecutive_failures": "consecutive_failures",
        "created_at": "created_at",
        "created_by": "created_by",
        "enabled": "enabled",
        "frequency": "frequency",
        "last_error_at": "last_error_at",
        "last_error_message": "last_error_message",
        "last_executed_at": "last_executed_at",
        "name": "name",
        "notify_on": "notify_on",
        "org_id": "org_id",
        "playbook": "playbook",
        "prompt": "prompt",
        "scheduled_session_id": "scheduled_session_id",
        "updated_at": "updated_at",
        "bypass_approval": "bypass_approval",
        "interval_count": "interval_count",
        "last_edited_by": "last_edited_by",
        "platform": "platform",
        "schedule_type": "schedule_type",
        "scheduled_at": "scheduled_at",
        "slack_channel_id": "slack_channel_id",
        "slack_team_id": "slack_team_id",
        "tags": "tags",
        "target_assistant_id": "target_assistant_id",
    }
    _required: ClassVar[frozenset[str]] = frozenset(
        {
            "agent",
            "consecutive_failures",
            "created_at",
            "created_by",
            "enabled",
            "frequency",
            "last_error_at",
            "last_error_message",
            "last_executed_at",
            "name",
            "notify_on",
            "org_id",
            "playbook",
            "prompt",
            "scheduled_session_id",
            "updated_at",
        }
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            agent: ScheduleAgent | str | None | Unset = UNSET,
            consecutive_failures: int | None | Unset = UNSET,
            created_at: datetime | None | Unset = UNSET,
            created_by: str | None | Unset = UNSET,
            enabled: bool | None | Unset = UNSET,
            frequency: str | None | Unset = UNSET,
            last_error_at: datetime | None | Unset = UNSET,
            last_error_message: str | None | Unset = UNSET,
            last_executed_at: datetime | None | Unset = UNSET,
            name: str | None | Unset = UNSET,
            notify_on: ScheduleNotifyOn | str | None | Unset = UNSET,
            org_id: str | None | Unset = UNSET,
            playbook: SchedulePlaybook | None | Unset = UNSET,
            prompt: str | None | Unset = UNSET,
            scheduled_session_id: str | None | Unset = UNSET,
            updated_at: datetime | None | Unset = UNSET,
            bypass_approval: bool | None | Unset = UNSET,
            interval_count: int | None | Unset = UNSET,
            last_edited_by: str | None | Unset = UNSET,
            platform: str | None | Unset = UNSET,
            schedule_type: ScheduleType | str | None | Unset = UNSET,
            scheduled_at: datetime | None | Unset = UNSET,
            slack_channel_id: str | None | Unset = UNSET,
            slack_team_id: str | None | Unset = UNSET,
            tags: Sequence[str] | None | Unset = UNSET,
            target_assistant_id: str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def agent(self) -> ScheduleAgent | str:
        """Agent type of the schedule."""
        value: ScheduleAgent | str | None = self._data.get("agent")
        if value is None:
            raise missing(self, "agent")
        return value

    @property
    def consecutive_failures(self) -> int:
        """Number of consecutive failures; what counts as one is not shown."""
        value: int | None = self._data.get("consecutive_failures")
        if value is None:
            raise missing(self, "consecutive_failures")
        return value

    @property
    def created_at(self) -> datetime:
        """When the schedule was created."""
        value: datetime | None = parse_datetime(self._data.get("created_at"))
        if value is None:
            raise missing(self, "created_at")
        return value

    @property
    def created_by(self) -> str | None:
        """Who created the schedule; whether this is an id, and what null stands for, is not shown."""
        value: str | None = self._data.get("created_by")
        return value

    @property
    def enabled(self) -> bool:
        """Whether the schedule is enabled; one of type `one_time` is disabled after it has run."""
        value: bool | None = self._data.get("enabled")
        if value is None:
            raise missing(self, "enabled")
        return value

    @property
    def frequency(self) -> str | None:
        """Cron expression for recurring schedules."""
        value: str | None = self._data.get("frequency")
        return value

    @property
    def last_error_at(self) -> datetime | None:
        """When the last error occurred."""
        value: datetime | None = parse_datetime(self._data.get("last_error_at"))
        return value

    @property
    def last_error_message(self) -> str | None:
        """Message of the last error."""
        value: str | None = self._data.get("last_error_message")
        return value

    @property
    def last_executed_at(self) -> datetime | None:
        """When the schedule last ran."""
        value: datetime | None = parse_datetime(self._data.get("last_executed_at"))
        return value

    @property
    def name(self) -> str:
        """Name of the schedule."""
        value: str | None = self._data.get("name")
        if value is None:
            raise missing(self, "name")
        return value

    @property
    def notify_on(self) -> ScheduleNotifyOn | str:
        """When the schedule notifies. Whom it notifies, and how, is not shown."""
        value: ScheduleNotifyOn | str | None = self._data.get("notify_on")
        if value is None:
            raise missing(self, "notify_on")
        return value

    @property
    def org_id(self) -> str:
        """Id of the organization of the schedule, with the prefix `org-`."""
        value: str | None = self._data.get("org_id")
        if value is None:
            raise missing(self, "org_id")
        return value

    @property
    def playbook(self) -> SchedulePlaybook | None:
        """The playbook of the schedule, or null."""
        value: SchedulePlaybook | None = SchedulePlaybook.from_value(self._data.get("playbook"))
        return value

    @property
    def prompt(self) -> str:
        """Prompt of the schedule; how its sessions use it is not shown."""
        value: str | None = self._data.get("prompt")
        if value is None:
            raise missing(self, "prompt")
        return value

    @property
    def scheduled_session_id(self) -> str:
        """Id of a scheduled session, as the name says; whether that is the schedule itself is not shown.

        Not shown by the API's description: schedule-id.
        """
        value: str | None = self._data.get("scheduled_session_id")
        if value is None:
            raise missing(self, "scheduled_session_id")
        return value

    @property
    def updated_at(self) -> datetime:
        """When the schedule was last updated."""
        value: datetime | None = parse_datetime(self._data.get("updated_at"))
        if value is None:
            raise missing(self, "updated_at")
        return value

    @property
    def bypass_approval(self) -> bool | None:
        """Whether approval is bypassed. What needs approval is not shown."""
        value: bool | None = self._data.get("bypass_approval", False)
        return value

    @property
    def interval_count(self) -> int | None:
        """Count of intervals. Which intervals these are is not shown.

        Not shown by the API's description: schedule-interval-count-values.
        """
        value: int | None = self._data.get("interval_count", 1)
        return value

    @property
    def last_edited_by(self) -> str | None:
        """Who last edited the schedule; whether this is an id, and what null stands for, is not shown."""
        value: str | None = self._data.get("last_edited_by")
        return value

    @property
    def platform(self) -> str | None:
        """VM platform for spawned sessions. If it was omitted at creation, they use the organization's default
        platform at trigger time.
        """
        value: str | None = self._data.get("platform")
        return value

    @property
    def schedule_type(self) -> ScheduleType | str | None:
        """Whether the schedule recurs, by `frequency`, or runs once, at `scheduled_at`."""
        value: ScheduleType | str | None = self._data.get("schedule_type", "recurring")
        return value

    @property
    def scheduled_at(self) -> datetime | None:
        """When a schedule of type `one_time` runs."""
        value: datetime | None = parse_datetime(self._data.get("scheduled_at"))
        return value

    @property
    def slack_channel_id(self) -> str | None:
        """Id of a Slack channel; what happens there is not shown."""
        value: str | None = self._data.get("slack_channel_id")
        return value

    @property
    def slack_team_id(self) -> str | None:
        """Id of a Slack team; its relation to `slack_channel_id` is not shown."""
        value: str | None = self._data.get("slack_team_id")
        return value

    @property
    def tags(self) -> Sequence[str] | None:
        """Tags of the schedule; whether its sessions get them is not shown."""
        value: Sequence[str] | None = self._once("tags", lambda: convert_list(self._data.get("tags"), to_json))
        return value

    @property
    def target_assistant_id(self) -> str | None:
        """Id of a target session, as the name says; what the schedule does with it is not shown."""
        value: str | None = self._data.get("target_assistant_id")
        return value


from .schedule_playbook import SchedulePlaybook  # noqa: E402
