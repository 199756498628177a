"""Required permissions: by level, what is not known, credentials, notes."""

from __future__ import annotations

import json

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


def test_an_operation_without_a_permission_is_unknown_with_its_gap() -> None:
    unknown = permissions_for(CREATE).unknown[CREATE]
    assert (unknown.permission, unknown.level) == (None, None)
    assert [gap.id for gap in unknown.gaps] == ["session-create-permission"]
    assert str(unknown).startswith("permission and level not shown (session-create-permission: The permission, its")


def test_a_permission_of_an_unknown_level_says_what_is_known() -> None:
    required = permissions_for("organization.secrets.list")
    assert (required.organization, required.enterprise) == ({}, {})
    text = str(required.unknown["organization.secrets.list"])
    assert text.startswith("ManageOrgSecrets is known, level not shown (secret-list-level: ")


def test_every_operation_is_in_a_level_or_unknown_with_a_gap() -> None:
    required = permissions_for(*operations)
    shown = {
        name for level in (required.organization, required.enterprise) for names in level.values() for name in names
    }
    assert shown | required.unknown.keys() == {each.name for each in operations}
    assert [name for name, each in required.unknown.items() if not each.gaps] == []


def test_the_kinds_of_credential_that_all_operations_accept_are_named() -> None:
    assert permissions_for(LIST).credentials == ("serviceUser", "personalAccessToken")
    assert permissions_for(LIST, REVIEW).credentials == ("serviceUser",)


def test_operations_without_a_common_credential_are_named() -> None:
    required = permissions_for(LIST, INDEX)
    assert (required.credentials, required.conflicts["serviceUser"]) == ((), (INDEX,))
    assert required.conflicts["enterpriseAdminApiKey"] == (LIST,)
    assert "serviceUser is not accepted by enterprise.repositories.list_index_status" in str(required)


def test_kinds_of_credential_that_are_not_shown_are_named_with_the_gap() -> None:
    found = permissions_for(LIST, INDEX, "organization.schedules.create").unknown_credentials
    assert {name: [gap.id for gap in gaps] for name, gaps in found.items()} == {
        "organization.schedules.create": ["schedule-create-credential"]
    }


def test_rules_that_name_permissions_are_notes() -> None:
    notes = permissions_for(LIST, CREATE, "organization.schedules.create", "organization.service_users.create").notes
    assert {name: [rule.id for rule in rules] for name, rules in notes.items()} == {
        "organization.schedules.create": ["schedule-impersonation"],
        CREATE: ["session-impersonation"],
        "organization.service_users.create": ["service-user-role-subset"],
    }


def test_json_has_the_levels_and_the_gaps() -> None:
    found = json.loads(json.dumps(permissions_for(LIST, CREATE).to_dict()))
    assert found["organization"] == {"ViewOrgSessions": [LIST]}
    assert found["unknown"][CREATE]["gaps"][0]["id"] == "session-create-permission"


async def test_a_method_that_waits_needs_what_it_reads_and_may_use_the_list(platform: AgentPlatform) -> None:
    required = permissions_for(platform.organization("org-acme").sessions.wait)
    assert [each.name for each in required.operations] == ["organization.sessions.get"]
    assert [each.name for each in required.optional] == [LIST]
    assert required.organization == {}
    assert required.to_dict()["optional"] == {LIST: {"permission": "ViewOrgSessions", "level": "organization"}}
    assert f"{LIST}  ViewOrgSessions at organization level" in str(required)


async def test_a_method_that_follows_needs_its_list(platform: AgentPlatform) -> None:
    enterprise = platform.enterprise
    required = permissions_for(enterprise.sessions.follow_messages, enterprise.audit_logs.follow)
    names = ["enterprise.audit_logs.list", "enterprise.sessions.list_messages"]
    assert ([each.name for each in required.operations], required.optional) == (names, ())
