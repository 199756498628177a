"""The lint of fields and parameters: each has a description."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract import Contract
from codegen.contract.checks.structure import Structure
from codegen.contract.field_lint import field_findings

GOOD = """\
openapi: 3.1.0
info: {title: Lamps, version: "3"}
paths:
  /v3/enterprise/lamps/{lamp_id}:
    parameters:
      - name: lamp_id
        in: path
        required: true
        description: Id of the lamp.
        x-id-prefix: lamp-
        x-adds-prefix: true
        schema: {type: string}
    get:
      tags: [lamps]
      operationId: get_enterprise_lamp
      parameters:
        - $ref: "#/components/parameters/Room"
        - name: color
          in: query
          schema: {$ref: "#/components/schemas/Color"}
      responses: {"204": {description: Done.}}
components:
  parameters:
    Room: {name: room, in: query, description: Only lamps of this room., schema: {type: string}}
  schemas:
    Color:
      description: A color.
      type: string
    Lamp:
      description: A lamp.
      allOf:
        - type: object
          properties:
            lamp_id:
              description: Id of the lamp.
              type: string
              x-resource-id: true
        - type: object
          properties:
            color: {$ref: "#/components/schemas/Color"}
            serial:
              description: Serial number.
              type: integer
"""


def lint(text: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "openapi.yaml"
    path.write_text(text, encoding="utf-8")
    source = Contract(path).source
    return [source.describe(finding) for finding in field_findings(Structure(source.document))]


def test_a_contract_that_keeps_the_conventions_has_no_findings(tmp_path: Path) -> None:
    assert lint(GOOD, tmp_path) == []


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        (
            "              description: Serial number.\n",
            "",
            "#/components/schemas/Lamp/allOf/1/properties/serial: the property `serial` has no description; write what",
        ),
        (
            "        description: Id of the lamp.\n        x",
            "        x",
            "#/paths/~1v3~1enterprise~1lamps~1{lamp_id}/parameters/0: the parameter `lamp_id` has no description",
        ),
        (
            '{$ref: "#/components/schemas/Color"}\n      responses',
            "{type: string}\n      responses",
            "~1{lamp_id}/get/parameters/1: the parameter `color` has no description",
        ),
        (
            " description: Only lamps of this room.,",
            "",
            "#/components/parameters/Room: the parameter `room` has no description",
        ),
    ],
)
def test_a_broken_convention_is_reported(tmp_path: Path, old: str, new: str, finding: str) -> None:
    assert old in GOOD
    [line] = lint(GOOD.replace(old, new, 1), tmp_path)
    assert finding in line
