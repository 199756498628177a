"""Write plain Markdown: what a generator of sites, a machine and a person read in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from posixpath import dirname, relpath
from typing import Final

# Python-Markdown keeps these in the anchor of a heading; every run of anything else between words becomes a hyphen.
NOT_IN_ANCHORS: Final = re.compile(r"[^\w\s-]")
SPANS: Final = re.compile(r"(`+[^`]+`+)")
FENCE: Final = re.compile(r"^`{3,}", re.MULTILINE)
TAG: Final = re.compile(r"<(?=[a-zA-Z/!?])")
# A site would make a link of it; addresses in docstrings are examples.
ADDRESS: Final = re.compile(r"(?<![(<\w])https?://[^\s)]*[^\s).,;:]")
UNION: Final = " | "


def anchor(heading: str) -> str:
    """Return the anchor that a site has for a heading.

    Example:
        >>> anchor("organization.sessions.list_messages")
        'organizationsessionslist_messages'
    """
    return re.sub(r"[-\s]+", "-", NOT_IN_ANCHORS.sub("", heading).strip().lower())


def link(text: str, target: str, page: str) -> str:
    """Return a link from a page to a place of the site.

    Args:
        text: What is shown; Markdown.
        target: Path of a page, with or without an anchor.
        page: Path of the page that has the link.
    """
    path, hash_sign, fragment = target.partition("#")
    shown = "" if path == page else relpath(path, dirname(page) or ".")
    return f"[{text}]({shown}{hash_sign}{fragment})"


def code(text: str) -> str:
    """Return text as inline code."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def fence(text: str, language: str = "python") -> str:
    """Return a block of code."""
    marks = max((len(found) for found in FENCE.findall(text)), default=2) + 1
    return f"{'`' * marks}{language}\n{text.rstrip()}\n{'`' * marks}"


def prose(text: str) -> str:
    """Return text of a docstring or of the contract, in which angle brackets and addresses are no markup."""
    parts = SPANS.split(text)
    return "".join(part if at % 2 else ADDRESS.sub(r"`\g<0>`", TAG.sub("&lt;", part)) for at, part in enumerate(parts))


def one_line(text: str) -> str:
    """Return text as one line of a table or a list."""
    return prose(" ".join(text.split()))


def type_text(annotation: str) -> str:
    """Return the type of a value; code in a table must have no bar, so that a union is written with `or`."""
    return " or ".join(part if "|" in part else code(part) for part in _split_union(annotation))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; empty text without rows."""
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines]) if lines else ""


def bullets(entries: Iterable[str]) -> str:
    """Return a list; further lines of an entry belong to it."""
    return "\n".join("- " + entry.replace("\n", "\n    ") for entry in entries)


def document(*blocks: str) -> str:
    """Return a page of blocks, without the empty ones."""
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip()) + "\n"


def _cell(text: str) -> str:
    """Return text as a cell, in which a bar would begin the next one."""
    parts = SPANS.split(" ".join(text.split()))
    return "".join(part if at % 2 else part.replace("|", "\\|") for at, part in enumerate(parts))


def _split_union(annotation: str) -> list[str]:
    """Split a union where it is not inside brackets."""
    parts, depth = [""], 0
    for piece in re.split(r"(\[|\]|\(|\)| \| )", annotation):
        depth += (piece in ("[", "(")) - (piece in ("]", ")"))
        if piece == UNION and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return parts
