"""The source files of the repository, and what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from codegen import distributions

ROOT = Path(__file__).parents[2]
GENERATED = ROOT / "generated" / "agent_session_platform_api"
OVERLAY = ROOT / "overlay" / "agent_session_platform"
COMPANIONS = tuple(
    ROOT / "packages" / name / "src" / f"agent_session_platform_{name}" for name in distributions.COMPANIONS
)


@cache
def parse(path: Path) -> ast.Module:
    """Parse a file once."""
    return ast.parse(path.read_text(encoding="utf-8"))


def modules(package: Path) -> list[Path]:
    """List the modules of a package and of the packages below it."""
    return sorted(package.rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the name under which a module is imported; a package stands for its `__init__`."""
    names = [] if path.stem == "__init__" else [path.stem]
    while (path := path.parent).joinpath("__init__.py").exists():
        names.insert(0, path.name)
    return ".".join(names)


def imports(path: Path) -> Iterator[str]:
    """Yield the full names that a module imports, also in functions and below `if TYPE_CHECKING:`."""
    package = name_of(path.parent / "__init__.py").split(".")
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            base += [node.module] if node.module else []
            yield from (".".join([*base, alias.name]) for alias in node.names)
