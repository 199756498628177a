"""One change between two contracts, and how a list of changes is written as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import attrs

Section = Literal["Added", "Changed", "Deprecated", "Removed"]

# In the order of a changelog entry.
SECTIONS: tuple[Section, ...] = ("Added", "Changed", "Deprecated", "Removed")


@attrs.frozen(order=True)
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

    def about(self, subject: str) -> Change:
        """Return the change as a sentence that begins with its subject."""
        return attrs.evolve(self, text=f"{subject}: {self.text}.")


def in_order(changes: Iterable[Change]) -> list[Change]:
    """Sort the changes of one section, the breaking ones first."""
    return sorted(set(changes), key=lambda each: (not each.breaking, each.text))


def entry(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the lines of a changelog entry."""
    changes = set(changes)
    for section in SECTIONS:
        if lines := in_order(change for change in changes if change.section == section):
            yield f"### {section}"
            yield from map(str, lines)
            yield ""
