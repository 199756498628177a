"""Write changes as entries of CHANGELOG.md: read its unreleased part, add to it, and date it at a release."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

import attrs

Section = Literal["Added", "Changed", "Deprecated", "Removed", "Gaps", "Python"]

# In the order of an entry. The last two, open gaps and what griffe finds, are only reported.
SECTIONS: tuple[Section, ...] = ("Added", "Changed", "Deprecated", "Removed", "Gaps", "Python")
REPORTED = ("Gaps", "Python")
UNRELEASED = "## Unreleased"
# From the heading to the next one of the same level, or to the end.
PART = re.compile(rf"^{UNRELEASED}\n(?P<body>.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^### (?P<name>[^\n]+)\n(?P<body>.*?)(?=^### |\Z)", re.DOTALL | re.MULTILINE)


class ChangelogError(Exception):
    """The changelog lacks a heading or an entry; the message names it."""


@attrs.frozen
class Change:
    """A change for callers.

    Attributes:
        section: The section of the changelog.
        text: One sentence.
        breaking: The change makes working code fail.
    """

    section: Section
    text: str
    breaking: bool = False

    def __str__(self) -> str:
        return f"- **Breaking:** {self.text}" if self.breaking else f"- {self.text}"


def in_order(changes: Iterable[Change]) -> list[Change]:
    """Sort changes by section, the breaking ones of each first."""
    return sorted(set(changes), key=lambda each: (SECTIONS.index(each.section), not each.breaking, each.text))


def entry(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the lines of a changelog entry."""
    for section, members in groupby(in_order(changes), lambda each: each.section):
        yield from ("", f"### {section}", *map(str, members))


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
        if change.section not in REPORTED and str(change) not in lines.splitlines():
            sections[change.section] = f"{lines}\n{change}".strip()
    order = dict.fromkeys([*SECTIONS, *sections])
    parts = [UNRELEASED, intro, *(f"### {name}\n{sections[name]}" for name in order if name in sections)]
    before, after = PART.split(text)[::2]
    return before + "\n\n".join(filter(None, parts)) + (f"\n\n{after}" if after else "\n")
