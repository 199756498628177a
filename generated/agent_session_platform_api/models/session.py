# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ..decoding import convert_list
from ..encoding import UNSET, Unset, to_json
from ..model import Model, missing


class Session(Model):
    """A session of the assistant.

    Not shown by the API's description: session-required-fields, session-transitions.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "session_id": "session_id",
        "org_id": "org_id",
        "url": "url",
        "status": "status",
        "status_detail": "status_detail",
        "created_at": "created_at",
        "updated_at": "updated_at",
        "acus_consumed": "acus_consumed",
        "on_demand_usage": "on_demand_usage",
        "tags": "tags",
        "pull_requests": "pull_requests",
        "automation_id": "automation_id",
        "category": "category",
        "subcategory": "subcategory",
        "title": "title",
        "child_session_ids": "child_session_ids",
        "parent_session_id": "parent_session_id",
        "assistant_mode": "assistant_mode",
        "is_advanced": "is_advanced",
        "is_archived": "is_archived",
        "origin": "origin",
        "playbook_id": "playbook_id",
        "security_profile": "security_profile",
        "service_user_id": "service_user_id",
        "user_id": "user_id",
        "structured_output": "structured_output",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            session_id: str | None | Unset = UNSET,
            org_id: str | None | Unset = UNSET,
            url: str | None | Unset = UNSET,
            status: str | None | Unset = UNSET,
            status_detail: str | None | Unset = UNSET,
            created_at: int | None | Unset = UNSET,
            updated_at: int | None | Unset = UNSET,
            acus_consumed: float | None | Unset = UNSET,
            on_demand_usage: float | None | Unset = UNSET,
            tags: Sequence[str] | None | Unset = UNSET,
            pull_requests: Sequence[SessionPullRequest] | None | Unset = UNSET,
            automation_id: str | None | Unset = UNSET,
            category: str | None | Unset = UNSET,
            subcategory: str | None | Unset = UNSET,
            title: str | None | Unset = UNSET,
            child_session_ids: Sequence[str] | None | Unset = UNSET,
            parent_session_id: str | None | Unset = UNSET,
            assistant_mode: Literal["normal", "fast", "lite"] | str | None | Unset = UNSET,
            is_advanced: Any = UNSET,
            is_archived: bool | None | Unset = UNSET,
            origin: Literal["webapp", "slack", "teams", "api", "linear", "jira", "other"] | str | None | Unset = UNSET,
            playbook_id: str | None | Unset = UNSET,
            security_profile: SessionSecurityProfile | None | Unset = UNSET,
            service_user_id: str | None | Unset = UNSET,
            user_id: str | None | Unset = UNSET,
            structured_output: Mapping[str, Any] | None | Unset = UNSET,
        ) -> None: ...

    @property
    def session_id(self) -> str:
        """Id of the session, with the prefix `assistant-`; it is the `assistant_id` of paths."""
        value: str | None = self._data.get("session_id")
        if value is None:
            raise missing(self, "session_id")
        return value

    @property
    def org_id(self) -> str | None:
        """Id of the organization of the session, with the prefix `org-`."""
        value: str | None = self._data.get("org_id")
        return value

    @property
    def url(self) -> str | None:
        """URL of the session."""
        value: str | None = self._data.get("url")
        return value

    @property
    def status(self) -> str | None:
        """Status of the session.

        Not shown by the API's description: session-status-values.
        """
        value: str | None = self._data.get("status")
        return value

    @property
    def status_detail(self) -> str | None:
        """Detail of `status`.

        Not shown by the API's description: session-status-detail-values.
        """
        value: str | None = self._data.get("status_detail")
        return value

    @property
    def created_at(self) -> int | None:
        """When the session was created, as an integer timestamp; unit not shown.

        Not shown by the API's description: session-created-at-unit.
        """
        value: int | None = self._data.get("created_at")
        return value

    @property
    def updated_at(self) -> int | None:
        """When the session was last updated, as an integer timestamp; unit not shown.

        Not shown by the API's description: session-updated-at-unit.
        """
        value: int | None = self._data.get("updated_at")
        return value

    @property
    def acus_consumed(self) -> float | None:
        """Compute units consumed."""
        value: float | None = self._data.get("acus_consumed")
        return value

    @property
    def on_demand_usage(self) -> float | None:
        """On-demand usage; neither its unit nor its relation to `acus_consumed` is shown."""
        value: float | None = self._data.get("on_demand_usage")
        return value

    @property
    def tags(self) -> Sequence[str] | None:
        """Tags of the session."""
        value: Sequence[str] | None = convert_list(self._data.get("tags"), to_json)
        return value

    @property
    def pull_requests(self) -> Sequence[SessionPullRequest] | None:
        """Pull requests of the session."""
        value: Sequence[SessionPullRequest] | None = convert_list(
            self._data.get("pull_requests"), SessionPullRequest.from_item
        )
        return value

    @property
    def automation_id(self) -> str | None:
        """Id of an automation; its relation to the session is not shown."""
        value: str | None = self._data.get("automation_id")
        return value

    @property
    def category(self) -> str | None:
        """Category of the session.

        Not shown by the API's description: session-category-values.
        """
        value: str | None = self._data.get("category")
        return value

    @property
    def subcategory(self) -> str | None:
        """Subcategory within `category`, as the name says."""
        value: str | None = self._data.get("subcategory")
        return value

    @property
    def title(self) -> str | None:
        """Title of the session."""
        value: str | None = self._data.get("title")
        return value

    @property
    def child_session_ids(self) -> Sequence[str] | None:
        """Ids of the sessions that are children of this one."""
        value: Sequence[str] | None = convert_list(self._data.get("child_session_ids"), to_json)
        return value

    @property
    def parent_session_id(self) -> str | None:
        """Id of the session that is the parent of this one."""
        value: str | None = self._data.get("parent_session_id")
        return value

    @property
    def assistant_mode(self) -> Literal["normal", "fast", "lite"] | str | None:
        """Mode of the session. Values accepted at creation: `normal`, `fast`, `lite`.

        Not shown by the API's description: session-mode-values.
        """
        value: Literal["normal", "fast", "lite"] | str | None = self._data.get("assistant_mode")
        return value

    @property
    def is_advanced(self) -> Any:
        """Carried by session responses according to the change history; what it says of the session is not
        shown.

        Not shown by the API's description: session-is-advanced-type.
        """
        value: Any = to_json(self._data.get("is_advanced"))
        return value

    @property
    def is_archived(self) -> bool | None:
        """Whether the session is archived."""
        value: bool | None = self._data.get("is_archived", False)
        return value

    @property
    def origin(self) -> Literal["webapp", "slack", "teams", "api", "linear", "jira", "other"] | str | None:
        """Origin of the session. Values of the filter `origins`: `webapp`, `slack`, `teams`, `api`, `linear`,
        `jira`, `other`.

        Not shown by the API's description: session-origin-values.
        """
        value: Literal["webapp", "slack", "teams", "api", "linear", "jira", "other"] | str | None = self._data.get(
            "origin"
        )
        return value

    @property
    def playbook_id(self) -> str | None:
        """Id of a playbook; its relation to the session is not shown."""
        value: str | None = self._data.get("playbook_id")
        return value

    @property
    def security_profile(self) -> SessionSecurityProfile | None:
        """Security profile of the session.

        Not shown by the API's description: session-security-profile-required-fields,
        session-security-profile-selection-values.
        """
        value: SessionSecurityProfile | None = SessionSecurityProfile.from_value(self._data.get("security_profile"))
        return value

    @property
    def service_user_id(self) -> str | None:
        """Id of a service user; its relation to the session is not shown."""
        value: str | None = self._data.get("service_user_id")
        return value

    @property
    def user_id(self) -> str | None:
        """Id of a user; its relation to the session is not shown."""
        value: str | None = self._data.get("user_id")
        return value

    @property
    def structured_output(self) -> Mapping[str, Any] | None:
        """Free-form object; what it holds is not shown."""
        value: Mapping[str, Any] | None = to_json(self._data.get("structured_output"))
        return value


from .session_pull_request import SessionPullRequest  # noqa: E402
from .session_security_profile import SessionSecurityProfile  # noqa: E402
