"""Gaps beside observations: these show the fact that the contract does not, or a part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import attrs
from agent_session_platform import Gap
from agent_session_platform.contract import Endpoint

from .contradictions import STATUS_ENDINGS
from .evidence import Evidence, Response, Seen, accepted_parameters, counted
from .formats import UNITS
from .order import PAGES, SEAMS
from .record import ACCEPTED, BODIES, BODY, CREDENTIALS, ORDER, REFUSED, REQUEST
from .shape import FORMATS, MEMBERS, TYPE
from .tally import FIRST, FREE, LAST, MANY, NEW, OTHERS, VALUES

# Facts of which each response shows all; a list of statuses or parameters may always be longer than what was seen.
REQUIRED_ENDINGS: Final = ("-required-fields", "-members")
RESPONSE_ENDING: Final = "-response"


@attrs.frozen
class GapEvidence:
    """Observations of a gap.

    Attributes:
        gap: The gap.
        text: What was seen, in words.
        total: In how many responses, objects or values.
        first: The date on which it was first seen.
        last: The date on which it was last seen.
        closes: Whether that is the fact which is not shown, and not only a part of it.
    """

    gap: Gap
    text: str
    total: int
    first: str
    last: str
    closes: bool


def gap_evidence(evidence: Evidence) -> Iterator[GapEvidence]:
    """Yield what was seen of each gap of which anything was seen, in the order of the contract."""
    operations = {operation.place: (key, operation) for key, operation in evidence.document.endpoints.items()}
    for gap in evidence.document.open_gaps:
        if gap.place in operations:
            key, operation = operations[gap.place]
            if key in evidence.tallies:
                yield from of_operation(gap, key, operation, evidence)
        else:
            for places in (evidence.places, evidence.sent):
                found = [each for each in places.values() if gap in each.schema.all_gaps]
                if found and (shown := of_place(gap, found)) is not None:
                    yield shown
                    break


def of_operation(gap: Gap, key: str, operation: Endpoint, evidence: Evidence) -> Iterator[GapEvidence]:
    """Yield what was seen of a gap of an operation."""
    tally, responses = evidence.tallies[key], evidence.of(operation)
    dates = (tally[FIRST], tally[LAST])
    if gap.id.endswith(RESPONSE_ENDING):
        for each in responses:
            if each.status < 300:
                yield GapEvidence(gap, described(each), each.count, *each.dates, closes=is_readable(each))
    elif gap.id.endswith(STATUS_ENDINGS):
        errors = [each for each in responses if each.status >= 400]
        if errors:
            text = ", ".join(f"{each.status} ({counted(each.count, 'time')})" for each in errors)
            yield GapEvidence(gap, text, sum(each.count for each in errors), *dates, closes=False)
    elif gap.id.endswith("-request") and ACCEPTED in tally.get(REQUEST, {}):
        sent = tally[REQUEST][ACCEPTED]
        names = sorted({*sent.get(BODY, {}).get(OTHERS, ()), *sent.get(BODY, {}).get(MEMBERS, ())})
        refused = sum(tally[REQUEST].get(REFUSED, {}).get(BODIES, {}).values())
        text = f"bodies with {', '.join(names) or 'no member'} were accepted, and {refused} bodies refused"
        yield GapEvidence(gap, text, sum(sent[BODIES].values()), *dates, closes=False)
    elif gap.id.endswith(("-parameters", "-filters")):
        accepted = accepted_parameters(evidence, key)
        if accepted:
            text = "accepted: " + ", ".join(f"{name} ({counted(times, 'time')})" for name, times in accepted.items())
            yield GapEvidence(gap, text, sum(accepted.values()), *dates, closes=False)
    elif gap.id.endswith(("-permission", "-level", "-credential")) and tally.get(CREDENTIALS):
        kinds: Mapping[str, Mapping[str, int]] = tally[CREDENTIALS]
        text = "; ".join(
            f"{kind}: " + ", ".join(f"{outcome} {counted(times, 'time')}" for outcome, times in sorted(counts.items()))
            for kind, counts in sorted(kinds.items())
        )
        yield GapEvidence(gap, text, sum(sum(each.values()) for each in kinds.values()), *dates, closes=False)
    elif gap.id.endswith(("-path", "-method")) and any(each.status < 300 for each in responses):
        times = sum(each.count for each in responses if each.status < 300)
        text = f"{operation.method.upper()} {operation.path} succeeds"
        yield GapEvidence(gap, text, times, *dates, closes=True)


def described(response: Response) -> str:
    """Return status and form of a response in words."""
    bodies: Mapping[str, int] = response.tally.get(BODIES, {})
    if response.body is None:
        return f"{response.status}, {' and '.join(sorted(bodies))} body"
    kinds = " or ".join(sorted(response.body[TYPE]))
    name = response.schema.place.rpartition("/")[2] if response.schema else ""
    if response.schema is not None and response.schema.shows_all and response.schema.properties:
        return f"{response.status}, the shape of {name} in all" if kinds == "object" else f"{response.status}, {kinds}"
    members = sorted({*response.body.get(MEMBERS, ()), *response.body.get(OTHERS, ())})
    free = ", a mapping with free keys" if FREE in response.body else ""
    return f"{response.status}, {kinds}{' with ' + ', '.join(members) if members else ''}{free}"


def is_readable(response: Response) -> bool:
    """Return whether the form of the bodies was read, or there is none."""
    return response.body is not None or set(response.tally.get(BODIES, {})) == {"empty"}


def of_place(gap: Gap, found: list[Seen]) -> GapEvidence | None:
    """Return what was seen of a gap of a schema; None if nothing."""
    seen = found[0]
    describe = next((each for ending, each in DESCRIBED.items() if gap.id.endswith(ending)), None)
    found_text = describe(seen) if describe is not None else None
    if found_text is None:
        return None
    text, closes = found_text
    total = seen.objects if gap.id.endswith(REQUIRED_ENDINGS) else seen.total
    return GapEvidence(gap, text, total, seen.first, seen.last, closes)


def describe_required(seen: Seen) -> tuple[str, bool] | None:
    """Return the members that all objects had, and whether they close the gap; None if no object was seen."""
    if not seen.objects:
        return None
    always = sorted(always_present(seen))
    others = sorted(seen.shape.get(OTHERS, ()))
    text = f"always present: {', '.join(always) or 'none'}" + (f"; not shown: {', '.join(others)}" if others else "")
    return text, True


def always_present(seen: Seen) -> list[str]:
    """Return the members that all objects had, and that the contract does not require."""
    return [name for name, count in seen.present.items() if count == seen.objects and name not in seen.schema.required]


def describe_values(seen: Seen) -> tuple[str, bool] | None:
    """Return the values of a set, and whether they close the gap; None if none was seen."""
    counts: dict[str, int] = {**seen.shape.get(VALUES, {}), **seen.shape.get(NEW, {})}
    if MANY in seen.shape:
        return "values that are no plain words, or too many: none that the contract does not show is kept", False
    text = ", ".join(f"{name} ({counted(counts[name], 'time')})" for name in sorted(counts))
    return (text, True) if counts else None


def describe_unit(seen: Seen) -> tuple[str, bool] | None:
    """Return the unit of a time, and whether it is sure; None if none was seen."""
    formats: dict[str, int] = seen.shape.get(FORMATS, {})
    text = ", ".join(f"{name} ({counted(times, 'time')})" for name, times in sorted(formats.items()))
    return (text, unit_of(seen) is not None) if formats else None


def unit_of(seen: Seen) -> str | None:
    """Return the unit of a time, if all values had the same."""
    formats: dict[str, int] = seen.shape.get(FORMATS, {})
    return next((name for name in formats if len(formats) == 1 and name in UNITS), None)


def describe_type(seen: Seen) -> tuple[str, bool] | None:
    """Return the types of a value, and whether they close the gap; None if none was seen."""
    types: dict[str, int] = seen.shape.get(TYPE, {})
    text = ", ".join(f"{name} ({counted(times, 'time')})" for name, times in sorted(types.items()))
    return (text, types.keys() != {"null"}) if types else None


DESCRIBED: Final[Mapping[str, Callable[[Seen], tuple[str, bool] | None]]] = {
    "-required-fields": describe_required,
    "-members": describe_required,
    "-values": describe_values,
    "-unit": describe_unit,
    "-type": describe_type,
}


def orders(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield each operation whose lists had an order, with the order in words."""
    for key, tally in evidence.tallies.items():
        for name, counts in sorted(tally.get(ORDER, {}).get(PAGES, {}).items()):
            seams: Mapping[str, int] = tally[ORDER].get(SEAMS, {}).get(name, {})
            text = ", ".join(f"{order} on {times} pages" for order, times in sorted(counts.items()))
            joined = ", ".join(f"{order} between {times} pairs of pages" for order, times in sorted(seams.items()))
            yield key, f"by {name}: {text}" + (f"; {joined}" if joined else "")
