"""The examples of the Overlay Specification are applied as it says."""

from __future__ import annotations

from pathlib import Path

from tests.codegen.overlay_document.documents import applied

HEAD = "openapi: 3.1.0\ninfo: {title: API, version: 1.0.0}\n"

PAGED = """\
overlay: 1.0.0
info: {title: Apply Traits, version: 1.0.0}
actions:
  - target: $.paths[*][?@['x-oai-traits'][?@ == 'paged']]
    update:
      parameters:
        - name: top
          in: query
          schema: {type: integer}
        - name: skip
          in: query
          schema: {type: integer}
"""


def test_a_structured_overlay_has_the_form_of_the_document(tmp_path: Path) -> None:
    overlay = """\
overlay: 1.0.0
info: {title: Structured Overlay, version: 1.0.0}
actions:
  - target: "$" # Root of document
    update:
      info:
        x-overlay-applied: structured-overlay
      paths:
        "/":
          summary: "The root resource"
          get:
            summary: "Retrieve the root resource"
            x-rate-limit: 100
        "/pets":
          get:
            summary: "Retrieve a list of pets"
            x-rate-limit: 100
      components:
      tags:
"""
    document = f'{HEAD}paths:\n  "/": {{get: {{summary: Old, responses: {{"200": {{description: OK}}}}}}}}\n'
    assert applied(tmp_path, document, overlay) == {
        "openapi": "3.1.0",
        "info": {"title": "API", "version": "1.0.0", "x-overlay-applied": "structured-overlay"},
        "paths": {
            "/": {
                "summary": "The root resource",
                "get": {
                    "summary": "Retrieve the root resource",
                    "responses": {"200": {"description": "OK"}},
                    "x-rate-limit": 100,
                },
            },
            "/pets": {"get": {"summary": "Retrieve a list of pets", "x-rate-limit": 100}},
        },
        "components": None,
        "tags": None,
    }


def test_a_targeted_overlay_changes_single_nodes(tmp_path: Path) -> None:
    overlay = """\
overlay: 1.0.0
info: {title: Targeted Overlay, version: 1.0.0}
actions:
  - target: $.paths['/foo'].get
    update:
      description: This is the new description
  - target: $.paths['/bar'].get
    update:
      description: This is the updated description
  - target: $.paths['/bar']
    update:
      post:
        description: This is an updated description of a child object
        x-safe: false
"""
    document = f"{HEAD}paths:\n  /foo: {{get: {{}}}}\n  /bar: {{get: {{description: Old}}, post: {{x-kept: 1}}}}\n"
    assert applied(tmp_path, document, overlay)["paths"] == {
        "/foo": {"get": {"description": "This is the new description"}},
        "/bar": {
            "get": {"description": "This is the updated description"},
            "post": {
                "x-kept": 1,
                "description": "This is an updated description of a child object",
                "x-safe": False,
            },
        },
    }


def test_a_wildcard_overlay_changes_every_node_that_matches(tmp_path: Path) -> None:
    overlay = """\
overlay: 1.0.0
info: {title: Update many objects at once, version: 1.0.0}
actions:
  - target: $.paths.*.get
    update:
      x-safe: true
  - target: $.paths.*.get.parameters[?@.name=='filter' && @.in=='query']
    update:
      schema:
        $ref: '/components/schemas/filterSchema'
"""
    filter_ = "{name: filter, in: query}"
    document = f"{HEAD}paths:\n  /a: {{get: {{parameters: [{filter_}]}}, post: {{}}}}\n  /b: {{get: {{}}}}\n"
    schema = {"$ref": "/components/schemas/filterSchema"}
    assert applied(tmp_path, document, overlay)["paths"] == {
        "/a": {
            "get": {"parameters": [{"name": "filter", "in": "query", "schema": schema}], "x-safe": True},
            "post": {},
        },
        "/b": {"get": {"x-safe": True}},
    }


def test_an_update_of_a_list_is_appended(tmp_path: Path) -> None:
    overlay = """\
overlay: 1.0.0
info: {title: Add an array element, version: 1.0.0}
actions:
  - target: $.paths.*.get.parameters
    update:
      name: newParam
      in: query
"""
    document = f"{HEAD}paths:\n  /a: {{get: {{parameters: [{{name: old, in: query}}]}}}}\n"
    assert applied(tmp_path, document, overlay)["paths"]["/a"]["get"]["parameters"] == [
        {"name": "old", "in": "query"},
        {"name": "newParam", "in": "query"},
    ]


def test_an_element_of_a_list_is_removed(tmp_path: Path) -> None:
    overlay = """\
overlay: 1.0.0
info: {title: Remove an array element, version: 1.0.0}
actions:
  - target: $.paths.*.get.parameters[?@.name == 'dummy']
    remove: true
"""
    parameters = "[{name: dummy}, {name: kept}, {name: dummy}]"
    document = f"{HEAD}paths:\n  /a: {{get: {{parameters: {parameters}}}}}\n"
    assert applied(tmp_path, document, overlay)["paths"]["/a"]["get"]["parameters"] == [{"name": "kept"}]


def test_traits_are_applied_to_the_operations_that_have_them(tmp_path: Path) -> None:
    document = f"{HEAD}paths:\n  /items: {{get: {{x-oai-traits: [paged]}}}}\n  /one: {{get: {{x-oai-traits: [x]}}}}\n"
    paths = applied(tmp_path, document, PAGED)["paths"]
    assert [each["name"] for each in paths["/items"]["get"]["parameters"]] == ["top", "skip"]
    assert paths["/one"]["get"] == {"x-oai-traits": ["x"]}
