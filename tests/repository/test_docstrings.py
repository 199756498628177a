"""How docstrings begin."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.repository.sources import HANDWRITTEN, ROOT, modules, parse

# A docstring begins with an imperative or a noun phrase.
NO_BEGINNING = re.compile(r"(What|Whether|Those|Who|How|So many|Of)\b")


@pytest.mark.parametrize("package", HANDWRITTEN, ids=lambda package: package.name)
def test_docstrings_begin_with_an_imperative_or_a_noun(package: Path) -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 1)}: {text.splitlines()[0]}"
        for path in modules(package)
        for node in ast.walk(parse(path))
        if isinstance(node, kinds) and (text := ast.get_docstring(node)) and NO_BEGINNING.match(text)
    ]
    assert found == []
