"""The made-up deployment of examples/acme: its document and its Overlay become builds that programs use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codegen import ROOT
from codegen.adopt.__main__ import adopt
from codegen.vendoring.private_build import private_build
from tests.codegen.adopt.programs import programs
from tests.codegen.checkouts import check_types, importing, python

ACME = ROOT / "examples/acme"
RUN = "import runpy, sys\nfor path in sys.argv[1:]:\n    runpy.run_path(path, run_name='__main__')\n"
FIRST_GAPS = """
import asyncio

from agent_session_platform import gaps
from agent_session_platform_sandbox import Sandbox


async def main() -> None:
    async with Sandbox().client() as platform:
        session = await platform.organization().sessions.create(prompt="Fix the flaky test")
        if session.status in ("done", "failed"):
            print("over")


asyncio.run(main())
print(sorted(gap.id for gap in gaps if gap.closed))
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the build of the document, with the programs beside it."""
    folder = tmp_path_factory.mktemp("acme")
    list(adopt(ROOT, ACME / "acme-openapi.yaml", "acme", "acme_", folder / "acme.overlay.json"))
    private_build(ROOT, folder / "build", "acme", "acme_", [folder / "acme.overlay.json"])
    (folder / "programs").mkdir()
    for name, text in programs().items():
        (folder / "programs" / f"{name}.py").write_text(text, encoding="utf-8")
    return folder / "build"


def paths(build: Path) -> list[str]:
    return [str(build.parent / "programs" / f"{name}.py") for name in programs()]


def test_twelve_programs_run_against_the_sandbox_of_the_build(build: Path) -> None:
    assert len(programs()) == 12
    done = python(build, "-c", RUN, *paths(build))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_programs_are_typed_for_mypy(build: Path) -> None:
    check_types(build, build.parent / "cache", *paths(build))


def test_the_programs_are_typed_for_pyright(build: Path) -> None:
    places = importing(build)["PYTHONPATH"].split(os.pathsep)
    settings = {"include": ["programs"], "extraPaths": places, "typeCheckingMode": "strict"}
    project = build.parent / "pyrightconfig.json"
    project.write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--project", str(project)]
    checked = subprocess.run(command, cwd=build.parent, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_without_a_document_the_ready_overlay_closes_the_first_two_gaps(tmp_path: Path) -> None:
    build = tmp_path / "build"
    private_build(ROOT, build, "acme", "acme_", [ACME / "first-gaps.overlay.yaml"])
    program = build / "first_gaps.py"
    program.write_text(FIRST_GAPS, encoding="utf-8")
    check_types(build, tmp_path / "cache", str(program))
    done = python(build, str(program))
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "['session-create-request', 'session-status-values']"
