"""A small contract, and the changes between it and an edited copy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from codegen.changes import Change, contract_changes
from codegen.contract.contract import Contract

DOCUMENT = YAML(typ="safe").load("""
openapi: 3.1.0
info: {title: Lamps, version: "3"}
paths:
  /v3/organizations/{org_id}/lamps:
    parameters:
      - {name: org_id, in: path, required: true, schema: {type: string}}
    get:
      tags: [lamps]
      operationId: list_organization_lamps
      security: [{serviceUser: [ViewLamps]}]
      x-permission-level: organization
      x-not-shown: [{id: lamp-list-errors, what: The statuses.}]
      x-rules: [{id: lamp-order, text: The newest first.}]
      parameters:
        - {name: color, in: query, schema: {type: string, enum: [red, blue]}}
        - {name: size, in: query, required: true, schema: {type: integer}}
        - {name: state, in: query, schema: {type: [string, "null"], x-known-values: ["on"]}}
      responses:
        "200": {description: Lamps., content: {application/json: {schema: {$ref: "#/components/schemas/Lamps"}}}}
    post:
      tags: [lamps]
      operationId: create_organization_lamp
      security: [{serviceUser: []}, {personalAccessToken: []}]
      x-not-shown: [{id: lamp-create-permission, what: The permission.}]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/LampCreate"}}}
      responses:
        "2XX": {description: Not shown., content: {application/json: {schema: {}}}}
components:
  securitySchemes:
    serviceUser: {type: http, scheme: bearer, x-credential-prefix: svc_}
    personalAccessToken: {type: http, scheme: bearer}
  schemas:
    Lamps:
      type: object
      required: [data]
      properties:
        data: {type: array, items: {$ref: "#/components/schemas/Lamp"}}
    LampCreate:
      type: object
      required: [name]
      properties:
        name: {type: string}
        kind: {$ref: "#/components/schemas/LampKind"}
    Lamp:
      type: object
      required: [lamp_id]
      properties:
        lamp_id: {type: string}
        kind: {$ref: "#/components/schemas/LampKind"}
        state: {type: string, x-known-values: ["on"]}
        made_at: {type: string, format: date-time}
        watts: {}
    LampKind: {type: string, enum: [desk, floor]}
""")

ITEM = "/v3/organizations/{org_id}/lamps"
LIST, CREATE = "organization.lamps.list", "organization.lamps.create"


def contract(tmp_path: Path, name: str, document: Any) -> Contract:
    path = tmp_path / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return Contract(path)


def between(tmp_path: Path, old: Any, new: Any) -> list[Change]:
    """Return the changes between two documents."""
    return contract_changes(contract(tmp_path, "old.yaml", old), contract(tmp_path, "new.yaml", new))


def method(document: Any, name: str) -> Any:
    return document["paths"][ITEM][name]


def parameter(document: Any, index: int) -> Any:
    return method(document, "get")["parameters"][index]


def field(document: Any, model: str, name: str) -> Any:
    return document["components"]["schemas"][model]["properties"][name]


def properties(document: Any, model: str) -> Any:
    return document["components"]["schemas"][model]["properties"]
