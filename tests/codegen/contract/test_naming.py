"""The names of operations in the facade."""

from __future__ import annotations

import pytest

from codegen.contract.naming import name_operation, python_name, resource_class
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
]


@pytest.mark.parametrize(("path", "tag", "operation_id", "name"), NAMES)
def test_an_operation_is_named_by_the_words_that_scope_and_resource_lack(
    path: str, tag: str, operation_id: str, name: str
) -> None:
    assert str(name_operation(path, tag, operation_id, "get")) == name


@pytest.mark.parametrize("path", ["/v1/sessions", "/v3/organizations", "/sessions"])
def test_a_path_in_neither_scope_is_an_error(path: str) -> None:
    with pytest.raises(ContractError, match="in neither scope"):
        name_operation(path, "sessions", "list_sessions", "get")


@pytest.mark.parametrize(
    ("wire", "name"),
    [("type", "type"), ("class", "class_"), ("x-y", "x_y"), ("1st", "field_1st"), ("options", "options_")],
)
def test_a_wire_name_is_kept_where_python_allows_it(wire: str, name: str) -> None:
    assert python_name(wire, frozenset({"options"})) == name


def test_a_class_is_named_after_its_words() -> None:
    assert resource_class("organization", "pr_reviews") == "OrganizationPrReviews"
