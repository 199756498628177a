"""The rules and gaps that tests cite: each names the ids of those that it shows in its docstring."""

from __future__ import annotations

import ast
import re

from tests.fixtures import ROOT


def cited_ids() -> set[str]:
    """Return the words with a hyphen in the docstrings of all tests; every id of a rule or gap but `events` has one."""
    words: set[str] = set()
    for folder in (ROOT / "tests", *ROOT.glob("packages/*/tests")):
        for path in folder.rglob("test_*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                    # A whole id: one may begin with another.
                    words |= set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", ast.get_docstring(node) or ""))
    return words
