"""Read the packages with griffe, without importing them, and write signatures and docstrings as Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, cast

import griffe

from codegen.distributions import GENERATED, PACKAGES as DISTRIBUTIONS
from docs.check import ROOT
from docs.reference.markdown import bullets, code, document, fence, link, one_line, prose

FOLDERS: Final = [ROOT / folder / name for packages in DISTRIBUTIONS.values() for name, folder in packages.items()]
# An entry of a section that Google's style does not have, such as `operation: what it is`, on a line of its own.
ENTRY: Final = re.compile(r"^(?=\S[^:\n]*:\s)", re.MULTILINE)
TITLES: Final = {"parameters": "Arguments", "other parameters": "Arguments", "examples": "Example"}
WIDTH: Final = 88
# A comma before a parameter, `*` or `/` of a signature. A comma within a type does not match.
PARAMETER: Final = re.compile(r", (?=\*{0,2}\w+: |\*, |/)")
# The signature of a model is only its name: its fields are in a table.
MODELS: Final = f"{GENERATED}.models."

Named = griffe.Class | griffe.Function | griffe.Attribute
Places = Mapping[str, str]
"""The page and the anchor of each documented class, by its name."""


class Annotation(str):
    """The text of an annotation, whose repr has no quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@cache
def packages() -> griffe.ModulesCollection:
    """Return the packages of all distributions."""
    loader = griffe.GriffeLoader(search_paths=[each.parent for each in FOLDERS], allow_inspection=False)
    for each in FOLDERS:
        loader.load(each.name)
    loader.resolve_aliases()
    return loader.modules_collection


def found_at(path: str) -> Named | None:
    """Return the object at a full path; None if the path is in another package."""
    try:
        found = packages()[path]
        found = found.final_target if isinstance(found, griffe.Alias) else found
    except (KeyError, griffe.AliasResolutionError):
        return None
    return found if isinstance(found, Named) else None


def members_of(found: griffe.Class) -> Iterator[griffe.Function | griffe.Attribute]:
    """Yield the public members of a class that have a docstring, also members inherited from private bases."""
    for name, member in found.all_members.items():
        target = member.final_target if isinstance(member, griffe.Alias) else member
        is_inherited = target.parent is not found and target.parent is not None and target.parent.is_public
        if not isinstance(target, griffe.Function | griffe.Attribute) or is_inherited or name.startswith("_"):
            continue
        if target.docstring is not None:
            yield target


def signature_of(found: Named, name: str) -> str:
    """Return the signature of an object, on several lines if it is long."""
    if isinstance(found, griffe.Attribute):
        kind = f": {found.annotation}" if found.annotation is not None else ""
        return f"{name}{kind} = {found.value}" if len(str(found.value or "")) < WIDTH else f"{name}{kind}"
    words, signature = "class", name
    constructor = found.all_members.get("__init__") if isinstance(found, griffe.Class) else None
    constructor = constructor.final_target if isinstance(constructor, griffe.Alias) else constructor
    if isinstance(found, griffe.Function):
        words, signature = "async def" if "async" in found.labels else "def", found.signature(name=name)
    elif isinstance(constructor, griffe.Function) and not found.path.startswith(MODELS):
        signature = constructor.signature(name=name, return_type=False)
    elif hasattr(cls := getattr(import_module(found.module.path), found.name, None), "__attrs_attrs__"):
        called = inspect.signature(cast("type[Any]", cls))
        parameters = [each.replace(annotation=Annotation(each.annotation)) for each in called.parameters.values()]
        signature += re.sub(r"<[^>]*>", "...", str(inspect.Signature(parameters)))
    # griffe leaves out `self`, but not the `/` after it.
    line = f"{words} {signature}".replace("(/, ", "(").replace("(/)", "()")
    return line if len(line) <= WIDTH else PARAMETER.sub(",\n    ", line.replace("(", "(\n    ", 1))


def summary_of(found: griffe.Object) -> str:
    """Return the first paragraph of a docstring as one line."""
    return one_line((found.docstring.value if found.docstring is not None else "").split("\n\n")[0])


def source_of(found: griffe.Object) -> str:
    """Return the file and the line where an object is defined."""
    return f"Source: {code(f'{found.filepath.relative_to(ROOT).as_posix()}:{found.lineno}')}"  # type: ignore[union-attr]


def linked(name: str, places: Places, page: str) -> str:
    """Return the name of a class as a link to its documentation, or as code if the class is not documented."""
    short = name.rpartition(".")[2]
    return link(code(name), places[short], page) if short in places else code(name)


def markdown_of(found: griffe.Object, places: Places, page: str) -> str:
    """Return a docstring as Markdown."""
    if found.docstring is None:
        return ""
    sections = found.docstring.parse("google", returns_named_value=False, returns_multiple_items=False, warnings=False)
    blocks: list[str] = []
    for section in sections:
        kind, value = section.kind.value, section.value
        title = f"**{section.title or TITLES.get(kind, kind.capitalize())}**"
        match kind:
            case "text":
                # Markdown also takes an indented paragraph for code, so that paragraph stays as it is.
                paragraphs = str(value).split("\n\n")
                blocks += [each if each.startswith("    ") else prose(each) for each in paragraphs]
            case "examples":
                blocks += [title, fence("\n".join(text for _, text in value))]
            case "returns" | "yields":
                # In "The outcome: its `session`" griffe takes "The outcome" for a type.
                begin = f"{value[0].annotation}: "
                is_text = begin + value[0].description.partition("\n")[0] in found.docstring.value
                blocks += [title, one_line(f"{begin if is_text else ''}{value[0].description}")]
            case "raises":
                entries = ((linked(str(each.annotation), places, page), each.description) for each in value)
                blocks += [title, bullets(f"{name}: {one_line(text)}" for name, text in entries)]
            case "parameters" | "other parameters" | "attributes":
                blocks += [title, bullets(f"{code(each.name)}: {one_line(each.description)}" for each in value)]
            case _:
                blocks += [title, _own_section(str(value.description))]
    return document(*blocks)


def _own_section(text: str) -> str:
    """Return a section that Google's style does not have: a list of names, or an example of code."""
    parts = [each.partition(":") for each in ENTRY.split(text) if each]
    if all(name and name.replace("-", "").replace("_", "").isalnum() for name, _, _ in parts):
        return bullets(f"{code(name)}: {one_line(rest)}" for name, _, rest in parts)
    return fence(text, "pycon" if text.startswith(">>>") else "python")
