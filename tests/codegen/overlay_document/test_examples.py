"""The examples of the Overlay Specification give the results that it states."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.codegen.overlay_document.documents import HEAD, applied

# For each example: the paths of the document, the actions, and the paths afterwards.
EXAMPLES = {
    "wildcards": (
        "{/a: {get: {parameters: [{name: filter, in: query}]}, post: {}}, /b: {get: {}}}",
        """
  - {target: $.paths.*.get, update: {x-safe: true}}
  - target: $.paths.*.get.parameters[?@.name=='filter' && @.in=='query']
    update: {schema: {$ref: /components/schemas/filterSchema}}
""",
        """
/a:
  get: {parameters: [{name: filter, in: query, schema: {$ref: /components/schemas/filterSchema}}], x-safe: true}
  post: {}
/b: {get: {x-safe: true}}
""",
    ),
    "traits": (
        "{/items: {get: {x-oai-traits: [paged]}}, /one: {get: {x-oai-traits: [x]}}}",
        """
  - target: $.paths[*][?@['x-oai-traits'][?@ == 'paged']]
    update: {parameters: [{name: top}, {name: skip}]}
""",
        """
/items: {get: {x-oai-traits: [paged], parameters: [{name: top}, {name: skip}]}}
/one: {get: {x-oai-traits: [x]}}
""",
    ),
}


@pytest.mark.parametrize(("paths", "actions", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_is_applied_as_the_specification_says(
    tmp_path: Path, paths: str, actions: str, expected: str
) -> None:
    document = f"openapi: 3.1.0\ninfo: {{title: API, version: 1.0.0}}\npaths: {paths}\n"
    assert applied(tmp_path, document, HEAD + actions)["paths"] == yaml.safe_load(expected)
