"""Observations beside the contract: what was seen at its places, what contradicts it, and what fills its gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import attrs
from agent_session_platform import Gap
from agent_session_platform.contract import PLACEHOLDER, Endpoint, child

from .contract import Document, Schema, open_gaps, query_of
from .shape import MANY, MISSING, NAMED, NEW, OTHERS, UNITS, VALUES, Tally, add, members_of

# What a path begins with besides the names of resources: `/v3`, `/v3beta1`, `/beta/v2`.
VERSION: Final = re.compile(r"(?:/(?:v\d+(?:beta\d*)?|beta))+(?=/)")
# The ends of the ids of gaps that leave the statuses of errors open, and of those that ask which members there are.
STATUS_ENDINGS: Final = ("-errors", "-statuses")
REQUIRED_ENDINGS: Final = ("-required-fields", "-members")
# If n responses were drawn at random and none is an exception, the rate of exceptions is below 3/n with a confidence of
# 95 % (the rule of three).
RULE_OF_THREE: Final = 3.0


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
        name: Of a contradiction the member, type, value or status that it is about.
    """

    subject: str
    text: str
    times: int
    total: int
    first: str
    last: str
    kind: str = ""
    closes: bool = False
    name: str = ""

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


@attrs.define
class Seen:
    """The values that were seen at a place.

    Attributes:
        schema: What the contract shows there, which may be nothing.
        first: The date on which it was first seen.
        last: The date on which it was last seen.
        shape: The shape, without members and items.
        others: The shapes of the members that the contract does not show there.
        present: How many objects had each member that the contract shows.
    """

    schema: Schema
    first: str
    last: str
    shape: Tally = attrs.field(factory=Tally)
    others: dict[str, Tally] = attrs.field(factory=dict[str, Tally])
    present: dict[str, int] = attrs.field(factory=dict[str, int])

    @property
    def dates(self) -> tuple[str, str]:
        """When it was first and last seen."""
        return self.first, self.last

    @property
    def total(self) -> int:
        """The number of values that were read."""
        return int(self.shape["n"])

    @property
    def objects(self) -> int:
        """The number of those that were objects."""
        return int(self.shape["types"].get("object", 0))

    @property
    def always(self) -> list[str]:
        """The members that the contract shows and does not require, and that all objects had."""
        return [
            name for name, times in self.present.items() if times == self.objects and name not in self.schema.required
        ]

    @property
    def new_always(self) -> list[str]:
        """The members that the contract does not show there, and that all objects had in which such were looked at."""
        named, known = self.shape.get(NAMED, 0), self.schema.document.vocabulary
        return [name for name, each in self.others.items() if each["n"] >= (self.objects if name in known else named)]

    @property
    def unit(self) -> str | None:
        """The unit of a time, if all values had the same."""
        formats: dict[str, int] = self.shape.get("formats", {})
        return next((name for name in formats if len(formats) == 1 and name in UNITS), None)

    def has_gap(self, *endings: str) -> bool:
        """Return whether an open gap has an id with one of these ends."""
        return any(gap.id.endswith(endings) for gap in self.schema.gaps)


@attrs.frozen
class Response:
    """The responses of an operation with one status.

    Attributes:
        operation: The operation.
        status: The status.
        tally: What was counted and read of them.
        media_type: The most frequent media type; `none` for no body.
        schema: What the contract shows of the body; None where it shows no JSON.
    """

    operation: Endpoint
    status: int
    tally: Tally
    media_type: str
    schema: Schema | None

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
        return dates_of(self.tally)

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
    tallies: dict[str, Tally]
    unknown: dict[str, Tally]
    responses: list[Response] = attrs.field(factory=list[Response])
    places: dict[str, Seen] = attrs.field(factory=dict[str, Seen])
    sent: dict[str, Seen] = attrs.field(factory=dict[str, Seen])

    def promoted(self) -> list[tuple[Tally, Endpoint, str]]:
        """Return what was found under the path of another version: the tally, the operation and the new path."""
        endpoints = self.document.endpoints.values()
        by_form = {(each.method, form_of(each.path)): each for each in endpoints}
        known = {f"{each.method} {PLACEHOLDER.sub('{}', each.path)}" for each in endpoints}
        found: list[tuple[Tally, Endpoint, str]] = []
        for key, tally in sorted(self.unknown.items()):
            method, _, template = key.partition(" ")
            operation = by_form.get((method, form_of(template)))
            # One that is known was seen before this build had it.
            if operation is None or key in known or not successes(tally):
                continue
            if not successes(self.tallies.get(operation.id, {})):
                names = [f"{{{name}}}" for name in PLACEHOLDER.findall(operation.path)]
                found.append((tally, operation, template.format(*names)))
        return found


