"""A foreign document may be of any age, shape and intention: what it has is used, noted or refused with its place."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from codegen.contract.source import ContractError
from tests.codegen.adopt.documents import (
    ORG,
    SESSIONS,
    WIDGETS,
    Adopted,
    Node,
    adopted,
    query,
    reference,
    returns,
    takes,
)

ONE = f"{WIDGETS}/{{widget_id}}"
TEXT = {"type": "string"}
FINE = {"responses": returns(TEXT)}


def members(found: Adopted, name: str) -> Node:
    properties: Node = found.schema(name)["properties"]
    return properties


def test_openapi_3_0_is_converted(tmp_path: Path) -> None:
    widget = {
        "type": "object",
        "properties": {
            "size": {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "example": 3},
            "name": {"type": "string", "nullable": True},
            "kind": {"type": "string", "nullable": True, "enum": ["a", "b"]},
            "owner": {"allOf": [reference("Owner")], "nullable": True, "description": "Who owns it."},
            "owned": {"$ref": "#/components/schemas/Owner"},
        },
        "example": {"size": 3},
    }
    schemas = {"Widget": widget, "Owner": {"type": "object", "properties": {"id": TEXT}}}
    paths = {ONE: {"get": {"responses": returns(reference("Widget"))}}}
    found = adopted(tmp_path, paths, schemas, openapi="3.0.3")
    properties = members(found, "Widget")
    assert properties["size"]["exclusiveMinimum"] == 0
    assert "minimum" not in properties["size"]
    assert properties["name"]["type"] == ["string", "null"]
    assert properties["kind"]["x-known-values"] == ["a", "b"]
    assert properties["owner"]["anyOf"] == [reference("Owner"), {"type": "null"}]
    assert properties["owned"]["$ref"] == reference("Owner")["$ref"]
    assert found.schema("Widget")["examples"] == [{"size": 3}]


def test_yaml_with_aliases_is_read(tmp_path: Path) -> None:
    text = f"""\
openapi: 3.1.0
info: {{title: Acme, version: "1"}}
paths:
  {WIDGETS}:
    get: &get
      responses: {{"200": {{description: Done., content: {{application/json: {{schema: {{type: string}}}}}}}}}}
  {ONE}:
    get: *get
