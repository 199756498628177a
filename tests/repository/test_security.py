"""SECURITY.md names a test for each promise, and these tests exist; its faults are those of the pinned libraries."""

from __future__ import annotations

import ast
import re

import pytest

from tests.repository.sources import ROOT, parse

DOCUMENT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(?P<path>(?:packages/\w+/)?tests/[\w/]+\.py)::(?P<name>\w+)`", DOCUMENT)


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_is_named_exists(path: str, name: str) -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    assert name in {node.name for node in ast.walk(parse(ROOT / path)) if isinstance(node, functions)}


def test_every_promise_has_a_test() -> None:
    tables = DOCUMENT.partition("## What the SDK promises")[2].partition("\n## ")[0]
    rows = [line for line in tables.splitlines() if line.startswith("| ") and line != "| promise | test |"]
    assert [row for row in rows if "`tests/" not in row and "`packages/" not in row] == []
    assert len(rows) > 50


def test_the_faults_are_those_of_the_libraries_that_are_pinned() -> None:
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    section = DOCUMENT.partition("## What is left to the HTTP library")[2].partition("\n## ")[0]
    versions = re.findall(r"(?P<library>httpx2?|httpcore2?|aiohttp) (?P<version>\d[\d.]+\d)", section)
    assert {library for library, _ in versions} == {"httpx", "httpx2", "httpcore", "httpcore2", "aiohttp"}
    assert [each for each in versions if "==".join(each) not in pinned] == []
