"""Validation of schedules."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import PermissionDeniedError, UnprocessableContentError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import send
from sandbox_tests.timeline import schedule

pytestmark = pytest.mark.filterwarnings("ignore:organization.schedules.create is deprecated:DeprecationWarning")


ORGANIZATION = "/v3/organizations/org-acme"


@pytest.mark.parametrize("count", [0, -5])
async def test_an_interval_count_below_one_is_refused(org: Any, count: int) -> None:
    with pytest.raises(UnprocessableContentError, match=f"body.interval_count: must be at least 1, not {count}"):
        await schedule(org, interval_count=count)
    schedule_id = await schedule(org)
    with pytest.raises(UnprocessableContentError, match=f"body.interval_count: must be at least 1, not {count}"):
        await org.schedules.update(schedule_id, interval_count=count)


@pytest.mark.parametrize("count", [100_000, 10**400])
async def test_any_positive_interval_count_is_accepted(org: Any, count: int) -> None:
    """The description states no maximum."""
    assert (await org.schedules.get(await schedule(org, interval_count=count))).interval_count == count


async def test_an_unknown_playbook_is_refused(org: Any) -> None:
    """schedule-create-errors: an assumption."""
    with pytest.raises(UnprocessableContentError, match=r"body.playbook_id: no playbook 'playbook-9' in org-acme"):
        await schedule(org, playbook_id="playbook-9")
    schedule_id = await schedule(org)
    with pytest.raises(UnprocessableContentError, match=r"body.playbook_id: no playbook 'playbook-9' in org-acme"):
        await org.schedules.update(schedule_id, playbook_id="playbook-9")


async def test_the_playbook_of_a_schedule_can_be_changed_and_removed(org: Any) -> None:
    playbook_id = (await org.playbooks.create(title="Triage"))["playbook_id"]
    schedule_id = await schedule(org)
    playbook = (await org.schedules.update(schedule_id, playbook_id=playbook_id)).playbook
    assert playbook.to_dict() == {"playbook_id": playbook_id, "title": "Triage"}
    assert (await org.schedules.update(schedule_id, playbook_id=None)).playbook is None


async def test_an_empty_user_id_cannot_be_impersonated(org: Any) -> None:
    """Rules schedule-impersonation and session-impersonation."""
    with pytest.raises(PermissionDeniedError, match="is not a member of org-acme"):
        await schedule(org, create_as_user_id="")
    with pytest.raises(PermissionDeniedError, match="is not a member of org-acme"):
        await org.sessions.create(create_as_user_id="")


async def test_an_unknown_member_is_refused(org: Any) -> None:
    schedule_id = await schedule(org)
    with pytest.raises(UnprocessableContentError, match=r"body.frequenzy: unknown field; did you mean 'frequency'"):
        await org.schedules.update(schedule_id, frequenzy="0 9 * * *")


async def test_an_update_is_validated_like_a_creation(org: Any) -> None:
    made = await org.schedules.create(name="n", prompt="p", frequency="0 * * * *")
    with pytest.raises(UnprocessableContentError, match="minute: '99'"):
        await org.schedules.update(made.scheduled_session_id, frequency="99 * * * *")


@pytest.mark.parametrize(
    "change", [{"scheduled_at": ""}, {"name": None}, {"enabled": 1}, {"agent": "advanced"}, {"tags": [1]}]
)
async def test_invalid_members_of_a_schedule_are_refused(sandbox: Sandbox, change: dict[str, Any]) -> None:
    path = f"{ORGANIZATION}/schedules"
    body = {"name": "Triage", "prompt": "Triage", "frequency": "0 9 * * 1-5"}
    made = (await send(sandbox, "POST", path, json=body)).json()
    updated = await send(sandbox, "PATCH", f"{path}/{made['scheduled_session_id']}", json=change)
    assert updated.status_code == 422
