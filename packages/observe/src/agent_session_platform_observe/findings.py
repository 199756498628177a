"""Compare observations with the contract: facts, their evidence, the gaps that they fill, and changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agent_session_platform import Gap

from .contract import Document, Schema
from .exchanges import ACCEPTED, SUCCESS_ENDINGS, media_type_of, request_facts, response_facts
from .facts import Change, Finding, Line, counted, json_path, literal, summed_up
from .schemas import SchemaWriter
from .shape import DATES, ITEMS, Tally
from .values import contradictions, facts_for_gaps, new_members

Places = dict[str, tuple[Schema, Tally]]
"""The schemas of the contract by JSON pointer. Each schema has the tally of the values that were seen there."""


def find(tallies: Mapping[str, Tally], writer: SchemaWriter) -> list[Finding]:
    """Return all facts, and then the evidence for gaps.

    Args:
        tallies: The observations, as `read_observations` returns them.
        writer: The writer of the proposal's schemas, for the contract.
    """
    document = writer.document
    received = Places()
    sent = Places()
    found: list[Finding] = []
    # What can be read gives its name to the class: what was created may have fewer members.
    for key, operation in sorted(document.endpoints.items(), key=lambda entry: entry[1].method != "GET"):
        if key not in tallies:
            continue
        found += request_facts(operation, tallies[key], writer)
        body = document.body(operation)
        for status, tally in sorted(tallies[key].below.items()):
            found += response_facts(operation, int(status), tally, writer)
            dates = Tally()
            for name in DATES:
                dates.counts[name] = tally.counts[name]
            schema = document.response(operation, int(status), media_type_of(tally))
            if schema is not None and schema.shows_all:
                collect(schema, tally.at("body"), dates, received)
            if body is not None and not body.is_unshown and int(status) in ACCEPTED:
                collect(body, tally.at("sent"), dates, sent)
    for place, (schema, tally) in received.items():
        found += contradictions(place, schema, tally)
        found += new_members(schema, tally, writer, "objects")
        found += facts_for_gaps(place, schema, tally, writer)
    for schema, tally in sent.values():
        found += new_members(schema, tally, writer.of_sent(), "requests that were accepted")
    found += [*evidence_for_gaps(found, writer)]
    return found


def collect(schema: Schema, tally: Tally, dates: Tally, places: Places) -> None:
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
    place = schema.own_place
    if schema.properties:
        place = schema.place
    _, seen = places.setdefault(place, (schema, Tally()))
    seen.add(tally)
    seen.add(dates)
    # The file may be from an older build, whose contract did not have all members of this one.
    for name, member in tally.members().items():
        if name in schema.properties:
            collect(schema.properties[name], member, dates, places)
    if schema.items is not None and ITEMS in tally.below:
        collect(schema.items, tally.below[ITEMS], dates, places)


def evidence_for_gaps(found: Iterable[Finding], writer: SchemaWriter) -> Iterator[Finding]:
    """Yield the evidence for each gap, if there is evidence, and the change that closes the gap."""
    by_gap: dict[Gap, list[Line]] = {}
    for finding in found:
        # A fact says nothing if no value came: one about members needs objects, one about a unit needs numbers.
        if finding.line.times:
            for gap in finding.gaps:
                by_gap.setdefault(gap, []).append(finding.line)
    for gap, lines in by_gap.items():
        total = sum(line.times for line in lines)
        closes = any(line.closes for line in lines)
        text = f"seen {counted(total, 'time')}: {'; '.join(line.text for line in lines)}"
        if not closes:
            text += ": a part of the fact"
        line = summed_up(gap.id, text, lines)
        # One response is enough to show a form, but not to show a set.
        needed = writer.at_least
        if gap.id.endswith((*SUCCESS_ENDINGS, "-type")):
            needed = 1
        changes: list[Change] = []
        if closes and total >= needed:
            changes += closing_changes(gap, line, writer.document)
        yield Finding(line, changes, section="gaps")


def closing_changes(gap: Gap, line: Line, document: Document) -> Iterator[Change]:
    """Yield the changes that close a gap."""
    target = f"{json_path(gap.place, 'x-not-shown')}[?(@.id=={literal(gap.id)})]"
    yield target, {"closed": line.evidence}
    # `2XX` stood for a success whose status was not known.
    if gap.id.endswith("-response") and "2XX" in document.node_at(gap.place).get("responses", {}):
        yield json_path(gap.place, "responses", "2XX"), None
