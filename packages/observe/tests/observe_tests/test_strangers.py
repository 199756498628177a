"""A tool of another project applies a proposal with the same result; `make other-tools` runs this."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from agent_session_platform_observe import propose_overlay

from codegen import ROOT
from codegen.contract.source import Source
from codegen.overlay_document import AppliedSource, read_overlays
from observe_tests.deployment import traffic
from tests.codegen.contract.test_other_tools import NODE_MODULES, node

SCRIPT = "openapi-format/bin/cli.js"
needs_tools = pytest.mark.skipif(
    not (NODE_MODULES / SCRIPT).exists(), reason="`make other-tools` has not installed the tools"
)


@needs_tools
async def test_another_tool_applies_a_proposal_with_the_same_result(tmp_path: Path) -> None:
    path = tmp_path / "observed.overlay.yaml"
    path.write_text(propose_overlay(await traffic(tmp_path / "observed.json")), encoding="utf-8")
    expected = AppliedSource(Source(ROOT / "openapi.yaml"), read_overlays([path])).document
    contract, theirs = str(ROOT / "openapi.yaml"), tmp_path / "theirs.yaml"
    command = node(SCRIPT, contract, "--overlayFile", str(path), "--no-sort", "--output", str(theirs))
    assert await (await asyncio.create_subprocess_exec(*command, cwd=tmp_path)).wait() == 0
    # Read as YAML 1.2, in which a date is a text.
    assert Source(theirs).document == expected
