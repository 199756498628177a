"""The lint of fields and parameters: descriptions, the id of a resource, prefixes of ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract import Contract
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
      responses: {}
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
    contract = tmp_path / "openapi.yaml"
    contract.write_text(text, encoding="utf-8")
    return list(field_findings(Contract(contract)))


def test_a_contract_that_keeps_the_conventions_has_no_findings(tmp_path: Path) -> None:
    assert lint(GOOD, tmp_path) == []


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("              description: Serial number.\n", "", "schema Lamp: serial: no description; write what it is"),
        (
            "        description: Id of the lamp.\n        x",
            "        x",
            "/v3/enterprise/lamps/{lamp_id}, parameter lamp_id: no description",
        ),
        (
            '{$ref: "#/components/schemas/Color"}\n      responses',
            "{type: string}\n      responses",
            "GET /v3/enterprise/lamps/{lamp_id}, parameter color: no description",
        ),
        (" description: Only lamps of this room.,", "", "component Room, parameter room: no description"),
        ("type: integer", "type: integer\n              x-resource-id: true", "x-resource-id at lamp_id and serial;"),
        ("type: string\n              x", "type: boolean\n              x", "lamp_id: x-resource-id at a type that is"),
        (
            "type: string\n              x",
            'type: [string, "null"]\n              x',
            "lamp_id: x-resource-id at a type that is no id; an id is a string or an integer, and never null",
        ),
        ("in: query, desc", "in: query, x-id-prefix: room-, desc", "parameter room: x-id-prefix at a query parameter"),
        ("        x-id-prefix: lamp-\n", "", "parameter lamp_id: x-adds-prefix without x-id-prefix"),
    ],
)
def test_a_broken_convention_is_reported(tmp_path: Path, old: str, new: str, finding: str) -> None:
    assert old in GOOD
    [line] = lint(GOOD.replace(old, new, 1), tmp_path)
    assert finding in line
