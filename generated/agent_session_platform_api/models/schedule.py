# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from ..model import UNSET, Model, moment, sequence, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import Unset
    from .schedule_agent import ScheduleAgent
    from .schedule_notify_on import ScheduleNotifyOn
    from .schedule_type import ScheduleType


class Schedule(Model):
    """A schedule that starts sessions.

    Not shown:
        schedule-session: What a session that it starts takes over from it, what `target_assistant_id`
            targets, and what else becomes of a run.
    """

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = (
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
        "bypass_approval",
        "interval_count",
        "last_edited_by",
        "platform",
        "schedule_type",
        "scheduled_at",
        "slack_channel_id",
        "slack_team_id",
        "tags",
        "target_assistant_id",
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
        """Which agent a schedule starts."""
        value: ScheduleAgent | str = self._data.get("agent")
        return value

    @property
    def consecutive_failures(self) -> int:
        """`consecutive_failures` of the response."""
        value: int = self._data.get("consecutive_failures")
        return value

    @property
    def created_at(self) -> datetime:
        """`created_at` of the response."""
        value: datetime = moment(self._data.get("created_at"))
        return value

    @property
    def created_by(self) -> str | None:
        """`created_by` of the response."""
        value: str | None = self._data.get("created_by")
        return value

    @property
    def enabled(self) -> bool:
        """`enabled` of the response."""
        value: bool = self._data.get("enabled")
        return value

    @property
    def frequency(self) -> str | None:
        """Cron expression for recurring schedules."""
        value: str | None = self._data.get("frequency")
        return value

    @property
    def last_error_at(self) -> datetime | None:
        """`last_error_at` of the response."""
        value: datetime | None = moment(self._data.get("last_error_at"))
        return value

    @property
    def last_error_message(self) -> str | None:
        """`last_error_message` of the response."""
        value: str | None = self._data.get("last_error_message")
        return value

    @property
    def last_executed_at(self) -> datetime | None:
        """`last_executed_at` of the response."""
        value: datetime | None = moment(self._data.get("last_executed_at"))
        return value

    @property
    def name(self) -> str:
        """`name` of the response."""
        value: str = self._data.get("name")
        return value

    @property
    def notify_on(self) -> ScheduleNotifyOn | str:
        """When a schedule notifies."""
        value: ScheduleNotifyOn | str = self._data.get("notify_on")
        return value

    @property
    def org_id(self) -> str:
        """`org_id` of the response."""
        value: str = self._data.get("org_id")
        return value

    @property
    def playbook(self) -> SchedulePlaybook | None:
        """`playbook` of the response."""
        value: SchedulePlaybook | None = SchedulePlaybook.view(self._data.get("playbook"))
        return value

    @property
    def prompt(self) -> str:
        """`prompt` of the response."""
        value: str = self._data.get("prompt")
        return value

    @property
    def scheduled_session_id(self) -> str:
        """`scheduled_session_id` of the response."""
        value: str = self._data.get("scheduled_session_id")
        return value

    @property
    def updated_at(self) -> datetime:
        """`updated_at` of the response."""
        value: datetime = moment(self._data.get("updated_at"))
        return value

    @property
    def bypass_approval(self) -> bool:
        """`bypass_approval` of the response."""
        value: bool = self._data.get("bypass_approval", False)
        return value

    @property
    def interval_count(self) -> int:
        """`interval_count` of the response.

        Not shown:
            schedule-interval-count-values: What it counts, and which values are allowed.
        """
        value: int = self._data.get("interval_count", 1)
        return value

    @property
    def last_edited_by(self) -> str | None:
        """`last_edited_by` of the response."""
        value: str | None = self._data.get("last_edited_by")
        return value

    @property
    def platform(self) -> str | None:
        """`platform` of the response."""
        value: str | None = self._data.get("platform")
        return value

    @property
    def schedule_type(self) -> ScheduleType | str:
        """Whether a schedule recurs or runs once."""
        value: ScheduleType | str = self._data.get("schedule_type", "recurring")
        return value

    @property
    def scheduled_at(self) -> datetime | None:
        """`scheduled_at` of the response."""
        value: datetime | None = moment(self._data.get("scheduled_at"))
        return value

    @property
    def slack_channel_id(self) -> str | None:
        """`slack_channel_id` of the response."""
        value: str | None = self._data.get("slack_channel_id")
        return value

    @property
    def slack_team_id(self) -> str | None:
        """`slack_team_id` of the response."""
        value: str | None = self._data.get("slack_team_id")
        return value

    @property
    def tags(self) -> Sequence[str] | None:
        """`tags` of the response."""
        value: Sequence[str] | None = sequence(self._data.get("tags"), to_json)
        return value

    @property
    def target_assistant_id(self) -> str | None:
        """`target_assistant_id` of the response."""
        value: str | None = self._data.get("target_assistant_id")
        return value


from .schedule_playbook import SchedulePlaybook  # noqa: E402
