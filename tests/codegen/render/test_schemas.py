"""Each schema of the contract becomes a Python type, and an expression that reads it from JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.contract import Contract, ContractError
from codegen.render.schemas import Schemas

HEAD = """
openapi: 3.1.0
info: {title: T, version: "1", x-vendor: {word: assistant, credential-prefix: svc_}}
paths: {}
components:
  schemas:
    Size: {description: D, type: string, enum: [small, large], examples: [small]}
    Level: {description: D, type: integer, enum: [3, 1, 2], examples: [1]}
    Owner: {description: D, type: object, properties: {name: {type: string}}, examples: [{}]}
    Card: {description: D, type: object, required: [kind], properties: {kind: {const: card}}, examples: [{kind: card}]}
    Alias: {description: D, $ref: "#/components/schemas/Owner", examples: [{}]}
    Tree: {description: D, type: array, items: {$ref: "#/components/schemas/Tree"}, examples: [[]]}
    Pet:
      description: D
      type: object
      required: [kind]
      properties: {kind: {type: string}}
      discriminator: {propertyName: kind, mapping: {c: Cat}}
      examples: [{kind: c}]
    Cat:
      description: D
      allOf: [{$ref: "#/components/schemas/Pet"}, {type: object, properties: {lives: {type: integer}}}]
      examples: [{kind: c}]
    Node:
      description: D
      allOf:
        - $ref: "#/components/schemas/Owner"
        - {type: object, properties: {next: {$ref: "#/components/schemas/Node"}}}
      examples: [{}]
