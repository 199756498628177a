"""Edit CHANGELOG.md: read its unreleased part, add entries to it, and date it at a release."""

from __future__ import annotations

import re
from collections.abc import Iterable

from codegen.changes.change import SECTIONS, Change, in_order

UNRELEASED = "## Unreleased"
# From the heading to the next one of the same level, or to the end.
PART = re.compile(rf"^{UNRELEASED}\n(?P<body>.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^### (?P<name>[^\n]+)\n(?P<body>.*?)(?=^### |\Z)", re.DOTALL | re.MULTILINE)


class ChangelogError(Exception):
    """The changelog lacks a heading or an entry; the message names it."""


def unreleased(text: str) -> str:
    """Return the text below Unreleased; raise ChangelogError if there is no such heading."""
    part = PART.search(text)
    if part is None:
        raise ChangelogError(f"CHANGELOG.md has no line `{UNRELEASED}`")
    return part["body"].strip()


def dated(text: str, version: str, date: str) -> str:
    """Return the changelog with the unreleased part under *version*.

    Raises:
        ChangelogError: Nothing is unreleased.
    """
    if not re.search(r"^- ", unreleased(text), re.MULTILINE):
        raise ChangelogError(f"CHANGELOG.md has no entry below `{UNRELEASED}`; add what a user can or must do now")
    return text.replace(f"{UNRELEASED}\n", f"{UNRELEASED}\n\n## {version} - {date}\n", 1)


def added(text: str, changes: Iterable[Change]) -> str:
    """Return the changelog with *changes* below Unreleased, each once and in its section."""
    body = unreleased(text)
    sections = {match["name"].strip(): match["body"].strip() for match in SECTION.finditer(body)}
    intro = body[: body.index("### ")].strip() if sections else body
    for change in in_order(changes):
        lines = sections.get(change.section, "")
        if str(change) not in lines.splitlines():
            sections[change.section] = f"{lines}\n{change}".strip()
    order = [*SECTIONS, *(name for name in sections if name not in SECTIONS)]
    parts = [intro] if intro else []
    parts += [f"### {name}\n{sections[name]}" for name in order if name in sections]
    part = PART.search(text)
    assert part is not None
    after = text[part.end() :]
    written = "\n\n".join([UNRELEASED, *parts])
    return f"{text[: part.start()]}{written}\n" + (f"\n{after}" if after else "")