def form_of(path: str) -> str:
    """Return a path without its version and without the names of its placeholders."""
    return PLACEHOLDER.sub("{}", VERSION.sub("", path, count=1))


def successes(tally: Tally) -> int:
    """Return how often an operation has succeeded."""
    return sum(each["count"] for status, each in tally.get("responses", {}).items() if status.startswith("2"))


def dates_of(tally: Tally) -> tuple[str, str]:
    """Return when the first and the last one was seen."""
    return tally["first"], tally["last"]


def collect(tallies: Mapping[str, Tally], document: Document) -> Evidence:
    """Put observations at their places in the contract.

    Args:
        tallies: The observations, as `read_observations` returns them.
        document: The contract.
    """
    known = {key: tallies[key] for key in document.endpoints if key in tallies}
    evidence = Evidence(document, known, {key: tally for key, tally in tallies.items() if key not in known})
    for key, tally in known.items():
        operation = document.endpoints[key]
        for text, response in sorted(tally.get("responses", {}).items()):
            if not text.isdecimal():
                continue
            status, media = int(text), response.get("media", {})
            media_type = max(sorted(media), key=lambda name: media[name], default="none")  # called here
            found = Response(operation, status, response, media_type, document.response(operation, status, media_type))
            evidence.responses.append(found)
            is_declared = status >= 400 or operation.declared(status) != "default"
            if found.schema is not None and found.body is not None and is_declared and found.schema.shows_all:
                walk(found.schema, found.body, found.dates, evidence.places)
        accepted: Tally | None = tally.get("request", {}).get("accepted", {}).get("body")
        body = document.body(operation)
        if accepted is not None and body is not None and not body.is_unshown:
            walk(body, accepted, dates_of(tally), evidence.sent)
    return evidence


def walk(schema: Schema, shape: Tally, dates: tuple[str, str], places: dict[str, Seen]) -> None:
    """Add a shape, and those below it, to what was seen at their places.

    Args:
        schema: What the contract shows.
        shape: The shape.
        dates: When it was first and last seen.
        places: Where it is added. An object has the place where it is written, anything else that where it is used.
    """
    seen = places.setdefault(schema.place if schema.properties else schema.own_place, Seen(schema, *dates))
    seen.first, seen.last = min(seen.first, dates[0]), max(seen.last, dates[1])
    add(seen.shape, {key: value for key, value in shape.items() if key not in ("members", "items", OTHERS)})
    # The file may be of a build that did not show all members that this one shows.
    for name, member in members_of(shape).items():
        if name in schema.properties:
            seen.present[name] = seen.present.get(name, 0) + member["n"]
            walk(schema.properties[name], member, dates, places)
        else:
            add(seen.others.setdefault(name, {}), member)
    if "items" in shape and schema.items is not None:
        walk(schema.items, shape["items"], dates, places)


def new_parameters(evidence: Evidence, operation_id: str, fate: str = "accepted") -> dict[str, int]:
    """Return the query parameters that were accepted and that the contract does not have, with how often."""
    others: Tally = evidence.tallies[operation_id].get("query", {}).get(fate, {}).get(OTHERS, {})
    known = query_of(evidence.document.endpoints[operation_id])
    return {name: counts["n"] for name, counts in sorted(others.items()) if name not in known}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def came(number: int) -> str:
    """Return how often something came."""
    return "once" if number == 1 else f"{number} times"