"""
    (tmp_path / "acme.yaml").write_text(text, encoding="utf-8")
    found = Adopted(tmp_path, "acme.yaml")
    assert {ONE, WIDGETS} <= found.contract.document["paths"].keys()


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
)
REFUSED = [
    ("acme.json", '{"openapi": "3.1.0",\n "paths": {,}}', "acme.json:2: #: not valid JSON"),
    ("acme.json", '{"openapi": "2.0", "paths": {}}', "acme.json:1: #: `openapi` is `2.0`; only"),
    ("acme.json", '{"swagger": "2.0", "paths": {}}', "acme.json:1: #: `openapi` is `null`; only"),
    ("acme.json", "[" * 9 + "]" * 9, "acme.json:1: #: `openapi` is `null`; only"),
    ("acme.json", '{"a":' * 30000 + "1" + "}" * 30000, "acme.json:1: #: nested too deeply"),
    ("acme.json", '{"openapi": NaN}', "acme.json:1: #: not valid JSON: NaN is not a number"),
    ("acme.yaml", "openapi: 3.1.0\npaths: [\n", "acme.yaml:3: #: not valid YAML"),
    ("acme.yaml", "a: &a [*a, *a]\n", "acme.yaml:1: #: nested too deeply"),
    ("acme.yaml", BOMB, "aliases of aliases that stand for too many values"),
]


@pytest.mark.parametrize(("name", "text", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_read_is_refused_with_its_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ContractError) as raised:
        Adopted(tmp_path, name)
    assert message in str(raised.value)
    assert not (tmp_path / "acme.overlay.json").exists()


def get(schema: Node) -> Node:
    return {WIDGETS: {"get": {"responses": returns(schema)}}}


def takes_query(*parameters: Node) -> Node:
    return {WIDGETS: {"get": {"parameters": [ORG, *parameters], "responses": returns(TEXT)}}}


def holds(schema: Node) -> Node:
    return get({"type": "object", "properties": {"part": schema}})


NESTED = {"type": "object", "properties": {"a": TEXT, "b": {"type": "integer"}}}
NOTED: list[tuple[Node, Node, str]] = [
    (get({"$ref": "#/components/schemas/Gone"}), {}, "`#/components/schemas/Gone` is not in the document"),
    (get({"$ref": "https://evil.invalid/x.json#/X"}), {}, "is in another file, which is not read"),
    (get(reference("A")), {"A": reference("B"), "B": reference("A")}, "refers to itself"),
    (get(reference("A")), {"A": {"allOf": [reference("A")]}}, "a circle of references"),
    (get(reference("A")), {"A": 7}, "is `7`, and not an object; it may be anything"),
    (holds({"type": "nubmer"}), {}, "`nubmer` breaks `enum: ...`; did you mean `number`?; left out"),
    (holds({"type": "string", "format": "date-tme"}), {}, "the format `date-tme` is unknown"),
    (holds({"type": "string", "pattern": "("}), {}, "left out"),
    (holds({"type": "integer", "default": "x"}), {}, "left out"),
    (holds({"if": {"type": "string"}, "x-more": 1}), {}, "`if` is not read; left out"),
    (holds({"type": "string", "x-more": 1}), {}, "`x-more` is not read"),
    (
        get({"type": "object", "required": ["gone"], "properties": {"a": TEXT}}),
        {},
        "`gone` is not a property, but required",
    ),
    (takes_query({"name": "c", "in": "cookie", "schema": TEXT}), {}, "the SDK sends no cookies"),
    (takes_query({"name": "Authorization", "in": "header", "schema": TEXT}), {}, "the SDK sets the header"),
    (takes_query(query("filter", NESTED, style="deepObject")), {}, "`filter` is an object; each of its members"),
    (
        takes_query(query("q", {"type": "array", "items": NESTED})),
        {},
        "which OpenAPI cannot write there; make it a parameter of its own; here it is a text",
    ),
    (
        takes_query({"name": "q", "in": "query", "content": {"application/json": {}}}),
        {},
        "has `content`, which the SDK cannot send",
    ),
    (takes_query({"name": 3, "in": "query"}), {}, "`3` breaks"),
    (
        {WIDGETS: {"get": {"responses": {"302": {"description": "x"}, **returns(TEXT)}}}},
        {},
        "the SDK cannot use a 3xx response",
    ),
    ({WIDGETS: {"get": {"responses": {"404": {"description": "x"}}}}}, {}, "no success is declared"),
    ({WIDGETS: {"get": "hello"}}, {}, "`hello` is no operation; left out"),
    ({WIDGETS: {"get": FINE}, ONE: [None]}, {}, "no path with an object of operations; left out"),
    ({WIDGETS: {"get": FINE}, "x-more": {}}, {}, "no path with an object of operations; left out"),
    ({WIDGETS: {"get": {**FINE, "callbacks": {}}}}, {}, "`callbacks` is not read; left out"),
    ({ONE: {"get": {"responses": returns(TEXT)}}}, {}, "the path parameter `widget_id` is not declared"),
]


@pytest.mark.parametrize(("paths", "schemas", "note"), NOTED, ids=range(len(NOTED)))
def test_what_cannot_be_used_as_it_is_written_is_noted_with_its_line(
    tmp_path: Path, paths: Node, schemas: Node, note: str
) -> None:
    found = adopted(tmp_path, paths, schemas)
    lines = [line for line in found.lines if line.startswith("  acme-openapi.json:") and note in line]
    assert lines, found.text


EVENTS = {"responses": {"200": {"description": "x", "content": {"text/event-stream": {"schema": TEXT}}}}}
FORM = {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": NESTED}}}, **FINE}


@pytest.mark.parametrize(("operation", "reason"), [(EVENTS, "text/event-stream"), (FORM, "urlencoded")])
def test_an_operation_that_the_sdk_cannot_send_is_left_out_and_the_others_are_not(
    tmp_path: Path, operation: Node, reason: str
) -> None:
    found = adopted(tmp_path, {WIDGETS: {"post": operation, "get": FINE}, SESSIONS: {"post": operation}})
    lines = [line for line in found.lines if line.startswith("  acme-openapi.json:") and reason in line]
    assert len(lines) == 2, found.text
    assert {facts.path for facts in found.contract.operations.values()} >= {WIDGETS, SESSIONS}


def test_an_object_in_a_query_becomes_a_parameter_for_each_member(tmp_path: Path) -> None:
    paths = takes_query(query("page", NESTED), query("filter", NESTED, style="deepObject"))
    [operation] = [each for each in adopted(tmp_path, paths).contract.operations.values() if each.path == WIDGETS]
    names = [parameter["name"] for parameter in operation.parameters if parameter["in"] == "query"]
    assert names == ["a", "b", "filter[a]", "filter[b]"]


def test_names_of_python_and_repeated_ids_are_no_obstacle(tmp_path: Path) -> None:
    schemas = {"class": {"type": "object", "properties": {"from": TEXT, "None": TEXT, "to_dict": TEXT, "é è": TEXT}}}
    body = {"operationId": "import", "requestBody": takes(reference("class")), "responses": returns(reference("class"))}
    found = adopted(tmp_path, {WIDGETS: {"post": body}, ONE: {"put": body, "get": body}}, schemas)
    names = sorted(str(each.name) for each in found.contract.operations.values() if each.path.startswith(WIDGETS))
    assert len({*names}) == 3
    assert members(found, "Class").keys() == {"from", "None", "to_dict", "é è"}


HOSTILE = "x\"\"\"\n'''\\ \0 \x1b[31m \x7f \ud800 {{ }} ${HOME} \u202e" + "long " * 20000


def test_hostile_text_changes_only_what_people_read(tmp_path: Path) -> None:
    widget = {"type": "object", "description": HOSTILE, "properties": {"a": {**TEXT, "description": HOSTILE}}}
    operation = {"summary": HOSTILE, "description": HOSTILE, "tags": [HOSTILE[:30]], "operationId": HOSTILE[:40]}
    paths = {WIDGETS: {"get": {**operation, "responses": returns(reference("Widget"))}}}
    found = adopted(tmp_path, paths, {"Widget": widget})
    assert members(found, "Widget")["a"]["description"].startswith('x"""')
    assert "\0" not in (tmp_path / "acme.overlay.json").read_text(encoding="utf-8")


