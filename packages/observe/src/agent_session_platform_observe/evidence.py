"""Observations beside the contract: what was seen at its places, what contradicts it, and what fills its gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import attrs
from agent_session_platform import Gap
from agent_session_platform.contract import PLACEHOLDER, Endpoint, child, gaps_at

from .contract import Document, Schema, open_gaps, query_of
from .shape import UNITS
from .tally import MANY, NAMED, NEW, OTHERS, VALUES, Room, Tally

# What a path begins with besides the names of resources: `/v3`, `/v3beta1`, `/beta/v2`.
VERSION: Final = re.compile(r"(?:/(?:v\d+(?:beta\d*)?|beta))+(?=/)")
# The ends of the ids of gaps that leave the statuses of errors open, and of those that ask which members there are.
STATUS_ENDINGS: Final = ("-errors", "-statuses")
REQUIRED_ENDINGS: Final = ("-required-fields", "-members")


@attrs.define
class Seen:
    """The values that were seen at a place.

    Attributes:
        schema: What the contract shows there, which may be nothing.
        shape: The shape, without what is below it; its others are the members that the contract does not show there.
        first: The date on which it was first seen.
        last: The date on which it was last seen.
        present: How many objects had each member that the contract shows.
    """

    schema: Schema
    shape: Tally
    first: str
    last: str
    present: dict[str, int] = attrs.field(factory=dict[str, int])

    @property
    def total(self) -> int:
        """The number of values that were read."""
        return int(self.shape.get("n", 0))

    @property
    def objects(self) -> int:
        """The number of those that were objects."""
        return int(self.shape.get("types", {}).get("object", 0))

    @property
    def always(self) -> list[str]:
        """The members that all objects had, and that the contract does not require."""
        return sorted(
            name for name, count in self.present.items() if count == self.objects and name not in self.schema.required
        )

    @property
    def new_always(self) -> list[str]:
        """The members that all objects had, and that the contract does not show: since they are kept."""
        named, known = self.shape.get(NAMED, 0), self.schema.document.vocabulary
        others: Mapping[str, Tally] = self.shape.get(OTHERS, {})
        return sorted(name for name in others if others[name]["n"] >= (self.objects if name in known else named))

    @property
    def unit(self) -> str | None:
        """The unit of a time, if all values had the same."""
        formats: dict[str, int] = self.shape.get("formats", {})
        return next((name for name in formats if len(formats) == 1 and name in UNITS), None)


@attrs.frozen
class Response:
    """The responses of an operation with one status.

    Attributes:
        operation: The operation.
        status: The status.
        schema: What the contract shows of the body; None where it shows no JSON.
        tally: What was counted and read of them.
        media_type: The most frequent media type; `none` for no body.
    """

    operation: Endpoint
    status: int
    schema: Schema | None
    tally: Tally
    media_type: str

    @property
    def count(self) -> int:
        """The number of them."""
        return int(self.tally["count"])

    @property
    def body(self) -> Tally | None:
        """The shape of the bodies; None if none was read."""
        return self.tally.get("body")

    @property
    def dates(self) -> tuple[str, str]:
        """When the first and the last one came."""
        return self.tally["first"], self.tally["last"]

    @property
    def is_undeclared(self) -> bool:
        """True if the contract excludes the status; a failure of the server is never excluded."""
        if self.operation.declared(self.status) not in ("default", None) or self.status >= 500:
            return False
        gaps = open_gaps(self.operation.node, self.operation.place)
        return self.status < 400 or not any(gap.id.endswith(STATUS_ENDINGS) for gap in gaps)


@attrs.define
class Evidence:
    """Observations beside the contract.

    Attributes:
        document: The contract.
        tallies: The observations of each operation of the contract.
        unknown: Those of requests to paths that it does not have, by method and template.
        responses: The responses of all operations, in the order of the contract.
        places: What was seen of each place of a response, by JSON pointer.
        sent: The same of the bodies of requests that were accepted.
    """

    document: Document
    tallies: dict[str, Tally] = attrs.field(factory=dict[str, Tally])
    unknown: dict[str, Tally] = attrs.field(factory=dict[str, Tally])
    responses: list[Response] = attrs.field(factory=list[Response])
    places: dict[str, Seen] = attrs.field(factory=dict[str, Seen])
    sent: dict[str, Seen] = attrs.field(factory=dict[str, Seen])

    def promoted(self) -> list[tuple[Tally, str, str]]:
        """Return what was found under the path of another version: the tally, the operation and the new path."""
        endpoints = self.document.endpoints
        by_form = {(each.method, form_of(each.path)): key for key, each in endpoints.items()}
        known = {f"{each.method} {PLACEHOLDER.sub('{}', each.path)}" for each in endpoints.values()}
        found: list[tuple[Tally, str, str]] = []
        for key, tally in sorted(self.unknown.items()):
            method, _, template = key.partition(" ")
            operation_id = by_form.get((method, form_of(template)))
            # One that is known was seen before this build had it.
            if operation_id is None or key in known:
                continue
            if successes(tally) and not successes(self.tallies.get(operation_id, {})):
                names = [f"{{{name}}}" for name in PLACEHOLDER.findall(endpoints[operation_id].path)]
                found.append((tally, operation_id, template.format(*names)))
        return found


def form_of(path: str) -> str:
    """Return a path without its version and without the names of its placeholders."""
    return PLACEHOLDER.sub("{}", VERSION.sub("", path, count=1))


def successes(tally: Tally) -> int:
    """Return how often an operation has succeeded."""
    return sum(each["count"] for status, each in tally.get("responses", {}).items() if status.startswith("2"))


def collect(tallies: Mapping[str, Tally], document: Document) -> Evidence:
    """Put observations at their places in the contract.

    Args:
        tallies: The observations, as `read_observations` returns them.
        document: The contract.
    """
    evidence = Evidence(document)
    evidence.unknown = {key: tally for key, tally in tallies.items() if key not in document.endpoints}
    for operation_id, operation in document.endpoints.items():
        tally = tallies.get(operation_id)
        if tally is None:
            continue
        evidence.tallies[operation_id] = tally
        for text, response in sorted(tally.get("responses", {}).items()):
            if not text.isdecimal():
                continue
            status, media = int(text), response.get("media", {})
            media_type = max(sorted(media), key=lambda name: media[name], default="none")  # called here
            schema = document.response(operation, status, media_type)
            found = Response(operation, status, schema, response, media_type)
            evidence.responses.append(found)
            is_declared = status >= 400 or operation.declared(status) != "default"
            if schema is not None and found.body is not None and is_declared and schema.shows_all:
                walk(schema, found.body, found.dates, evidence.places)
        accepted: Tally | None = tally.get("request", {}).get("accepted", {}).get("body")
        body = document.body(operation)
        if accepted and body is not None and not body.is_unshown:
            walk(body, accepted, (tally["first"], tally["last"]), evidence.sent)
    return evidence


def walk(schema: Schema, shape: Tally, dates: tuple[str, str], places: dict[str, Seen]) -> None:
    """Add a shape, and those below it, to what was seen at their places.

    Args:
        schema: What the contract shows.
        shape: The shape.
        dates: When it was first and last seen.
        places: Where it is added. An object has the place where it is written, anything else that where it is used.
    """
    place = schema.place if schema.properties else schema.own_place
    seen = places.setdefault(place, Seen(schema, {}, *dates))
    seen.first, seen.last = min(seen.first, dates[0]), max(seen.last, dates[1])
    members = members_of(shape)
    # A build before this one did not show all members that this one shows.
    new = {name: member for name, member in members.items() if name not in schema.properties}
    counts = {key: value for key, value in shape.items() if key not in ("members", "items", OTHERS)}
    # Members that the contract knows from elsewhere need not be in each object.
    room = Room()
    room.add(seen.shape, {key: value for key, value in counts.items() if key != NAMED})
    seen.shape[NAMED] = seen.shape.get(NAMED, 0) + shape.get(NAMED, 0)
    room.add(seen.shape.setdefault(OTHERS, {}), new)
    for name, member in members.items():
        if name in schema.properties:
            seen.present[name] = seen.present.get(name, 0) + member["n"]
            walk(schema.properties[name], member, dates, places)
    # A build that did not know a member has dropped it where it came too rarely: nobody knows whether it was missing.
    dropped = shape.get("types", {}).get("object", 0) - shape.get(NAMED, 0)
    for name in schema.required.keys() - shape.get("members", {}).keys():
        seen.present[name] = seen.present.get(name, 0) + dropped
    if "items" in shape and schema.items is not None:
        walk(schema.items, shape["items"], dates, places)


def members_of(shape: Tally) -> dict[str, Tally]:
    """Return the shapes of all members of an object, whether the contract shows them or not."""
    return {**shape.get("members", {}), **shape.get(OTHERS, {})}


def new_parameters(evidence: Evidence, operation_id: str, fate: str = "accepted") -> dict[str, int]:
    """Return the query parameters that were accepted and that the contract does not have, with how often."""
    others: Tally = evidence.tallies[operation_id].get("query", {}).get(fate, {}).get(OTHERS, {})
    known = query_of(evidence.document.endpoints[operation_id])
    return {name: counts["n"] for name, counts in sorted(others.items()) if name not in known}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def listed(counts: Mapping[str, int]) -> str:
    """Return names in words, each with how often it was seen."""
    return ", ".join(f"{name} ({counted(times, 'time')})" for name, times in sorted(counts.items()))


@attrs.frozen
class Contradiction:
    """Something that came, and that the contract excludes.

    Attributes:
        kind: What it is about, such as `missing`.
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


