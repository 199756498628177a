"""The rules and gaps that tests cite: a test has the ids of its rules and gaps in its docstring."""

from __future__ import annotations

import ast
import re

from tests.fixtures import ROOT


def cited_ids() -> set[str]:
    """Return the words with a hyphen in the docstrings of all tests; every id except `events` has a hyphen."""
    words: set[str] = set()
    for folder in (ROOT / "tests", *ROOT.glob("packages/*/tests")):
        for path in folder.rglob("test_*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                    # Only whole ids, because an id may begin with another id.
                    words |= set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", ast.get_docstring(node) or ""))
    return words