"""

OWNER = {"$ref": "#/components/schemas/Owner"}
CARD = {"$ref": "#/components/schemas/Card"}
SIZE = {"$ref": "#/components/schemas/Size"}
NULL = {"type": "null"}


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Contract:
    path = tmp_path_factory.mktemp("contract") / "openapi.yaml"
    path.write_text(HEAD, encoding="utf-8")
    return Contract(path)


@pytest.mark.parametrize(
    ("schema", "argument", "response", "read"),
    [
        ({}, "Any", "Any", "to_json(x)"),
        ({"type": "string"}, "str", "str", "x"),
        ({"type": "integer", "format": "int64"}, "int", "int", "x"),
        ({"type": ["number", "null"]}, "float | None", "float | None", "x"),
        ({"type": ["string", "integer"]}, "str | int", "str | int", "x"),
        ({"type": "null"}, "None", "None", "x"),
        ({"type": "string", "format": "date-time"}, "datetime | str", "datetime", "parse_datetime(x)"),
        ({"type": "string", "format": "date"}, "date | str", "date", "parse_date(x)"),
        ({"type": "string", "format": "uuid"}, "UUID | str", "UUID", "parse_uuid(x)"),
        ({"type": "string", "format": "duration"}, "timedelta | str", "str", "x"),
        ({"type": "string", "format": "binary"}, "str", "str", "x"),
        ({"const": "v1"}, "Literal['v1']", "Literal['v1'] | str", "x"),
        ({"enum": [2, 1]}, "Literal[1, 2]", "Literal[1, 2] | int", "x"),
        ({"enum": ["b", 1, None]}, "Literal[1, 'b'] | None", "Literal[1, 'b'] | int | str | None", "x"),
        ({"enum": [0.5, 1]}, "float", "float", "x"),
        ({"type": "string", "x-known-values": ["a"]}, "Literal['a'] | str", "Literal['a'] | str", "x"),
        (SIZE, "Size", "Size | str", "x"),
        ({"$ref": "#/components/schemas/Level"}, "Level", "Level | int", "x"),
        ({"anyOf": [SIZE, NULL]}, "Size | None", "Size | str | None", "x"),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, "Literal['a', 'b']", "Literal['a', 'b'] | str", "x"),
        (OWNER, "Owner | Mapping[str, Any]", "Owner", "Owner.from_value(x)"),
        ({"$ref": "#/components/schemas/Alias"}, "Owner | Mapping[str, Any]", "Owner", "Owner.from_value(x)"),
        ({"allOf": [OWNER], "description": "D"}, "Owner | Mapping[str, Any]", "Owner", "Owner.from_value(x)"),
        ({"anyOf": [OWNER, NULL]}, "Owner | Mapping[str, Any] | None", "Owner | None", "Owner.from_value(x)"),
        (
            {"type": "array", "items": OWNER},
            "Sequence[Owner | Mapping[str, Any]]",
            "Sequence[Owner]",
            "convert_list(x, Owner.from_item)",
        ),
        (
            {"items": {"anyOf": [OWNER, NULL]}},
            "Sequence[Owner | Mapping[str, Any] | None]",
            "Sequence[Owner | None]",
            "convert_list(x, Owner.from_value)",
        ),
        (
            {"type": "object", "additionalProperties": {"type": "array", "items": OWNER}},
            "Mapping[str, Sequence[Owner | Mapping[str, Any]]]",
            "Mapping[str, Sequence[Owner]]",
            "convert_mapping(x, lambda value: convert_list(value, Owner.from_item))",
        ),
        ({"type": "object"}, "Mapping[str, Any]", "Mapping[str, Any]", "to_json(x)"),
        ({"type": "object", "additionalProperties": False}, "Mapping[str, Any]", "Mapping[str, Any]", "to_json(x)"),
        (
            {"oneOf": [OWNER, CARD], "discriminator": {"propertyName": "kind", "mapping": {"c": "Card"}}},
            "Owner | Mapping[str, Any] | Card",
            "Owner | Card",
            "one_of(x, (Owner, Card,), 'kind', {'Card': Card, 'Owner': Owner, 'c': Card})",
        ),
        (
            {"oneOf": [OWNER, {"type": "string"}]},
            "Owner | Mapping[str, Any] | str",
            "Owner | str",
            "one_of(x, (Owner,)) if x.__class__ is dict else to_json(x)",
        ),
        (
            {"oneOf": [CARD, {"type": "array", "items": CARD}, NULL]},
            "Card | Mapping[str, Any] | Sequence[Card | Mapping[str, Any]] | None",
            "Card | Sequence[Card] | None",
            "convert_list(x, Card.from_item) if x.__class__ is list else one_of(x, (Card,)) "
            "if x.__class__ is dict else to_json(x)",
        ),
        (
            {"anyOf": [{"type": "string", "format": "date"}, {"type": "integer"}]},
            "date | str | int",
            "date | int",
            None,
        ),
        (
            {"type": ["object", "string", "null"], "properties": {"a": {"type": "string"}}},
            "SizeX | Mapping[str, Any] | str | None",
            "SizeX | str | None",
            "one_of(x, (SizeX,)) if x.__class__ is dict else to_json(x)",
        ),
        (
            {"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": CARD}, NULL]},
            "Sequence[str] | Sequence[Card | Mapping[str, Any]] | None",
            "Sequence[str] | Sequence[Card] | None",
            "convert_list(x, lambda value: one_of(value, (Card,)) if value.__class__ is dict else to_json(value)) "
            "if x.__class__ is list else to_json(x)",
        ),
        (
            {"$ref": "#/components/schemas/Pet"},
            "Pet | Mapping[str, Any] | Cat",
            "Pet | Cat",
            "one_of(x, (Pet, Cat,), 'kind', {'Cat': Cat, 'Pet': Pet, 'c': Cat})",
        ),
        ({"oneOf": [OWNER, {}]}, "Any", "Any", "to_json(x)"),
        ({"$ref": "#/components/schemas/Tree"}, "Sequence[Any]", "Sequence[Any]", "convert_list(x, to_json)"),
        ({"$ref": "#/components/schemas/Owner/properties/name"}, "str", "str", "x"),
    ],
)
def test_a_schema_is_written_in_python(
    contract: Contract, schema: dict[str, Any], argument: str, response: str, read: str | None
) -> None:
    shape = Schemas(contract).shape(schema, "#/components/schemas/Size/properties/x")
    assert (shape.type(strict=True), shape.type(strict=False)) == (argument, response)
    assert read is None or shape.read("x") == read


def test_an_object_without_a_name_is_named_by_its_place(contract: Contract) -> None:
    schemas = Schemas(contract)
    nested = {"type": "object", "properties": {"inner": {"type": "object", "properties": {"a": {"type": "string"}}}}}
    shape = schemas.shape(nested, "#/components/schemas/Box/properties/lid")
    assert shape.type(strict=False) == "BoxLid"
    assert sorted(schemas.models[place].name for place in schemas.models_of([shape])) == ["BoxLid", "BoxLidInner"]


def test_a_model_that_contains_itself_is_found_once(contract: Contract) -> None:
    schemas = Schemas(contract)
    shape = schemas.shape({"$ref": "#/components/schemas/Node"}, "#/x")
    [place] = schemas.models_of([shape])
    assert [(wire, member.type(strict=False)) for wire, member in schemas.members(schemas.models[place])] == [
        ("name", "str"),
        ("next", "Node"),
    ]


def test_two_components_cannot_have_the_same_class(contract: Contract, tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_text(HEAD.replace("    Alias:", "    owner:"), encoding="utf-8")
    with pytest.raises(
        ContractError, match="#/components/schemas/Owner: the class would be Owner, as that of .*/owner;"
    ):
        Schemas(Contract(path)).shape(OWNER, "#/x")