def contradictions(evidence: Evidence) -> Iterator[Contradiction]:
    """Yield all contradictions, in the order of the contract."""
    for place, seen in evidence.places.items():
        yield from contradictions_at(place, seen)
    for response in evidence.responses:
        yield from contradictions_of(response)
    for operation_id, tally in evidence.tallies.items():
        operation = evidence.document.endpoints[operation_id]
        kinds = {kind for entry in operation.node.get("security", ()) for kind in entry}
        # Where the kinds are not shown, the contract has one that is only known to work elsewhere.
        is_open = any("kinds of credential" in gap.what for gap in gaps_at(operation.node, operation.place))
        for kind, counts in sorted(tally.get("credentials", {}).items()):
            if counts.get("accepted") and kind not in kinds and not is_open:
                text = f"a credential of the kind {kind} was accepted, and the contract has {', '.join(sorted(kinds))}"
                place, times, total = child(operation.place, "security"), counts["accepted"], sum(counts.values())
                yield Contradiction("credential", place, kind, text, times, total, tally["first"], tally["last"])
    for tally, operation_id, path in evidence.promoted():
        operation, times = evidence.document.endpoints[operation_id], successes(tally)
        text = f"{path} succeeds, and the contract has {operation.path}"
        yield Contradiction("path", operation.place, path, text, times, times, tally["first"], tally["last"])


