"""Each schema of the contract becomes a type of an argument, and a type of a response."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from codegen.contract.source import ContractError
from codegen.render.generate import generate

CONTRACT = """
openapi: 3.1.0
info: {title: T, version: "1", x-vendor: {word: assistant, credential-prefix: svc_}}
paths:
  /v3/enterprise/samples:
    put:
      tags: [samples]
      operationId: replace_enterprise_sample
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Holder"}}}}
      responses:
        "200": {description: D, content: {application/json: {schema: {$ref: "#/components/schemas/Sample"}}}}
components:
  securitySchemes: {token: {type: http, scheme: bearer, description: D}}
  schemas:
    Size: {description: D, type: string, enum: [small, large], examples: [small]}
    Level: {description: D, type: integer, enum: [3, 1, 2], examples: [1]}
    Owner: {type: object, properties: {name: {type: string}, created: {deprecated: true}}}
    Card: {type: object, required: [kind], properties: {kind: {const: card}}}
    Bank: {type: object, required: [kind], properties: {kind: {const: bank}}}
    Cash: {type: object, properties: {kind: {enum: [coin, note]}}}
    Debt: {type: object, properties: {kind: {type: boolean}}}
    Payment:
      oneOf: [{$ref: "#/components/schemas/Card"}, {$ref: "#/components/schemas/Bank"}]
      discriminator: {propertyName: kind, mapping: {c: Card}}
    AnyPayment:
      oneOf: [{$ref: "#/components/schemas/Payment"}, {$ref: "#/components/schemas/Cash"}]
      discriminator: {propertyName: kind, mapping: {c: Payment}}
    AnyDeal:
      oneOf: [{$ref: "#/components/schemas/Debt"}, {$ref: "#/components/schemas/AnyPayment"}]
      discriminator: {propertyName: kind, mapping: {"true": Debt, card: AnyPayment}}
    Alias: {$ref: "#/components/schemas/Owner"}
    Gift: {type: object, additionalProperties: true, properties: {name: {type: string}}}
    GiftDict: {type: object, properties: {name: {type: string}}}
    Tree: {type: array, items: {$ref: "#/components/schemas/Tree"}}
    Node:
      allOf:
        - $ref: "#/components/schemas/Owner"
        - {type: object, properties: {next: {$ref: "#/components/schemas/Node"}}}
    Holder: {description: D, type: object, properties: {sample: {$ref: "#/components/schemas/Sample"}}, examples: [{}]}
