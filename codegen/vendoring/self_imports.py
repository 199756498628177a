"""Make the packages' imports of themselves relative, so that a copy works below any parent package.

An import that has no relative form is refused; a test checks that the packages contain none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePath

PACKAGES = ("agent_session_platform", "agent_session_platform_api")

# Functions that are given the name of a module or package as a string.
LOADERS = frozenset(
    {"__import__", "as_file", "contents", "files", "find_spec", "get_data", "import_module", "run_module"}
)


class SelfImportError(Exception):
    """A module names its own package in a way that has no relative form; the message names the place."""


def relative(path: PurePath, text: str) -> str:
    """Return the text of a module with only relative imports of the packages.

    Args:
        path: The module's path, from the directory that holds the packages.
        text: Its text.

    Raises:
        SelfImportError: An import has no relative form (`import agent_session_platform.x` without `as`, or several
            modules in one `import`), or a loader is given the name of a package as a string.
    """
    tree = ast.parse(text)
    for line, what in dynamic(tree):
        raise SelfImportError(
            f"{path.as_posix()}:{line}: {what} names its package; use a relative import or __package__"
        )
    # One dot is the module's own package; one more for each parent leads to the directory that holds the packages.
    dots = "." * len(path.parts)
    lines = text.splitlines(keepends=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and is_own(node.module or ""):
            edit(lines, node, rf"(from\s+)({re.escape(node.module or '')})", rf"\g<1>{dots}\g<2>")
        elif isinstance(node, ast.Import) and any(is_own(alias.name) for alias in node.names):
            edit(lines, node, r"import\s+\S.*", from_import(path, node, dots))
    return "".join(lines)


def is_own(module: str) -> bool:
    """Tell whether a module belongs to the packages."""
    return module.partition(".")[0] in PACKAGES


def from_import(path: PurePath, node: ast.Import, dots: str) -> str:
    """Return the relative form of `import agent_session_platform...`."""
    [alias, *more] = node.names
    parent, _, name = alias.name.rpartition(".")
    if more or (parent and alias.asname is None):
        written = ast.unparse(node)
        raise SelfImportError(
            f"{path.as_posix()}:{node.lineno}: `{written}` has no relative form; use `from ... import`"
        )
    return f"from {dots}{parent} import {name}" + (f" as {alias.asname}" if alias.asname else "")


def edit(lines: list[str], node: ast.stmt, pattern: str, replacement: str) -> None:
    """Replace the beginning of a statement in its first line."""
    line = lines[node.lineno - 1]
    column = len(line.encode()[: node.col_offset].decode())
    code, comment = line[column:].rstrip("\r\n"), ""
    if isinstance(node, ast.Import):
        end = len(line.encode()[: node.end_col_offset].decode()) - column
        code, comment = code[:end], code[end:]
    ending = line[len(line.rstrip("\r\n")) :]
    changed = re.sub(rf"^{pattern}", replacement, code, count=1)
    lines[node.lineno - 1] = f"{line[:column]}{changed}{comment}{ending}"


def dynamic(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the calls that load a module or its data by a literal name, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node.func) in LOADERS:
            for argument in [*node.args, *(each.value for each in node.keywords)]:
                first = argument.values[0] if isinstance(argument, ast.JoinedStr) and argument.values else argument
                if isinstance(first, ast.Constant) and isinstance(first.value, str) and is_own(first.value):
                    yield node.lineno, f"{called(node.func)}({first.value!r})"


def called(function: ast.expr) -> str:
    """Return the last part of the name of a called function."""
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