def listed(counts: Mapping[str, int]) -> str:
    """Return names in words, each with how often it was seen."""
    return ", ".join(f"{name} ({came(times)})" for name, times in sorted(counts.items()))


def contradictions(evidence: Evidence) -> Iterator[Line]:
    """Yield all contradictions, in the order of the contract."""
    for place, seen in evidence.places.items():
        yield from contradictions_at(place, seen)
    for response in evidence.responses:
        yield from contradictions_of(response)
    for key, tally in evidence.tallies.items():
        operation = evidence.document.endpoints[key]
        kinds = {kind for entry in operation.node.get("security", ()) for kind in entry}
        # Where the kinds are not shown, the contract has one that is only known to work elsewhere.
        is_open = any("kinds of credential" in gap.what for gap in operation.gaps)
        for kind, counts in sorted(tally.get("credentials", {}).items()):
            if counts.get("accepted") and kind not in kinds and not is_open:
                text = f"a credential of the kind {kind} was accepted, and the contract has {', '.join(sorted(kinds))}"
                place, total = child(operation.place, "security"), sum(counts.values())
                yield Line(place, text, counts["accepted"], total, *dates_of(tally), "credential", name=kind)
    for tally, operation, path in evidence.promoted():
        times, text = successes(tally), f"{path} succeeds, and the contract has {operation.path}"
        yield Line(operation.place, text, times, times, *dates_of(tally), "path", name=path)


def contradictions_at(place: str, seen: Seen) -> Iterator[Line]:
    """Yield the contradictions at a place."""
    schema, shape = seen.schema, seen.shape
    for name, times in sorted(shape.get(MISSING, {}).items()):
        # A file may be of a build that required more.
        if name in schema.required:
            text = f"`{name}` is missing, which the contract requires"
            yield Line(schema.required[name], text, times, seen.objects, *seen.dates, "missing", name=name)
    for name, times in sorted(shape["types"].items()):
        if schema.types and name not in schema.types:
            text = f"{name} came, and the contract says {' or '.join(sorted(schema.types))}"
            yield Line(place, text, times, seen.total, *seen.dates, "type", name=name)
    form = schema.node.get("format")
    for name, times in sorted(shape.get("formats", {}).items()):
        if form in ("date-time", "date", "uuid") and name != form:
            text = f"{name} text came, and the contract says {form}"
            yield Line(place, text, times, seen.total, *seen.dates, "format", name=name)
    if schema.is_closed:
        values = {f"`{name}`": times for name, times in shape.get(NEW, {}).items() if name not in schema.values}
        if MANY in shape:
            values["a value that is not kept, because it is no plain word,"] = shape[MANY]
        for name, times in sorted(values.items()):
            text = f"{name} came, and the contract closes the set: {', '.join(schema.values)}"
            yield Line(schema.place, text, times, seen.total, *seen.dates, "value", name=name.strip("`"))


def contradictions_of(response: Response) -> Iterator[Line]:
    """Yield the contradictions of the responses with one status."""
    operation, status, dates = response.operation, response.status, response.dates
    place = f"{operation.place}/responses"
    if response.is_undeclared:
        text = f"{status} came, and the contract has {', '.join(operation.node['responses'])}"
        yield Line(place, text, response.count, response.count, *dates, "status", name=str(status))
        return
    place = f"{place}/{operation.declared(status)}"
    for name, times in sorted(response.tally.get("media", {}).items()):
        if status < 400 and response.schema is not None and name != "none" and not name.endswith("json"):
            text = f"{name} came, and the contract says JSON"
            yield Line(place, text, times, response.count, *dates, "media type", name=name)
    bodies = response.tally.get("bodies", {})
    if broken := bodies.get("undecodable"):
        text = "a body that is not JSON came under a media type of JSON"
        yield Line(place, text, broken, sum(bodies.values()), *dates, "undecodable", name=str(status))