def test_a_schema_that_contains_itself_and_a_long_chain_of_schemas_are_read(tmp_path: Path) -> None:
    schemas: Node = {f"S{n}": {"type": "object", "properties": {"next": reference(f"S{n + 1}")}} for n in range(60)}
    schemas["S60"] = {"type": "object", "properties": {"parts": {"type": "array", "items": reference("S60")}}}
    found = adopted(tmp_path, get(reference("S0")), schemas)
    assert "S60" in found.contract.schemas


EDITION: Node = {
    WIDGETS: {
        "get": {"parameters": [ORG, query("color", TEXT)], "responses": returns({"type": "array", "items": TEXT})},
        "post": {"requestBody": takes({"type": "object", "properties": {"name": TEXT}}), "responses": returns(TEXT)},
    },
    ONE: {"delete": FINE},
}


def test_a_newer_edition_is_reported_in_the_words_of_a_change_report(tmp_path: Path) -> None:
    first = adopted(tmp_path, EDITION)
    assert "# Changes" not in first.text
    assert "Nothing changed since the last time." in adopted(tmp_path, EDITION).text
    newer = json.loads(json.dumps(EDITION))
    del newer[ONE]
    newer[WIDGETS]["get"]["parameters"][1]["name"] = "colour"
    newer[WIDGETS]["post"]["requestBody"]["content"]["application/json"]["schema"]["required"] = ["name"]
    changes = adopted(tmp_path, newer).text.partition("# Changes since the last time")[2]
    assert "- **Breaking:** `organization.widgets.delete`." in changes
    assert "- **Breaking:** `organization.widgets.list`: the argument `color`." in changes
    assert "- `organization.widgets.list`: the argument `colour` (string)." in changes
    assert "- **Breaking:** `organization.widgets.create`: the argument `name`: now required." in changes


def test_an_older_overlay_that_cannot_be_read_is_noted_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "acme.overlay.json").write_text("{", encoding="utf-8")
    assert "cannot be compared with what is written now" in adopted(tmp_path, EDITION).text


def test_a_document_of_30_megabytes_is_adopted_within_seconds(tmp_path: Path) -> None:
    """Most of a large document is text, examples and schemas that no operation uses."""
    filler = {
        f"Unused{n}": {"type": "object", "properties": {f"p{m}": {**TEXT, "description": "x" * 90} for m in range(20)}}
        for n in range(10000)
    }
    document = {
        "openapi": "3.1.0",
        "paths": {WIDGETS: {"get": FINE}, ONE: {"get": {"responses": returns({"type": "nubmer"})}}},
        "components": {"schemas": filler},
    }
    (tmp_path / "large.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
    assert (tmp_path / "large.json").stat().st_size > 25e6
    start = time.process_time()
    found = Adopted(tmp_path, "large.json")
    assert time.process_time() - start < 30
    assert "did you mean `number`?" in found.text
