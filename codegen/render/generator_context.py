"""What the templates and the modules here have of the generator: its classes, what its templates are given, its hooks.

None of it is a promised interface, so two versions of it are compared as they are read from their files.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import griffe

PACKAGE = "openapi_python_client"
# By these methods the generator gives names to its templates.
GIVING = ("render", "update")
ATTRIBUTE = re.compile(r"\.([a-z_][a-z0-9_]*)")


@dataclass
class Context:
    """One version: types by attribute and class, the names that templates are given, and the templates' texts."""

    attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    templates: dict[str, str] = field(default_factory=dict)


def read(package: Path) -> Context:
    """Read the context of the generator that is installed at *package*; nothing of it is imported."""
    found = Context()
    module = griffe.load(PACKAGE, search_paths=[package.parent], allow_inspection=False, submodules=True)
    for each in classes(module):
        found.attributes[each.path.removeprefix(f"{PACKAGE}.")] = {
            name: str(getattr(member, "annotation", None) or "method")
            for name, member in each.members.items()
            if not name.startswith("_") and not member.is_alias
        }
    for call in ast.walk(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in ("render", "update")
        ):
            found.given |= {keyword.arg for keyword in call.keywords if keyword.arg}
    for path in sorted((package / "templates").glob("*.jinja")):
        found.templates[path.name] = path.read_text(encoding="utf-8")
    return found


def classes(module: griffe.Object | griffe.Alias) -> Iterator[griffe.Class]:
    """All classes of a package."""
    for member in module.members.values():
        if isinstance(member, griffe.Class):
            yield member
        elif isinstance(member, griffe.Module):
            yield from classes(member)


def used(codegen: Path) -> set[str]:
    """The names of attributes that the modules and templates here read, of whatever they read them."""
    sources = [*codegen.glob("*.py"), *(codegen / "templates").glob("*.jinja")]
    return {name for path in sources for name in ATTRIBUTE.findall(path.read_text(encoding="utf-8"))}


def imported(codegen: Path) -> set[str]:
    """The names that the modules here import from the generator, with their modules."""
    found: set[str] = set()
    for path in codegen.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
                module = (node.module or "").removeprefix(PACKAGE).removeprefix(".")
                found |= {f"{module}.{alias.name}".lstrip(".") for alias in node.names}
    return found


def moved(before: Context, after: Context, codegen: Path) -> Iterator[str]:
    """What is another in the newer version, a line each: what is used here first, of the other classes how much."""
    names, modules = used(codegen), imported(codegen)
    same: dict[str, list[str]] = {}
    unread = 0
    for name in sorted(before.attributes.keys() | after.attributes.keys()):
        old, new = before.attributes.get(name), after.attributes.get(name)
        if (old is None or new is None) and name in modules:
            yield f"{name}, which is imported here, is {'new' if old is None else 'gone'}"
        for attribute in sorted({**(old or {}), **(new or {})}):
            was, now = (old or {}).get(attribute), (new or {}).get(attribute)
            if was == now:
                continue
            # Of the document as it was read only the schemas reach the templates.
            if attribute in names and (not name.startswith("schema.") or name.endswith(".Schema")):
                line = f".{attribute}, which is read here: {now or 'gone'}, was {was or 'not there'}"
                same.setdefault(line, []).append(name.rpartition(".")[2])
            else:
                unread += 1
    yield from (f"{', '.join(where)}{line}" for line, where in same.items())
    if unread:
        yield f"{unread} attributes that nothing here reads"
    yield from template_differences(before, after, {path.name for path in (codegen / "templates").glob("*.jinja")})


def template_differences(before: Context, after: Context, ours: set[str]) -> Iterator[str]:
    """What templates are given, and how much of the generator's own is another; *ours* take the place of some."""
    for name in sorted(before.given ^ after.given):
        yield f"templates are {'given' if name in after.given else 'no longer given'} {name}"
    for name in sorted(before.templates.keys() | after.templates.keys()):
        old_text, new_text = before.templates.get(name, ""), after.templates.get(name, "")
        if old_text != new_text:
            lines = [*difflib.ndiff(old_text.splitlines(), new_text.splitlines())]
            more, less = (sum(line.startswith(sign) for line in lines) for sign in ("+ ", "- "))
            mark = "; ours takes its place" if name in ours else ""
            yield f"template {name}: {more} lines more, {less} less{mark}"
