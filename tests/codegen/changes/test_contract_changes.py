"""The changes between two contracts: each kind of change, and whether it breaks callers."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
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
LAMP, KIND = ({"$ref": f"#/components/schemas/{name}"} for name in ("Lamp", "LampKind"))
STRING, INTEGER, NUMBER, OBJECT = ({"type": name} for name in ("string", "integer", "number", "object"))
COUNT = {
    "tags": ["lamps"],
    "operationId": "get_enterprise_lamp_count",
    "security": [{"serviceUser": ["ViewLamps"]}],
    "x-permission-level": "enterprise",
    "x-stability": "beta",
    "responses": {"200": {"description": "The count."}},
}
BETA = ITEM.replace("v3", "v3beta1")
SEEN = [{"serviceUser": ["A"]}, {"personalAccessToken": ["A"]}]
TOKEN = {"personalAccessToken": ["ViewLamps"]}
SUCCESSOR = {"deprecated": True, "x-successor": CREATE}
NEW = {"name": "new", "in": "query", "schema": {}}
PLACE = "(#/paths/~1v3~1organizations~1{org_id}~1lamps/get)"
SIZE, COLOR, STATE = (f"{LIST}: the argument `{name}`" for name in ("size", "color", "state"))


def between(tmp_path: Path, *documents: Any) -> list[Change]:
    """Return the changes between two documents."""
    contracts: list[Contract] = []
    for document in documents:
        path = tmp_path / "openapi.yaml"
        path.write_text(json.dumps(document), encoding="utf-8")
        contracts.append(Contract(path))
    return contract_changes(*contracts)


def get(document: Any) -> Any:
    return document["paths"][ITEM]["get"]


def post(document: Any) -> Any:
    return document["paths"][ITEM]["post"]


def parameter(document: Any, index: int) -> Any:
    return get(document)["parameters"][index]


def properties(document: Any, name: str) -> Any:
    return model(document, name)["properties"]


def model(document: Any, name: str) -> Any:
    return document["components"]["schemas"][name]


def state(document: Any) -> Any:
    return parameter(document, 2)["schema"]


def add_required_argument(document: Any) -> None:
    properties(document, "LampCreate")["maker"] = STRING
    model(document, "LampCreate")["required"].append("maker")


Edit = Callable[[Any], object]
HARMLESS: list[tuple[Edit, str, str]] = [
    (
        lambda d: d["paths"].update({"/v3/enterprise/lamps": {"get": COUNT}}),
        "Added",
        "`enterprise.lamps.get_count`: `GET /v3/enterprise/lamps`, permission `ViewLamps` (enterprise level), beta.",
    ),
    (lambda d: d["paths"].update({BETA: d["paths"].pop(ITEM)}), "Changed", f"{LIST}: request `GET {BETA}`, was `GET"),
    (lambda d: post(d).update(security=SEEN), "Changed", f"{CREATE}: permission `A`, was not shown."),
    (lambda d: get(d)["security"].append(TOKEN), "Changed", f"{LIST}: credentials `serviceUser, personalAccessToken`"),
    (lambda d: get(d).update({"x-stability": "beta"}), "Changed", f"{LIST}: now beta."),
    (lambda d: get(d).update({"x-follow": {}}), "Changed", f"{LIST}: job `follow`, was not shown."),
    (lambda d: get(d).update(SUCCESSOR), "Deprecated", f"{LIST}: deprecated, in favor of `{CREATE}`."),
    (lambda d: parameter(d, 1).update(required=False), "Changed", f"{SIZE}: no longer required."),
    (lambda d: parameter(d, 0).update(deprecated=True), "Deprecated", f"{COLOR}: deprecated."),
    (lambda d: get(d)["parameters"].append(NEW), "Added", f"{LIST}: the argument `new` (any type)."),
    (lambda d: parameter(d, 0)["schema"]["enum"].append("g"), "Changed", f"{COLOR}: values `red, blue, g`, was"),
    (lambda d: state(d)["x-known-values"].append("off"), "Changed", f"{STATE}: known values `on, off`"),
    (lambda d: model(d, "Lamp")["required"].append("made_at"), "Changed", "`Lamp.made_at`: now required."),
    (lambda d: get(d).pop("x-not-shown"), "Changed", f"Closed the gap `lamp-list-errors`: The statuses {PLACE}."),
    (lambda d: get(d)["x-not-shown"].append({"id": "a", "what": "A."}), "Gaps", f"Opened `a`: A {PLACE}."),
    (lambda d: get(d)["x-rules"][0].update(text="The oldest."), "Changed", "Rule `lamp-order`: The oldest."),
    # A field is one change, however many operations return it.
    (lambda d: properties(d, "Lamp").update(hue=INTEGER), "Added", "`Lamp.hue` (integer)."),
]
BREAKING: list[tuple[Edit, str, str]] = [
    (lambda d: d["paths"][ITEM].pop("post"), "Removed", f"{CREATE}."),
    (lambda d: get(d).update(security=SEEN[:1]), "Changed", f"{LIST}: permission `A`, was `ViewLamps`."),
    (lambda d: get(d).update({"x-permission-level": "enterprise"}), "Changed", f"{LIST}: level `enterprise`, was `org"),
    (lambda d: post(d)["security"].pop(), "Changed", f"{CREATE}: credentials `serviceUser`, was `serviceUser, pers"),
    (lambda d: parameter(d, 0).update(required=True), "Changed", f"{COLOR}: now required."),
    (add_required_argument, "Added", f"{CREATE}: the argument `maker` (string, required)."),
    (lambda d: get(d)["parameters"].pop(0), "Removed", f"{COLOR}."),
    (lambda d: state(d).update(STRING), "Changed", f"{STATE}: type `string`, was `null, string`."),
    (lambda d: parameter(d, 0)["schema"]["enum"].remove("red"), "Changed", f"{COLOR}: values `blue`, was `red, blue`."),
    (lambda d: properties(d, "Lamp").pop("state"), "Removed", "`Lamp.state`."),
    (lambda d: model(d, "Lamp").pop("required"), "Changed", "`Lamp.lamp_id`: no longer required."),
    (lambda d: model(d, "LampKind")["enum"].remove("desk"), "Changed", f"{CREATE}: the argument `kind`: values"),
    (
        lambda d: d["components"]["securitySchemes"]["serviceUser"].update({"x-credential-prefix": "new_"}),
        "Changed",
        "The credential `serviceUser`: prefix `new_`, was `svc_`.",
    ),
]


@pytest.mark.parametrize(
    ("edit", "section", "text", "breaking"),
    [*((*row, False) for row in HARMLESS), *((*row, True) for row in BREAKING), (lambda d: None, "", "", False)],
)
def test_a_change_is_reported(tmp_path: Path, edit: Edit, section: str, text: str, breaking: bool) -> None:
    after = copy.deepcopy(DOCUMENT)
    edit(after)
    text = text.replace(LIST, f"`{LIST}`", 1) if text.startswith(LIST) else text
    text = text.replace(CREATE, f"`{CREATE}`", 1) if text.startswith(CREATE) else text
    found = between(tmp_path, DOCUMENT, after)
    same = [each for each in found if (each.section, each.breaking) == (section, breaking)]
    assert len([each for each in same if each.text.startswith(text)]) == bool(text), found
    assert text or found == []


def put_parameter(document: Any, value: Any) -> None:
    get(document)["parameters"] = value


def put_body(document: Any, value: Any) -> None:
    post(document)["requestBody"] = {"content": value}


def put_responses(document: Any, value: Any) -> None:
    post(document)["responses"] = value


def put_field(document: Any, value: Any) -> None:
    properties(document, "Lamp")["extra"] = value


def put_argument(document: Any, value: Any) -> None:
    properties(document, "LampCreate")["extra"] = value


def put_size(document: Any, value: Any) -> None:
    parameter(document, 1)["schema"] = {**INTEGER, **value}


def put_tags(document: Any, value: Any) -> None:
    properties(document, "LampCreate")["tags"] = {"type": "array", **value}


def put_create(document: Any, value: Any) -> None:
    model(document, "LampCreate").update(value)


def put_lamp(document: Any, value: Any) -> None:
    model(document, "Lamp").update(value)


def put_lamp_id(document: Any, value: Any) -> None:
    """Set the id of a lamp, which is also in the path of an operation."""
    properties(document, "Lamp")["lamp_id"].update(value)


def put_path(document: Any, value: Any) -> None:
    parameter = {"name": "lamp_id", "in": "path", "required": True, "schema": STRING, **value}
    operation = {**get(document), "operationId": "get_organization_lamp", "parameters": [parameter]}
    for keyword in ("x-not-shown", "x-rules"):
        operation.pop(keyword)
    document["paths"][f"{ITEM}/{{lamp_id}}"] = {"parameters": document["paths"][ITEM]["parameters"], "get": operation}


def put_operation(document: Any, value: Any) -> None:
    get(document).update(value)


def content(schema: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {media_type: {"schema": schema}}


def response(schema: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {"200": {"description": "It.", "content": content(schema, media_type)}}


def array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def mapping(values: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


def inner(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"inner": schema}}


NOTHING = {"204": {"description": "Nothing."}}
HEADER = {"name": "X-Trace", "in": "header", "schema": STRING}
TRACE, BODY = f"`{LIST}`: the argument `X-Trace`", f"`{CREATE}`: the argument `body"
EXTRA, RETURNS = f"`{CREATE}`: the argument `extra", f"`{CREATE}`: the `response`:"
BOTH, AB = {"oneOf": [STRING, INTEGER]}, {**STRING, "enum": ["a", "b"]}
UUID = {**STRING, "format": "uuid"}
NAMED = {**OBJECT, "required": ["name"], "properties": {"name": STRING}}
SHAPES: list[tuple[Callable[[Any, Any], object], Any, Any, str, bool]] = [
    (put_parameter, [], [HEADER], f"{TRACE} (string).", False),
    (put_parameter, [], [{**HEADER, "required": True}], f"{TRACE} (string, required).", True),
    (put_parameter, [HEADER], [], f"{TRACE}.", True),
    (put_body, content(array(INTEGER)), content(array(NUMBER)), f"{BODY}[*]`: type `number`, was", False),
    (put_body, content(STRING), content(STRING, "text/csv"), "media type `text/csv`, was `application/json`.", False),
    # A request that was not shown accepted any member.
    (put_body, content({}), content(NAMED), "the argument `name` (string).", False),
    (put_responses, response(LAMP), {**response(LAMP), **NOTHING}, f"{RETURNS} type `Lamp, null`, was `Lamp`.", True),
    (put_responses, response(LAMP), response(STRING, "text/csv"), "accept `text/csv`, was not shown.", False),
    (put_responses, response(LAMP), response(STRING, "text/csv"), f"{RETURNS} type `string`, was `Lamp`.", True),
    (put_responses, response(LAMP), response(LAMP, "application/x-ndjson"), f"{RETURNS} type `file`, was `Lamp`", True),
    # A response that was not shown is shown now.
    (put_responses, response({}), response(LAMP), f"{RETURNS} type `Lamp`, was `any type`.", False),
    (put_responses, {"2XX": {"description": "It."}}, response(LAMP), f"{RETURNS} type `Lamp`, was `null`.", True),
    (put_field, {"oneOf": [LAMP, STRING]}, {"oneOf": [LAMP, STRING, INTEGER]}, "type `Lamp, integer, string`", True),
    (put_field, {"oneOf": [LAMP, STRING]}, {"anyOf": [LAMP]}, "`Lamp.extra`: type `Lamp`, was `Lamp, string`", False),
    (put_argument, STRING, BOTH, f"{EXTRA}`: type `integer, string`, was `string`.", False),
    (put_field, OBJECT, mapping(INTEGER), "`Lamp.extra[*]` (integer).", False),
    (put_argument, OBJECT, mapping(INTEGER), f"{EXTRA}[*]` (integer, required).", True),
    (put_field, STRING, UUID, "`Lamp.extra`: type `uuid`, was `string`.", True),
    (put_argument, STRING, AB, f"{EXTRA}`: values `a, b`, was not shown.", True),
    (put_field, KIND, STRING, "`Lamp.extra`: values not shown, was `desk, floor`.", False),
    (put_argument, inner(STRING), inner(INTEGER), f"{EXTRA}.inner`: type `integer`, was `string`.", True),
    # A limit breaks callers if it accepts less.
    (put_size, {}, {"maximum": 5}, "maximum `5`, was not shown", True),
    (put_size, {"maximum": 5}, {"maximum": 6}, "maximum `6`, was `5`", False),
    (put_size, {"minimum": 1}, {}, "minimum not shown, was `1`", False),
    (put_size, {}, {"default": 1}, "default `1`, was not shown", False),
    (put_size, {"default": 1}, {"default": 2}, "default `2`, was `1`", True),
    (put_size, {"multipleOf": 2}, {"multipleOf": 4}, "multipleOf `4`, was `2`", True),
    (put_size, {"multipleOf": 4}, {"multipleOf": 2}, "multipleOf `2`, was `4`", False),
    (put_tags, {"uniqueItems": True}, {"uniqueItems": False}, "uniqueItems `False`, was `True`", False),
    (put_tags, {}, {"uniqueItems": True}, "uniqueItems `True`, was not shown", True),
    (put_tags, {"prefixItems": [STRING]}, {"prefixItems": [INTEGER]}, "tags[0]`: type `integer`, was `string`", True),
    (put_size, {"anyOf": [{"minimum": 1}]}, {"anyOf": [{"minimum": 2}]}, "minimum `2`, was `1`", True),
]


ID = "`organization.lamps.get`: the argument `lamp_id`"
PAGES = {"items": "data", "end_cursor": "next", "after": "color"}
NEXT = {"data": array(LAMP), "next": STRING, "all": INTEGER, "others": array(LAMP)}
PAGE = response({**OBJECT, "properties": NEXT})
# What our own keywords, and the keywords of whole objects, mean for callers.
SHAPES += [
    (put_create, {"minProperties": 1}, {"minProperties": 2}, f"`{CREATE}`: body minProperties `2`, was `1`.", True),
    (put_create, {"minProperties": 2}, {"minProperties": 1}, "body minProperties `1`, was `2`.", False),
    (put_create, {}, {"additionalProperties": False}, "`: now body closed to further members.", True),
    (put_create, {"additionalProperties": False}, {}, "`: no longer body closed to further members.", False),
    (put_lamp_id, {"x-resource-id": True}, {}, "`Lamp.lamp_id`: no longer the id of its resource.", True),
    (put_lamp_id, {}, {"x-resource-id": True}, "`Lamp.lamp_id`: now the id of its resource.", False),
    (put_lamp_id, {}, {"writeOnly": True}, "`Lamp.lamp_id`: now write only.", True),
    (put_path, {}, {"x-id-prefix": "lamp-"}, f"{ID}: id prefix `lamp-`, was not shown.", True),
    (put_path, {}, {"x-id-prefix": "l-", "x-adds-prefix": True}, f"{ID}: id prefix `l-`, was not shown.", False),
    (put_path, {"x-id-prefix": "lamp-"}, {}, f"{ID}: id prefix not shown, was `lamp-`.", False),
    (put_path, {"x-id-prefix": "l-", "x-adds-prefix": True}, {"x-id-prefix": "l-"}, "no longer completing ids.", True),
    (put_path, {"x-wildcard": True}, {}, f"{ID}: no longer several segments.", True),
    (put_lamp, {}, {"x-columns": ["lamp_id"]}, "`Lamp`: columns `lamp_id`, was not shown.", False),
    (put_operation, {"x-follow": {}}, {"x-follow": {"query": {"size": 2}}}, 'follow `{"query": {"size": 2}}`', False),
    (put_operation, {}, {"x-legacy": "/v1/lamps"}, "legacy `/v1/lamps`, was not shown.", False),
    (
        put_operation,
        {"responses": PAGE, "x-pagination": PAGES},
        {"responses": PAGE, "x-pagination": {**PAGES, "items": "others"}},
        f"`{LIST}`: items of a page `others`, was `data`.",
        True,
    ),
    (
        put_operation,
        {"responses": PAGE, "x-pagination": PAGES},
        {"responses": PAGE, "x-pagination": {**PAGES, "total": "all"}},
        f"`{LIST}`: members of a page `next, all, color`, was `next, color`.",
        False,
    ),
]


@pytest.mark.parametrize(("put", "was", "now", "text", "breaking"), SHAPES)
def test_a_change_of_a_shape_is_reported(
    tmp_path: Path, put: Callable[[Any, Any], object], was: Any, now: Any, text: str, breaking: bool
) -> None:
    documents = [copy.deepcopy(DOCUMENT) for _ in range(2)]
    for document, value in zip(documents, (was, now), strict=True):
        put(document, copy.deepcopy(value))
    found = between(tmp_path, *documents)
    assert [change for change in found if text in change.text and change.breaking is breaking], found


# Schemas that contain themselves: directly, through another schema, in lists and mappings, and through a part.
NODE, TREE, JSON = ({"$ref": f"#/components/schemas/{name}"} for name in ("Node", "Tree", "Json"))
MEMBERS = {"parent": NODE, "children": array(NODE), "by_name": mapping(NODE), "json": JSON, "tree": TREE}
RECURSIVE = {
    "Node": {**OBJECT, "properties": MEMBERS},
    "Tree": array(TREE),
    "Json": {"anyOf": [STRING, array({"anyOf": [JSON, {"type": "null"}]}), mapping(JSON)]},
}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_change_of_a_schema_that_contains_itself_is_reported(tmp_path: Path, name: str) -> None:
    documents = [copy.deepcopy(DOCUMENT) for _ in range(2)]
    for document in documents:
        document["components"]["schemas"] |= copy.deepcopy(RECURSIVE)
        put_field(document, NODE)
        put_body(document, content(TREE))
    properties(documents[1], "Node")[name] = INTEGER
    texts = [change.text for change in between(tmp_path, *documents) if change.breaking]
    assert any(text.startswith(f"`Node.{name}`: type `integer`, was") for text in texts)


def test_a_required_field_of_a_model_that_callers_pass_breaks_them(tmp_path: Path) -> None:
    documents = [copy.deepcopy(DOCUMENT) for _ in range(2)]
    for document in documents:
        put_body(document, content(array(LAMP)))
    model(documents[1], "Lamp")["required"].append("state")
    found = between(tmp_path, *documents)
    assert Change("Changed", "`Lamp.state`: now required.", breaking=True) in found
