"""What the packages advise to install is what their pyproject.toml states."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from docs.check import DOCUMENTS
from tests.repository.sources import COMPANIONS, OVERLAY, ROOT, modules, parse

REQUIREMENT = re.compile(r"[a-z][a-z0-9-]*>=[\d.]+,<\d+")
# Nobody owns our names on an index: what somebody uploads there under one would be installed. A path is no name.
BY_NAME = re.compile(r"pip install [^`\n]*(?<![\w/.-])agent-session-platform[\w-]*(?! @ )")


def projects_of(package: Path) -> list[Path]:
    """Return the pyproject.toml of a package, and that of the SDK, which each requires."""
    own = next(each for each in package.parents if (each / "pyproject.toml").exists())
    return sorted({own / "pyproject.toml", ROOT / "pyproject.toml"})


def stated(package: Path) -> set[str]:
    """Return the requirements of a package and of its extras."""
    found: set[str] = set()
    for path in projects_of(package):
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        found |= {*project["dependencies"]}.union(*project.get("optional-dependencies", {}).values())
    return found


def advised(package: Path) -> set[str]:
    """Return the requirements in the texts of a package."""
    return {
        requirement
        for path in modules(package)
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for requirement in REQUIREMENT.findall(node.value)
    }


@pytest.mark.parametrize("package", [OVERLAY, *COMPANIONS], ids=lambda package: package.name)
def test_a_requirement_in_a_hint_is_that_of_pyproject(package: Path) -> None:
    assert advised(package) - stated(package) == set()


def test_the_hints_are_found() -> None:
    assert {each.partition(">")[0] for each in advised(OVERLAY)} == {
        "aiohttp",
        "h2",
        "httpx",
        "httpx2",
        "redis",
        "socksio",
    }


@pytest.mark.parametrize("package", [OVERLAY, *COMPANIONS], ids=lambda package: package.name)
def test_no_hint_asks_an_index_for_a_name_of_ours(package: Path) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in modules(package)}
    assert [path.name for path, text in texts.items() if BY_NAME.search(text)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_no_document_asks_an_index_for_a_name_of_ours(document: Path) -> None:
    assert BY_NAME.findall(document.read_text(encoding="utf-8")) == []
