"""Write the page of the errors: the tree, when each is raised, and the way out."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Final

import griffe
from agent_session_platform import AgentPlatformError
from agent_session_platform.response.problem import STATUS_ERRORS

from docs.reference.docstrings import PARAGRAPHS, markdown_of, summary_of
from docs.reference.markdown import anchor, code, document, fence, link, one_line, table
from docs.reference.objects import attributes_text, method_text, methods_of
from docs.reference.source import Named, public_names, source_line
from docs.reference.themes import ERRORS, linker, places

PAGE: Final = ERRORS
ROOT_ERROR: Final = AgentPlatformError
# Between the branches of the tree, as in the docstring of the module.
BRANCH: Final = ("├── ", "└── ")
TRUNK: Final = ("│   ", "    ")
# The class of a status that has none of its own.
SERVER: Final = ("ServerError", "500 and above")


def pages() -> dict[str, str]:
    """Return the page of the errors."""
    found = errors()
    own = [name for name in found if places().get(found[name].path, PAGE).startswith(PAGE)]
    rows = (
        (_name(name, found[name]), status_of(name), summary_of(found[name]), way_out(found[name])) for name in found
    )
    return {
        PAGE: document(
            "# Errors",
            f"Every error of the SDK is an {code('AgentPlatformError')}. A response with a status of 400 or more "
            "raises the class of its status, whatever its body claims. No message has a credential or a whole body; "
            "every error can be pickled. [Exit codes](command-line.md#exit-codes) has what each means to a script.",
            "## The tree",
            fence("\n".join(tree()), "text"),
            "## Causes and ways out",
            table(("Error", "Status", "When it is raised", "What to do"), rows),
            *(error_text(name, found[name]) for name in own),
        )
    }


def errors() -> dict[str, griffe.Class]:
    """Return the public errors in the order of their tree, by name."""
    public = {each.name: each for each in public_names().values() if isinstance(each, griffe.Class)}
    return {name: public[name] for name in _walk(ROOT_ERROR) if name in public}


def error_classes() -> dict[str, type[AgentPlatformError]]:
    """Return the public classes of the tree by name."""
    found: dict[str, type[AgentPlatformError]] = {}
    for imported in public_names():
        module, _, name = imported.rpartition(".")
        value = getattr(import_module(module), name)
        if inspect.isclass(value) and issubclass(value, AgentPlatformError):
            found[name] = value
    return found


def children(parent: type[AgentPlatformError]) -> list[type[AgentPlatformError]]:
    """Return the public classes right below a class: each is below its first base in the tree."""
    return [each for each in error_classes().values() if _parent(each) is parent]


def tree(parent: type[AgentPlatformError] = ROOT_ERROR, indent: str = "") -> Iterator[str]:
    """Yield the lines of the tree."""
    if parent is ROOT_ERROR:
        yield parent.__name__
    below = children(parent)
    for each in below:
        is_last = each is below[-1]
        status = status_of(each.__name__)
        yield f"{indent}{BRANCH[is_last]}{each.__name__}{f'  {status}' if status else ''}"
        yield from tree(each, indent + TRUNK[is_last])


def status_of(name: str) -> str:
    """Return the HTTP status that raises an error; empty for others."""
    found = next((str(status) for status, cls in STATUS_ERRORS.items() if cls.__name__ == name), "")
    return SERVER[1] if name == SERVER[0] else found


def way_out(found: Named) -> str:
    """Return what to do about an error: the second paragraph of its docstring."""
    paragraphs = PARAGRAPHS.split(found.docstring.value if found.docstring is not None else "")
    has_one = len(paragraphs) > 1 and not paragraphs[1].startswith("Attributes:")
    return one_line(paragraphs[1]) if has_one else ""


def error_text(name: str, found: griffe.Class) -> str:
    """Return the text about an error."""
    bases = ", ".join(linker(PAGE)(str(base)) for base in found.bases)
    return document(
        f"## {name}",
        f"Bases: {bases}",
        markdown_of(found, linker(PAGE), skip=frozenset({"attributes"})),
        attributes_text(found, PAGE),
        source_line(found, PAGE),
        *(method_text(each, f"{name}.{each.name}", PAGE, 3) for each in methods_of(found)),
    )


def _walk(parent: type[AgentPlatformError]) -> Iterator[str]:
    yield parent.__name__
    for each in children(parent):
        yield from _walk(each)


def _parent(cls: type[AgentPlatformError]) -> type[AgentPlatformError] | None:
    public = error_classes()
    return next((base for base in cls.__bases__ if public.get(base.__name__) is base), None)


def _name(name: str, found: griffe.Class) -> str:
    return link(name, places().get(found.path, f"{PAGE}#{anchor(name)}"), PAGE)
