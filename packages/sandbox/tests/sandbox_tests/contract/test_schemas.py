"""Variants of schemas, and the shapes of values."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox.contract import SandboxContract, Shape

A, B = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}


def contract(**schemas: Any) -> SandboxContract:
    return SandboxContract({"components": {"schemas": schemas}})


def reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


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
