"""What the contract says of parameters."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import Operation, Parameter
from agent_session_platform.contract import Contract
from agent_session_platform_cli.call.command import command_of
from agent_session_platform_cli.call.parameters import bind
from agent_session_platform_cli.contract import OperationContract

BOX = Operation(
    id="put_box",
    method="PUT",
    path="/v3/enterprise/boxes/{box_id}",
    scope="enterprise",
    resource="boxes",
    verb="put",
    media_type="application/json",
    parameters=(
        Parameter(name="box_id", location="path", kind="integer", required=True),
        Parameter(name="output", location="query", kind="string"),
        Parameter(name="from", location="query", kind="date", argument="from_"),
        Parameter(name="X-Trace", location="header", kind="uuid", argument="x_trace"),
        Parameter(name="size", location="body", kind="string"),
        Parameter(name="at", location="body", kind="date-time"),
        Parameter(name="inner", location="body", kind="object"),
        Parameter(name="ratio", location="body", kind="number", minimum=0, maximum=1),
        Parameter(name="counts", location="body", kind="array"),
    ),
)
DOCUMENT: dict[str, Any] = {
    "paths": {
        BOX.path: {
            "parameters": [{"name": "box_id", "in": "path", "schema": {"$ref": "#/components/schemas/Id"}}],
            "put": {
                "operationId": BOX.id,
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Box"}}}},
            },
        }
    },
    "components": {
        "schemas": {
            "Id": {"type": "integer", "description": "Number of the box."},
            "Size": {"type": "string", "enum": ["small", "large"], "default": "small"},
            "Base": {"properties": {"counts": {"type": "array", "items": {"type": "integer"}}}},
            "Box": {
                "allOf": [{"$ref": "#/components/schemas/Base"}],
                "properties": {
                    "size": {"oneOf": [{"$ref": "#/components/schemas/Size"}, {"type": "null"}], "description": "Size."}
                },
                "additionalProperties": False,
            },
        }
    },
}


@pytest.fixture
def contract(monkeypatch: pytest.MonkeyPatch) -> OperationContract:
    monkeypatch.setattr("agent_session_platform_cli.contract.load", lambda: Contract(DOCUMENT))
    return OperationContract(BOX)


def test_descriptions_values_and_defaults_are_found_behind_references(contract: OperationContract) -> None:
    facts = contract.facts("size", "body")
    assert (facts.description, facts.values, facts.default) == ("Size.", ("small", "large"), "small")
    assert contract.facts("box_id", "path").description == "Number of the box."
    assert contract.facts("counts", "body").items == "integer"


def test_a_parameter_named_like_an_option_of_asp_gets_its_place_before_its_name(contract: OperationContract) -> None:
    assert [each.option for each in bind(BOX, contract)] == [
        "BOX_ID",
        "--query-output",
        "--from",
        "--x-trace",
        "--size",
        "--at",
        "--inner",
        "--ratio",
        "--counts",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["x"], "'x' is not a valid integer"),
        (["1", "--inner", "{"], "is not JSON"),
        (["1", "--ratio", "2"], "2.0 is not in the range 0<=x<=1"),
        (["1", "--counts", "x"], "'x' is not a valid integer"),
        (["1", "--size", "huge"], "'huge' is not one of"),
    ],
)
def test_types_and_bounds_are_checked_before_anything_is_sent(
    contract: OperationContract, words: list[str], message: str
) -> None:
    import click

    with pytest.raises(click.UsageError) as caught:
        command_of(BOX).make_context("box", words)
    assert message in caught.value.format_message()


def test_a_body_that_is_shown_in_full_takes_no_extra(contract: OperationContract) -> None:
    assert not any(each.name == "extra" for each in command_of(BOX).params)
