"""Make a report from observations, or a proposal of an OpenAPI Overlay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import Node

from .contract import Document, load_document
from .exchanges import exchanges_line, name_of
from .facts import Line, counted
from .findings import find
from .new_operation import new_operations
from .schemas import SchemaWriter
from .shape import Tally

AT_LEAST: Final = 20


@attrs.frozen
class Report:
    """The comparison of observations with the contract of this build.

    Attributes:
        contradictions: What the deployment does although the contract excludes it.
        gaps: The evidence for gaps.
        additions: Facts that the contract does not show and no gap asks for.
        unseen_operations: The names of the operations without a response.
        unseen_gaps: The ids of the gaps without any evidence.
        operations: How many operations the contract has.
    """

    contradictions: tuple[Line, ...]
    gaps: tuple[Line, ...]
    additions: tuple[Line, ...]
    unseen_operations: tuple[str, ...]
    unseen_gaps: tuple[str, ...]
    operations: int

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return {
            "contradictions": as_json(self.contradictions),
            "gaps": as_json(self.gaps),
            "additions": as_json(self.additions),
            "unseen_operations": [*self.unseen_operations],
            "unseen_gaps": [*self.unseen_gaps],
        }

    def __str__(self) -> str:
        lines = [*self._lines("  ", "")]
        lines.append(f"  {', '.join(self.unseen_operations)}")
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """Return the report as Markdown, for an issue or a chat."""
        return "\n".join(self._lines("- ", "### "))

    def _lines(self, entry: str, title: str) -> Iterator[str]:
        contradictions = counted(len(self.contradictions), "contradiction")
        gaps = counted(len(self.gaps), "gap")
        facts = counted(len(self.additions), "fact")
        sections = {
            contradictions: self.contradictions,
            f"{gaps} with evidence": self.gaps,
            f"{facts} that the contract does not have": self.additions,
        }
        for what, lines in sections.items():
            yield f"{title}{what}"
            for line in lines:
                yield f"{entry}{line.subject}: {line}"
            yield ""
        unseen = len(self.unseen_operations)
        gaps = counted(len(self.unseen_gaps), "gap")
        yield f"{title}Never seen: {unseen} of {self.operations} operations, {gaps}"


def as_json(lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Return lines as JSON, with their certainty in words."""
    return [attrs.asdict(line) | {"certainty": line.certainty} for line in lines]


def make_report(tallies: Mapping[str, Tally], document: Document | None = None) -> Report:
    """Compare observations with the contract.

    Args:
        tallies: The observations, as `read_observations` returns them.
        document: The contract; by default that of this build.

    Returns:
        The contradictions, the evidence for gaps, the additions, and what was never seen.
    """
    document = document or load_document()
    contradictions: list[Line] = []
    gaps: list[Line] = []
    additions: list[Line] = []
    for finding in find(tallies, SchemaWriter(document, AT_LEAST)):
        if finding.line.kind:
            contradictions.append(finding.line)
        elif finding.section == "gaps":
            gaps.append(finding.line)
        elif finding.section == "additions":
            additions.append(finding.line)
    for key in sorted(tallies.keys() - document.endpoints.keys()):
        statuses = ", ".join(sorted(tallies[key].below))
        text = f"a path that the contract does not have: {statuses}"
        additions.append(exchanges_line(key, text, tallies[key]))
    seen = {line.subject for line in gaps}
    unseen = [key for key in document.endpoints if key not in tallies]
    return Report(
        contradictions=tuple(contradictions),
        gaps=tuple(gaps),
        additions=tuple(additions),
        unseen_operations=tuple(map(name_of, unseen)),
        unseen_gaps=tuple(gap.id for gap in document.open_gaps if gap.id not in seen),
        operations=len(document.endpoints),
    )


def propose_overlay(tallies: Mapping[str, Tally], *, at_least: int = AT_LEAST, document: Document | None = None) -> str:
    """Return an Overlay document that adds to the contract what observations show.

    Each action is one fact, with its evidence. An action that contradicts the contract is marked. The same observations
    give the same document.

    Args:
        tallies: The observations, as `read_observations` returns them.
        at_least: A number, at least 1. A member is called required only if this many objects were seen, and all of them
            had it. The same number of values is needed to close the gap of a set, of a unit or of required fields.
        document: The contract; by default that of this build.

    Returns:
        JSON (which is also YAML) of the Overlay Specification 1.0.0. Empty text if there is nothing to propose, because
        an Overlay must have an action.

    Raises:
        InvalidArgumentError: `at_least` is below 1.
    """
    if at_least < 1:
        raise InvalidArgumentError(f"at_least must be a whole number from 1, not {at_least}")
    version = max((tally.dates()[1] for tally in tallies.values()), default="0")
    info = {"title": "What a deployment showed", "version": version}
    actions: list[Node] = []
    writer = SchemaWriter(document or load_document(), at_least)
    found = [*find(tallies, writer), *new_operations(tallies, writer)]
    for finding in (*found, *writer.findings()):
        actions += finding.actions()
    return json.dumps({"overlay": "1.0.0", "info": info, "actions": actions}, indent=2) + "\n" if actions else ""
