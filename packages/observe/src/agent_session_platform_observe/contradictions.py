"""Where a deployment does what the contract says it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs
from agent_session_platform.contract import child, gaps_at

from .contract import open_gaps
from .evidence import Evidence, Response, Seen
from .record import ACCEPTED, BODIES, COUNT, CREDENTIALS, MEDIA, RESPONSES
from .shape import FORMATS, TYPE
from .tally import FIRST, LAST, MANY, NEW

# What a contradiction is about.
MISSING: Final = "missing"
OTHER_TYPE: Final = "type"
FORMAT: Final = "format"
VALUE: Final = "value"
STATUS: Final = "status"
MEDIA_TYPE: Final = "media type"
UNDECODABLE: Final = "undecodable"
CREDENTIAL: Final = "credential"
PATH: Final = "path"

# The ends of the ids of gaps that leave the statuses of errors open.
STATUS_ENDINGS: Final = ("-errors", "-statuses")


@attrs.frozen
class Contradiction:
    """Something that came, and that the contract excludes.

    Attributes:
        kind: What it is about: one of the constants of this module.
        place: The JSON pointer of what the contract says.
        name: The member, type, value or status that it is about.
        text: What came, and what the contract says.
        times: How often it came.
        total: Of how many.
        first: The date on which the place was first seen.
        last: The date on which it was last seen.
    """

    kind: str
    place: str
    name: str
    text: str
    times: int
    total: int
    first: str
    last: str


def contradictions(evidence: Evidence) -> list[Contradiction]:
    """Return all contradictions, in the order of the contract."""
    found = [each for place, seen in evidence.places.items() for each in of_place(place, seen)]
    found += [each for response in evidence.responses for each in of_response(response)]
    for operation_id, tally in evidence.tallies.items():
        operation = evidence.document.endpoints[operation_id]
        kinds = {kind for entry in operation.node.get("security", ()) for kind in entry}
        dates = (tally[FIRST], tally[LAST])
        for kind, counts in sorted(tally.get(CREDENTIALS, {}).items()):
            # Where the kinds are not shown, the contract has one that is only known to work elsewhere.
            is_open = any("kinds of credential" in gap.what for gap in gaps_at(operation.node, operation.place))
            if counts.get(ACCEPTED) and kind not in kinds and not is_open:
                text = f"a credential of the kind {kind} was accepted, and the contract has {', '.join(sorted(kinds))}"
                place = child(operation.place, "security")
                found.append(
                    Contradiction(CREDENTIAL, place, kind, text, counts[ACCEPTED], sum(counts.values()), *dates)
                )
    for key, operation_id, path in evidence.promoted():
        operation, tally = evidence.document.endpoints[operation_id], evidence.unknown[key]
        times = sum(each[COUNT] for status, each in tally[RESPONSES].items() if status.startswith("2"))
        text = f"{path} succeeds, and the contract has {operation.path}"
        found.append(Contradiction(PATH, operation.place, path, text, times, times, tally[FIRST], tally[LAST]))
    return found


def of_place(place: str, seen: Seen) -> Iterator[Contradiction]:
    """Yield the contradictions at a place."""
    dates = (seen.first, seen.last)
    for name, stated in seen.schema.required.items():
        missing = seen.objects - seen.present.get(name, 0)
        if missing:
            text = f"`{name}` is missing, which the contract requires"
            yield Contradiction(MISSING, stated, name, text, missing, seen.objects, *dates)
    stated_types = seen.schema.types
    for kind, times in sorted(seen.shape.get(TYPE, {}).items()):
        if stated_types and kind not in stated_types:
            text = f"{kind} came, and the contract says {' or '.join(sorted(stated_types))}"
            yield Contradiction(OTHER_TYPE, place, kind, text, times, seen.total, *dates)
    form = seen.schema.node.get("format")
    for found, times in sorted(seen.shape.get(FORMATS, {}).items()):
        if form in ("date-time", "date", "uuid") and found != form:
            text = f"{found} text came, and the contract says {form}"
            yield Contradiction(FORMAT, place, found, text, times, seen.total, *dates)
    if seen.schema.is_closed:
        new: dict[str, int] = seen.shape.get(NEW, {})
        values = {f"`{name}`": times for name, times in new.items() if name not in seen.schema.values}
        if MANY in seen.shape:
            values["a value that is not kept, because it is no plain word,"] = seen.shape[MANY]
        for name, times in sorted(values.items()):
            text = f"{name} came, and the contract closes the set: {', '.join(seen.schema.values)}"
            yield Contradiction(VALUE, seen.schema.place, name.strip("`"), text, times, seen.total, *dates)


def of_response(response: Response) -> Iterator[Contradiction]:
    """Yield the contradictions of the responses with one status."""
    operation, status, count = response.operation, response.status, response.count
    declared = operation.declared(status)
    place = f"{operation.place}/responses"
    if is_undeclared(response):
        text = f"{status} came, and the contract has {', '.join(operation.node['responses'])}"
        yield Contradiction(STATUS, place, str(status), text, count, count, *response.dates)
        return
    place = f"{place}/{declared}"
    if response.status < 400 and response.schema is not None:
        for name, times in sorted(response.tally.get(MEDIA, {}).items()):
            if name != "none" and not name.endswith("json"):
                text = f"{name} came, and the contract says JSON"
                yield Contradiction(MEDIA_TYPE, place, name, text, times, count, *response.dates)
    bodies = response.tally.get(BODIES, {})
    if broken := bodies.get("undecodable"):
        text = "a body that is not JSON came under a media type of JSON"
        yield Contradiction(UNDECODABLE, place, str(status), text, broken, sum(bodies.values()), *response.dates)


def is_undeclared(response: Response) -> bool:
    """Return whether the contract excludes a status; a failure of the server is never excluded."""
    if response.operation.declared(response.status) not in ("default", None) or response.status >= 500:
        return False
    gaps = open_gaps(response.operation.node, response.operation.place)
    leaves_open = any(gap.id.endswith(STATUS_ENDINGS) for gap in gaps)
    return response.status < 400 or not leaves_open
