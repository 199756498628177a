"""Schemas: which members they allow, what is made to fit them, and redaction by `x-secret`."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox.fitting import Fitter
from agent_session_platform_sandbox.redaction import redact_by_schema
from agent_session_platform_sandbox.validation import SandboxContract, Shape

A, B = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}
SECRET = {"type": "string", "x-secret": True}
NODE = {"$ref": "#/components/schemas/Node"}
SCHEMAS = {
    "Node": {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"anyOf": [NODE, {"type": "null"}]}, "pin": SECRET, "all": {"items": NODE}},
    },
}
CONTRACT = SandboxContract({"paths": {}, "components": {"schemas": SCHEMAS}})
HIDDEN = "[hidden]"


@pytest.mark.parametrize(
    ("schema", "is_open"),
    [
        (A, False),
        ({**A, "additionalProperties": {}}, True),
        ({**A, "patternProperties": {"^x": {}}}, True),
        ({"type": "object"}, True),
        ({"oneOf": [A, B]}, False),
        ({"oneOf": [A, {"type": "object"}]}, True),
    ],
)
def test_a_schema_that_shows_members_shows_all_unless_it_says_otherwise(schema: Any, is_open: bool) -> None:
    assert Shape(CONTRACT, schema).is_open is is_open


def test_a_value_may_fit_several_variants() -> None:
    assert CONTRACT.validator({"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}).is_valid({"a": 1})


@pytest.mark.parametrize(
    ("schema", "given", "fitted"),
    [
        (A, {"a": 1, "c": 2}, {"a": 1, "c": 2}),
        ({**A, "additionalProperties": False}, {"a": "x", "c": 2}, {"a": 0}),
        ({"additionalProperties": {"type": "integer"}}, {"x": 1, "y": "z"}, {"x": 1}),
        ({"anyOf": [{"type": "null"}, {**A, "type": "object"}]}, {"b": "x"}, {"a": 0, "b": "x"}),
        # A sample has the minimal lengths, and the first known value.
        ({"type": "array", "items": {"type": "string", "minLength": 2}, "minItems": 2}, None, ["xx", "xx"]),
        ({"type": "string", "x-known-values": ["a", "b"]}, 1, "a"),
        (NODE, None, {"next": None}),
    ],
)
def test_a_value_keeps_the_members_that_its_schema_allows(schema: Any, given: Any, fitted: Any) -> None:
    assert Fitter(CONTRACT, "2026-11-01T12:30:00Z").fit(schema, given) == fitted


@pytest.mark.parametrize(
    ("schema", "value", "redacted"),
    [
        ({"allOf": [SECRET], "description": "A pin."}, "x", HIDDEN),
        ({"additionalProperties": SECRET}, {"a": "x"}, {"a": HIDDEN}),
        ({"oneOf": [{"properties": {"pin": SECRET}}, A]}, {"pin": "x", "a": 1}, {"pin": HIDDEN, "a": 1}),
        (NODE, {"all": [{"pin": "x", "a": 1}]}, {"all": [{"pin": HIDDEN, "a": 1}]}),
        ({}, {"pin": "x"}, {"pin": "x"}),
    ],
)
def test_a_secret_is_hidden_wherever_the_schema_has_it(schema: Any, value: Any, redacted: Any) -> None:
    assert redact_by_schema(Shape(CONTRACT, schema), value) == redacted
