"""The changes between two contracts: each kind of change, and whether it breaks callers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.changes import Change
from tests.codegen.changes.lamps import (
    CREATE,
    DOCUMENT,
    ITEM,
    LIST,
    between,
    changed,
    field,
    method,
    parameter,
    properties,
)

LAMP, KIND = ({"$ref": f"#/components/schemas/{name}"} for name in ("Lamp", "LampKind"))
STRING, INTEGER, OBJECT = {"type": "string"}, {"type": "integer"}, {"type": "object"}
COUNT = {
    "tags": ["lamps"],
    "operationId": "get_enterprise_lamp_count",
    "security": [{"serviceUser": ["ViewLamps"]}],
    "x-permission-level": "enterprise",
    "x-stability": "beta",
    "responses": {"200": {"description": "The count."}},
}


def test_nothing_changed_between_a_contract_and_itself(tmp_path: Path) -> None:
    assert changed(tmp_path, lambda document: None) == []


Edit = Callable[[Any], object]

EDITS: list[tuple[Edit, str, str, bool]] = [
    (
        lambda d: d["paths"].update({"/v3/enterprise/lamps": {"get": COUNT}}),
        "Added",
        "`enterprise.lamps.get_count`: `GET /v3/enterprise/lamps`, permission `ViewLamps` (enterprise level), beta.",
        False,
    ),
    (lambda d: d["paths"][ITEM].pop("post"), "Removed", f"`{CREATE}`.", True),
    (
        lambda d: d["paths"].update({ITEM.replace("v3", "v3beta1"): d["paths"].pop(ITEM)}),
        "Changed",
        f"`{LIST}`: request `GET {ITEM.replace('v3', 'v3beta1')}`, was `GET {ITEM}`.",
        False,
    ),
    (
        lambda d: method(d, "get").update(security=[{"serviceUser": ["SeeLamps"]}]),
        "Changed",
        f"`{LIST}`: permission `SeeLamps`, was `ViewLamps`.",
        True,
    ),
    (
        lambda d: method(d, "post").update(security=[{"serviceUser": ["A"]}, {"personalAccessToken": ["A"]}]),
        "Changed",
        f"`{CREATE}`: permission `A`, was not shown.",
        False,
    ),
    (
        lambda d: method(d, "get").update({"x-permission-level": "enterprise"}),
        "Changed",
        f"`{LIST}`: level `enterprise`, was `organization`.",
        True,
    ),
    (
        lambda d: method(d, "post")["security"].pop(),
        "Changed",
        f"`{CREATE}`: credentials `serviceUser`, was `serviceUser, personalAccessToken`.",
        True,
    ),
    (
        lambda d: method(d, "get")["security"].append({"personalAccessToken": ["ViewLamps"]}),
        "Changed",
        f"`{LIST}`: credentials `serviceUser, personalAccessToken`, was `serviceUser`.",
        False,
    ),
    (lambda d: method(d, "get").update({"x-stability": "beta"}), "Changed", f"`{LIST}`: now beta.", False),
    (lambda d: method(d, "get").update({"x-follow": {}}), "Changed", f"`{LIST}`: job `follow`, was not shown.", False),
    (
        lambda d: method(d, "get").update({"deprecated": True, "x-successor": CREATE}),
        "Deprecated",
        f"`{LIST}`: deprecated, in favor of `{CREATE}`.",
        False,
    ),
    (
        lambda d: parameter(d, 1).update(required=False),
        "Changed",
        f"`{LIST}`: the argument `size`: no longer required.",
        False,
    ),
    (
        lambda d: parameter(d, 0).update(required=True),
        "Changed",
        f"`{LIST}`: the argument `color`: now required.",
        True,
    ),
    (
        lambda d: parameter(d, 0).update(deprecated=True),
        "Deprecated",
        f"`{LIST}`: the argument `color`: deprecated.",
        False,
    ),
    (
        lambda d: method(d, "get")["parameters"].append({"name": "new", "in": "query", "schema": {}}),
        "Added",
        f"`{LIST}`: the argument `new` (any type).",
        False,
    ),
    (
        lambda d: (
            properties(d, "LampCreate").update(maker=STRING)
            or d["components"]["schemas"]["LampCreate"]["required"].append("maker")
        ),
        "Added",
        f"`{CREATE}`: the argument `maker` (string, required).",
        True,
    ),
    (lambda d: method(d, "get")["parameters"].pop(0), "Removed", f"`{LIST}`: the argument `color`.", True),
    (
        lambda d: parameter(d, 2)["schema"].update(type="string"),
        "Changed",
        f"`{LIST}`: the argument `state`: type `string`, was `null, string`.",
        True,
    ),
    (
        lambda d: parameter(d, 0)["schema"]["enum"].remove("red"),
        "Changed",
        f"`{LIST}`: the argument `color`: values `blue`, was `red, blue`.",
        True,
    ),
    (
        lambda d: parameter(d, 0)["schema"]["enum"].append("green"),
        "Changed",
        f"`{LIST}`: the argument `color`: values `red, blue, green`, was `red, blue`.",
        False,
    ),
    (
        lambda d: parameter(d, 2)["schema"]["x-known-values"].append("off"),
        "Changed",
        f"`{LIST}`: the argument `state`: known values `on, off`, was `on`.",
        False,
    ),
    (lambda d: properties(d, "Lamp").pop("state"), "Removed", "`Lamp.state`.", True),
    (
        lambda d: d["components"]["schemas"]["Lamp"].pop("required"),
        "Changed",
        "`Lamp.lamp_id`: no longer required.",
        True,
    ),
    (
        lambda d: d["components"]["schemas"]["Lamp"]["required"].append("made_at"),
        "Changed",
        "`Lamp.made_at`: now required.",
        False,
    ),
    (lambda d: field(d, "Lamp", "state").update(deprecated=True), "Deprecated", "`Lamp.state`: deprecated.", False),
    (
        lambda d: d["components"]["schemas"]["LampKind"]["enum"].remove("desk"),
        "Changed",
        f"`{CREATE}`: the argument `kind`: values `floor`, was `desk, floor`.",
        True,
    ),
    (
        lambda d: d["components"]["securitySchemes"]["serviceUser"].update({"x-credential-prefix": "new_"}),
        "Changed",
        "The credential `serviceUser`: prefix `new_`, was `svc_`.",
        True,
    ),
    (
        lambda d: method(d, "get").pop("x-not-shown"),
        "Changed",
        "Closed the gap `lamp-list-errors`: The statuses (#/paths/~1v3~1organizations~1{org_id}~1lamps/get).",
        False,
    ),
    (
        lambda d: method(d, "get")["x-not-shown"][0].update(what="The order."),
        "Gaps",
        "Reworded `lamp-list-errors`: The order (#/paths/~1v3~1organizations~1{org_id}~1lamps/get).",
        False,
    ),
    (
        lambda d: method(d, "get")["x-rules"][0].update(text="The oldest first."),
        "Changed",
        "Rule `lamp-order`: The oldest first.",
        False,
    ),
]


@pytest.mark.parametrize(("edit", "section", "text", "breaking"), EDITS)
def test_a_change_is_reported(tmp_path: Path, edit: Edit, section: Any, text: str, breaking: bool) -> None:
    assert Change(section, text, breaking) in changed(tmp_path, edit)


def put_parameter(document: Any, value: Any) -> None:
    method(document, "get")["parameters"] = value


def put_body(document: Any, value: Any) -> None:
    method(document, "post")["requestBody"] = {"content": value}


def put_responses(document: Any, value: Any) -> None:
    method(document, "post")["responses"] = value


def put_field(document: Any, value: Any) -> None:
    properties(document, "Lamp")["extra"] = value


def put_argument(document: Any, value: Any) -> None:
    properties(document, "LampCreate")["extra"] = value


def content(schema: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {media_type: {"schema": schema}}


def response(schema: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {"200": {"description": "It.", "content": content(schema, media_type)}}


def array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


def mapping(values: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


NOTHING = {"204": {"description": "Nothing."}}
HEADER = {"name": "X-Trace", "in": "header", "schema": STRING}
TRACE, BODY = f"`{LIST}`: the argument `X-Trace`", f"`{CREATE}`: the argument `body"
EXTRA, RETURNS = f"`{CREATE}`: the argument `extra", f"`{CREATE}`: the `response`:"
SHAPES: list[tuple[Callable[[Any, Any], object], Any, Any, str, bool]] = [
    (put_parameter, [], [HEADER], f"{TRACE} (string).", False),
    (put_parameter, [], [{**HEADER, "required": True}], f"{TRACE} (string, required).", True),
    (put_parameter, [HEADER], [], f"{TRACE}.", True),
    (put_parameter, [HEADER], [{**HEADER, "schema": INTEGER}], f"{TRACE}: type `integer`, was `string`.", True),
    (put_body, content(array(STRING)), content(array(INTEGER)), f"{BODY}[*]`: type `integer`, was `string`.", True),
    (put_body, content(array(INTEGER)), content(array({"type": "number"})), f"{BODY}[*]`: type `number`, was", False),
    (put_body, content(STRING), content(STRING, "text/csv"), "media type `text/csv`, was `application/json`.", False),
    # A request that was not shown took any member.
    (
        put_body,
        content({}),
        content({**OBJECT, "required": ["name"], "properties": {"name": STRING}}),
        "the argument `name` (string).",
        False,
    ),
    (put_responses, response(LAMP), {**response(LAMP), **NOTHING}, f"{RETURNS} type `Lamp, null`, was `Lamp`.", True),
    (put_responses, {**response(LAMP), **NOTHING}, response(LAMP), f"{RETURNS} type `Lamp`, was `Lamp, null`.", False),
    (put_responses, response(LAMP), response(STRING, "text/csv"), "accept `text/csv`, was not shown.", False),
    (put_responses, response(LAMP), response(STRING, "text/csv"), f"{RETURNS} type `string`, was `Lamp`.", True),
    (
        put_responses,
        response(LAMP),
        response(LAMP, "application/x-ndjson"),
        f"{RETURNS} type `JSON Lines`, was `Lamp`.",
        True,
    ),
    # A response that was not shown, and is now.
    (put_responses, response({}), response(LAMP), f"{RETURNS} type `Lamp`, was `any type`.", False),
    (put_responses, {"2XX": {"description": "It."}}, response(LAMP), f"{RETURNS} type `Lamp`, was `null`.", True),
    (
        put_field,
        {"oneOf": [LAMP, STRING]},
        {"oneOf": [LAMP, STRING, INTEGER]},
        "`Lamp.extra`: type `Lamp, integer, string`, was",
        True,
    ),
    (put_field, {"oneOf": [LAMP, STRING]}, {"anyOf": [LAMP]}, "`Lamp.extra`: type `Lamp`, was `Lamp, string`", False),
    (put_argument, {"oneOf": [STRING, INTEGER]}, STRING, f"{EXTRA}`: type `string`, was `integer, string`.", True),
    (put_argument, STRING, {"oneOf": [STRING, INTEGER]}, f"{EXTRA}`: type `integer, string`, was `string`.", False),
    (put_field, mapping(INTEGER), mapping(STRING), "`Lamp.extra[*]`: type `string`, was `integer`.", True),
    (put_field, OBJECT, mapping(INTEGER), "`Lamp.extra[*]` (integer).", False),
    (put_argument, OBJECT, mapping(INTEGER), f"{EXTRA}[*]` (integer, required).", True),
    (put_field, {}, INTEGER, "`Lamp.extra`: type `integer`, was `any type`.", False),
    (put_field, STRING, {**STRING, "format": "uuid"}, "`Lamp.extra`: type `uuid`, was `string`.", True),
    (put_field, {**STRING, "format": "date"}, STRING, "`Lamp.extra`: type `string`, was `date`.", True),
    (
        put_field,
        {**STRING, "format": "uri"},
        {**STRING, "format": "email"},
        "`Lamp.extra`: format `email`, was `uri`.",
        False,
    ),
    (put_argument, {**STRING, "const": "a"}, {**STRING, "const": "b"}, f"{EXTRA}`: values `b`, was `a`.", True),
    (put_argument, {**STRING, "const": "a"}, STRING, f"{EXTRA}`: values not shown, was `a`.", False),
    (put_argument, STRING, {"enum": ["a", "b"]}, f"{EXTRA}`: values `a, b`, was not shown.", True),
    (put_argument, KIND, STRING, f"{EXTRA}`: values not shown, was `desk, floor`.", False),
    (put_argument, STRING, KIND, f"{EXTRA}`: values `desk, floor`, was not shown.", True),
    (put_field, KIND, STRING, "`Lamp.extra`: values not shown, was `desk, floor`.", False),
    (
        put_argument,
        array({"type": "string", "enum": ["a", "b"]}),
        array({"type": "string", "enum": ["a"]}),
        f"{EXTRA}[*]`: values `a`, was `a, b`.",
        True,
    ),
    (
        put_argument,
        {**OBJECT, "properties": {"inner": STRING}},
        {**OBJECT, "properties": {"inner": INTEGER}},
        f"{EXTRA}.inner`: type `integer`, was `string`.",
        True,
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


LIMITS: list[tuple[Any, Any, str, bool]] = [
    ({}, {"maximum": 5}, "maximum `5`, was not shown", True),
    ({"maximum": 5}, {"maximum": 4}, "maximum `4`, was `5`", True),
    ({"maximum": 5}, {"maximum": 6}, "maximum `6`, was `5`", False),
    ({"minimum": 1}, {"minimum": 2}, "minimum `2`, was `1`", True),
    ({"minimum": 1}, {}, "minimum not shown, was `1`", False),
    ({}, {"multipleOf": 5}, "multipleOf `5`, was not shown", True),
    ({}, {"default": 1}, "default `1`, was not shown", False),
    ({"default": 1}, {"default": 2}, "default `2`, was `1`", True),
    ({"anyOf": [{"minimum": 1}]}, {"anyOf": [{"minimum": 2}]}, "minimum `2`, was `1`", True),
]


@pytest.mark.parametrize(("was", "now", "text", "breaking"), LIMITS)
def test_a_limit_breaks_callers_where_it_accepts_less(
    tmp_path: Path, was: Any, now: Any, text: str, breaking: bool
) -> None:
    documents = [copy.deepcopy(DOCUMENT) for _ in range(2)]
    for document, limits in zip(documents, (was, now), strict=True):
        parameter(document, 1)["schema"] = {"type": "integer", **limits}
    assert between(tmp_path, *documents) == [Change("Changed", f"`{LIST}`: the argument `size`: {text}.", breaking)]


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (lambda d: properties(d, "Lamp").update(hue=INTEGER), "`Lamp.hue` (integer)."),
        (lambda d: field(d, "Lamp", "state").update(maxLength=9), "`Lamp.state`: maxLength `9`, was not shown."),
    ],
)
def test_a_field_is_one_change_however_many_operations_return_it(tmp_path: Path, edit: Edit, text: str) -> None:
    assert [(change.text, change.breaking) for change in changed(tmp_path, edit)] == [(text, False)]


# Schemas that contain themselves: directly, through another one, in lists and mappings, and through a part.
NODE, TREE, JSON = ({"$ref": f"#/components/schemas/{name}"} for name in ("Node", "Tree", "Json"))
RECURSIVE = {
    "Node": {
        **OBJECT,
        "properties": {"parent": NODE, "children": array(NODE), "by_name": mapping(NODE), "json": JSON, "tree": TREE},
    },
    "Tree": array(TREE),
    "Json": {"anyOf": [STRING, array({"anyOf": [JSON, {"type": "null"}]}), mapping(JSON)]},
}


@pytest.mark.parametrize("name", ["parent", "children", "by_name", "json", "tree"])
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
    documents[1]["components"]["schemas"]["Lamp"]["required"].append("state")
    found = between(tmp_path, *documents)
    assert Change("Changed", "`Lamp.state`: now required.", breaking=True) in found
