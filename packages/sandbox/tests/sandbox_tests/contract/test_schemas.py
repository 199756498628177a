"""Routes and schemas: levels, variants, shapes, formats and samples, and redaction by `x-secret`."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform.catalogue import Catalogue
from agent_session_platform_sandbox.contract import load_routes, routes
from agent_session_platform_sandbox.redaction import redact_by_schema
from agent_session_platform_sandbox.validation import Sampler, SandboxContract, Shape

from sandbox_tests.odd import odd_contract

A, B = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}
SECRET = {"type": "string", "x-secret": True}
NODE = {"$ref": "#/components/schemas/Node"}
SCHEMAS = {
    "Node": {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"anyOf": [NODE, {"type": "null"}]}, "pin": SECRET, "all": {"items": NODE}},
    },
    "Endless": {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"$ref": "#/components/schemas/Endless"}},
    },
    "Or": {"anyOf": [{"type": "integer"}, {"$ref": "#/components/schemas/Or"}]},
}
CONTRACT = SandboxContract({"components": {"schemas": SCHEMAS}})
NOW = "2026-11-01T12:30:00Z"


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
    ("format", "valid", "invalid"),
    [
        ("date", "2024-02-29", "2026-02-29"),
        ("date-time", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00"),
        ("date-time", "2026-01-01T00:00:00.5+01:00", "2026-01-01T25:00:00Z"),
        ("uuid", "c8c2f45e-6f32-5e84-8663-0eb9ddca2a6c", "c8c2"),
    ],
)
def test_a_format_is_validated(format: str, valid: str, invalid: str) -> None:
    validator = CONTRACT.validator({"format": format})
    assert [validator.is_valid(each) for each in (valid, 5, invalid)] == [True, True, False]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, ""),
        ({"type": "string", "minLength": 2}, "xx"),
        ({"type": "string", "format": "date-time"}, NOW),
        ({"type": "string", "x-known-values": ["a", "b"]}, "a"),
        ({"type": "integer", "minimum": 3}, 3),
        ({"type": ["null", "integer"]}, None),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, 0),
        ({"const": {"a": 1}}, {"a": 1}),
        ({"enum": ["b", "a"]}, "b"),
        ({"type": "integer", "default": 7}, 7),
        ({"type": "integer", "examples": ["wrong", 8]}, 8),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [0, 0]),
        ({"type": "object", "required": ["a"], "additionalProperties": {"type": "integer"}}, {"a": 0}),
        ({}, {}),
        (NODE, {"next": None}),
    ],
)
def test_a_sample_is_the_example_or_minimal(schema: Any, value: Any) -> None:
    assert Sampler(CONTRACT, NOW).sample(schema) == value


def test_a_schema_that_no_finite_value_fits_has_a_sample() -> None:
    assert "next" in Sampler(CONTRACT, NOW).sample({"$ref": "#/components/schemas/Endless"})


OPEN = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "given", "fitted"),
    [
        (OPEN, {"a": 1, "c": 2}, {"a": 1, "c": 2}),
        (OPEN, {"b": "x"}, {"a": 0, "b": "x"}),
        (OPEN, {"a": "x", "b": "y"}, {"a": 0, "b": "y"}),
        ({**OPEN, "additionalProperties": False}, {"a": 1, "c": 2}, {"a": 1}),
        ({"additionalProperties": {"type": "integer"}}, {"x": 1, "y": "z"}, {"x": 1}),
        ({"type": "integer"}, "x", 0),
        ({"anyOf": [{"type": "null"}, OPEN]}, {"b": "x"}, {"a": 0, "b": "x"}),
    ],
)
def test_a_value_keeps_the_members_that_its_schema_allows(schema: Any, given: Any, fitted: Any) -> None:
    assert Sampler(CONTRACT, NOW).fit(schema, given) == fitted


HIDDEN = "[hidden]"


@pytest.mark.parametrize(
    ("schema", "value", "redacted"),
    [
        (SECRET, "x", HIDDEN),
        ({"allOf": [SECRET], "description": "A pin."}, "x", HIDDEN),
        ({"additionalProperties": SECRET}, {"a": "x"}, {"a": HIDDEN}),
        ({"oneOf": [{"properties": {"pin": SECRET}}, A]}, {"pin": "x", "a": 1}, {"pin": HIDDEN, "a": 1}),
        ({"anyOf": [SECRET, {"type": "null"}]}, "x", HIDDEN),
        (NODE, {"all": [{"pin": "x", "a": 1}]}, {"all": [{"pin": HIDDEN, "a": 1}]}),
        ({}, {"pin": "x"}, {"pin": "x"}),
    ],
)
def test_a_secret_is_hidden_wherever_the_schema_has_it(schema: Any, value: Any, redacted: Any) -> None:
    assert redact_by_schema(Shape(CONTRACT, schema), value) == redacted


def test_the_level_is_the_one_in_the_contract_or_that_of_the_path() -> None:
    levels = {route.operation_id: route.requirement.level for route in load_routes()}
    assert levels == {operation.id: operation.level or operation.scope for operation in Catalogue()}


def test_the_first_success_of_several_is_the_status() -> None:
    [rebuild] = [route for route in routes(odd_contract()) if route.operation_id == "rebuild_box"]
    assert rebuild.success == 202
