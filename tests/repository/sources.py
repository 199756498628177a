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
CODEGEN = ROOT / "codegen"
COMPANIONS = tuple(
    ROOT / "packages" / name / "src" / f"agent_session_platform_{name}" for name in distributions.COMPANIONS
)
HANDWRITTEN = (OVERLAY, *COMPANIONS, CODEGEN)


@cache
def parse(path: Path) -> ast.Module:
    """Parse a file once."""
    return ast.parse(path.read_text(encoding="utf-8"))


def modules(package: Path) -> list[Path]:
    """List the modules of a package and of the packages below it."""
    return sorted(package.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports anywhere, relative ones with their dots."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def import_graph(package: Path) -> dict[str, set[str]]:
    """Map each module of a package to the modules of that package which it imports.

    Imports below `if TYPE_CHECKING:` and inside functions count as well. A package stands for its `__init__`.
    """
    names = {dotted_name(package, path): path for path in modules(package)}
    graph: dict[str, set[str]] = {name: set() for name in names}
    for name, path in names.items():
        for node in ast.walk(parse(path)):
            for target in targets(node, name, is_package=path.name == "__init__.py"):
                # The longest part of the name that is a module: what follows is a name in it.
                while target and target not in names:
                    target = target.rpartition(".")[0]
                if target and target != name:
                    graph[name].add(target)
    return graph


def dotted_name(package: Path, path: Path) -> str:
    """Return the name under which a module is imported."""
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def targets(node: ast.AST, importer: str, *, is_package: bool) -> Iterator[str]:
    """Yield the full names that an import statement of the module *importer* asks for."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        parts = importer.split(".")
        base = parts[: len(parts) - node.level + is_package] if node.level else []
        base += node.module.split(".") if node.module else []
        yield from (".".join([*base, alias.name]) for alias in node.names)


def child_graph(graph: dict[str, set[str]], package: str) -> dict[str, set[str]]:
    """Map each module and sub-package directly in *package* to those that it imports, whatever module of it does so."""

    def child(module: str) -> str:
        return "__init__" if module == package else module.removeprefix(f"{package}.").partition(".")[0]

    def inside(module: str) -> bool:
        return f"{module}.".startswith(f"{package}.")

    children: dict[str, set[str]] = {}
    for module, imported in graph.items():
        if inside(module):
            found = {child(each) for each in imported if inside(each)}
            children.setdefault(child(module), set()).update(found - {child(module)})
    return children
