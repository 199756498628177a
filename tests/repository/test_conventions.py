"""Conventions of the source files: length and names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repository.sources import CODEGEN, GENERATED, OVERLAY, ROOT, modules

LONGEST_MODULE = 300
LONGEST_TEST = 400
# A module needs the name of its one idea.
NAMES_OF_NOTHING = {"utils", "util", "helpers", "helper", "common", "base", "misc"}


def too_long(folder: Path, longest: int) -> dict[str, int]:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules(folder)}
    return {path.relative_to(ROOT).as_posix(): length for path, length in lengths.items() if length > longest}


@pytest.mark.parametrize("package", [OVERLAY, CODEGEN], ids=lambda package: package.name)
def test_no_module_is_too_long(package: Path) -> None:
    assert too_long(package, LONGEST_MODULE) == {}


def test_no_test_file_is_too_long() -> None:
    assert too_long(ROOT / "tests", LONGEST_TEST) == {}


def test_every_module_is_named_after_its_idea() -> None:
    assert {path.stem for package in (OVERLAY, CODEGEN) for path in modules(package)} & NAMES_OF_NOTHING == set()


def test_every_generated_file_says_so_in_its_first_line() -> None:
    first_lines = {path.read_text(encoding="utf-8").partition("\n")[0] for path in modules(GENERATED)}
    assert first_lines == {"# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file."}


def test_both_packages_are_typed() -> None:
    assert (GENERATED / "py.typed").exists()
    assert (OVERLAY / "py.typed").exists()
