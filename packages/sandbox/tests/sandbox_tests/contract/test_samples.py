"""Samples: minimal values, and the values that are most similar to given ones."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox.contract import Sampler, SandboxContract

NOW = "2026-11-01T12:30:00Z"
NODE = "#/components/schemas/Node"
SCHEMAS = {
    "Node": {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"anyOf": [{"$ref": NODE}, {"type": "null"}]}},
    },
    "Nullable": {
        "type": ["object", "null"],
        "required": ["next"],
        "properties": {"next": {"$ref": "#/components/schemas/Nullable"}},
    },
    "Endless": {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"$ref": "#/components/schemas/Endless"}},
    },
    "Card": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "number": {}}},
    "Bank": {"type": "object", "required": ["kind", "iban"], "properties": {"kind": {"type": "string"}, "iban": {}}},
}
PAYMENT = {
    "oneOf": [{"$ref": "#/components/schemas/Card"}, {"$ref": "#/components/schemas/Bank"}],
    "discriminator": {"propertyName": "kind"},
}


@pytest.fixture
def sampler() -> Sampler:
    return Sampler(SandboxContract({"components": {"schemas": SCHEMAS}}), NOW)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, ""),
        ({"type": "string", "minLength": 2}, "xx"),
        ({"type": "string", "pattern": "^[A-Z]{2}$"}, "AA"),
        ({"type": "string", "format": "date-time"}, NOW),
        ({"type": "string", "format": "date"}, "2026-11-01"),
        ({"type": "string", "format": "uuid"}, "00000000-0000-4000-8000-000000000000"),
        ({"type": "string", "x-known-values": ["a", "b"]}, "a"),
        ({"type": "integer"}, 0),
        ({"type": "integer", "minimum": 3, "multipleOf": 2}, 4),
        ({"type": "integer", "exclusiveMinimum": 3}, 4),
        ({"type": "number", "maximum": -2}, -2),
        ({"type": "boolean"}, False),
        ({"type": "null"}, None),
        ({"type": ["null", "integer"]}, 0),
        ({"const": {"a": 1}}, {"a": 1}),
        ({"enum": ["b", "a"]}, "b"),
        ({"type": "integer", "default": 7}, 7),
        ({"type": "integer", "examples": [8]}, 8),
        ({"type": "integer", "examples": ["wrong"]}, 0),
        ({"type": "integer", "example": 9}, 9),
        ({"type": "array", "items": {"type": "integer"}}, []),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [0, 0]),
        ({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "b": {}}}, {"a": 0}),
        ({"type": "object", "required": ["a"], "additionalProperties": {"type": "integer"}}, {"a": 0}),
        ({}, {}),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 0),
        ({"$ref": NODE}, {"next": None}),
        ({"$ref": "#/components/schemas/Nullable"}, {"next": None}),
        ({"$ref": "#/components/schemas/Endless"}, None),
        (PAYMENT, {"kind": "Card"}),
    ],
)
def test_a_sample_is_the_example_or_minimal(sampler: Sampler, schema: Any, value: Any) -> None:
    assert sampler.sample(schema) == value


A = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "given", "fitted"),
    [
        (A, {"a": 1, "c": 2}, {"a": 1, "c": 2}),
        (A, {"b": "x"}, {"a": 0, "b": "x"}),
        (A, {"a": 1, "b": 2}, {"a": 1}),
        (A, {"a": "x", "b": "y"}, {"a": 0, "b": "y"}),
        ({**A, "additionalProperties": False}, {"a": 1, "c": 2}, {"a": 1}),
        ({"additionalProperties": {"type": "integer"}}, {"x": 1, "y": "z"}, {"x": 1}),
        ({"type": "object", "properties": {"inner": A}}, {"inner": {"b": "x"}}, {"inner": {"a": 0, "b": "x"}}),
        ({"type": "array", "items": A, "maxItems": 1}, [{"b": "x"}, {"a": 1}], [{"a": 0, "b": "x"}]),
        ({"type": "integer"}, "x", 0),
        ({"type": "array"}, {"a": 1}, []),
        (PAYMENT, {"kind": "Bank"}, {"kind": "Bank", "iban": {}}),
        (PAYMENT, {"iban": "x"}, {"kind": "Bank", "iban": "x"}),
        ({"anyOf": [{"type": "null"}, A]}, {"b": "x"}, {"a": 0, "b": "x"}),
    ],
)
def test_a_value_is_changed_as_little_as_its_schema_needs(
    sampler: Sampler, schema: Any, given: Any, fitted: Any
) -> None:
    assert sampler.fit(schema, given) == fitted
