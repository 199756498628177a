"""Make the packages' imports of themselves relative, so that a copy works below any parent package.

Only `from agent_session_platform... import ...` has a relative form here; any other import of a package is refused, and
a test checks that the packages contain none.
"""

from __future__ import annotations

import ast
import re
from pathlib import PurePath

PACKAGES = ("agent_session_platform", "agent_session_platform_api", "agent_session_platform_sandbox")
"""The packages that a copy may have."""

# Functions that take the name of a module or package as a string.
LOADERS = frozenset(
    {"__import__", "as_file", "contents", "files", "find_spec", "get_data", "import_module", "run_module"}
)


class SelfImportError(Exception):
    """A module names a package of the copy in a way that has no relative form; the message names the place."""


def relative(path: PurePath, text: str) -> str:
    """Return the text of a module with only relative imports of the packages.

    Args:
        path: The module's path, from the directory that holds the packages.
        text: Its text.

    Raises:
        SelfImportError: It has `import agent_session_platform`, or passes the name of a package to a loader.
    """
    # One dot is the module's own package; one more for each parent leads to the directory that holds the packages.
    dots = "." * len(path.parts)
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and not node.level and is_own(node.module or ""):
            line = lines[node.lineno - 1]
            column = len(line.encode()[: node.col_offset].decode())
            lines[node.lineno - 1] = line[:column] + re.sub(r"from\s+", rf"\g<0>{dots}", line[column:], count=1)
        elif named := own_name(node):
            raise SelfImportError(
                f"{path.as_posix()}:{named.lineno}: `{ast.unparse(named)}` names a package of the copy and has no "
                "relative form; write `from ... import`, a relative import or __package__"
            )
    return "".join(lines)


def is_own(module: str) -> bool:
    """Return whether a module belongs to the packages."""
    return module.partition(".")[0] in PACKAGES


def own_name(node: ast.AST) -> ast.Import | ast.Call | None:
    """Return *node* if it imports one of the packages, or passes its literal name to a loader."""
    if isinstance(node, ast.Import):
        return node if any(is_own(alias.name) for alias in node.names) else None
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in LOADERS:
        for argument in [*node.args, *(each.value for each in node.keywords)]:
            first = argument.values[0] if isinstance(argument, ast.JoinedStr) and argument.values else argument
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and is_own(first.value):
                return node
    return None
