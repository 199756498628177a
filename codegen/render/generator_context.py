"""Compare two versions of the generator: its classes, template arguments and templates, as far as they are used here.

None of these is a public interface of the generator, so they are read from its files.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import Path

import griffe

PACKAGE = "openapi_python_client"
ATTRIBUTE = re.compile(r"\.([a-z_][a-z0-9_]*)")
ARGUMENT, TEMPLATE = "the argument of templates ", "the template "


def read(package: Path) -> dict[str, str]:
    """Read the generator that is installed at *package* without importing it.

    Returns:
        The type of each attribute of its classes (`parser.openapi.Endpoint.path`), the names of its template
        arguments, and the texts of its templates.
    """
    found: dict[str, str] = {}
    module = griffe.load(PACKAGE, search_paths=[package.parent], allow_inspection=False, submodules=True)
    for each in classes(module):
        for name, member in each.members.items():
            if not name.startswith("_") and not member.is_alias:
                owner = each.path.removeprefix(f"{PACKAGE}.")
                found[f"{owner}.{name}"] = str(getattr(member, "annotation", None) or "method")
    for call in ast.walk(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith((".render", ".update")):
            found |= {f"{ARGUMENT}{keyword.arg}": "passed" for keyword in call.keywords if keyword.arg}
    for path in (package / "templates").glob("*.jinja"):
        found[f"{TEMPLATE}{path.name}"] = path.read_text(encoding="utf-8")
    return found


def classes(module: griffe.Object | griffe.Alias) -> Iterator[griffe.Class]:
    """Yield all classes of a package."""
    for member in module.members.values():
        if isinstance(member, griffe.Class):
            yield member
        elif isinstance(member, griffe.Module):
            yield from classes(member)


def changes(before: dict[str, str], after: dict[str, str], directory: Path) -> Iterator[str]:
    """Yield the changes between two versions, one line each.

    Args:
        before: The older version, as `read` returns it.
        after: The newer one.
        directory: The package whose modules and templates use the generator; the changes that do not concern it are
            only counted.
    """
    sources = [*directory.glob("*.py"), *directory.glob("templates/*.jinja")]
    used = {name for path in sources for name in ATTRIBUTE.findall(path.read_text(encoding="utf-8"))}
    ours = {f"{TEMPLATE}{path.name}" for path in sources}
    same: dict[str, list[str]] = {}
    unused = 0
    for name in sorted(each for each in before.keys() | after.keys() if before.get(each) != after.get(each)):
        old, new = before.get(name, "not there"), after.get(name, "gone")
        owner, _, attribute = name.rpartition(".")
        if name.startswith(TEMPLATE):
            diff = [*difflib.ndiff(before.get(name, "").splitlines(), after.get(name, "").splitlines())]
            more, less = (sum(line.startswith(sign) for line in diff) for sign in ("+ ", "- "))
            yield f"{name}: +{more} -{less} lines{'; ours replaces it' if name in ours else ''}"
        elif name.startswith(ARGUMENT):
            yield f"{name}: {new}, was {old}"
        # Of the parsed document only the schemas reach the templates.
        elif attribute in used and (not name.startswith("schema.") or owner.endswith(".Schema")):
            line = f".{attribute}, which is used here: {new}, was {old}"
            same.setdefault(line, []).append(owner.rpartition(".")[2])
        else:
            unused += 1
    yield from (f"{', '.join(owners)}{line}" for line, owners in same.items())
    if unused:
        yield f"{unused} attributes that nothing here uses"
