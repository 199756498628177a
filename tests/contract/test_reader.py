"""The reader of the contract."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import operations
from agent_session_platform.contract import Contract, child, load, schema_of

A, B = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}
PATH = "/boxes/{box_id}"
NOT_SHOWN = {"x-not-shown": [{"id": "box-color", "what": "Its color."}]}
RULE = {"id": "box-closed", "text": "A box stays closed."}
BOXES: dict[str, Any] = {
    "info": {"x-rules": [RULE]},
    "paths": {
        PATH: {
            "parameters": [
                {"$ref": "#/components/parameters/BoxId"},
                {"name": "view", "in": "query", "description": "Of all.", "schema": {"type": "string"}},
            ],
            "get": {
                "operationId": "get_box",
                "parameters": [{"name": "view", "in": "query", "content": {"application/json": {"schema": A}}}],
                "responses": {"2XX": {"description": "The box.", **NOT_SHOWN}, "204": {"description": "No box."}},
                "x-rules": [{"id": "box-closed"}],
            },
        }
    },
    "components": {
        "parameters": {"BoxId": {"name": "box_id", "in": "path", "schema": {"type": "string"}}},
        "securitySchemes": {"user": {"x-credential-prefix": "u_"}, "robot": {}},
        "x-legacy-credentials": [{"name": "key", "prefix": "k_"}],
    },
}


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


def test_a_parameter_of_an_operation_replaces_that_of_its_path() -> None:
    [box] = Contract(BOXES).endpoints.values()
    assert [each["name"] for each in box.parameters] == ["box_id", "view"]
    assert schema_of(box.parameter("query", "view")) == A


@pytest.mark.parametrize(("status", "key"), [(204, "204"), (200, "2XX"), (404, None)])
def test_a_response_is_declared_by_its_status_or_its_class(status: int, key: str | None) -> None:
    assert Contract(BOXES).endpoints["get_box"].declared(status) == key


def test_an_operation_has_the_gaps_below_it_and_the_rules_that_it_cites() -> None:
    box = Contract(BOXES).endpoints["get_box"]
    assert [(each.id, each.place) for each in box.gaps] == [("box-color", child(f"{box.place}/responses", "2XX"))]
    assert [each.text for each in box.rules] == [RULE["text"]]


def test_a_place_leads_back_to_its_node() -> None:
    made = Contract(BOXES)
    assert made.at(made.endpoints["get_box"].place) is BOXES["paths"][PATH]["get"]


def test_the_kinds_of_credential_have_their_prefixes() -> None:
    assert Contract(BOXES).credential_kinds == {"user": "u_", "robot": "", "key": "k_"}


def test_the_contract_is_read_once_and_given_away_as_a_copy() -> None:
    assert load() is load()
    copy = operations.contract()
    assert copy == load().document
    assert copy["paths"] is not load().document["paths"]
