"""The packages and modules of codegen/: imports between them go one way."""

from __future__ import annotations

import ast

import pytest

from codegen import ROOT

# What each of them may import.
PACKAGES = {
    "contract": set[str](),
    "distributions": set[str](),
    "overlay_document": {"contract"},
    "render": {"contract"},
    "changes": {"contract", "distributions", "overlay_document", "render"},
    "release": {"changes", "distributions", "render"},
    "sizes": set[str](),
    "vendoring": {"contract", "distributions", "overlay_document", "render"},
}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (ROOT / "codegen").rglob("*.py")
    if "runtime" not in path.parts
}


def imports(module: str) -> set[str]:
    """Return the modules of codegen that a module imports, wherever the statement is."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
            found |= submodules or ({node.module} & MODULES.keys())
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_the_packages_below_it(package: str) -> None:
    imported = {
        name for module in MODULES if f"{module}.".startswith(f"codegen.{package}.") for name in imports(module)
    }
    imports_from = {name.split(".")[1] for name in imported if name != "codegen"}
    assert imports_from - {package} <= PACKAGES[package]


def test_the_list_of_packages_is_complete() -> None:
    assert {module.split(".")[1] for module in MODULES if module != "codegen"} == PACKAGES.keys()
