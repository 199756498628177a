"""Compare observations with the contract: facts, their evidence, the gaps that they fill, and changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs
from agent_session_platform import Gap, operations as catalogue
from agent_session_platform.contract import Endpoint, Node

from .contract import Document, Schema
from .overlay import body_schema, json_path, lacks, literal, schema_of
from .shape import DATES, FORMAT, ITEMS, MISSING, TYPE, UNITS, Tally

ACCEPTED: Final = tuple(map(str, range(200, 300)))
# The endings of the ids of gaps. An ending shows which fact the gap leaves open.
STATUS_ENDINGS: Final = ("-errors", "-statuses")
SUCCESS_ENDINGS: Final = ("-response", "-path", "-method")
REQUIRED_ENDINGS: Final = ("-required-fields", "-members")
MAYBE_IGNORED: Final = "Seen in requests that succeeded; a server may ignore what it does not know."
# The rule of three: if n responses are drawn at random and none is an exception, the rate of exceptions is below 3/n,
# with a confidence of 95 %.
RULE_OF_THREE: Final = 3.0

Places = dict[str, tuple[Schema, Tally]]
"""The schemas of the contract by JSON pointer. Each schema has the tally of the values that were seen there."""


@attrs.frozen
class Line:
    """One line of a report: something that was seen, with the numbers behind it.

    Attributes:
        subject: The id of the gap, the name of the operation or the JSON pointer that it is about.
        text: What was seen.
        times: How often it was seen.
        total: How many responses, objects or values there were.
        first: The date on which it was first seen.
        last: The date on which it was last seen.
        kind: The subject of a contradiction, such as `missing`; empty if the line is not a contradiction.
        closes: Whether the line states the whole fact that a gap asks for, not only a part.
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
        """The certainty of the line, in words."""
        if self.times < self.total:
            return f"{self.times} of {self.total}"
        if self.total <= RULE_OF_THREE:
            return f"{self.total} of {self.total}, which is too few to say more"
        return f"all of {self.total}, so exceptions are below {RULE_OF_THREE / self.total:.1%} at 95 % confidence"

    def __str__(self) -> str:
        dates = self.first if self.first == self.last else f"{self.first} to {self.last}"
        return f"{self.text} ({self.certainty}; {dates})"


@attrs.frozen
class Finding:
    """A fact that observations show.

    Attributes:
        line: The fact in words; `closes` says whether it closes the gaps.
        changes: The changes of the contract: the JSONPath of each target, and the update that is merged into it. None
            instead of an update removes the target.
        gaps: The gaps that the fact fills.
        section: The part of the report that has the line; empty if the report does not have it. A contradiction has a
            part of its own.
    """

    line: Line
    changes: tuple[tuple[str, Any], ...] = ()
    gaps: tuple[Gap, ...] = ()
    section: str = "additions"

    def actions(self) -> Iterator[Node]:
        """Yield the actions of an Overlay that state the fact."""
        for target, update in self.changes:
            action: Node = {"target": target, "description": str(self.line)}
            # A removal also contradicts the contract, for example if it removes the placeholder of a response.
            if self.line.kind or update is None:
                action["x-contradicts"] = self.line.text
            yield action | ({"remove": True} if update is None else {"update": update})


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def came(number: int) -> str:
    """Return a text that says how often something came."""
    return "once" if number == 1 else f"{number} times"


def listed(counts: Mapping[str, int]) -> str:
    """Return names as text. Each name is followed by the number of times that it was seen."""
    return ", ".join(f"{name} ({came(times)})" for name, times in sorted(counts.items()))


def name_of(operation_id: str) -> str:
    """Return the name of an operation, such as `organization.sessions.list`. Without the operation, return its id."""
    return catalogue[operation_id].name if operation_id in catalogue else operation_id


def evidence(line: Line) -> Node:
    """Return the evidence of a fact in the form of the contract."""
    return {"answers": line.times, "first": line.first, "last": line.last}


def ending(gaps: Iterable[Gap], *endings: str) -> tuple[Gap, ...]:
    """Return the gaps whose ids have one of these endings."""
    return tuple(gap for gap in gaps if gap.id.endswith(endings))