"""


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def one_of(*names: str) -> str:
    return f"oneOf: {json.dumps([ref(name) for name in names])}"


PAYMENTS = one_of("Card", "Bank")
NULL = {"type": "null"}
OWNER = "Owner | OwnerDict"

# The schema, the type of an argument, and the type of a response if it is a different type.
SCHEMAS: list[tuple[Any, str, str]] = [
    ({}, "Any", ""),
    ({"type": "string"}, "str", ""),
    ({"type": ["number", "null"]}, "float | None", ""),
    ({"type": ["string", "integer"]}, "str | int", ""),
    ({"anyOf": [{"type": "string"}, {"type": "string", "format": "email"}]}, "str", ""),
    ({"type": "null"}, "None", ""),
    ({"type": "string", "format": "date-time"}, "datetime | str", "datetime"),
    ({"type": "string", "format": "uuid"}, "UUID | str", "UUID"),
    ({"type": "string", "format": "duration"}, "timedelta | str", "str"),
    ({"const": "v1"}, "Literal['v1']", "Literal['v1'] | str"),
    ({"allOf": [{"type": "string"}, {"const": "v1"}]}, "Literal['v1']", "Literal['v1'] | str"),
    ({"enum": [2, 1]}, "Literal[1, 2]", "Literal[1, 2] | int"),
    ({"enum": ["b", 1, None]}, "Literal[1, 'b'] | None", "Literal[1, 'b'] | int | str | None"),
    ({"type": "string", "x-known-values": ["a"]}, "Literal['a'] | str", ""),
    (ref("Size"), "Size", "Size | str"),
    ({"anyOf": [ref("Size"), NULL]}, "Size | None", "Size | str | None"),
    ({"allOf": [{"enum": ["a", "b"]}, {"enum": ["c", "b"]}]}, "Literal['b']", "Literal['b'] | str"),
    ({"type": "number", "multipleOf": 0.01, "examples": [0.07, 1e300]}, "float", ""),
    ({"oneOf": [{"const": "a"}, {"const": "b"}]}, "Literal['a', 'b']", "Literal['a', 'b'] | str"),
    (ref("Owner"), OWNER, "Owner"),
    (ref("Alias"), OWNER, "Owner"),
    # The name of another schema is kept, and an object that may have any member may be any mapping.
    (ref("Gift"), "Gift | GiftDict2 | Mapping[str, Any]", "Gift"),
    (ref("GiftDict"), "GiftDict | GiftDictDict", "GiftDict"),
    ({"allOf": [ref("Owner")], "description": "D"}, OWNER, "Owner"),
    ({"anyOf": [ref("Owner"), NULL]}, f"{OWNER} | None", "Owner | None"),
    ({"type": "array", "items": ref("Owner")}, f"Sequence[{OWNER}]", "Sequence[Owner]"),
    ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}, "Sequence[str | int]", ""),
    (
        {"type": "object", "additionalProperties": {"type": "array", "items": ref("Owner")}},
        f"Mapping[str, Sequence[{OWNER}]]",
        "Mapping[str, Sequence[Owner]]",
    ),
    ({"type": "object", "patternProperties": {"^x-": {"type": "integer"}}}, "Mapping[str, int]", ""),
    ({"type": "object"}, "Mapping[str, Any]", ""),
    (ref("Payment"), "Card | CardDict | Bank | BankDict", "Card | Bank | OpenModel"),
    # In a union with another model, the discriminator does not select the type.
    ({"oneOf": [ref("Owner"), ref("Payment")]}, f"{OWNER} | Card | CardDict | Bank | BankDict", "Owner | Card | Bank"),
    (
        ref("AnyDeal"),
        "Debt | DebtDict | Card | CardDict | Bank | BankDict | Cash | CashDict",
        "Debt | Card | Bank | Cash | OpenModel",
    ),
    ({"anyOf": [{"type": "string", "format": "date"}, {"type": "integer"}]}, "date | str | int", "date | int"),
    (
        {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "uuid"}]},
        "date | str | UUID",
        "str",
    ),
    ({"oneOf": [ref("Owner"), {}]}, "Any", ""),
    (ref("Tree"), "Sequence[Any]", ""),
    ({"type": "object", "properties": {"a": {"type": "string"}}}, "SampleInner | SampleInnerDict", "SampleInner"),
    (ref("Node"), "Node | NodeDict", "Node"),
]


NAMES = ["inner" if "properties" in schema else f"member_{index}" for index, (schema, *_) in enumerate(SCHEMAS)]


def write(path: Path, text: str) -> Path:
    (path / "openapi.yaml").write_text(text, encoding="utf-8")
    (path / "generated").mkdir()
    generate(path, check=False)
    return path / "generated" / "agent_session_platform_api" / "models"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    properties = dict(zip(NAMES, (schema for schema, *_ in SCHEMAS), strict=True))
    required = sorted(properties)
    sample = {"description": "D", "type": "object", "required": required, "properties": properties}
    text = f"{CONTRACT}    Sample: {json.dumps(sample)}\n"
    return write(tmp_path_factory.mktemp("contract"), text)


@pytest.mark.parametrize(
    ("name", "entry"), list(zip(NAMES, SCHEMAS, strict=True)), ids=[json.dumps(each[0]) for each in SCHEMAS]
)
def test_a_schema_is_written_in_python(models: Path, name: str, entry: tuple[Any, str, str]) -> None:
    code = " ".join((models / "sample.py").read_text(encoding="utf-8").replace('"', "'").split())
    _, argument, response = entry
    assert re.search(rf"{name}: {re.escape(argument)}(?: = [^,]+)?, ", code), code
    assert f"def {name}(self) -> {response or argument}: " in code


def test_a_discriminator_names_the_model_of_each_value(models: Path) -> None:
    code = "".join((models / "sample.py").read_text(encoding="utf-8").split())
    payments = '"Bank":Bank,"Card":Card,{}"bank":Bank,"c":Card,"card":Card'
    assert f'"kind",{{{payments.format("")}}})' in code
    deep = payments.format('"Cash":Cash,"Debt":Debt,"True":Debt,') + ',"coin":Cash,"note":Cash,"true":Debt'
    assert f'"kind",{{{deep},}},)' in code


def test_a_deprecated_member_says_so(models: Path) -> None:
    assert '"""Deprecated. The `created` that the server sent."""' in (models / "owner.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("owner: {description: D, type: object, properties: {b: {}}}", "the class would be .*[Oo]wner.*; rename one"),
        ("Other: {description: D, type: string, if: {minLength: 1}}", "`if` has no effect in the SDK; write the cases"),
        ("Other: {type: object, unevaluatedProperties: {}}", "`unevaluatedProperties` has no effect in the SDK; write"),
        (
            "HTTPKey: {description: D, type: object, properties: {a: {$ref: '#/components/schemas/HttpKey'}}}\n"
            "    HttpKey: {description: D, type: object, properties: {b: {}}}",
            "the module of HttpKey would be that of HTTPKey; rename one",
        ),
        ("EnterpriseSamples: {description: D, type: object, properties: {b: {}}}", "the class would be .*; rename one"),
        (
            f"Other: {{description: D, allOf: [{{{PAYMENTS}}}, {{{PAYMENTS}}}]}}",
            "`allOf` of several unions; write all cases as one `oneOf`",
        ),
        (
            "Other: {description: D, allOf: [{type: string}, {type: integer}]}",
            "the parts of `allOf` have no value in co",
        ),
        (
            "Other: {description: D, allOf: [{enum: [a]}, {enum: [b]}]}",
            "the parts of `allOf` have no value in common; rem",
        ),
        (
            "Other: {description: D, type: object, patternProperties: {bulb: false}}",
            "the schema `false` allows no value; remove it",
        ),
        (
            f"Other: {{description: D, {one_of('Card', 'Card2')}, discriminator: {{propertyName: kind}}}}\n"
            "    Card2: {description: D, required: [kind], properties: {kind: {const: card}}}",
            "several alternatives have card as kind; write one of them into `mapping`",
        ),
        (
            f"Other: {{description: D, {one_of('Inner', 'Owner')}, discriminator: {{propertyName: name}}}}\n"
            f"    Inner: {{description: D, {one_of('Owner', 'Node')}, discriminator: {{propertyName: created}}}}",
            "the union #/components/schemas/Inner in it has another discriminator, created; remove this one",
        ),
        (
            f"Other: {{description: D, {PAYMENTS}, discriminator: {{propertyName: kind, mapping: {{o: Owner}}}}}}",
            "the discriminator names #/components/schemas/Owner, which is not an alternative; add it",
        ),
    ],
)
def test_what_python_cannot_have_is_refused_with_its_place(tmp_path: Path, schema: str, message: str) -> None:
    properties = {"a": ref(schema.partition(":")[0]), "b": ref("Owner")}
    sample = {"description": "D", "type": "object", "properties": properties}
    text = f"{CONTRACT}    {schema}\n    Sample: {json.dumps(sample)}\n"
    with pytest.raises(ContractError, match=rf"openapi.yaml:\d+: #/components/schemas/\w+[/\w]*: {message}"):
        write(tmp_path, text)
