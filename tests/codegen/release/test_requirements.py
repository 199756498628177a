"""What is installed before the distributions themselves."""

from __future__ import annotations

import tomllib

import pytest

from codegen import ROOT
from codegen.release.requirements import requirements
from tests.repository.sources import imports

PROJECTS = [
    tomllib.loads(text)
    for text in (
        """
        build-system.requires = ["hatchling>=1"]
        project.dependencies = ["httpx>=0.28,<1"]
        project.optional-dependencies = {redis = ["redis>=5,<9"]}
        """,
        """
        build-system.requires = ["hatchling>=1"]
        project.dependencies = ["agent-session-platform==0.1.0", "httpx>=0.28,<1", "rich>=13,<16"]
        """,
    )
]


@pytest.mark.parametrize(("extras", "more"), [(False, []), (True, ["redis>=5,<9"])])
def test_the_requirements_of_build_runtime_and_extras_are_listed_once(extras: bool, more: list[str]) -> None:
    assert requirements(PROJECTS, extras=extras) == ["hatchling>=1", "httpx>=0.28,<1", *more, "rich>=13,<16"]


@pytest.mark.parametrize("module", ["requirements", "projects", "pins", "lowest"])
def test_a_tool_that_prepares_the_environment_needs_only_pip(module: str) -> None:
    known = {"__future__", "argparse", "codegen", "collections", "concurrent", "pathlib", "pip", "re", "sys"}
    known |= {"tomllib", "typing"}
    assert {name.partition(".")[0] for name in imports(ROOT / "codegen" / "release" / f"{module}.py")} <= known
