"""The report: contradictions first, then gaps with evidence and what is new, then what was never seen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs
from agent_session_platform import operations as catalogue

from .contract import Document, load_document
from .evidence import (
    Evidence,
    Line,
    collect,
    contradictions,
    counted,
    dates_of,
    gap_evidence,
    new_parameters,
)
from .shape import FREE, OTHERS, Tally

WIDTH: Final = 120


@attrs.frozen
class Report:
    """The comparison of observations with the contract of this build.

    Attributes:
        contradictions: What a deployment does and the contract excludes.
        gaps: What was seen of gaps.
        additions: What the contract does not show, and no gap asks for.
        unseen_operations: The names of the operations without a response.
        unseen_gaps: The ids of the gaps of which nothing was seen.
        operations: How many operations the contract has.
    """

    contradictions: tuple[Line, ...]
    gaps: tuple[Line, ...]
    additions: tuple[Line, ...]
    unseen_operations: tuple[str, ...]
    unseen_gaps: tuple[str, ...]
    operations: int

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        facts = {"contradictions": self.contradictions, "gaps": self.gaps, "additions": self.additions}
        return {
            **{key: [{**attrs.asdict(each), "certainty": each.certainty} for each in facts[key]] for key in facts},
            "unseen_operations": list(self.unseen_operations),
            "unseen_gaps": list(self.unseen_gaps),
        }

    def __str__(self) -> str:
        wrapper = textwrap.TextWrapper(
            WIDTH, subsequent_indent="      ", break_long_words=False, break_on_hyphens=False
        )
        text = "\n".join(wrapper.fill(line) for line in self._lines("  ", ""))
        unseen = wrapper.fill(f"  {', '.join(self.unseen_operations)}")
        return f"{text}\n{unseen}" if self.unseen_operations else text

    def to_markdown(self) -> str:
        """Return the report for an issue or a chat."""
        return "\n".join(self._lines("- ", "### "))

    def _lines(self, entry: str, title: str) -> Iterator[str]:
        yield f"{title}{counted(len(self.contradictions), 'contradiction')}"
        for line in self.contradictions:
            yield f"{entry}{line.subject}: {line.text} ({line.certainty}; {line.dates})"
        yield from ("", f"{title}{counted(len(self.gaps), 'gap')} with evidence")
        for line in self.gaps:
            sure = line.certainty if line.closes else "a part of the fact"
            yield f"{entry}{line.subject}: seen {counted(line.total, 'time')}: {line.text} ({sure}; {line.dates})"
        if self.additions:
            yield from ("", f"{title}{counted(len(self.additions), 'fact')} of which the contract has nothing")
        for line in self.additions:
            yield f"{entry}{line.subject}: {line.text} ({line.certainty}; {line.dates})"
        gaps = counted(len(self.unseen_gaps), "gap")
        yield from ("", f"{title}Never seen: {len(self.unseen_operations)} of {self.operations} operations, {gaps}")


def make_report(tallies: Mapping[str, Tally], document: Document | None = None) -> Report:
    """Compare observations with the contract.

    Args:
        tallies: The observations, as `read_observations` returns them.
        document: The contract; by default that of this build.

    Returns:
        What contradicts the contract, what fills its gaps, what it does not have, and what was never seen.
    """
    document = document or load_document()
    evidence = collect(tallies, document)
    gaps = [line for _, line in gap_evidence(evidence)]
    seen = {line.subject for line in gaps}
    return Report(
        contradictions=tuple(contradictions(evidence)),
        gaps=tuple(gaps),
        additions=tuple(additions(evidence)),
        unseen_operations=tuple(name_of(key) for key in document.endpoints if key not in evidence.tallies),
        unseen_gaps=tuple(gap.id for gap in document.open_gaps if gap.id not in seen),
        operations=len(document.endpoints),
    )


def name_of(operation_id: str) -> str:
    """Return the name of an operation, such as `organization.sessions.list`; its id if this build does not have it."""
    return catalogue[operation_id].name if operation_id in catalogue else operation_id


def additions(evidence: Evidence) -> Iterator[Line]:
    """Yield what the contract does not show, and no gap asks for."""
    for places, of_what in ((evidence.places, "objects"), (evidence.sent, "requests that were accepted")):
        for place, seen in places.items():
            for name, shape in sorted(seen.others.items()):
                text = f"{of_what} have a member {name}, {' or '.join(sorted(shape['types']))}"
                yield Line(place, text, shape["n"], max(shape["n"], seen.objects), *seen.dates)
            if FREE in seen.shape:
                text = f"{of_what} have members that are not kept, because their names may be values"
                yield Line(place, text, min(seen.shape[FREE], seen.objects), seen.objects, *seen.dates)
    for response in evidence.responses:
        for name, counts in sorted(response.tally.get("headers", {}).get(OTHERS, {}).items()):
            text, times = f"responses with {response.status} have a header {name}", min(counts["n"], response.count)
            yield Line(name_of(response.operation.id), text, times, response.count, *response.dates)
    for key, tally in evidence.tallies.items():
        accepted = new_parameters(evidence, key)
        refused = {
            name: times for name, times in new_parameters(evidence, key, "refused").items() if name not in accepted
        }
        for name, times in accepted.items():
            yield Line(name_of(key), f"the query parameter {name} was accepted", times, times, *dates_of(tally))
        for name, times in refused.items():
            text = f"requests with the query parameter {name} were refused, all of them"
            yield Line(name_of(key), text, times, times, *dates_of(tally))
    for key, tally in sorted(evidence.unknown.items()):
        for status, response in sorted(tally.get("responses", {}).items()):
            text, times = f"a path that the contract does not have: {status}", response["count"]
            yield Line(key, text, times, times, *dates_of(tally))
