"""Redaction by the contract's `x-secret`."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox.contract import SandboxContract, Shape
from agent_session_platform_sandbox.redaction import redact_by_schema

SECRET = {"type": "string", "x-secret": True}
NODE = "#/components/schemas/Node"
SCHEMAS = {"Node": {"properties": {"pin": SECRET, "children": {"type": "array", "items": {"$ref": NODE}}}}}
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
    assert redact_by_schema(Shape(SandboxContract({"components": {"schemas": SCHEMAS}}), schema), value) == redacted
