"""The packages advise to install what their pyproject.toml states."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from codegen.distributions import Pyproject, read_projects, required
from docs.check import DOCUMENTS
from tests.repository.sources import COMPANIONS, OVERLAY, modules, parse

REQUIREMENT = re.compile(r"[a-z][a-z0-9-]*>=[\d.]+,<\d+")
# We do not own the names of our packages on PyPI, so such a command could install a stranger's package. Paths are safe.
BY_NAME = re.compile(r"pip install [^`\n]*(?<![\w/.-])agent-session-platform[\w-]*(?! @ )")
PACKAGES = (OVERLAY, *COMPANIONS)
PROJECTS = read_projects()


def advised(package: Path) -> set[str]:
    """Return the requirements in the texts of a package."""
    nodes = [node for path in modules(package) for node in ast.walk(parse(path)) if isinstance(node, ast.Constant)]
    return {found for node in nodes if isinstance(node.value, str) for found in REQUIREMENT.findall(node.value)}


@pytest.mark.parametrize(("package", "project"), [*zip(PACKAGES, PROJECTS, strict=True)])
def test_a_requirement_in_a_hint_is_that_of_pyproject(package: Path, project: Pyproject) -> None:
    stated = {*required(PROJECTS[0], extras=True), *required(project, extras=True)}
    assert advised(package) - stated == set()


def test_the_hints_are_found() -> None:
    names = {each.partition(">")[0] for each in advised(OVERLAY)}
    assert names == {"aiohttp", "httpx", "httpx2", "redis", "socksio"}


def test_no_text_asks_an_index_for_a_name_of_ours() -> None:
    paths = [*DOCUMENTS, *(path for package in PACKAGES for path in modules(package))]
    assert [path for path in paths if BY_NAME.search(path.read_text(encoding="utf-8"))] == []
