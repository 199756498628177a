"""CHANGELOG.md: what is not released yet, adding to it, and dating it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from codegen.changes.change import SECTIONS, Change

UNRELEASED = "## Unreleased"
# The part from its heading to the next one of the same rank, or to the end.
PART = re.compile(rf"^{UNRELEASED}\n(?P<body>.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^### (?P<name>[^\n]+)\n(?P<body>.*?)(?=^### |\Z)", re.DOTALL | re.MULTILINE)


class ChangelogError(Exception):
    """The changelog is not as it has to be; the message says what it lacks."""


def unreleased(text: str) -> str:
    """What stands below Unreleased. Raises ChangelogError when there is no such heading."""
    part = PART.search(text)
    if part is None:
        raise ChangelogError(f"CHANGELOG.md has no line `{UNRELEASED}`")
    return part["body"].strip()


def dated(text: str, version: str, date: str) -> str:
    """The changelog with what is not released under *version*, and nothing unreleased any more.

    Raises ChangelogError when there is nothing to release.
    """
    if not re.search(r"^- ", unreleased(text), re.MULTILINE):
        raise ChangelogError(f"CHANGELOG.md has no entry below `{UNRELEASED}`; write what a user can or must do now")
    return text.replace(f"{UNRELEASED}\n", f"{UNRELEASED}\n\n## {version} - {date}\n", 1)


def added(text: str, changes: Iterable[Change]) -> str:
    """The changelog with *changes* below Unreleased, each in its section; those that stand there already once."""
    body = unreleased(text)
    sections = {match["name"].strip(): match["body"].strip() for match in SECTION.finditer(body)}
    intro = body[: body.index("### ")].strip() if sections else body
    for change in sorted(set(changes), key=lambda each: (not each.breaking, each.text)):
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