def contradictions_at(place: str, seen: Seen) -> Iterator[Contradiction]:
    """Yield the contradictions at a place."""
    dates, schema = (seen.first, seen.last), seen.schema
    for name, stated in schema.required.items():
        if missing := seen.objects - seen.present.get(name, 0):
            text = f"`{name}` is missing, which the contract requires"
            yield Contradiction("missing", stated, name, text, missing, seen.objects, *dates)
    for kind, times in sorted(seen.shape.get("types", {}).items()):
        if schema.types and kind not in schema.types:
            text = f"{kind} came, and the contract says {' or '.join(sorted(schema.types))}"
            yield Contradiction("type", place, kind, text, times, seen.total, *dates)
    form = schema.node.get("format")
    for name, times in sorted(seen.shape.get("formats", {}).items()):
        if form in ("date-time", "date", "uuid") and name != form:
            text = f"{name} text came, and the contract says {form}"
            yield Contradiction("format", place, name, text, times, seen.total, *dates)
    if schema.is_closed:
        new: dict[str, int] = seen.shape.get(NEW, {})
        values = {f"`{name}`": times for name, times in new.items() if name not in schema.values}
        if MANY in seen.shape:
            values["a value that is not kept, because it is no plain word,"] = seen.shape[MANY]
        for name, times in sorted(values.items()):
            text = f"{name} came, and the contract closes the set: {', '.join(schema.values)}"
            yield Contradiction("value", schema.place, name.strip("`"), text, times, seen.total, *dates)


def contradictions_of(response: Response) -> Iterator[Contradiction]:
    """Yield the contradictions of the responses with one status."""
    operation, status, count = response.operation, response.status, response.count
    place = f"{operation.place}/responses"
    if response.is_undeclared:
        text = f"{status} came, and the contract has {', '.join(operation.node['responses'])}"
        yield Contradiction("status", place, str(status), text, count, count, *response.dates)
        return
    place = f"{place}/{operation.declared(status)}"
    if status < 400 and response.schema is not None:
        for name, times in sorted(response.tally.get("media", {}).items()):
            if name != "none" and not name.endswith("json"):
                text = f"{name} came, and the contract says JSON"
                yield Contradiction("media type", place, name, text, times, count, *response.dates)
    bodies = response.tally.get("bodies", {})
    if broken := bodies.get("undecodable"):
        text = "a body that is not JSON came under a media type of JSON"
        yield Contradiction("undecodable", place, str(status), text, broken, sum(bodies.values()), *response.dates)


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
    operations = {operation.place: key for key, operation in evidence.document.endpoints.items()}
    for gap in evidence.document.open_gaps:
        if gap.place in operations:
            if operations[gap.place] in evidence.tallies:
                yield from gap_of_operation(gap, operations[gap.place], evidence)
            continue
        for places in (evidence.places, evidence.sent):
            seen = next((each for each in places.values() if gap in each.schema.all_gaps), None)
            if seen is not None and (text := described_place(gap, seen)):
                is_required = gap.id.endswith(REQUIRED_ENDINGS)
                closes = (
                    is_required
                    or (gap.id.endswith("-values") and MANY not in seen.shape)
                    or (gap.id.endswith("-unit") and seen.unit is not None)
                    or (gap.id.endswith("-type") and seen.shape["types"].keys() != {"null"})
                )
                total = seen.objects if is_required else seen.total
                yield GapEvidence(gap, text, total, seen.first, seen.last, closes)
                break


