"""Write the docstring of an object as Markdown: text, arguments, what it returns and raises, an example."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any, Final

import griffe

from docs.reference.markdown import bullets, code, document, fence, one_line, prose

# Such as `operation: what it is`, one a line, in a section of ours.
ENTRY: Final = re.compile(r"^(\S[^:\n]*):\s", re.MULTILINE)
PARAGRAPHS: Final = re.compile(r"\n\s*\n")

# Makes a link of the name of a class, where there is a page of it; else code.
Linker = Callable[[str], str]


def sections_of(found: griffe.Object | griffe.Alias) -> list[griffe.DocstringSection]:
    """Return the sections of the docstring of an object."""
    if found.docstring is None:
        return []
    return found.docstring.parse(
        "google",
        returns_named_value=False,
        returns_multiple_items=False,
        warnings=False,
    )


def summary_of(found: griffe.Object | griffe.Alias) -> str:
    """Return the first paragraph of a docstring as one line."""
    text = found.docstring.value if found.docstring is not None else ""
    return one_line(PARAGRAPHS.split(text)[0])


def markdown_of(found: griffe.Object, linked: Linker = code, *, skip: frozenset[str] = frozenset()) -> str:
    """Return a docstring as Markdown.

    Args:
        found: What has the docstring.
        linked: Makes a link of the name of a class.
        skip: Kinds of sections to leave out, such as `attributes`.
    """
    raw = found.docstring.value if found.docstring is not None else ""
    return document(
        *(_section(each, linked, raw) for each in sections_of(found) if each.kind.value not in skip)
    ).strip()


def attributes_of(found: griffe.Class) -> dict[str, str]:
    """Return the descriptions in the section `Attributes`, by name."""
    return {
        each.name: one_line(each.description)
        for section in sections_of(found)
        if section.kind is griffe.DocstringSectionKind.attributes
        for each in section.value
    }


def _section(section: griffe.DocstringSection, linked: Linker, raw: str) -> str:
    match section.kind.value:
        case "text":
            return text_of(section.value)
        case "parameters" | "other parameters":
            return document("**Arguments**", bullets(map(_parameter, section.value)))
        case "attributes":
            return document("**Attributes**", bullets(map(_parameter, section.value)))
        case "returns" | "yields":
            returned = " ".join(_returned(each, raw) for each in section.value)
            return document(f"**{section.kind.value.capitalize()}**", returned)
        case "raises":
            return document(
                "**Raises**", bullets(f"{linked(str(e.annotation))}: {one_line(e.description)}" for e in section.value)
            )
        case "examples":
            return document("**Example**", fence("\n".join(text for _, text in section.value)))
        case _:
            return _own_section(section)


def _own_section(section: griffe.DocstringSection) -> str:
    """Return a section that Google's style does not have: an example of code, or a list of ours."""
    value: Any = section.value
    text = str(getattr(value, "description", value))
    if section.title in ("Example", "Examples"):
        return document("**Example**", fence(text, "pycon" if text.startswith(">>>") else "python"))
    return document(f"**{section.title}**", bullets(entries_of(text)))


def entries_of(text: str) -> Iterator[str]:
    """Yield the entries of a section of ours, such as the gaps of a method, each on one line."""
    starts = [found.start() for found in ENTRY.finditer(text)] or [0]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        name, colon, rest = text[start:end].partition(":")
        yield f"{code(name)}: {one_line(rest)}" if colon else one_line(name)


def text_of(text: str) -> str:
    """Return text of a docstring, in which indented lines are code or a table."""
    blocks: list[str] = []
    for paragraph in PARAGRAPHS.split(textwrap.dedent(text).strip("\n")):
        first, *others = paragraph.splitlines() or [""]
        is_below = all(line.startswith("    ") for line in others)
        if first.startswith("    ") and is_below:
            blocks.append(fence(textwrap.dedent(paragraph), "text" if _is_table(paragraph) else "python"))
        elif first.endswith(":") and others and is_below:
            blocks.append(document(f"**{first[:-1]}**", bullets(entries_of(textwrap.dedent("\n".join(others))))))
        else:
            blocks.append(prose(paragraph))
    return document(*blocks)


def _is_table(paragraph: str) -> bool:
    try:
        compile(textwrap.dedent(paragraph), "docstring", "exec", 0x2000)
    except SyntaxError:
        return True
    return False


def _returned(each: griffe.DocstringReturn | griffe.DocstringYield, raw: str) -> str:
    # In "The outcome: its `session`" griffe takes the beginning as a type.
    begin = f"{each.annotation}: "
    is_text = begin + each.description.partition("\n")[0] in raw
    return one_line(f"{begin if is_text else ''}{each.description}")


def _parameter(each: griffe.DocstringParameter | griffe.DocstringAttribute) -> str:
    kind = f" ({code(str(each.annotation))})" if each.annotation is not None else ""
    default = getattr(each, "default", None)
    given = f", default {code(str(default))}" if default is not None and kind else ""
    return f"{code(each.name)}{kind[:-1]}{given}{')' if kind else ''}: {one_line(each.description)}"
