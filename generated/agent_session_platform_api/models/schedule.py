# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from ..model import UNSET, Model, convert_list, parse_datetime, to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..model import Unset
    from .schedule_agent import ScheduleAgent
    from .schedule_notify_on import ScheduleNotifyOn
    from .schedule_type import ScheduleType


class Schedule(Model):
    """A schedule that starts sessions.

    Not shown by the API's description:
        schedule-session: What a session that it starts takes over from it, what `target_assistant_id`
            targets, and what else becomes of a run.
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
        [
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
        ]
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
        """The `consecutive_failures` that the server sent."""
        value: int = self._data.get("consecutive_failures")
        return value

    @property
    def created_at(self) -> datetime:
        """The `created_at` that the server sent."""
        value: datetime = parse_datetime(self._data.get("created_at"))
        return value

    @property
    def created_by(self) -> str | None:
        """The `created_by` that the server sent."""
        value: str | None = self._data.get("created_by")
        return value

    @property
    def enabled(self) -> bool:
        """The `enabled` that the server sent."""
        value: bool = self._data.get("enabled")
        return value

    @property
    def frequency(self) -> str | None:
        """Cron expression for recurring schedules."""
        value: str | None = self._data.get("frequency")
        return value

    @property
    def last_error_at(self) -> datetime | None:
        """The `last_error_at` that the server sent."""
        value: datetime | None = parse_datetime(self._data.get("last_error_at"))
        return value

    @property
    def last_error_message(self) -> str | None:
        """The `last_error_message` that the server sent."""
        value: str | None = self._data.get("last_error_message")
        return value

    @property
    def last_executed_at(self) -> datetime | None:
        """The `last_executed_at` that the server sent."""
        value: datetime | None = parse_datetime(self._data.get("last_executed_at"))
        return value

    @property
    def name(self) -> str:
        """The `name` that the server sent."""
        value: str = self._data.get("name")
        return value

    @property
    def notify_on(self) -> ScheduleNotifyOn | str:
        """When a schedule notifies."""
        value: ScheduleNotifyOn | str = self._data.get("notify_on")
        return value

    @property
    def org_id(self) -> str:
        """The `org_id` that the server sent."""
        value: str = self._data.get("org_id")
        return value

    @property
    def playbook(self) -> SchedulePlaybook | None:
        """The `playbook` that the server sent."""
        value: SchedulePlaybook | None = SchedulePlaybook.view(self._data.get("playbook"))
        return value

    @property
    def prompt(self) -> str:
        """The `prompt` that the server sent."""
        value: str = self._data.get("prompt")
        return value

    @property
    def scheduled_session_id(self) -> str:
        """The `scheduled_session_id` that the server sent."""
        value: str = self._data.get("scheduled_session_id")
        return value

    @property
    def updated_at(self) -> datetime:
        """The `updated_at` that the server sent."""
        value: datetime = parse_datetime(self._data.get("updated_at"))
        return value

    @property
    def bypass_approval(self) -> bool:
        """The `bypass_approval` that the server sent."""
        value: bool = self._data.get("bypass_approval", False)
        return value

    @property
    def interval_count(self) -> int:
        """The `interval_count` that the server sent.

        Not shown by the API's description:
            schedule-interval-count-values: What it counts, and which values are allowed.
        """
        value: int = self._data.get("interval_count", 1)
        return value

    @property
    def last_edited_by(self) -> str | None:
        """The `last_edited_by` that the server sent."""
        value: str | None = self._data.get("last_edited_by")
        return value

    @property
    def platform(self) -> str | None:
        """The `platform` that the server sent."""
        value: str | None = self._data.get("platform")
        return value

    @property
    def schedule_type(self) -> ScheduleType | str:
        """Whether a schedule recurs or runs once."""
        value: ScheduleType | str = self._data.get("schedule_type", "recurring")
        return value

    @property
    def scheduled_at(self) -> datetime | None:
        """The `scheduled_at` that the server sent."""
        value: datetime | None = parse_datetime(self._data.get("scheduled_at"))
        return value

    @property
    def slack_channel_id(self) -> str | None:
        """The `slack_channel_id` that the server sent."""
        value: str | None = self._data.get("slack_channel_id")
        return value

    @property
    def slack_team_id(self) -> str | None:
        """The `slack_team_id` that the server sent."""
        value: str | None = self._data.get("slack_team_id")
        return value

    @property
    def tags(self) -> Sequence[str] | None:
        """The `tags` that the server sent."""
        value: Sequence[str] | None = convert_list(self._data.get("tags"), to_json)
        return value

    @property
    def target_assistant_id(self) -> str | None:
        """The `target_assistant_id` that the server sent."""
        value: str | None = self._data.get("target_assistant_id")
        return value


from .schedule_playbook import SchedulePlaybook  # noqa: E402
