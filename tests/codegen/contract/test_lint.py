"""The lint of the contract's conventions: each broken convention is reported, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen.contract.contract import Contract
from codegen.contract.lint import findings
from codegen.contract.source import ContractError


def lint(text: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "openapi.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        contract = Contract(path)
    except ContractError as error:
        return str(error).splitlines()
    return [contract.source.describe(finding) for finding in findings(contract)]


def run(root: Path, text: str, tmp_path: Path) -> tuple[int, str]:
    path = tmp_path / "openapi.yaml"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "codegen.contract.lint", str(path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_contract_keeps_its_conventions(root: Path, tmp_path: Path) -> None:
    text = (root / "openapi.yaml").read_text(encoding="utf-8")
    assert run(root, text, tmp_path) == (0, "openapi.yaml: all in order\n")


# Small, and of its own: what is found must not depend on what the API's description shows this year.
GOOD = """\
openapi: 3.1.0
info: {title: Lamps, version: "3"}
tags:
  - {name: lamps, description: Lamps.}
paths:
  /v3/enterprise/lamps:
    get:
      tags: [lamps]
      operationId: list_enterprise_lamps
      security:
        - serviceUser: [ViewLamps]
      x-permission-level: enterprise
      x-rules:
        - id: lamps-newest
          text: The newest first.
        - id: lamps-lit
          text: Only those that are lit.
      responses:
        "200":
          description: The lamps.
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Lamp"
    post:
      tags: [lamps]
      operationId: create_enterprise_lamp
      security:
        - serviceUser: [MakeLamps]
      x-not-shown:
        - id: lamp-create-level
          what: The level.
        - id: lamp-create-response
          what: The response.
        - id: lamp-create-errors
          what: The statuses.
      responses:
        2XX:
          description: Not shown.
        default:
          description: Not shown.
components:
  securitySchemes:
    serviceUser: {type: http, scheme: bearer}
  schemas:
    Lamp:
      description: A lamp.
      type: object
      properties:
        color:
          description: Its color.
          type: string
          x-known-values: [red]
          x-not-shown:
            - id: lamp-color-values
              what: Allowed values.
        maker:
          $ref: "#/components/schemas/Maker"
      examples:
        - {color: red}
    Maker:
      description: Who made it.
      type: object
      properties:
        name:
          description: The name.
          type: string
      examples: [{name: Ada}]
"""


def test_a_contract_that_keeps_the_conventions_is_in_order(tmp_path: Path) -> None:
    assert lint(GOOD, tmp_path) == []


def test_a_finding_is_printed_with_its_place_and_the_status_is_1(root: Path, tmp_path: Path) -> None:
    finding = 'openapi.yaml:8: #/paths/~1v3~1enterprise~1lamps/get/tags: the text `lamps` breaks `type: "array"`'
    assert run(root, GOOD.replace("[lamps]", "lamps", 1), tmp_path) == (1, f"{finding}; correct it\n")


BROKEN = [
    ("- serviceUser: [ViewLamps]", "[]", "7: #/paths/~1v3~1enterprise~1lamps/get: no kind of credential; add"),
    ("- serviceUser: [ViewLamps]", "- serviceUser: []", "get/security: neither a permission nor a gap with `permissio"),
    ("id: lamp-create-level", "id: lamp-create-access", "neither x-permission-level nor a gap with `level`"),
    ("id: lamp-create-response", "id: lamp-create-result", "post/responses/2XX: 2XX without a gap with `response` in"),
    ("id: lamp-create-errors", "id: lamp-create-failures", "default: default without a gap with `error` in its id"),
    ("      examples: [{name: Ada}]\n", "", "#/components/schemas/Maker: the schema Maker has no example"),
    ("      description: Who made it.\n", "", "#/components/schemas/Maker: the schema Maker has no description"),
    ("x-known-values: [red]", "x-known-values: [red]\n          enum: [red]", "x-known-values beside enum"),
    ("x-known-values: [red]", "enum: [red]", "Lamp/properties/color: an enum whose values are a gap"),
    (
        '$ref: "#/components/schemas/Maker"',
        "type: object\n          properties: {a: {type: string}}",
        "Lamp/properties/maker: an object with a is written inline; make it a named schema",
    ),
    ("          description: The name.\n", "", "Maker/properties/name: the property `name` has no description"),
    (
        "      tags: [lamps]",
        "      parameters: [{name: a, in: query, schema: {type: string}}]\n      tags: [lamps]",
        "get/parameters/0: the parameter `a` has no description; write what it is",
    ),
    ("id: lamp-color-values", "id: lamp-create-level", "the gap `lamp-create-level` is also at #/paths/"),
]


@pytest.mark.parametrize(("old", "new", "finding"), BROKEN)
def test_a_broken_convention_is_reported(tmp_path: Path, old: str, new: str, finding: str) -> None:
    assert old in GOOD
    assert [line for line in lint(GOOD.replace(old, new, 1), tmp_path) if finding in line]
