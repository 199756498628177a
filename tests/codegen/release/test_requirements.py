"""What is installed before the SDK itself."""

from __future__ import annotations

import pytest

from codegen import ROOT
from codegen.release.requirements import UnknownExtraError, requirements
from tests.repository.sources import imports

PYPROJECT = """
[build-system]
requires = ["hatchling>=1"]
[project]
dependencies = ["httpx>=0.28,<1"]
[project.optional-dependencies]
speed = ["msgspec>=0.18,<1"]
redis = ["redis>=5,<9"]
"""


def test_the_requirements_of_build_runtime_and_extras_are_listed() -> None:
    assert requirements(PYPROJECT, []) == ["hatchling>=1", "httpx>=0.28,<1"]
    assert requirements(PYPROJECT, ["redis"]) == ["hatchling>=1", "httpx>=0.28,<1", "redis>=5,<9"]


def test_an_unknown_extra_is_refused() -> None:
    with pytest.raises(UnknownExtraError, match="no extra sped; there are speed, redis"):
        requirements(PYPROJECT, ["sped"])


@pytest.mark.parametrize("module", ["requirements", "pins", "lowest"])
def test_a_tool_that_prepares_the_environment_needs_only_pip(module: str) -> None:
    known = {"__future__", "codegen", "collections", "concurrent", "pip", "re", "sys", "tomllib"}
    assert {name.partition(".")[0] for name in imports(ROOT / "codegen" / "release" / f"{module}.py")} <= known
