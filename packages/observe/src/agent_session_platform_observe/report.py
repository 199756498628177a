"""The report: contradictions first, then gaps with evidence and what is new, then what was never seen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs
from agent_session_platform import operations as catalogue

from .contract import Document, load_document
from .evidence import Evidence, collect, contradictions, counted, gap_evidence, new_parameters, orders
from .tally import FREE, OTHERS, Tally

# If n responses were drawn at random and none is an exception, the rate of exceptions is below 3/n with a confidence of
# 95 % (the rule of three).
RULE_OF_THREE: Final = 3.0
WIDTH: Final = 120


@attrs.frozen
class Line:
    """One line of a report: something that was seen, with the numbers behind it.

    Attributes:
        subject: The id of the gap, the name of the operation or the JSON pointer that it is about.
        text: What was seen.
        times: How often.
        total: Of how many responses, objects or values.
        first: The date on which it was first seen.
        last: The date on which it was last seen.
        kind: Of a contradiction what it is about, such as `missing`.
        closes: Of a gap whether this is the fact that is not shown, and not only a part of it.
    """

    subject: str
    text: str
    times: int
    total: int
    first: str
    last: str
    kind: str = ""
    closes: bool = False

    @property
    def certainty(self) -> str:
        """The certainty of it, in words."""
        if self.times < self.total:
            return f"{self.times} of {self.total}"
        if self.total <= RULE_OF_THREE:
            return f"{self.total} of {self.total}, which is too few to say more"
        return f"all of {self.total}, so exceptions are below {RULE_OF_THREE / self.total:.1%} at 95 % confidence"

    @property
    def dates(self) -> str:
        """When it was seen."""
        return self.first if self.first == self.last else f"{self.first} to {self.last}"


@attrs.frozen
class Report:
    """The comparison of observations with the contract of this build.

    Attributes:
        contradictions: What a deployment does and the contract excludes.
        gaps: What was seen of gaps.
        additions: What the contract does not show, and no gap asks for.
        orders: In which order lists came: the name of the operation, and the order in words.
        unseen_operations: The names of the operations without a response.
        unseen_gaps: The ids of the gaps of which nothing was seen.
        operations: How many operations the contract has.
    """

    contradictions: tuple[Line, ...]
    gaps: tuple[Line, ...]
    additions: tuple[Line, ...]
    orders: tuple[tuple[str, str], ...]
    unseen_operations: tuple[str, ...]
    unseen_gaps: tuple[str, ...]
    operations: int

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""

        def written(lines: tuple[Line, ...]) -> list[dict[str, Any]]:
            return [{**attrs.asdict(line), "certainty": line.certainty} for line in lines]

        return {
            "contradictions": written(self.contradictions),
            "gaps": written(self.gaps),
            "additions": written(self.additions),
            "orders": [{"operation": operation, "order": text} for operation, text in self.orders],
            "unseen_operations": list(self.unseen_operations),
            "unseen_gaps": list(self.unseen_gaps),
        }

    def __str__(self) -> str:
        wrapper = textwrap.TextWrapper(
            WIDTH, subsequent_indent="      ", break_long_words=False, break_on_hyphens=False
        )
        return "\n".join(wrapper.fill(line) for line in self._lines("  ", "", "  "))

    def to_markdown(self) -> str:
        """Return the report for an issue or a chat."""
        return "\n".join(self._lines("- ", "### ", ""))

    def _lines(self, entry: str, title: str, names: str) -> Iterator[str]:
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
        if self.orders:
            yield from ("", f"{title}Order of lists")
        for operation, text in self.orders:
            yield f"{entry}{operation}: {text}"
        gaps = counted(len(self.unseen_gaps), "gap")
        yield from ("", f"{title}Never seen: {len(self.unseen_operations)} of {self.operations} operations, {gaps}")
        if self.unseen_operations and names:
            yield f"{names}{', '.join(self.unseen_operations)}"


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
    gaps = [
        Line(each.gap.id, each.text, each.total, each.total, each.first, each.last, closes=each.closes)
        for each in gap_evidence(evidence)
    ]
    seen = {line.subject for line in gaps}
    return Report(
        contradictions=tuple(
            Line(each.place, each.text, each.times, each.total, each.first, each.last, each.kind)
            for each in contradictions(evidence)
        ),
        gaps=tuple(gaps),
        additions=tuple(additions(evidence)),
        orders=tuple((name_of(key), text) for key, text in orders(evidence)),
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
            dates = (seen.first, seen.last)
            for name, shape in sorted(seen.shape.get(OTHERS, {}).items()):
                text = f"{of_what} have a member {name}, {' or '.join(sorted(shape.get('types', ())))}"
                yield Line(place, text, shape["n"], max(shape["n"], seen.objects), *dates)
            if FREE in seen.shape:
                text = f"{of_what} have members that are not kept, because their names may be values"
                yield Line(place, text, min(seen.shape[FREE], seen.objects), seen.objects, *dates)
    for response in evidence.responses:
        for name, counts in sorted(response.tally.get("headers", {}).get(OTHERS, {}).items()):
            text = f"responses with {response.status} have a header {name}"
            times = min(counts["n"], response.count)
            yield Line(name_of(response.operation.id), text, times, response.count, *response.dates)
    for key, tally in evidence.tallies.items():
        dates, accepted = (tally["first"], tally["last"]), new_parameters(evidence, key)
        for name, times in accepted.items():
            yield Line(name_of(key), f"the query parameter {name} was accepted", times, times, *dates)
        for name, times in new_parameters(evidence, key, "refused").items():
            if name not in accepted:
                text = f"requests with the query parameter {name} were refused, all of them"
                yield Line(name_of(key), text, times, times, *dates)
    for key, tally in sorted(evidence.unknown.items()):
        for status, response in sorted(tally.get("responses", {}).items()):
            text, times = f"a path that the contract does not have: {status}", response["count"]
            yield Line(key, text, times, times, tally["first"], tally["last"])
