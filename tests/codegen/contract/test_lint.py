"""The lint of the contract's conventions: each broken convention is reported, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def lint(root: Path, text: str, tmp_path: Path) -> tuple[int, str]:
    contract = tmp_path / "openapi.yaml"
    contract.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "codegen.contract.lint", str(contract)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_contract_keeps_its_conventions(root: Path, tmp_path: Path) -> None:
    text = (root / "openapi.yaml").read_text(encoding="utf-8")
    assert lint(root, text, tmp_path) == (0, "openapi.yaml: all in order\n")


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


def test_a_contract_that_keeps_the_conventions_is_in_order(root: Path, tmp_path: Path) -> None:
    assert lint(root, GOOD, tmp_path) == (0, "openapi.yaml: all in order\n")


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("tags: [lamps]", "tags: [lmaps]", "GET /v3/enterprise/lamps: a tag of ['lmaps'] is not declared"),
        ("- serviceUser: [ViewLamps]", "[]", "no kind of credential; add `security`"),
        ("- serviceUser: [ViewLamps]", "- serviceUser: []", "neither a permission nor a gap with `permission`"),
        ("id: lamp-create-level", "id: lamp-create-access", "neither x-permission-level nor a gap with `level`"),
        ("x-permission-level: enterprise", "x-permission-level: planet", "x-permission-level is 'planet'"),
        ("id: lamp-create-response", "id: lamp-create-result", "2XX without a gap with `response` in its id"),
        ("id: lamp-create-errors", "id: lamp-create-failures", "default without a gap with `error` in its id"),
        ("      examples: [{name: Ada}]\n", "", "schema Maker: no example; write `examples: [...]`"),
        ("      description: Who made it.\n", "", "schema Maker: no description"),
        ("          description: The name.\n", "", "schema Maker: name: no description"),
        ("id: lamps-lit", "id: lamps-newest", "rule lamps-newest is used twice"),
        ("x-known-values: [red]", "x-known-values: [red]\n          enum: [red]", "x-known-values beside enum"),
        ("x-known-values: [red]", "enum: [red]", "an enum whose values are a gap"),
        (
            '$ref: "#/components/schemas/Maker"',
            "type: object\n          properties: {a: {type: string}}",
            "schema Lamp: maker: an object with a is written inline; make it a named schema",
        ),
        ("examples: [{name: Ada}]", "examples: &all [{name: Ada}]", "a YAML anchor or alias, all;"),
        ("id: lamp-color-values", "id: lamp-create-level", "gap lamp-create-level is at"),
    ],
)
def test_a_broken_convention_is_reported(root: Path, tmp_path: Path, old: str, new: str, finding: str) -> None:
    assert old in GOOD
    status, printed = lint(root, GOOD.replace(old, new, 1), tmp_path)
    assert status == 1
    assert finding in printed
