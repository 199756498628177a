"""Required permissions: by level, what is not known, credentials."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, operations, permissions_for

LIST, REVIEW, CREATE = "organization.sessions.list", "enterprise.reviews.create", "organization.sessions.create"
INDEX = "enterprise.repositories.list_index_status"


def test_a_permission_names_every_operation_that_requires_it_once() -> None:
    required = permissions_for("enterprise.sessions.list_messages", *2 * ["enterprise.members.list_users"])
    assert [name for names in required.enterprise.values() for name in names] == [
        "enterprise.members.list_users",
        "enterprise.sessions.list_messages",
    ]


async def test_an_operation_is_given_by_name_id_or_method(platform: AgentPlatform) -> None:
    org = platform.organization("org-acme")
    one_by_one = [permissions_for(each) for each in (LIST, "list_organization_sessions", operations[LIST])]
    assert one_by_one == [permissions_for(org.sessions.list)] * 3


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="no operation .*; .*operations lists all operations"):
        permissions_for("organization.sesions.lst")


def test_an_operation_whose_permission_or_level_is_not_shown_is_unknown() -> None:
    required = permissions_for(CREATE, "organization.secrets.list")
    assert (required.organization, required.enterprise) == ({}, {})
    assert required.unknown == {CREATE: None, "organization.secrets.list": "ManageOrgSecrets"}


def test_every_operation_is_in_a_level_or_unknown_with_a_gap() -> None:
    required = permissions_for(*operations)
    shown = {
        name for level in (required.organization, required.enterprise) for names in level.values() for name in names
    }
    assert shown | required.unknown.keys() == {each.name for each in operations}
    ends = ("-permission", "-level")
    assert all(any(gap.id.endswith(ends) for gap in operations[name].gaps) for name in required.unknown)


@pytest.mark.parametrize(
    ("names", "common"),
    [
        ((LIST,), ("serviceUser", "personalAccessToken")),
        ((LIST, REVIEW), ("serviceUser",)),
        ((LIST, INDEX), ()),
    ],
)
def test_the_kinds_of_credential_that_all_operations_accept_are_named(names: Any, common: Any) -> None:
    assert permissions_for(*names).credentials == common


def test_the_permissions_are_plain_json_types() -> None:
    assert json.loads(json.dumps(attrs.asdict(permissions_for(LIST, CREATE)))) == {
        "organization": {"ViewOrgSessions": [LIST]},
        "enterprise": {},
        "unknown": {CREATE: None},
        "credentials": ["serviceUser"],
    }


async def test_a_job_needs_what_it_polls_and_a_wait_also_the_list_that_waits_share(platform: AgentPlatform) -> None:
    required = permissions_for(platform.organization("org-acme").sessions.wait)
    assert ([*required.unknown], required.organization) == (["organization.sessions.get"], {"ViewOrgSessions": (LIST,)})
    enterprise = platform.enterprise
    followed = permissions_for(enterprise.sessions.follow_messages, enterprise.audit_logs.follow)
    assert followed.enterprise == {"ViewAccountSessions": ("enterprise.sessions.list_messages",)}
    assert [*followed.unknown] == ["enterprise.audit_logs.list"]
