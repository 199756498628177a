"""What a tool says of itself."""

from __future__ import annotations

import re

import pytest
from agent_session_platform import operations
from agent_session_platform_cli.mcp.selection import Selection
from agent_session_platform_cli.mcp.tools import LONGEST, tool_name, tools_of

TOOLS = {each.name: each for each in tools_of(Selection(allow=("*",)), names_organization=False)}


def test_every_name_is_one_that_clients_accept_and_its_own() -> None:
    found = [tool_name(each) for each in operations]
    # Clients put a prefix before it, of a limit of 64 characters.
    assert [each for each in found if not re.fullmatch(r"[a-z0-9_]{1,56}", each)] == []
    assert len({*found}) == len(operations)


def test_the_description_has_permission_level_rules_and_gaps() -> None:
    text = str(TOOLS["organization_sessions_list"].description)
    assert "Permission: ViewOrgSessions (organization level)." in text
    assert "Rule: Clients must not send the query parameter `order`." in text
    assert "Not shown: Query parameters other than first, after and origins." in text


def test_a_permission_that_is_not_shown_is_said() -> None:
    assert "Permission: not shown." in str(TOOLS["enterprise_roles_list"].description)


def test_a_deprecated_operation_names_its_successor() -> None:
    assert "Deprecated; use organization.automations.create instead." in str(
        TOOLS["organization_schedules_create"].description
    )


def test_no_description_is_longer_than_a_model_needs() -> None:
    assert max(len(str(each.description)) for each in TOOLS.values()) <= LONGEST + len(" ...")


@pytest.mark.parametrize(
    ("name", "hints"),
    [
        ("organization_sessions_list", (True, False, True)),
        ("organization_sessions_create", (False, False, False)),
        ("organization_sessions_archive", (False, True, False)),
        ("organization_sessions_terminate", (False, True, True)),
        ("organization_sessions_replace_tags", (False, True, True)),
        ("organization_automations_update", (False, True, False)),
    ],
)
def test_the_hints_say_what_a_call_may_change(name: str, hints: tuple[bool, bool, bool]) -> None:
    found = TOOLS[name].annotations
    assert found is not None
    assert (found.read_only_hint, found.destructive_hint, found.idempotent_hint) == hints
