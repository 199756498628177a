"""The contract of a deployment: openapi.yaml with a word and Overlays, and what follows from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen import ROOT
from codegen.contract.contract import Contract
from codegen.deployment import Deployment, read_contract
from tests.codegen.overlay_document.documents import HEAD, write

SESSIONS = "$.paths['/v3/organizations/{org_id}/sessions'].post"
CLOSED = '{closed: {answers: 1, first: "2026-11-20", last: "2026-11-20"}}'
REQUIRED_PROMPT = "{required: [prompt], properties: {prompt: {type: string}}}"
PROMPT = f"{{target: $.components.schemas.SessionCreate, update: {REQUIRED_PROMPT}}}"


def close(gap: str) -> str:
    return f"{{target: \"{SESSIONS}['x-not-shown'][?(@.id=='{gap}')]\", update: {CLOSED}}}"


def contract_with(directory: Path, *actions: str) -> Contract:
    """Return openapi.yaml with an Overlay of these actions."""
    text = HEAD + "".join(f"  - {action}\n" for action in actions)
    overlay = write(directory, "acme.overlay.yaml", text)
    return read_contract(ROOT / "openapi.yaml", Deployment(overlays=[overlay])).contract


def description_of(contract: Contract) -> Any:
    return contract.document["paths"]["/v3/organizations/{org_id}/sessions"]["post"]["description"]


def test_a_member_that_becomes_required_is_filled_into_the_examples(tmp_path: Path) -> None:
    required = "{target: $.components.schemas.Session, update: {required: [cost], properties: {cost: {type: number}}}}"
    found = contract_with(tmp_path, required)
    assert found.schemas["Session"]["examples"][0]["cost"] == 1.5
    assert found.schemas["SessionPage"]["examples"][0]["items"][0]["cost"] == 1.5


# A schema, and the example that is made from it.
MADE = [
    ("{type: string, format: date-time}", "2026-11-20T09:00:00Z"),
    ("{type: string, enum: [fast, slow]}", "fast"),
    ("{type: [string, 'null'], minLength: 6}", "textxx"),
    ("{type: integer, minimum: 10}", 10),
    ("{type: array, minItems: 1, items: {type: boolean}}", [True]),
    ("{type: object, required: [a], properties: {a: {const: 3}, b: {type: string}}}", {"a": 3}),
    ("{anyOf: [{type: integer}, {type: string}]}", 1),
]


@pytest.mark.parametrize(("schema", "example"), MADE, ids=[schema for schema, _ in MADE])
def test_an_example_is_made_from_the_schema_of_the_member(tmp_path: Path, schema: str, example: object) -> None:
    update = f"{{required: [extra], properties: {{extra: {schema}}}}}"
    found = contract_with(tmp_path, f"{{target: $.components.schemas.Session, update: {update}}}")
    assert found.schemas["Session"]["examples"][0]["extra"] == example


def test_prose_goes_with_the_gaps_that_it_describes(tmp_path: Path) -> None:
    found = contract_with(tmp_path, close("session-create-request"), close("session-create-response"))
    assert description_of(found) == "Create a session."


def test_prose_stays_while_one_of_its_gaps_is_open(tmp_path: Path) -> None:
    found = contract_with(tmp_path, close("session-create-response"))
    assert description_of(found) == "The payload is not shown but for the names of six parameters."


def test_a_clause_goes_when_its_parameter_gets_a_type(tmp_path: Path) -> None:
    target = "$.paths['/v3/organizations/{org_id}/automations'].get.parameters[?(@.name=='enabled')].schema"
    found = contract_with(tmp_path, f'{{target: "{target}", update: {{type: boolean}}}}')
    parameters = found.document["paths"]["/v3/organizations/{org_id}/automations"]["get"]["parameters"]
    [enabled] = [parameter for parameter in parameters if parameter.get("name") == "enabled"]
    assert enabled["description"] == "Filter by whether an automation is enabled."


def test_a_member_that_is_required_in_an_optional_body_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contract_with(tmp_path, PROMPT)
    notice = capsys.readouterr().err
    assert notice.startswith("acme.overlay.yaml:4: #/actions/0/update/required: organization.sessions.create need not")
    assert "so `prompt` stays an optional argument; add `required: true` to the requestBody of create_" in notice


def test_a_member_that_is_required_in_a_required_body_is_not_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = f'{{target: "{SESSIONS}.requestBody", update: {{required: true}}, x-contradicts: The deployment says so.}}'
    contract_with(tmp_path, PROMPT, body)
    assert "need not have a body" not in capsys.readouterr().err
