"""The names of operations in the facade."""

from __future__ import annotations

import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_api.api import PlatformScope

from codegen.contract.naming import TAKEN_BY_SCOPES, name_operation, python_name, resource_class
from codegen.contract.source import ContractError

ORG = "/v3/organizations/{org_id}"


# For each operation: the path, the tag, the operationId, and the name of its method.
NAMES = [
    (f"{ORG}/sessions", "sessions", "list_organization_sessions", "organization.sessions.list"),
    (f"{ORG}/sessions", "sessions", "listSessions", "organization.sessions.list"),
    (f"{ORG}/sessions/{{id}}/messages", "sessions", "send_session_message", "organization.sessions.send_message"),
    ("/beta/v2/enterprise/a/{org_id}", "repositories", "list_repository_status", "enterprise.repositories.list_status"),
    ("/v3/beta/enterprise/queue", "queue", "getQueue", "enterprise.queue.get"),
    (f"{ORG}/knowledge/notes", "knowledge notes", "create_knowledge_note", "organization.knowledge_notes.create"),
    ("/v3/enterprise/ip-access", "ip-access-list", "replace_ip_access_list", "enterprise.ip_access_list.replace"),
    (f"{ORG}/sessions", "sessions", "sessions", "organization.sessions.get"),
    (f"{ORG}/things", "things", "import_things", "organization.things.import_"),
    ("/v3/about", "about", "get_about", "platform.about.get"),
    ("/v3/organizations", "organizations", "create_organization", "platform.organizations.create"),
    ("/health", "operations", "check_health", "platform.operations_.check_health"),
]


@pytest.mark.parametrize(("path", "tag", "operation_id", "name"), NAMES)
def test_an_operation_is_named_by_the_words_that_scope_and_resource_lack(
    path: str, tag: str, operation_id: str, name: str
) -> None:
    assert str(name_operation(path, tag, operation_id, "get")) == name


@pytest.mark.parametrize("path", ["v3/sessions", "/v3/sessions?a=b", "/v3/sessions/{id*}", "https://p.example/v3"])
def test_what_is_no_path_is_an_error(path: str) -> None:
    with pytest.raises(ContractError, match="is not a path that the SDK can send"):
        name_operation(path, "sessions", "list_sessions", "get")


def test_no_resource_of_the_platform_has_the_name_of_a_member_of_the_client() -> None:
    own = {name for name in dir(AgentPlatform) if not name.startswith("_")} - {*vars(PlatformScope)}
    assert own == TAKEN_BY_SCOPES["platform"]


@pytest.mark.parametrize(
    ("wire", "name"),
    [("type", "type"), ("class", "class_"), ("x-y", "x_y"), ("1st", "field_1st"), ("options", "options_")],
)
def test_a_wire_name_is_kept_where_python_allows_it(wire: str, name: str) -> None:
    assert python_name(wire, frozenset({"options"})) == name


def test_a_class_is_named_after_its_words() -> None:
    assert resource_class("organization", "pr_reviews") == "OrganizationPrReviews"
