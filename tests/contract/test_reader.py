"""The reader of the contract."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import operations
from agent_session_platform.contract import Contract, Endpoint, load, schema_of

A, B = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}
VIEW = {"name": "view", "in": "query"}
BOX = {
    "parameters": [{"name": "box_id", "in": "path", "schema": {}}, {**VIEW, "schema": {"type": "string"}}],
    "get": {
        "operationId": "get_box",
        "parameters": [{**VIEW, "content": {"application/json": {"schema": A}}}],
        "responses": {"2XX": {}, "204": {}},
    },
}


@pytest.fixture
def box() -> Endpoint:
    return Contract({"paths": {"/boxes/{box_id}": BOX}}).endpoints["get_box"]


def contract(**schemas: Any) -> Contract:
    return Contract({"components": {"schemas": schemas}})


def reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


@pytest.mark.parametrize("pointer", ["A/properties/x~1y", "A/properties/x%7E1y", "A/allOf/0"])
def test_a_reference_may_lead_into_a_schema(pointer: str) -> None:
    inner = {"type": "integer"}
    assert contract(A={"properties": {"x/y": inner}, "allOf": [inner]}).resolve(reference(pointer)) == inner


def test_members_beside_a_reference_win() -> None:
    beside = {**reference("A"), "description": "new"}
    assert contract(A={"type": "integer", "description": "old"}).resolve(beside) == {
        "type": "integer",
        "description": "new",
    }


def test_all_parts_of_a_schema_are_merged() -> None:
    nested = {"allOf": [{"allOf": [reference("A"), reference("B")]}], "properties": {"c": {}}, "required": ["c"]}
    merged = contract(A=A, B=B).flatten(nested)
    assert (list(merged["properties"]), merged["required"]) == (["a", "b", "c"], ["a", "b", "c"])


def test_a_member_of_two_parts_follows_both() -> None:
    merged = contract().flatten({"allOf": [A, {"properties": {"a": {"minimum": 3}}}]})
    assert contract().flatten(merged["properties"]["a"]) == {"type": "integer", "minimum": 3}


def test_the_example_of_one_part_of_several_is_no_example_of_the_whole() -> None:
    part = {**A, "examples": [{"a": 1}]}
    assert "examples" not in contract().flatten({"allOf": [part, B]})
    assert contract().flatten({"allOf": [part]})["examples"] == [{"a": 1}]


def test_the_examples_of_a_media_type_have_names() -> None:
    made = Contract({"components": {"examples": {"one": {"value": 1}}}})
    named = {"first": {"$ref": "#/components/examples/one"}, "elsewhere": {"externalValue": "https://example.com"}}
    assert made.examples({"examples": named}) == [1]


def test_a_parameter_of_an_operation_replaces_that_of_its_path(box: Endpoint) -> None:
    assert [each["name"] for each in box.parameters] == ["box_id", "view"]
    assert schema_of(box.parameter("query", "view")) == A


@pytest.mark.parametrize(("status", "key"), [(204, "204"), (200, "2XX"), (404, None)])
def test_a_response_is_declared_by_its_status_or_its_class(box: Endpoint, status: int, key: str | None) -> None:
    assert box.declared(status) == key


def test_a_place_leads_back_to_its_node(box: Endpoint) -> None:
    assert box.contract.at(box.place) is box.node


def test_the_kinds_of_credential_have_their_prefixes() -> None:
    assert load().credential_kinds["legacyApiKey"] == "apk_"


def test_the_contract_is_given_away_as_a_copy() -> None:
    copy = operations.contract()
    assert copy == load().document
    assert copy["paths"] is not load().document["paths"]
