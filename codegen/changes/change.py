"""One change between two contracts, and how a list of them reads as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Section = Literal["Added", "Changed", "Deprecated", "Removed"]

# In the order of a changelog entry.
SECTIONS: tuple[Section, ...] = ("Added", "Changed", "Deprecated", "Removed")


@dataclass(frozen=True, order=True)
class Change:
    """What changed for a caller: the section of the changelog, one sentence, and whether it breaks what worked."""

    section: Section
    text: str
    breaking: bool = False

    def __str__(self) -> str:
        return f"- **Breaking:** {self.text}" if self.breaking else f"- {self.text}"


def entry(changes: Iterable[Change]) -> Iterator[str]:
    """The lines of a changelog entry, what breaks first in each section."""
    changes = set(changes)
    for section in SECTIONS:
        lines = sorted((change for change in changes if change.section == section), key=lambda each: not each.breaking)
        if lines:
            yield f"### {section}"
            yield from (str(change) for change in sorted(lines, key=lambda each: (not each.breaking, each.text)))
            yield ""