def find(tallies: Mapping[str, Tally], document: Document, at_least: int) -> list[Finding]:
    """Return all facts, and then the evidence for gaps.

    Args:
        tallies: The observations, as `read_observations` returns them.
        document: The contract.
        at_least: How many objects or values must have been seen before a fact is stated for all of them.
    """
    places, sent, required = Places(), Places(), dict[str, list[str]]()
    found: list[Finding] = []
    for key, operation in document.endpoints.items():
        if key not in tallies:
            continue
        found += of_requests(operation, tallies[key], document)
        for status, tally in sorted(tallies[key].below.items()):
            found += of_response(operation, int(status), tally, document, at_least)
            dates = Tally(Counter({name: tally.counts[name] for name in DATES}))
            # In alphabetical order, JSON comes before `none`, `other` and text.
            media_type = min(tally.at("media").counts, default="none")
            schema, body = document.response(operation, int(status), media_type), document.body(operation)
            if schema is not None and schema.shows_all:
                walk(schema, tally.at("body"), dates, places)
            if body is not None and not body.is_unshown and status in ACCEPTED:
                walk(body, tally.at("sent"), dates, sent)
    for place, (schema, tally) in places.items():
        found += of_contradictions(place, schema, tally)
        found += of_members(place, schema, tally, "objects", at_least)
        found += of_values(place, schema, tally, at_least)
        required[place] = always_required(schema, tally, at_least)
    for place, (schema, tally) in sent.items():
        # Accepted requests never show that a member is required.
        found += of_members(place, schema, tally, "requests that were accepted", tally.n + 1)
    found += of_examples(required, document)
    return [*found, *of_gaps(found, document, at_least)]


def walk(schema: Schema, tally: Tally, dates: Tally, places: Places) -> None:
    """Add a tally and the tallies below it to *places*.

    Args:
        schema: The schema of the value in the contract.
        tally: The tally.
        dates: A tally with the dates of the first and the last response.
        places: The tallies so far. The place of an object is where its schema is written. The place of any other value
            is where its schema is used.
    """
    if not tally.n:
        return
    _, seen = places.setdefault(schema.place if schema.properties else schema.own_place, (schema, Tally()))
    seen.add(tally)
    seen.add(dates)
    # The file may be from an older build, whose contract did not have all members of this one.
    for name, member in tally.members().items():
        if name in schema.properties:
            walk(schema.properties[name], member, dates, places)
    if schema.items is not None and ITEMS in tally.below:
        walk(schema.items, tally.below[ITEMS], dates, places)


def of_contradictions(place: str, schema: Schema, tally: Tally) -> Iterator[Finding]:
    """Yield the contradictions at a place. A contradiction of a format has no change, only a line for the report."""
    dates = tally.dates()
    for name, times in sorted(tally.facts(MISSING).items()):
        # The file may be from a build whose contract required more members.
        if name in schema.required:
            text, subject = f"`{name}` is missing, which the contract requires", schema.required[name]
            line = Line(subject, text, times, tally.counts["objects"], *dates, "missing")
            yield Finding(line, ((f"{json_path(subject)}[?(@=={literal(name)})]", None),))
    for name, times in sorted(tally.facts(TYPE).items()):
        if schema.types and name not in schema.types:
            text = f"{name} came, and the contract says {' or '.join(sorted(schema.types))}"
            line = Line(place, text, times, tally.n, *dates, "type")
            given: str | list[str] = schema.node.get("type", [])
            # An update adds to a list of types, but replaces a single type.
            update = {"type": [given, name] if isinstance(given, str) else [name], "x-observed": evidence(line)}
            is_here = given and schema.place == schema.own_place
            yield Finding(line, ((json_path(place), update),) if is_here else ())
    form = schema.node.get("format")
    for name, times in sorted(tally.facts(FORMAT).items()):
        if form in ("date-time", "date", "uuid") and name != form:
            text = f"{name} text came, and the contract says {form}"
            yield Finding(Line(place, text, times, tally.n, *dates, "format"))
    if schema.is_closed:
        text = f"came, and the contract closes the set: {', '.join(schema.values)}"
        for name, times in tally.new_values(schema).items():
            line = Line(schema.place, f"`{name}` {text}", times, tally.n, *dates, "value")
            update = {"enum": [name], "x-observed": evidence(line)}
            yield Finding(line, ((json_path(schema.place), update),))
        if times := tally.counts["unkept"]:
            text = f"a value (not kept, because it is no plain word) {text}"
            yield Finding(Line(schema.place, text, times, tally.n, *dates, "value"))