def gap_evidence(evidence: Evidence) -> Iterator[tuple[Gap, Line]]:
    """Yield what was seen of each gap of which anything was seen, in the order of the contract."""
    operations = {operation.place: key for key, operation in evidence.document.endpoints.items()}
    at_places = [*evidence.sent.values(), *evidence.places.values()]
    by_gap = {gap.id: seen for seen in at_places for gap in seen.schema.gaps}
    for gap in evidence.document.open_gaps:
        if operations.get(gap.place) in evidence.tallies:
            line = gap_of_operation(gap, operations[gap.place], evidence)
        else:
            line = gap_of_place(gap, by_gap[gap.id]) if gap.id in by_gap else None
        if line is not None and line.text and line.total:
            yield gap, line


def gap_of_operation(gap: Gap, key: str, evidence: Evidence) -> Line | None:
    """Return what was seen of a gap of an operation; a list of statuses or parameters may always be longer."""
    operation, tally = evidence.document.endpoints[key], evidence.tallies[key]
    responses = [response for response in evidence.responses if response.operation is operation]
    dates, text, total, closes = dates_of(tally), "", 0, False
    if gap.id.endswith("-response"):
        good = [response for response in responses if response.status < 300]
        text, total = "; ".join(map(described_response, good)), sum(response.count for response in good)
        closes = any(each.body is not None or each.tally.get("bodies", {}).keys() == {"empty"} for each in good)
    elif gap.id.endswith(STATUS_ENDINGS):
        errors = {str(response.status): response.count for response in responses if response.status >= 400}
        text, total = listed(errors), sum(errors.values())
    elif gap.id.endswith("-request") and "accepted" in tally.get("request", {}):
        sent = tally["request"]["accepted"]
        refused = sum(tally["request"].get("refused", {}).get("bodies", {}).values())
        names = ", ".join(sorted(members_of(sent.get("body", {})))) or "no member"
        text, total = f"bodies with {names} were accepted, and {refused} refused", sum(sent["bodies"].values())
    elif gap.id.endswith(("-parameters", "-filters")):
        parameters = new_parameters(evidence, key)
        text, total = f"accepted: {listed(parameters)}", sum(parameters.values())
    elif gap.id.endswith(("-permission", "-level", "-credential")):
        kinds: Mapping[str, Mapping[str, int]] = tally.get("credentials", {})
        text = "; ".join(f"{kind}: {listed(counts)}" for kind, counts in sorted(kinds.items()))
        total = sum(sum(counts.values()) for counts in kinds.values())
    elif gap.id.endswith(("-path", "-method")):
        text, total, closes = f"{operation.method} {operation.path} succeeds", successes(tally), True
    return Line(gap.id, text, total, total, *dates, closes=closes)


def described_response(response: Response) -> str:
    """Return status and form of a response in words."""
    status, schema, body = response.status, response.schema, response.body
    if body is None:
        return f"{status}, {' and '.join(sorted(response.tally.get('bodies', {})))} body"
    kinds = " or ".join(sorted(body["types"]))
    if schema is not None and schema.shows_all and schema.properties and kinds == "object":
        return f"{status}, the shape of {schema.place.rpartition('/')[2]}"
    members = ", ".join(sorted(members_of(body)))
    return f"{status}, {kinds} with {members}" if members else f"{status}, {kinds}"


def gap_of_place(gap: Gap, seen: Seen) -> Line:
    """Return what was seen of a gap of a schema; without a text if nothing."""
    shape, text, total, closes = seen.shape, "", seen.total, False
    if gap.id.endswith(REQUIRED_ENDINGS):
        others, always = ", ".join(sorted(seen.others)), ", ".join(sorted({*seen.always, *seen.new_always}))
        text = f"always present: {always or 'none'}" + (f"; not shown: {others}" if others else "")
        total, closes = seen.objects, True
    elif gap.id.endswith("-values"):
        text, closes = listed({**shape.get(VALUES, {}), **shape.get(NEW, {})}), MANY not in shape
        if MANY in shape:
            text = "values that are no plain words, or too many: none that the contract does not show is kept"
    elif gap.id.endswith("-unit"):
        text, closes = listed(shape.get("formats", {})), seen.unit is not None
    elif gap.id.endswith("-type"):
        text, closes = listed(shape["types"]), shape["types"].keys() != {"null"}
    return Line(gap.id, text, total, total, *seen.dates, closes=closes)