def gap_of_operation(gap: Gap, key: str, evidence: Evidence) -> Iterator[GapEvidence]:
    """Yield what was seen of a gap of an operation; a list of statuses or parameters may always be longer than that."""
    operation, tally = evidence.document.endpoints[key], evidence.tallies[key]
    responses = [response for response in evidence.responses if response.operation is operation]
    text, total, closes = "", 0, False
    if gap.id.endswith("-response"):
        for response in responses:
            if response.status < 300:
                is_read = response.body is not None or response.tally.get("bodies", {}).keys() == {"empty"}
                yield GapEvidence(gap, described_response(response), response.count, *response.dates, closes=is_read)
    elif gap.id.endswith(STATUS_ENDINGS):
        errors = {str(response.status): response.count for response in responses if response.status >= 400}
        text, total = listed(errors), sum(errors.values())
    elif gap.id.endswith("-request") and "accepted" in tally.get("request", {}):
        sent = tally["request"]["accepted"]
        refused = sum(tally["request"].get("refused", {}).get("bodies", {}).values())
        names = ", ".join(sorted(members_of(sent.get("body", {})))) or "no member"
        text = f"bodies with {names} were accepted, and {refused} bodies refused"
        total = sum(sent["bodies"].values())
    elif gap.id.endswith(("-parameters", "-filters")):
        parameters = new_parameters(evidence, key)
        text, total = f"accepted: {listed(parameters)}", sum(parameters.values())
    elif gap.id.endswith(("-permission", "-level", "-credential")):
        kinds: Mapping[str, Mapping[str, int]] = tally.get("credentials", {})
        text = "; ".join(f"{kind}: {listed(counts)}" for kind, counts in sorted(kinds.items()))
        total = sum(sum(counts.values()) for counts in kinds.values())
    elif gap.id.endswith(("-path", "-method")):
        text, total, closes = f"{operation.method.upper()} {operation.path} succeeds", successes(tally), True
    if total:
        yield GapEvidence(gap, text, total, tally["first"], tally["last"], closes)


def described_response(response: Response) -> str:
    """Return status and form of a response in words."""
    status, schema, body = response.status, response.schema, response.body
    if body is None:
        return f"{status}, {' and '.join(sorted(response.tally.get('bodies', {})))} body"
    kinds = " or ".join(sorted(body["types"]))
    if schema is not None and schema.shows_all and schema.properties:
        name = schema.place.rpartition("/")[2]
        return f"{status}, the shape of {name} in all" if kinds == "object" else f"{status}, {kinds}"
    members = sorted(members_of(body))
    return f"{status}, {kinds}{' with ' + ', '.join(members) if members else ''}"


def described_place(gap: Gap, seen: Seen) -> str:
    """Return what was seen of a gap of a schema in words; an empty text if nothing."""
    shape = seen.shape
    if gap.id.endswith(REQUIRED_ENDINGS) and seen.objects:
        others = ", ".join(sorted(shape.get(OTHERS, ())))
        always = ", ".join(sorted({*seen.always, *seen.new_always})) or "none"
        return f"always present: {always}" + (f"; not shown: {others}" if others else "")
    if gap.id.endswith("-values"):
        if MANY in shape:
            return "values that are no plain words, or too many: none that the contract does not show is kept"
        return listed({**shape.get(VALUES, {}), **shape.get(NEW, {})})
    if gap.id.endswith("-unit"):
        return listed(shape.get("formats", {}))
    return listed(shape.get("types", {})) if gap.id.endswith("-type") else ""


def orders(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield each operation whose lists had an order, with the order in words."""
    for key, tally in evidence.tallies.items():
        order = tally.get("order", {})
        for name in sorted(order.get("pages", {})):
            words = [f"{which} on {times} pages" for which, times in sorted(order["pages"][name].items())]
            seams = sorted(order.get("seams", {}).get(name, {}).items())
            joined = [f"{which} between {times} pairs of pages" for which, times in seams]
            yield key, f"by {name}: " + "; ".join(", ".join(part) for part in (words, joined) if part)