def of_members(place: str, schema: Schema, tally: Tally, of_what: str, at_least: int) -> Iterator[Finding]:
    """Yield the members that the schema at a place lacks."""
    holder = next((part for part in reversed(schema.parts) if "properties" in part.node), schema)
    for name, member in sorted(tally.others(schema).items()):
        text = f"{of_what} have a member {name}, {' or '.join(sorted(member.facts(TYPE)))}"
        line = Line(place, text, member.n, max(member.n, tally.examined(name)), *tally.dates())
        about = {"description": "Not shown by the description of the API.", "x-observed": evidence(line)}
        update = {"properties": {name: schema_of(member, schema.document, at_least) | about}}
        yield Finding(line, ((json_path(holder.place), update),))
    if unnamed := tally.counts["unnamed"]:
        text = f"{of_what} have members that are not kept, because their names may be values"
        yield Finding(Line(place, text, unnamed, unnamed, *tally.dates()))


def of_values(place: str, schema: Schema, tally: Tally, at_least: int) -> Iterator[Finding]:
    """Yield the facts that fill the gaps of the schema at a place: required members, a type, values or a unit."""

    def fact(text: str, update: Node, gaps: tuple[Gap, ...], *, times: int = tally.n, closes: bool) -> Finding:
        line = Line(place, text, times, times, *tally.dates(), closes=closes)
        changes = ((json_path(place), {**update, "x-observed": evidence(line)}),) if update else ()
        return Finding(line, changes, gaps, section="")

    gaps, needed = ending(schema.gaps, *REQUIRED_ENDINGS), always_required(schema, tally, at_least)
    if gaps or needed:
        always, others = sorted(tally.always() - schema.required.keys()), sorted(tally.others(schema))
        text = f"always present: {', '.join(always) or 'none'}" + (f"; not shown: {', '.join(others)}" * bool(others))
        update = {"required": needed} if needed else {}
        yield fact(text, update, gaps, times=tally.counts["objects"], closes=True)
    types, gaps = tally.facts(TYPE), ending(schema.gaps, "-type")
    if gaps or schema.is_unshown:
        update = schema_of(tally, schema.document, at_least) if schema.is_unshown else {}
        yield fact(listed(types), update, gaps, closes=types.keys() != {"null"})
    new, gaps = list(tally.new_values(schema)), ending(schema.gaps, "-values")
    if schema.is_set and (gaps or new):
        update = {"x-known-values": new} if new and not schema.is_closed else {}
        text = listed(tally.values()) or "values that are no plain words, or too many to be kept"
        yield fact(text, update, gaps, closes=not tally.counts["unkept"])
    formats, gaps = tally.facts(FORMAT), ending(schema.gaps, "-unit")
    if gaps:
        is_unit = len(formats) == 1 and formats.keys() <= UNITS.keys()
        yield fact(listed(formats), {"format": next(iter(formats))} if is_unit else {}, gaps, closes=is_unit)


def always_required(schema: Schema, tally: Tally, at_least: int) -> list[str]:
    """Return the members to call required: members that the contract lacks, and others if a gap asks for them."""
    if tally.counts["objects"] < at_least:
        return []
    always, others = tally.always(at_least) - schema.required.keys(), tally.others(schema)
    return sorted(name for name in always if name in others or ending(schema.gaps, *REQUIRED_ENDINGS))


def of_examples(required: Mapping[str, list[str]], document: Document) -> Iterator[Finding]:
    """Yield the examples that lack a newly required member."""
    for name in document.document["components"]["schemas"]:
        schema = document.schema(f"#/components/schemas/{name}")
        examples = schema.node.get("examples", [])
        if any(lacks(schema, example, required) for example in examples):
            line = Line(schema.place, "an example lacks a member that always came", 1, 1, "", "")
            yield Finding(line, ((json_path(schema.place, "examples"), None),), section="")


def of_response(operation: Endpoint, status: int, tally: Tally, document: Document, at_least: int) -> Iterator[Finding]:
    """Yield what the responses with one status show."""
    place, dates, gaps = f"{operation.place}/responses", tally.dates(), document.gaps_of(operation.place)
    given, declared = operation.node["responses"], operation.declared(status)
    times, body = tally.counts["count"], tally.at("body")
    media_type = min(tally.at("media").counts, default="none")
    schema = document.response(operation, status, media_type)
    is_left_open = status >= 400 and len(ending(gaps, *STATUS_ENDINGS)) > 0
    # The contract never excludes a failure of the server.
    is_excluded = declared in ("default", None) and status < 500 and not is_left_open
    text = f"{status} came, {' or '.join(sorted(body.facts(TYPE)) or sorted(body.counts))}"
    if members := sorted(body.members()):
        text += f" with {', '.join(members)}"
    if is_excluded:
        text += f"; the contract has {', '.join(given)}"
    closes = status < 300 and media_type != "other" and (body.n > 0 or body.counts.keys() == {"empty"})
    line = Line(place, text, times, times, *dates, "status" * is_excluded, closes=closes)
    node: Node = {"description": f"Seen {came(times)}.", "x-observed": evidence(line)}
    if media_type != "none":
        content = body_schema(schema, body, document, at_least) if body.n else {}
        node["content"] = {media_type: {"schema": content} if content else {}}
    # The SDK cannot read a redirect or an HTML page.
    is_readable = media_type != "other" and not (300 <= status < 400 or (status < 300 and media_type == "text/html"))
    is_new = str(status) not in given and status < 500 and is_readable
    changes = ((json_path(place), {str(status): node}),) if is_new else ()
    yield Finding(line, changes, ending(gaps, *(SUCCESS_ENDINGS if status < 300 else STATUS_ENDINGS)), section="")
    media = tally.at("media").counts
    for name, number in sorted(media.items()):
        if status < 400 and schema is not None and name != "none" and not name.endswith("json"):
            text, at = f"{name} came, and the contract says JSON", f"{place}/{declared}"
            yield Finding(Line(at, text, number, media.total(), *dates, "media type"))
    for name, each in sorted(tally.at("header").members().items()):
        text = f"responses with {status} have a header {name}"
        yield Finding(Line(name_of(operation.id), text, each.n, each.n, *dates))


