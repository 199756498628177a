"""Compare two versions of the generator by what this room uses of it: classes, template arguments and templates.

None of these is a public interface of the generator, so they are read from its files.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import griffe

PACKAGE = "openapi_python_client"
ATTRIBUTE = re.compile(r"\.([a-z_][a-z0-9_]*)")
IMPORT = re.compile(rf"^from {PACKAGE}\.?(\S*) import (.+)$", re.MULTILINE)


@attrs.frozen
class Context:
    """One version of the generator.

    Attributes:
        attributes: The types of attributes, by class.
        given: The names that templates are given.
        templates: The texts of the templates.
    """

    attributes: dict[str, dict[str, str]]
    given: set[str]
    templates: dict[str, str]


def read(package: Path) -> Context:
    """Read the generator that is installed at *package* without importing it."""
    module = griffe.load(PACKAGE, search_paths=[package.parent], allow_inspection=False, submodules=True)
    attributes = {
        each.path.removeprefix(f"{PACKAGE}."): {
            name: str(getattr(member, "annotation", None) or "method")
            for name, member in each.members.items()
            if not name.startswith("_") and not member.is_alias
        }
        for each in classes(module)
    }
    given = {
        keyword.arg
        for call in ast.walk(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("render", "update")
        for keyword in call.keywords
        if keyword.arg
    }
    templates = {path.name: path.read_text(encoding="utf-8") for path in (package / "templates").glob("*.jinja")}
    return Context(attributes, given, templates)


def classes(module: griffe.Object | griffe.Alias) -> Iterator[griffe.Class]:
    """Yield all classes of a package."""
    for member in module.members.values():
        if isinstance(member, griffe.Class):
            yield member
        elif isinstance(member, griffe.Module):
            yield from classes(member)


def changes(before: Context, after: Context, room: Path) -> Iterator[str]:
    """Yield what changed between two versions, one line each; *room* holds the modules and templates that use them."""
    sources = [path.read_text(encoding="utf-8") for path in (*room.glob("*.py"), *room.glob("templates/*.jinja"))]
    used = {name for text in sources for name in ATTRIBUTE.findall(text)}
    imported = {
        f"{module}.{name.strip()}".lstrip(".")
        for text in sources
        for module, names in IMPORT.findall(text)
        for name in names.partition(" as ")[0].split(",")
    }
    same: dict[str, list[str]] = {}
    unused = 0
    for name in sorted(before.attributes.keys() | after.attributes.keys()):
        if name in imported and not (name in before.attributes and name in after.attributes):
            yield f"{name}, which is imported here, is {'new' if name in after.attributes else 'gone'}"
        old, new = before.attributes.get(name, {}), after.attributes.get(name, {})
        for attribute in sorted({each for each in old.keys() | new.keys() if old.get(each) != new.get(each)}):
            # Of the parsed document only the schemas reach the templates.
            if attribute in used and (not name.startswith("schema.") or name.endswith(".Schema")):
                was, now = old.get(attribute, "not there"), new.get(attribute, "gone")
                line = f".{attribute}, which is used here: {now}, was {was}"
                same.setdefault(line, []).append(name.rpartition(".")[2])
            else:
                unused += 1
    yield from (f"{', '.join(where)}{line}" for line, where in same.items())
    if unused:
        yield f"{unused} attributes that nothing here uses"
    yield from template_changes(before, after, {path.name for path in room.glob("templates/*.jinja")})


def template_changes(before: Context, after: Context, ours: set[str]) -> Iterator[str]:
    """Yield what templates are given, and how many lines changed in each; *ours* replace the generator's own."""
    for name in sorted(before.given ^ after.given):
        yield f"templates are {'given' if name in after.given else 'no longer given'} {name}"
    for name in sorted(before.templates.keys() | after.templates.keys()):
        old, new = before.templates.get(name, ""), after.templates.get(name, "")
        if old != new:
            lines = [*difflib.ndiff(old.splitlines(), new.splitlines())]
            more, less = (sum(line.startswith(sign) for line in lines) for sign in ("+ ", "- "))
            yield f"template {name}: +{more} -{less} lines{'; ours replaces it' if name in ours else ''}"
