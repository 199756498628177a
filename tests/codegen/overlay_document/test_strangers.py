"""A tool of another project applies an Overlay with the same result; `make other-tools` runs this."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from codegen import ROOT
from codegen.contract.source import Source
from tests.codegen.contract.test_other_tools import NODE_MODULES, node
from tests.codegen.overlay_document.documents import applied, write

SCRIPT = "openapi-format/bin/cli.js"
needs_tools = pytest.mark.skipif(
    not (NODE_MODULES / SCRIPT).exists(), reason="`make other-tools` has not installed the tools"
)

CONTRACT = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
# Facts that a deployment has shown are written in this form.
OBSERVED = """\
overlay: 1.0.0
info: {title: Observed, version: 0.1.0}
extends: openapi.yaml
actions:
  - target: $['paths']['/v3/organizations/{org_id}/sessions']['post']['x-not-shown'][?(@.id=='session-create-response')]
    update:
      closed: {answers: 214, first: "2026-11-02", last: "2026-11-20"}
  - target: $['paths']['/v3/organizations/{org_id}/sessions']['post']['responses']
    update:
      "201":
        description: The session that was created.
        x-observed: {answers: 214, first: "2026-11-02", last: "2026-11-20"}
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Session"}
  - target: $['components']['schemas']['Session']['properties']
    update:
      queue_position:
        type: integer
        description: The position in the queue.
        x-observed: {answers: 214, first: "2026-11-02", last: "2026-11-20"}
  - target: $['components']['schemas']['Session']['properties']['status']
    update: {x-known-values: [thinking]}
  - target: $['components']['schemas']['Session']['properties']['title']['x-secret']
    remove: true
"""


@needs_tools
def test_another_tool_applies_it_with_the_same_result(tmp_path: Path) -> None:
    expected = applied(tmp_path, CONTRACT, OBSERVED)
    write(tmp_path, "theirs.overlay.yaml", OBSERVED)
    arguments = ["openapi.yaml", "--overlayFile", "theirs.overlay.yaml", "--no-sort", "--output", "theirs.yaml"]
    subprocess.run(node(SCRIPT, *arguments), cwd=tmp_path, check=True)
    # In YAML 1.2 a date is a text.
    assert Source(tmp_path / "theirs.yaml").document == expected
