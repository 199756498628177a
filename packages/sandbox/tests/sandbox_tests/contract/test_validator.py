"""Validation with discriminators and formats."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox.contract import SandboxContract

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
