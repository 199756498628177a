"""Write plain Markdown, which site generators, programs and people read in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from posixpath import dirname, relpath
from typing import Final

# Python-Markdown leaves these characters out of the anchor of a heading.
NOT_IN_ANCHORS: Final = re.compile(r"[^\w\s-]")
SPANS: Final = re.compile(r"(`+[^`]+`+)")
TAG: Final = re.compile(r"<(?=[a-zA-Z/!?])")
# A site would turn an address into a link, but addresses in docstrings are examples.
ADDRESS: Final = re.compile(r"(?<![(<\w])https?://[^\s)]*[^\s).,;:]")


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
        text: The text of the link, as Markdown.
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
    return f"```{language}\n{text.rstrip()}\n```"


def prose(text: str) -> str:
    """Return text of a docstring or the contract, with angle brackets and addresses escaped."""
    parts = SPANS.split(text)
    return "".join(part if at % 2 else ADDRESS.sub(r"`\g<0>`", TAG.sub("&lt;", part)) for at, part in enumerate(parts))


def one_line(text: str) -> str:
    """Return text as one line of a table or a list."""
    return prose(" ".join(text.split()))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; empty text without rows. A bar would end a cell, so it becomes "or"."""
    lines = [f"| {' | '.join(cell.replace('|', 'or') for cell in row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines]) if lines else ""


def bullets(entries: Iterable[str]) -> str:
    """Return a list with a bullet for each entry."""
    return "\n".join(f"- {entry}" for entry in entries)


def document(*blocks: str) -> str:
    """Return the blocks as one page, without the empty ones."""
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip()) + "\n"
