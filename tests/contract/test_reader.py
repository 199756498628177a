"""The reader of the contract."""

from __future__ import annotations

from agent_session_platform.contract import Contract, schema_of

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


def test_all_parts_of_a_schema_are_merged() -> None:
    nested = {"allOf": [{"allOf": [{"$ref": "#/components/schemas/A"}, B]}], "properties": {"c": {}}, "required": ["c"]}
    merged = Contract({"components": {"schemas": {"A": A}}}).flatten(nested)
    assert (list(merged["properties"]), merged["required"]) == (["a", "b", "c"], ["a", "b", "c"])


def test_a_parameter_of_an_operation_replaces_that_of_its_path() -> None:
    box = Contract({"paths": {"/boxes/{box_id}": BOX}}).endpoints["get_box"]
    assert [each["name"] for each in box.parameters] == ["box_id", "view"]
    assert schema_of(box.parameter("query", "view")) == A
