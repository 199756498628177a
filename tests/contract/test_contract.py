"""The whole contract through the package: every operation can be called, looked up, and is documented."""

from __future__ import annotations

import re

import pytest
from agent_session_platform import AgentPlatform, Gap, Operation, errors, gaps, legacy, operations
from agent_session_platform_sandbox import Sandbox

from tests.contract.every_operation import method_of

OPERATIONS = sorted(operations, key=str)


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_every_operation_is_documented_where_it_is_called(operation: Operation) -> None:
    platform = AgentPlatform("https://platform.example.com", "whatever")
    text = " ".join((method_of(platform, operation).__doc__ or "").split())
    assert f"`{operation.method} {operation.path}`" in text
    lacks = (
        f"`{operation.permission}` at " if operation.permission else "the permission, which the description does not"
    )
    assert f"PermissionDeniedError: The credential lacks {lacks}" in text
    assert all(f"{rule.id}: {' '.join(rule.text.split())}" in text for rule in operation.rules)
    assert all(re.search(rf"\b{gap.id}\b", text) for gap in operation.gaps)
    assert ("Beta." in text) == operation.beta
    assert ("Inferred:" in text) == bool(operation.inferred)


def test_an_operation_is_found_by_id_and_by_name() -> None:
    assert operations["organization.sessions.list"] is operations["list_organization_sessions"]
    assert "organization.sessions.list" in operations
    assert "organization.sessions.lst" not in operations
    with pytest.raises(KeyError):
        operations["organization.sessions.lst"]


def test_beta_operations_and_no_others_have_a_beta_prefix() -> None:
    """Rule versioning-prefixes."""
    prefixes = ("/v3beta1/", "/v3/beta/", "/beta/v2/")
    assert [each.name for each in OPERATIONS if each.path.startswith(prefixes) != each.beta] == []


def test_lists_are_paginated_where_the_description_says_so() -> None:
    """The description says so in the title of the envelope, or in the entry of the list."""
    assert {operation.name for operation in OPERATIONS if operation.paginated} >= {
        "enterprise.git_connections.list_repositories",
        "enterprise.guardrail_violations.list",
        "enterprise.guardrail_violations.list_of_organization",
        "enterprise.members.list_users",
        "enterprise.searches.list",
        "enterprise.sessions.list",
        "enterprise.sessions.list_messages",
        "organization.members.list_idp_users",
        "organization.members.list_users",
        "organization.searches.list",
        "organization.sessions.list",
        "organization.sessions.list_messages",
    }


def test_a_list_whose_pagination_is_not_shown_takes_no_cursor() -> None:
    """Gap list-pagination."""
    lists = [each for each in OPERATIONS if any("(list-pagination)" in gap.what for gap in each.gaps)]
    for resource in ("knowledge_notes", "playbooks", "secrets"):
        assert f"organization.{resource}.list" in {each.name for each in lists}
    assert [each.name for each in lists if any(parameter.name == "after" for parameter in each.parameters)] == []


def test_the_gaps_are_a_registry() -> None:
    assert len(gaps) > 100
    assert all(isinstance(gap, Gap) and gap.place.startswith("#/") and gap.what for gap in gaps)
    assert len({gap.id for gap in gaps}) == len(gaps)


def test_a_call_of_a_deprecated_operation_warns_and_points_at_the_caller() -> None:
    schedules = AgentPlatform("https://platform.example.com", "svc_x").organization("org-a").schedules
    with pytest.warns(DeprecationWarning, match="is deprecated; use") as caught:
        schedules.create(name="n", prompt="p").close()
    [warning] = caught
    assert str(warning.message) == "organization.schedules.create is deprecated; use organization.automations.create"
    assert warning.filename == __file__


@pytest.mark.parametrize(
    ("method", "path", "current"),
    [
        ("GET", "/v1/sessions", "GET /v3/organizations/{org_id}/sessions"),
        ("post", "/v1/sessions", "POST /v3/organizations/{org_id}/sessions"),
        ("GET", "/v1/session/abc/", "GET /v3/organizations/{org_id}/sessions/abc"),
        ("DELETE", "/v1/knowledge/n", "DELETE /v3/organizations/{org_id}/knowledge/notes/n"),
    ],
)
def test_a_legacy_path_has_its_current_one(method: str, path: str, current: str) -> None:
    assert str(legacy.current(path, method)) == current


def test_a_legacy_path_without_a_current_one_is_a_lookup_error() -> None:
    with pytest.raises(LookupError, match="DELETE /v1/sessions has no current operation"):
        legacy.current("/v1/sessions", "DELETE")


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("GET", "/v3/organizations/org-a/sessions", "organization.sessions.list"),
        ("get", "/v3/organizations/org-a/automations/schemas", "organization.automations.list_schemas"),
        ("GET", "/v3/organizations/org-a/automations/a", "organization.automations.get"),
        ("PUT", "/v3/organizations/org-a/sessions", None),
    ],
)
def test_an_operation_is_found_by_method_and_path(method: str, path: str, name: str | None) -> None:
    found = operations.find(method, path)
    assert (found.name if found else None) == name


async def test_a_raw_request_of_a_known_operation_knows_its_permission(sandbox: Sandbox) -> None:
    async with sandbox.client(sandbox.viewer_token) as platform:
        with pytest.raises(errors.PermissionDeniedError) as caught:
            await platform.request("GET", "/v3/enterprise/snapshot-setup/blueprints")
    assert caught.value.permission == "ManageAccountSnapshots"
