"""The schemas of the arguments, from the contract."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from agent_session_platform import operations
from agent_session_platform.contract import Contract
from agent_session_platform_cli.contract import OperationContract
from agent_session_platform_cli.mcp.schemas import inlined, input_schema
from jsonschema import Draft202012Validator


def schema_of(name: str, *, names_organization: bool = False) -> dict[str, Any]:
    operation = operations[name]
    return input_schema(operation, OperationContract(operation), names_organization=names_organization)


@pytest.mark.parametrize("name", sorted(each.name for each in operations))
def test_every_schema_is_valid_and_names_the_arguments_of_the_method(name: str, platform: Any) -> None:
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)
    assert "$ref" not in json.dumps(schema)
    operation = operations[name]
    scope = platform.organization() if operation.scope == "organization" else platform.enterprise
    method = getattr(getattr(scope, operation.resource), operation.verb)
    assert set(schema["properties"]) == set(inspect.signature(method).parameters) - {"options", "members"}


def test_bounds_values_and_descriptions_are_those_of_the_contract() -> None:
    members = schema_of("organization.sessions.list")["properties"]
    assert members["first"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 200,
        "default": 20,
        "description": "Page size.",
    }
    assert members["origins"]["items"]["enum"][:2] == ["webapp", "slack"]


def test_the_organization_is_an_argument_only_where_no_setting_names_it() -> None:
    assert "org_id" not in schema_of("organization.sessions.list")["properties"]
    assert schema_of("organization.sessions.list", names_organization=True)["required"] == ["org_id"]


def test_the_organization_in_a_path_of_the_enterprise_is_always_an_argument() -> None:
    assert schema_of("enterprise.repositories.list_index_status")["required"] == ["org_id"]


def test_what_is_required_is_said() -> None:
    assert schema_of("organization.schedules.create")["required"] == ["name", "prompt"]


def test_a_schema_that_contains_itself_ends_as_any_value() -> None:
    tree = {"type": "object", "properties": {"child": {"$ref": "#/components/schemas/Tree"}}, "x-secret": True}
    document = {"paths": {}, "components": {"schemas": {"Tree": tree}}}
    found = inlined({"$ref": "#/components/schemas/Tree"}, Contract(document))
    assert found == {"type": "object", "properties": {"child": {}}}


def test_the_beginning_of_an_id_is_said() -> None:
    found = schema_of("organization.sessions.list", names_organization=True)
    assert found["properties"]["org_id"]["description"].endswith("It begins with org-.")
