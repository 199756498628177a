"""The Session of the contract as Stainless would write it."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from openai import BaseModel
from openai._base_client import BaseAsyncPage, BasePage, PageInfo
from pydantic import Field

T = TypeVar("T")


class PullRequest(BaseModel):
    pr_url: str | None = None
    pr_state: str | None = None


class SecurityProfile(BaseModel):
    selection: str | None = None
    profile_id: str | None = None


class Session(BaseModel):
    session_id: str
    org_id: str | None = None
    url: str | None = None
    status: str | None = None
    status_detail: str | None = None
    created_at: int | None = None
    updated_at: int | None = None
    acus_consumed: float | None = None
    on_demand_usage: float | None = None
    tags: list[str] | None = None
    pull_requests: list[PullRequest] | None = None
    automation_id: str | None = None
    category: str | None = None
    subcategory: str | None = None
    title: str | None = None
    child_session_ids: list[str] | None = None
    parent_session_id: str | None = None
    assistant_mode: str | None = None
    is_advanced: Any = None
    is_archived: bool | None = None
    origin: str | None = None
    playbook_id: str | None = None
    security_profile: SecurityProfile | None = None
    service_user_id: str | None = None
    user_id: str | None = None
    structured_output: Any = None


class SessionPage(BaseAsyncPage[T], BasePage[T], Generic[T]):
    items: list[T]
    end_cursor: str | None = None
    # The contract's name is that of a method here.
    more: bool | None = Field(alias="has_next_page", default=None)

    def _get_page_items(self) -> list[T]:
        return self.items

    def has_next_page(self) -> bool:
        return bool(self.more)

    def next_page_info(self) -> PageInfo | None:
        return PageInfo(params={"after": self.end_cursor}) if self.end_cursor else None
