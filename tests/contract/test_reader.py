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


def test_all_parts_of_a_schema_are_merged() -> None:
    nested = {"allOf": [{"allOf": [reference("A"), reference("B")]}], "properties": {"c": {}}, "required": ["c"]}
    merged = contract(A=A, B=B).flatten(nested)
    assert (list(merged["properties"]), merged["required"]) == (["a", "b", "c"], ["a", "b", "c"])


def test_a_parameter_of_an_operation_replaces_that_of_its_path(box: Endpoint) -> None:
    assert [each["name"] for each in box.parameters] == ["box_id", "view"]
    assert schema_of(box.parameter("query", "view")) == A


def test_the_kinds_of_credential_have_their_prefixes() -> None:
    assert load().credential_kinds["legacyApiKey"] == "apk_"


def test_the_contract_is_given_away_as_a_copy() -> None:
    copy = operations.contract()
    assert copy == load().document
    assert copy["paths"] is not load().document["paths"]
