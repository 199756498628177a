"""Say on one screen what became of a foreign document."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.adopt.adoption import Adoption
from codegen.contract.source import Finding
from codegen.render.runtime.contract import Contract as Reader

# A section of the screen has so many lines; the file of the report has all of them.
MOST_LINES = 6


class Report:
    """What became of a foreign document.

    Args:
        adoption: The contract of the deployment.
    """

    def __init__(self, adoption: Adoption) -> None:
        self._adoption = adoption
        self._sections = {
            "Contradictions, in which the document is used": list(map(str, adoption.contradictions)),
            "Left out": list(self._left_out()),
            "Removed, because the contract only infers them and the document lacks them": list(self._removed()),
            "Operations of the contract that the document lacks, and that remain": list(self._lacking()),
            "Notes": list(self._notes()),
        }

    def lines(self, *, most: int | None = None) -> Iterator[str]:
        """Yield the lines of the report.

        Args:
            most: How many lines a section has at most; None for all of them.
        """
        yield from self._summary()
        for title, lines in self._sections.items():
            if not lines:
                continue
            yield ""
            yield f"{title} ({len(lines)}):"
            for line in lines[:most]:
                yield f"  {line}"
            if most is not None and len(lines) > most:
                yield f"  ... and {len(lines) - most} more"

    @property
    def is_cut(self) -> bool:
        """Whether the screen lacks some lines."""
        return any(len(lines) > MOST_LINES for lines in self._sections.values())

    def _summary(self) -> Iterator[str]:
        adoption = self._adoption
        foreign = adoption.foreign
        closed = sum(gap.closed is not None for gap in Reader(adoption.document).gaps)
        total = len(adoption.contract.gaps)
        yield f"{foreign.name}: OpenAPI {foreign.version}, {len(adoption.routes)} operations"
        known = sum(route.facts is not None for route in adoption.placed.values())
        yield f"  {known} are in the contract; {closed} of its {total} gaps are closed"
        yield f"  {len(adoption.placed) - known} are new"

    def _removed(self) -> Iterator[str]:
        # Those that may only be called otherwise come first.
        removed = sorted(self._adoption.removed.items(), key=lambda pair: pair[1] is None)
        for facts, alike in removed:
            text = f"{facts.name}, {facts.method} {facts.path}"
            if alike is not None:
                text += f"; the document has {alike.method.upper()} {alike.written}"
            yield text

    def _left_out(self) -> Iterator[str]:
        foreign = self._adoption.foreign
        for route, reason in self._adoption.left_out.items():
            yield foreign.describe(Finding(route.place, reason))

    def _lacking(self) -> Iterator[str]:
        for facts in self._adoption.lacking:
            yield f"{facts.name}, {facts.method} {facts.path}"

    def _notes(self) -> Iterator[str]:
        """Yield the notes; those of one text are one line, with the first place."""
        foreign = self._adoption.foreign
        by_text: dict[str, list[Finding]] = {}
        for note in foreign.notes:
            by_text.setdefault(note.text, []).append(note)
        for notes in by_text.values():
            text = foreign.describe(notes[0])
            if len(notes) > 1:
                text += f" ({len(notes)} times)"
            yield text
