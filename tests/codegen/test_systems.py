"""The tools read and write the same bytes on every operating system."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest


def test_a_checkout_has_the_same_bytes_on_every_system(root: Path) -> None:
    assert "* text=auto eol=lf" in (root / ".gitattributes").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("directory", ["codegen", "docs"])
def test_no_text_is_read_or_written_in_the_encoding_of_the_system(root: Path, directory: str) -> None:
    found = [
        f"{path.name}:{call.lineno}"
        for path in sorted((root / directory).rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("read_text", "write_text")
        and not {keyword.arg for keyword in call.keywords} & {"encoding", None}
    ]
    assert found == []
