"""A framework's document of some 180 operations becomes a typed build, whose sandbox serves it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from codegen import ROOT
from codegen.adopt.__main__ import adopt, applied
from codegen.adopt.matching import path_key
from codegen.adopt.operations import NOT_SHOWN
from codegen.contract.contract import Contract
from codegen.contract.lint import findings
from codegen.contract.source import Source
from codegen.deployment import rename_contract
from codegen.vendoring.private_build import private_build
from tests.codegen.adopt.framework import PREFIX, WORD, framework_document
from tests.codegen.checkouts import check_types, python

PROGRAM = """
import asyncio
from datetime import datetime

from agent_session_platform import Documented, Pager, gaps, operations
from agent_session_platform.models import Session, Widget
from agent_session_platform_sandbox import Sandbox


async def main() -> None:
    sandbox = Sandbox()
    async with sandbox.client() as platform:
        org = platform.organization()
        widget: Widget = await org.widgets.create(name="first", kind="small")
        pages: Pager[Widget] = org.widgets.list(first=10)
        created: list[datetime] = [listed.created_at async for listed in pages]
        session: Session = await org.sessions.create(name="a", kind="large", acme_mode="fast")
        note: str | None = widget.note
        await org.widgets.archive(widget.widget_id)
        await org.widgets.delete(widget.widget_id)
        region = await platform.enterprise.regions.create(name="south")
        await platform.enterprise.regions.update(region.region_id, name="north")
    print(len(created), note, bool(session.session_id))


asyncio.run(main())
closed = [gap for gap in gaps if isinstance(gap.closed, Documented)]
print(len(operations), len(closed))
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the folder of the Overlay, and the lines of the report."""
    folder = tmp_path_factory.mktemp("adopt")
    (folder / "acme-openapi.json").write_text(json.dumps(framework_document(), indent=1), encoding="utf-8")
    lines = list(adopt(ROOT, folder / "acme-openapi.json", WORD, PREFIX, folder / "acme.overlay.json"))
    return folder, lines


@pytest.fixture(scope="module")
def contract(report: tuple[Path, list[str]]) -> Contract:
    """Return the contract of the deployment."""
    base, renaming = rename_contract(Contract(ROOT / "openapi.yaml"), WORD, PREFIX)
    found = applied(base, report[0] / "acme.overlay.json", renaming)
    return Contract(found.path, Source(found.path, found.source.text))


def test_the_report_is_one_screen_and_counts_what_was_done(report: tuple[Path, list[str]]) -> None:
    _, lines = report
    assert len(lines) < 60
    assert lines[0] == "acme-openapi.json: OpenAPI 3.1.0, 174 operations"
    known, closed, _ = (int(number) for number in re.findall(r"\d+", lines[1]))
    assert known == 62
    assert closed >= 200
    assert lines[2] == "  112 are new"


def test_the_contract_of_the_deployment_breaks_no_convention(contract: Contract) -> None:
    # The examples of the contract have the word as the name of an organization. What the document says of its members,
    # and how it nests them, is its own.
    own = re.compile("vendor's word|has no description|written inline")
    assert [finding.text for finding in findings(contract) if not own.search(finding.text)] == []


def test_each_operation_of_the_document_is_there_with_a_typed_response(contract: Contract) -> None:
    written = {
        (method.upper(), path_key(path)) for path, item in framework_document()["paths"].items() for method in item
    }
    operations = {(facts.method, path_key(facts.path)): facts for facts in contract.operations.values()}
    assert written <= operations.keys()
    schemas = [content.schema for key in written for content in operations[key].successes]
    assert NOT_SHOWN not in schemas


def test_no_name_has_a_trace_of_the_framework(contract: Contract) -> None:
    names = [str(facts.name) for facts in contract.operations.values()]
    assert len(names) == len({*names}) > 190
    assert [name for name in names if re.search(r"v3|_(get|post)$|\d|read_", name)] == []


def test_a_program_is_typed_and_runs_against_the_sandbox_of_the_build(
    report: tuple[Path, list[str]], tmp_path: Path
) -> None:
    build = tmp_path / "build"
    private_build(ROOT, build, WORD, PREFIX, [report[0] / "acme.overlay.json"])
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    check_types(build, tmp_path / "cache", str(program))
    done = python(build, str(program))
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first == "1 None True"
    operations, closed = map(int, second.split())
    assert operations == 88 + 112 - 2
    assert closed >= 200
