"""References, merged schemas and variants."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox.contract import SandboxContract, Shape

A, B = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}


def contract(**schemas: Any) -> SandboxContract:
    return SandboxContract({"components": {"schemas": schemas}})


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
    made = contract()
    merged = made.flatten({"allOf": [A, {"properties": {"a": {"minimum": 3}}}]})
    assert made.flatten(merged["properties"]["a"]) == {"type": "integer", "minimum": 3}


def test_the_example_of_one_part_of_several_is_no_example_of_the_whole() -> None:
    part = {**A, "examples": [{"a": 1}]}
    assert "examples" not in contract().flatten({"allOf": [part, B]})
    assert contract().flatten({"allOf": [part]})["examples"] == [{"a": 1}]


def test_a_variant_has_the_members_beside_it() -> None:
    [first, second] = contract().alternatives({**A, "oneOf": [B, {"required": ["c"]}]})
    assert (list(first["properties"]), second["required"]) == (["a", "b"], ["a", "c"])


def test_a_schema_that_is_a_variant_of_itself_ends() -> None:
    made = contract(A={"anyOf": [{"type": "integer"}, reference("A")]})
    assert made.alternatives(reference("A")) == [{"type": "integer"}]


def test_the_shape_of_a_recursive_schema_is_read_as_deep_as_it_is_used() -> None:
    shape = Shape(contract(A={"properties": {"a": reference("A")}, "type": "object"}), reference("A"))
    assert shape.member("a").member("a").types == {"object"}


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": ["integer", "null"]}, {"integer", "null"}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"string", "null"}),
        ({"enum": [1, "a", True, None]}, {"integer", "string", "boolean", "null"}),
        ({"const": 1.5}, {"number"}),
        ({"properties": {}}, {"object"}),
        ({"items": {}}, {"array"}),
        ({}, set()),
        (True, set()),
    ],
)
def test_the_types_of_a_schema_may_be_implied(schema: Any, types: set[str]) -> None:
    assert Shape(contract(), schema).types == types


@pytest.mark.parametrize(
    ("schema", "is_open"),
    [
        (A, False),
        ({**A, "additionalProperties": True}, True),
        ({**A, "additionalProperties": {}}, True),
        ({**A, "additionalProperties": False}, False),
        ({**A, "patternProperties": {"^x": {}}}, True),
        ({"type": "object"}, True),
        ({"oneOf": [A, B]}, False),
        ({"oneOf": [A, {"type": "object"}]}, True),
        ({"anyOf": [A, {"type": "null"}]}, False),
    ],
)
def test_a_schema_that_shows_members_shows_all_unless_it_says_otherwise(schema: Any, is_open: bool) -> None:
    assert Shape(contract(), schema).is_open is is_open
