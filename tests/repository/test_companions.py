"""The SDK is below, its companions are above, and a companion uses public names of the SDK only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import agent_session_platform
import pytest

from tests.repository.sources import COMPANIONS, GENERATED, OVERLAY, dotted_name, modules, parse, targets

SDK = OVERLAY.name
PUBLIC = {"contract", "errors", "legacy", "models", *agent_session_platform.__all__}
"""The names and modules of the SDK that anybody may import."""


def imported(package: Path) -> Iterator[str]:
    """Yield the full names that the modules of a package import."""
    for path in modules(package):
        importer = dotted_name(package, path)
        # Any node: also imports in functions, and those for type checkers.
        for node in ast.walk(parse(path)):
            yield from targets(node, importer, is_package=path.name == "__init__.py")


def private(package: Path) -> set[str]:
    """Return the private names of the SDK that a package imports."""
    inside = {name.removeprefix(f"{SDK}.") for name in imported(package) if name.startswith(f"{SDK}.")}
    return {name for name in inside if name.partition(".")[0] not in PUBLIC}


@pytest.mark.parametrize("package", [GENERATED, OVERLAY], ids=lambda package: package.name)
def test_the_sdk_imports_no_companion(package: Path) -> None:
    tops = {name.partition(".")[0] for name in imported(package)}
    assert tops & {each.name for each in COMPANIONS} == set()


@pytest.mark.parametrize("package", [each for each in COMPANIONS if not each.name.endswith("_cli")], ids=str)
def test_only_the_command_line_imports_other_companions(package: Path) -> None:
    tops = {name.partition(".")[0] for name in imported(package)}
    assert tops & {each.name for each in COMPANIONS} <= {package.name}


@pytest.mark.parametrize("package", COMPANIONS, ids=lambda package: package.name)
def test_no_companion_imports_the_generated_package(package: Path) -> None:
    assert [name for name in imported(package) if name.startswith(GENERATED.name)] == []


@pytest.mark.parametrize("package", COMPANIONS, ids=lambda package: package.name)
def test_a_companion_imports_public_names_only(package: Path) -> None:
    assert private(package) == set()
