"""Changes of every shape that a contract may have: each is reported, and known to break callers or not."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.changes.change import Change
from codegen.changes.model_changes import model_changes
from codegen.changes.operation_changes import operation_changes
from codegen.changes.surface import Surface
from tests.codegen.changes.lamps import CREATE, DOCUMENT, LIST, changed, contract, method, properties

LAMP, KIND = ({"$ref": f"#/components/schemas/{name}"} for name in ("Lamp", "LampKind"))
STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def between(tmp_path: Path, put: Callable[[Any, Any], object], was: Any, now: Any) -> list[Change]:
    """Return the changes between two documents that have another value at one place."""
    surfaces = []
    for number, value in enumerate((was, now)):
        document = copy.deepcopy(DOCUMENT)
        put(document, copy.deepcopy(value))
        surfaces.append(Surface(contract(tmp_path, f"{number}.yaml", document)))
    return sorted([*operation_changes(*surfaces), *model_changes(*surfaces)])


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


def header(name: str = "X-Trace", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "header", "schema": STRING, **more}


def json_body(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def answer(schema: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {"description": "It.", "content": {media_type: {"schema": schema}}}


NOTHING = {"description": "Nothing."}
IDS = {"name": "ids", "in": "query", "schema": {"type": "array", "items": STRING}}
A, BODY, EXTRA = f"`{LIST}`: the argument", f"`{CREATE}`: the argument `body`", f"`{CREATE}`: the argument `extra`"


@pytest.mark.parametrize(
    ("put", "was", "now", "text", "breaking"),
    [
        (put_parameter, [], [header()], f"{A} `x-trace` (string).", False),
        (put_parameter, [], [header(required=True)], f"{A} `x-trace` (string, required).", True),
        (put_parameter, [header()], [], f"{A} `x-trace`.", True),
        (
            put_parameter,
            [header()],
            [header(**{"in": "cookie", "name": "x-trace"})],
            "sent in the cookie, was in the",
            False,
        ),
        (put_parameter, [header()], [header(schema=INTEGER)], f"{A} `x-trace` is integer, was string.", True),
        (
            put_parameter,
            [IDS],
            [{**IDS, "explode": False}],
            "`ids` is written as style form, not exploded, was style",
            False,
        ),
        (
            put_parameter,
            [IDS],
            [{**IDS, "style": "pipeDelimited", "explode": False}],
            "written as style pipeDelimited",
            False,
        ),
        (
            put_parameter,
            [IDS],
            [{"name": "ids", "in": "query", "content": json_body(IDS["schema"])}],
            "`ids` is written as `application/json`, was style form, exploded.",
            False,
        ),
        (
            put_body,
            json_body({"type": "array", "items": STRING}),
            json_body({"type": "array", "items": INTEGER}),
            f"{BODY} is array of integer, was array of string.",
            True,
        ),
        (
            put_body,
            json_body({"type": "array", "items": INTEGER}),
            json_body({"type": "array", "items": {"type": "number"}}),
            f"{BODY} is array of number, was array of integer.",
            False,
        ),
        (put_body, json_body({}), json_body(STRING), f"{BODY} is string, was object.", True),
        (
            put_body,
            json_body(STRING),
            {"text/csv": {"schema": STRING}},
            "sends a body of `text/csv`, was `application/json`.",
            False,
        ),
        (put_body, json_body({}), {"application/octet-stream": {"schema": {}}}, f"{BODY} is file, was object.", True),
        (
            put_responses,
            {"200": answer(LAMP)},
            {"200": answer(LAMP), "204": NOTHING},
            "returns Lamp or None, was Lamp.",
            True,
        ),
        (
            put_responses,
            {"200": answer(LAMP), "204": NOTHING},
            {"200": answer(LAMP)},
            "returns Lamp, was Lamp or None.",
            False,
        ),
        (
            put_responses,
            {"200": answer(LAMP)},
            {"201": answer(LAMP)},
            "the status of a success is `201`, was `200`.",
            False,
        ),
        (
            put_responses,
            {"200": answer(LAMP)},
            {"200": answer(STRING, "text/csv")},
            "the response is `text/csv`, was `application/json`.",
            False,
        ),
        (put_responses, {"200": answer(LAMP)}, {"200": answer(STRING, "text/csv")}, "returns string, was Lamp.", True),
        (
            put_responses,
            {"200": answer(LAMP)},
            {"200": answer(LAMP, "application/x-ndjson")},
            "returns JSON Lines of Lamp, was Lamp.",
            True,
        ),
        (
            put_field,
            {"oneOf": [LAMP, STRING]},
            {"oneOf": [LAMP, STRING, INTEGER]},
            "`Lamp.extra` is Lamp or integer or string, was",
            True,
        ),
        (put_field, {"oneOf": [LAMP, STRING]}, {"anyOf": [LAMP]}, "`Lamp.extra` is Lamp, was Lamp or string.", False),
        (put_argument, {"oneOf": [STRING, INTEGER]}, STRING, f"{EXTRA} is string, was integer or string.", True),
        (put_argument, STRING, {"oneOf": [STRING, INTEGER]}, f"{EXTRA} is integer or string, was string.", False),
        (
            put_field,
            {"type": "object", "additionalProperties": INTEGER},
            {"type": "object", "additionalProperties": STRING},
            "`Lamp.extra` is mapping of string, was mapping of integer.",
            True,
        ),
        (
            put_field,
            {"type": "object"},
            {"type": "object", "additionalProperties": INTEGER},
            "`Lamp.extra` is mapping of integer, was object.",
            False,
        ),
        (
            put_argument,
            {"type": "object"},
            {"type": "object", "additionalProperties": INTEGER},
            f"{EXTRA} is mapping of integer, was object.",
            True,
        ),
        (put_field, STRING, {"type": "string", "format": "uuid"}, "`Lamp.extra` is uuid, was string.", True),
        (put_field, {"type": "string", "format": "date"}, STRING, "`Lamp.extra` is string, was date.", True),
        (
            put_field,
            {"type": "string", "format": "uri"},
            {"type": "string", "format": "email"},
            "`Lamp.extra`: format `email`, was `uri`.",
            False,
        ),
        (
            put_argument,
            {"type": "string", "const": "a"},
            {"type": "string", "const": "b"},
            f"{EXTRA}: the value `a`.",
            True,
        ),
        (put_argument, {"type": "string", "const": "a"}, STRING, f"{EXTRA}: any value is accepted.", False),
        (put_argument, KIND, STRING, f"{EXTRA} is string, was LampKind.", False),
        (put_argument, STRING, KIND, f"{EXTRA} is LampKind, was string.", True),
        (put_field, KIND, STRING, "`Lamp.extra` is string, was LampKind.", False),
        (
            put_argument,
            {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            {"type": "array", "items": {"type": "string", "enum": ["a"]}},
            f"{EXTRA}: the value `b`.",
            True,
        ),
        (
            put_argument,
            {"type": "object", "additionalProperties": {"type": "string", "maxLength": 5}},
            {"type": "object", "additionalProperties": {"type": "string", "maxLength": 4}},
            f"{EXTRA}: additionalProperties.maxLength `4`, was `5`.",
            True,
        ),
    ],
)
def test_a_change_of_a_shape_is_reported(
    tmp_path: Path, put: Callable[[Any, Any], object], was: Any, now: Any, text: str, breaking: bool
) -> None:
    found = between(tmp_path, put, was, now)
    assert [change for change in found if text in change.text and change.breaking is breaking], found


# Schemas that contain themselves: directly, through another one, in lists and mappings, and through a part.
RECURSIVE = {
    "Node": {
        "type": "object",
        "properties": {
            "parent": {"$ref": "#/components/schemas/Node"},
            "other": {"$ref": "#/components/schemas/Twin"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
            "by_name": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Node"}},
            "derived": {"$ref": "#/components/schemas/Derived"},
            "json": {"$ref": "#/components/schemas/Json"},
            "tree": {"$ref": "#/components/schemas/Tree"},
        },
    },
    "Twin": {"type": "object", "properties": {"node": {"$ref": "#/components/schemas/Node"}}},
    "Derived": {
        "allOf": [
            {"$ref": "#/components/schemas/Node"},
            {"type": "object", "properties": {"inner": {"$ref": "#/components/schemas/Derived"}}},
        ]
    },
    "Tree": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
    "Json": {
        "anyOf": [
            STRING,
            {"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/Json"}, {"type": "null"}]}},
            {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Json"}},
        ]
    },
}


def add_recursive(document: Any) -> None:
    document["components"]["schemas"] |= copy.deepcopy(RECURSIVE)
    put_field(document, {"$ref": "#/components/schemas/Node"})
    properties(document, "LampCreate")["json"] = {"$ref": "#/components/schemas/Json"}
    put_body(document, json_body({"$ref": "#/components/schemas/Tree"}))


def test_a_schema_that_contains_itself_is_compared(tmp_path: Path) -> None:
    found = changed(tmp_path, add_recursive)
    assert Change("Added", "The model `Derived`.") in found
    assert Change("Added", "`Lamp.extra` (Node).") in found


@pytest.mark.parametrize("name", ["parent", "children", "by_name", "derived", "json", "tree"])
def test_a_change_of_a_schema_that_contains_itself_is_reported(tmp_path: Path, name: str) -> None:
    surfaces = []
    for number in range(2):
        document = copy.deepcopy(DOCUMENT)
        add_recursive(document)
        if number:
            properties(document, "Node")[name] = INTEGER
        surfaces.append(Surface(contract(tmp_path, f"{number}.yaml", document)))
    found = [change for change in model_changes(*surfaces) if change.text.startswith(f"`Node.{name}` is integer, was")]
    assert [change.breaking for change in found] == [True]


def test_a_required_field_of_a_model_that_callers_pass_breaks_them(tmp_path: Path) -> None:
    def edit(document: Any, required: list[str]) -> None:
        document["components"]["schemas"]["Lamp"]["required"] = required
        put_body(document, json_body({"type": "array", "items": LAMP}))

    found = between(tmp_path, edit, ["lamp_id"], ["lamp_id", "state"])
    assert Change("Changed", "`Lamp.state` is required.", breaking=True) in found
    assert Change("Changed", "`Lamp.state` is always present.") in found
