"""Schemas: variants, shapes, formats and samples, and redaction by `x-secret`."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox.contract import Sampler, SandboxContract, Shape
from agent_session_platform_sandbox.redaction import redact_by_schema

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


CARD = {"type": "object", "required": ["kind", "number"], "properties": {"kind": {"type": "string"}, "number": {}}}
BANK = {"type": "object", "required": ["kind", "iban"], "properties": {"kind": {"type": "string"}, "iban": {}}}
CASH = {"type": "object", "properties": {"kind": {"const": "cash"}}}
PAYMENT = {
    "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Card", "Bank", "Cash")],
    "discriminator": {"propertyName": "kind", "mapping": {"card": "#/components/schemas/Card", "account": "Bank"}},
}


def messages(schema: Any, value: Any) -> list[str]:
    document = {"components": {"schemas": {"Card": CARD, "Bank": BANK, "Cash": CASH}}}
    return [error.message for error in SandboxContract(document).validator(schema).iter_errors(value)]


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "card", "number": 1},
        {"kind": "Card", "number": 1},
        {"kind": "account", "iban": 1},
        {"kind": "cash"},
    ],
)
def test_a_discriminator_chooses_the_variant(value: Any) -> None:
    assert messages(PAYMENT, value) == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"kind": "card", "iban": 1}, "'number' is a required property"),
        ({"kind": "check"}, "'check' is not one of ['card', 'Card', 'account', 'Bank', 'cash', 'Cash']"),
        ({"kind": 5}, "{'kind': 5} is not valid under any of the given schemas"),
        (5, "5 is not valid under any of the given schemas"),
    ],
)
def test_a_value_that_the_discriminator_does_not_fit_is_not_valid(value: Any, message: str) -> None:
    assert messages(PAYMENT, value) == [message]


def test_a_value_may_fit_several_variants() -> None:
    variants = {"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}
    assert messages(variants, {"a": 1}) == []


@pytest.mark.parametrize(
    ("format", "valid", "invalid"),
    [
        ("duration", "P1DT2H0.5S", "P1DT"),
        ("duration", "P3W", ""),
        ("time", "09:00:00Z", "25:00:00Z"),
        ("hostname", "git.example.com", "-git"),
        ("uri", "https://example.com/a?b#c", "example"),
        ("uri-reference", "/a", "a b"),
        ("date", "2024-02-29", "2026-02-29"),
        ("date", "2026-01-01", "2026-W01-1"),
        ("date-time", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00"),
        ("date-time", "2016-12-31T23:59:60.5+01:00", "2026-01-01T25:00:00Z"),
        ("date-time", "2026-01-01t00:00:00z", "2026-01-01"),
    ],
)
def test_a_format_is_validated(format: str, valid: str, invalid: str) -> None:
    schema = {"type": "string", "format": format}
    assert (messages(schema, valid), messages(schema, invalid)) == ([], [f"{invalid!r} is not a {format!r}"])


def test_a_value_of_another_type_has_no_format() -> None:
    assert messages({"format": "date"}, 5) == []


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
CHOICE = {
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
        (CHOICE, {"kind": "Card"}),
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
        (CHOICE, {"kind": "Bank"}, {"kind": "Bank", "iban": {}}),
        (CHOICE, {"iban": "x"}, {"kind": "Bank", "iban": "x"}),
        ({"anyOf": [{"type": "null"}, A]}, {"b": "x"}, {"a": 0, "b": "x"}),
    ],
)
def test_a_value_is_changed_as_little_as_its_schema_needs(
    sampler: Sampler, schema: Any, given: Any, fitted: Any
) -> None:
    assert sampler.fit(schema, given) == fitted


SECRET = {"type": "string", "x-secret": True}
OF_SECRETS = {"Node": {"properties": {"pin": SECRET, "children": {"type": "array", "items": {"$ref": NODE}}}}}
HIDDEN = "[hidden]"


@pytest.mark.parametrize(
    ("schema", "value", "redacted"),
    [
        (SECRET, "x", HIDDEN),
        ({"allOf": [SECRET], "description": "A pin."}, "x", HIDDEN),
        ({"additionalProperties": SECRET}, {"a": "x"}, {"a": HIDDEN}),
        (
            {"oneOf": [{"properties": {"pin": SECRET}}, {"properties": {"a": {}}}]},
            {"pin": "x", "a": 1},
            {"pin": HIDDEN, "a": 1},
        ),
        ({"anyOf": [SECRET, {"type": "null"}]}, "x", HIDDEN),
        ({"items": {"properties": {"pin": SECRET}}}, [{"pin": "x"}], [{"pin": HIDDEN}]),
        ({"$ref": NODE}, {"children": [{"pin": "x", "a": 1}]}, {"children": [{"pin": HIDDEN, "a": 1}]}),
        ({}, {"pin": "x"}, {"pin": "x"}),
    ],
)
def test_a_secret_is_hidden_wherever_the_schema_has_it(schema: Any, value: Any, redacted: Any) -> None:
    assert redact_by_schema(Shape(SandboxContract({"components": {"schemas": OF_SECRETS}}), schema), value) == redacted
