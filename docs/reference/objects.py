"""Write the pages of the public objects: signature, arguments, methods, attributes, and where each is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unittest.mock import Mock

import griffe
from agent_session_platform_sandbox import pytest_plugin

from docs.reference.docstrings import attributes_of, markdown_of, summary_of
from docs.reference.markdown import anchor, bullets, code, document, fence, link, one_line, table
from docs.reference.signatures import class_signature, signature_of
from docs.reference.source import source_line
from docs.reference.themes import ERRORS, OPERATIONS, PYTEST, THEMES, Entry, Theme, entries, linker, members_of

# A longer value, such as that of a table, tells little.
LONGEST_VALUE: Final = 240
FIXTURE: Final = "fixture"
INNER: Final = "Types that these take and give; they are not imported by name."


def pages() -> dict[str, str]:
    """Return the pages of all themes but that of the errors, which has a form of its own."""
    return {theme.path: page_of(theme) for theme in THEMES if theme.path != ERRORS}


def page_of(theme: Theme) -> str:
    """Return the page of a theme."""
    found = entries()[theme.path]
    public = [each for each in found if each.imported is not None and _is_shown(each)]
    inner = [each for each in found if each.imported is None]
    return document(
        f"# {theme.title}",
        theme.about,
        contents(public),
        pytest_options() if theme.path == PYTEST else "",
        *(object_text(each, theme.path) for each in public),
        document("## Further types", INNER) if inner else "",
        *(object_text(each, theme.path, level=3) for each in inner),
    )


def contents(found: list[Entry]) -> str:
    """Return the table of what a page has."""
    rows = ((f"[{each.heading}](#{anchor(each.heading)})", summary_of(each.found)) for each in found)
    return table(("Name", "What it is"), rows)


def pytest_options() -> str:
    """Return the table of the options that the plugin adds to pytest."""
    # The plugin adds them to the group that the parser gives it.
    group = Mock()
    pytest_plugin.pytest_addoption(Mock(**{"getgroup.return_value": group}))
    rows = (
        (code(f"{call.args[0]} {call.kwargs.get('metavar', '')}".strip()), one_line(call.kwargs["help"]))
        for call in group.addoption.call_args_list
    )
    return document("The options that it adds to pytest:", table(("Option", "Meaning"), rows))


def object_text(entry: Entry, page: str, *, level: int = 2) -> str:
    """Return the text about an object: a class with its members, a function, a fixture or a value."""
    found = entry.found
    head = f"{'#' * level} {entry.heading}"
    if isinstance(found, griffe.Class):
        return document(head, class_text(found, entry, page, level))
    if isinstance(found, griffe.Function):
        shown = "" if is_fixture(found) else fence(signature_of(found, entry.name))
        kind = f"A fixture; a test gets {code(str(yielded(found)))}." if is_fixture(found) else ""
        return document(head, kind, shown, _import(entry), markdown_of(found, linker(page)), source_line(found, page))
    value = f" = {found.value}" if found.value is not None and len(str(found.value)) <= LONGEST_VALUE else ""
    kind = f": {found.annotation}" if found.annotation is not None else ""
    return document(
        head, fence(f"{entry.name}{kind}{value}"), _import(entry), markdown_of(found), source_line(found, page)
    )


def class_text(found: griffe.Class, entry: Entry, page: str, level: int) -> str:
    """Return the text about a class."""
    bases = [
        linker(page)(str(base)) for base in found.bases if str(base).partition("[")[0] not in ("Protocol", "Generic")
    ]
    methods = [*methods_of(found)]
    return document(
        fence(class_signature(found, entry.name)),
        _import(entry),
        f"Bases: {', '.join(bases)}" if bases else "",
        markdown_of(found, linker(page), skip=frozenset({"attributes"})),
        constructor_text(found, page),
        attributes_text(found, page),
        source_line(found, page),
        *(method_text(each, f"{entry.name}.{each.name}", page, level + 1) for each in methods),
    )


def constructor_text(found: griffe.Class, page: str) -> str:
    """Return what the docstring of a constructor says of its arguments."""
    constructor = members_of(found).get("__init__")
    return markdown_of(constructor, linker(page), skip=frozenset({"text"})) if constructor is not None else ""


def attributes_text(found: griffe.Class, page: str) -> str:
    """Return the list of the attributes and properties of a class, with types."""
    described = attributes_of(found)
    members = members_of(found)
    lines: list[str] = []
    for name in [*described, *(each for each in members if each not in described)]:
        member = members.get(name)
        text = described.get(name, "")
        if isinstance(member, griffe.Attribute) and not name.startswith("_"):
            text = text or summary_of(member)
            annotation = member.annotation or _made_of(member)
            kind = f" ({code(str(annotation))})" if annotation else ""
            lines += [f"{_resource(member, page) or code(name)}{kind}: {text}"] if text else []
        elif text and member is None:
            lines.append(f"{code(name)}: {text}")
    return document("**Attributes**", bullets(lines)) if lines else ""


def _resource(member: griffe.Attribute, page: str) -> str | None:
    """Return the link of a resource of a scope to the page of its operations."""
    if (
        not (isinstance(member.parent, griffe.Class) and member.parent.name.endswith("Scope"))
        or member.name == "org_id"
    ):
        return None
    scope = member.parent.name.removesuffix("Scope").lower()
    return link(code(member.name), f"{OPERATIONS.rpartition('/')[0]}/{scope}.{member.name}.md", page)


def _made_of(member: griffe.Attribute) -> str:
    """Return the type of an attribute that a constructor sets: `self.kind = kind`, `self.clock = Clock(now)`."""
    made = member.value
    constructor = member.parent.members.get("__init__") if member.parent is not None else None
    if isinstance(made, griffe.ExprName) and isinstance(constructor, griffe.Function):
        argument = next((each for each in constructor.parameters if each.name == made.name), None)
        return str(argument.annotation or "") if argument is not None else ""
    name = str(made.function) if isinstance(made, griffe.ExprCall) else ""
    return name if name[:1].isupper() else ""


def methods_of(found: griffe.Class) -> Iterator[griffe.Function]:
    """Yield the public methods of a class that have a docstring."""
    for name, member in members_of(found).items():
        if isinstance(member, griffe.Function) and not name.startswith("_") and member.docstring is not None:
            yield member


def method_text(found: griffe.Function, name: str, page: str, level: int) -> str:
    """Return the text about a method."""
    return document(f"{'#' * level} {name}", fence(signature_of(found, name)), markdown_of(found, linker(page)))


def is_fixture(found: griffe.Function) -> bool:
    """Return whether a function is a fixture of pytest."""
    return any(str(each.value).endswith(FIXTURE) for each in found.decorators)


def yielded(found: griffe.Function) -> str | griffe.Expr:
    """Return the type of what a fixture gives to a test."""
    returns = found.returns
    if isinstance(returns, griffe.ExprSubscript) and str(returns.left).endswith("Generator"):
        return returns.slice
    return returns or ""


def _is_shown(entry: Entry) -> bool:
    # Of the plugin pytest calls some functions by their names: they are not for users.
    is_hook = isinstance(entry.found, griffe.Function) and not is_fixture(entry.found)
    return not (is_hook and str(entry.imported).rpartition(".")[0].endswith("pytest_plugin"))


def _import(entry: Entry) -> str:
    if entry.imported is None or (isinstance(entry.found, griffe.Function) and is_fixture(entry.found)):
        return ""
    module, _, name = entry.imported.rpartition(".")
    return f"{code(f'from {module} import {name}')}"
