"""SECURITY.md names a test for each promise, and these tests exist."""

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


def test_every_promise_has_a_test_or_a_measurement() -> None:
    rows = [line for line in DOCUMENT.splitlines() if line.startswith("| ") and line != "| promise | test |"]
    assert [row for row in rows if "`tests/" not in row and "`packages/" not in row and "`benchmarks/" not in row] == []


def test_the_document_says_how_to_report_and_is_linked() -> None:
    assert "Report it privately to the maintainers" in DOCUMENT
    assert "@" not in DOCUMENT
    assert "](SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