def joined(tally: Tally, place: str) -> Tally:
    """Return the tally of one part, such as `header`, in all successful exchanges of an operation."""
    found = Tally()
    for status, each in tally.below.items():
        if status in ACCEPTED:
            found.add(each.at(place))
    return found


def of_requests(operation: Endpoint, tally: Tally, document: Document) -> Iterator[Finding]:
    """Yield query parameters and members of request bodies that the contract does not show."""
    name, dates, gaps = name_of(operation.id), tally.dates(), document.gaps_of(operation.place)
    for parameter, each in sorted(joined(tally, "query").members().items()):
        if not operation.parameter("query", parameter):
            text = f"the query parameter {parameter} was accepted {came(each.n)}"
            line = Line(name, text, each.n, each.n, *dates)
            about = {"description": MAYBE_IGNORED, "x-observed": evidence(line)}
            new = [{"name": parameter, "in": "query", "schema": {}, **about}]
            change = (json_path(operation.place), {"parameters": new})
            yield Finding(line, (change,), ending(gaps, "-parameters", "-filters"))
    sent, body = joined(tally, "sent"), document.body(operation)
    if not sent.members():
        return
    text = f"bodies with {', '.join(sorted(sent.members()))} were accepted"
    line, changes = Line(name, text, sent.n, sent.n, *dates), list[tuple[str, Any]]()
    if body is not None and body.is_unshown:
        schema = schema_of(sent, document, sent.n + 1) | {"additionalProperties": True}
        about = {"description": MAYBE_IGNORED, "x-observed": evidence(line)}
        # An update cannot add to a reference.
        if "$ref" in operation.node["requestBody"]:
            changes.append((json_path(operation.place, "requestBody"), None))
        update = {"requestBody": {"content": {"application/json": {"schema": schema}}, **about}}
        changes.append((json_path(operation.place), update))
    yield Finding(line, tuple(changes), ending(gaps, "-request"), section="")


def of_gaps(found: Iterable[Finding], document: Document, at_least: int) -> Iterator[Finding]:
    """Yield the evidence for each gap, if there is evidence, and the change that closes the gap."""
    by_gap: dict[Gap, list[Line]] = {}
    for finding in found:
        # A fact about the members of objects says nothing if no object came.
        for gap in finding.gaps if finding.line.times else ():
            by_gap.setdefault(gap, []).append(finding.line)
    for gap, lines in by_gap.items():
        total, closes = sum(line.times for line in lines), any(line.closes for line in lines)
        first, last = min(line.first for line in lines), max(line.last for line in lines)
        text = f"seen {counted(total, 'time')}: {'; '.join(line.text for line in lines)}"
        line = Line(gap.id, text if closes else f"{text}: a part of the fact", total, total, first, last, closes=closes)
        changes: list[tuple[str, Any]] = []
        # One response is enough to show a form, but not to show a set.
        if closes and total >= (1 if gap.id.endswith((*SUCCESS_ENDINGS, "-type")) else at_least):
            target = f"{json_path(gap.place, 'x-not-shown')}[?(@.id=={literal(gap.id)})]"
            changes.append((target, {"closed": evidence(line)}))
            # `2XX` stood for a success whose status was not known.
            if gap.id.endswith("-response") and "2XX" in document.node_at(gap.place).get("responses", {}):
                changes.append((json_path(gap.place, "responses", "2XX"), None))
        yield Finding(line, tuple(changes), section="gaps")
