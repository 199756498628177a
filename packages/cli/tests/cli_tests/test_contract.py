"""What the contract says of parameters, of an operation that no contract has."""

from __future__ import annotations

from typing import Any

import click
import pytest
from agent_session_platform import Operation, Parameter
from agent_session_platform.contract import Contract
from agent_session_platform_cli.call.command import command_of
from agent_session_platform_cli.call.parameters import bind
from agent_session_platform_cli.contract import OperationContract

PARAMETERS = (
    Parameter(name="box_id", location="path", kind="integer", required=True),
    Parameter(name="output", location="query", kind="string"),
    Parameter(name="from", location="query", kind="date", argument="from_"),
    Parameter(name="X-Trace", location="header", kind="uuid", argument="x_trace"),
    *(
        Parameter(name=name, location="body", kind=kind)
        for name, kind in {"size": "string", "inner": "object", "counts": "array"}.items()
    ),
    Parameter(name="ratio", location="body", kind="number", minimum=0, maximum=1),
)
BOX = Operation(
    id="put_box",
    method="PUT",
    path="/v3/enterprise/boxes/{box_id}",
    scope="enterprise",
    resource="boxes",
    verb="put",
    media_type="application/json",
    parameters=PARAMETERS,
)
BODY: dict[str, Any] = {
    "allOf": [{"properties": {"counts": {"type": "array", "items": {"type": "integer"}}}}],
    "properties": {
        "size": {"oneOf": [{"$ref": "#/components/schemas/Size"}, {"type": "null"}], "description": "Size."}
    },
    "additionalProperties": False,
}
SCHEMAS: dict[str, Any] = {
    "Id": {"type": "integer", "description": "Number of the box."},
    "Size": {"type": "string", "enum": ["small", "large"], "default": "small"},
    "Box": BODY,
}
ENDPOINT: dict[str, Any] = {
    "parameters": [{"name": "box_id", "in": "path", "schema": {"$ref": "#/components/schemas/Id"}}],
    "put": {
        "operationId": BOX.id,
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Box"}}}},
    },
}


@pytest.fixture
def contract(monkeypatch: pytest.MonkeyPatch) -> OperationContract:
    document = Contract({"paths": {BOX.path: ENDPOINT}, "components": {"schemas": SCHEMAS}})
    monkeypatch.setattr("agent_session_platform_cli.contract.load", lambda: document)
    return OperationContract(BOX)


def test_descriptions_values_and_defaults_are_found_behind_references(contract: OperationContract) -> None:
    facts = contract.facts("size", "body")
    assert (facts.description, facts.values, facts.default) == ("Size.", ("small", "large"), "small")
    assert contract.facts("box_id", "path").description == "Number of the box."
    assert contract.facts("counts", "body").items == "integer"


def test_a_parameter_named_like_an_option_of_asp_gets_its_place_before_its_name(contract: OperationContract) -> None:
    names = ["BOX_ID", "--query-output", "--from", "--x-trace", "--size", "--inner", "--counts", "--ratio"]
    assert [each.option for each in bind(BOX, contract)] == names


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["x"], "'x' is not a valid integer"),
        (["1", "--inner", "{"], "is not JSON"),
        (["1", "--ratio", "2"], "2.0 is not in the range 0<=x<=1"),
        (["1", "--counts", "x"], "'x' is not a valid integer"),
        (["1", "--size", "huge"], "'huge' is not one of"),
        (["1", "--extra", "a=b"], "No such option"),
    ],
)
def test_types_bounds_and_names_are_checked_before_anything_is_sent(
    contract: OperationContract, words: list[str], message: str
) -> None:
    with pytest.raises(click.UsageError) as caught:
        command_of(BOX).make_context("box", words)
    assert message in caught.value.format_message()
