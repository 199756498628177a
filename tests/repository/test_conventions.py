"""Conventions of the source files: names and types."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repository.sources import COMPANIONS, GENERATED, OVERLAY, modules


def test_every_generated_file_says_so_in_its_first_line() -> None:
    first_lines = {path.read_text(encoding="utf-8").partition("\n")[0] for path in modules(GENERATED)}
    assert first_lines == {"# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file."}


@pytest.mark.parametrize("package", [GENERATED, OVERLAY, *COMPANIONS], ids=lambda package: package.name)
def test_the_package_is_typed(package: Path) -> None:
    assert (package / "py.typed").exists()
