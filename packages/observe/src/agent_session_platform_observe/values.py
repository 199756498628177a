"""What the values at one place of the contract show: contradictions, members, and the facts that gaps ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from agent_session_platform import Gap
from agent_session_platform.contract import Node

from .contract import Schema
from .facts import Finding, Line, names_with_counts
from .overlay import json_path, literal
from .schemas import FORMAT_NAMES, SchemaWriter
from .shape import FORMAT, MISSING, TYPE, UNITS, Tally

REQUIRED_ENDINGS: Final = ("-required-fields", "-members")
# A text of one of these formats has no other format.
TEXT_FORMATS: Final = ("date-time", "date", "uuid")


def gaps_ending(gaps: Iterable[Gap], *endings: str) -> tuple[Gap, ...]:
    """Return the gaps whose ids have one of these endings."""
    return tuple(gap for gap in gaps if gap.id.endswith(endings))


def contradictions(place: str, schema: Schema, seen: Tally) -> Iterator[Finding]:
    """Yield the contradictions at a place. A contradiction of a format has no change, only a line for the report."""
    dates = seen.dates()
    for name, times in sorted(seen.facts(MISSING).items()):
        # The file may be from a build whose contract required more members.
        if name in schema.required:
            subject = schema.required[name]
            text = f"`{name}` is missing, which the contract requires"
            line = Line(subject, text, times, seen.counts["objects"], *dates, "missing")
            target = f"{json_path(subject)}[?(@=={literal(name)})]"
            yield Finding(line, ((target, None),))
    allowed = " or ".join(sorted(schema.types))
    for name, times in sorted(seen.facts(TYPE).items()):
        if schema.types and name not in schema.types:
            text = f"{name} came, and the contract says {allowed}"
            line = Line(place, text, times, seen.n, *dates, "type")
            yield Finding(line, type_changes(place, schema, name, line))
    form = schema.node.get("format")
    for name, times in sorted(seen.facts(FORMAT).items()):
        if form in TEXT_FORMATS and name != form:
            text = f"{name} text came, and the contract says {form}"
            yield Finding(Line(place, text, times, seen.n, *dates, "format"))
    if schema.is_closed:
        yield from values_outside_of_set(schema, seen)


def type_changes(place: str, schema: Schema, name: str, line: Line) -> tuple[tuple[str, Node], ...]:
    """Return the change that allows one more type, if the types are written at the place itself."""
    given: str | list[str] = schema.node.get("type", [])
    if not given or schema.place != schema.own_place:
        return ()
    # An update adds to a list of types, but replaces a single type.
    types = [name]
    if isinstance(given, str):
        types = [given, name]
    return ((json_path(place), {"type": types, "x-observed": line.evidence}),)


def values_outside_of_set(schema: Schema, seen: Tally) -> Iterator[Finding]:
    """Yield the values that a closed set of the contract does not have."""
    text = f"came, and the contract closes the set: {', '.join(schema.values)}"
    for name, times in seen.new_values(schema).items():
        line = Line(schema.place, f"`{name}` {text}", times, seen.n, *seen.dates(), "value")
        update = {"enum": [name], "x-observed": line.evidence}
        yield Finding(line, ((json_path(schema.place), update),))
    times = seen.counts["unkept"]
    if times:
        text = f"a value (not kept, because it is no plain word) {text}"
        yield Finding(Line(schema.place, text, times, seen.n, *seen.dates(), "value"))


def new_members(
    place: str, schema: Schema, seen: Tally, writer: SchemaWriter, owner: str, at_least: int
) -> Iterator[Finding]:
    """Yield the members that the schema at a place lacks.

    Args:
        place: The JSON pointer of the place.
        schema: The schema there.
        seen: The objects that were seen there.
        writer: The writer of the proposal's schemas.
        owner: What has the members, in the plural.
        at_least: As in `SchemaWriter`.
    """
    holder = schema
    for part in schema.parts:
        if "properties" in part.node:
            holder = part
    dates = seen.dates()
    for name, member in seen.others(schema).items():
        types = " or ".join(sorted(member.facts(TYPE)))
        total = max(member.n, seen.examined(name))
        line = Line(place, f"{owner} have a member {name}, {types}", member.n, total, *dates)
        node = writer.schema_of(member, at_least)
        node["description"] = "Not shown by the description of the API."
        node["x-observed"] = line.evidence
        yield Finding(line, ((json_path(holder.place), {"properties": {name: node}}),))
    unnamed = seen.counts["unnamed"]
    if unnamed:
        text = f"{owner} have members that are not kept, because their names may be values"
        yield Finding(Line(place, text, unnamed, unnamed, *dates))


def facts_for_gaps(place: str, schema: Schema, seen: Tally, writer: SchemaWriter) -> Iterator[Finding]:
    """Yield the facts that fill the gaps of the schema at a place: required members, a type, values or a unit."""

    def fact(endings: tuple[str, ...], text: str, update: Node, *, times: int, closes: bool) -> Finding:
        line = Line(place, text, times, times, *seen.dates(), closes=closes)
        changes: tuple[tuple[str, Node], ...] = ()
        if update:
            changes = ((json_path(place), {**update, "x-observed": line.evidence}),)
        return Finding(line, changes, gaps_ending(schema.gaps, *endings), section="")

    def is_open(*endings: str) -> bool:
        return bool(gaps_ending(schema.gaps, *endings))

    required = newly_required(schema, seen, writer.at_least)
    if required or is_open(*REQUIRED_ENDINGS):
        always = seen.always() - schema.required.keys()
        text = f"always present: {', '.join(sorted(always)) or 'none'}"
        others = seen.others(schema)
        if others:
            text += f"; not shown: {', '.join(others)}"
        update: Node = {}
        if required:
            update = {"required": required}
        yield fact(REQUIRED_ENDINGS, text, update, times=seen.counts["objects"], closes=True)
    types = seen.facts(TYPE)
    if schema.is_unshown or is_open("-type"):
        update = {}
        if schema.is_unshown:
            update = writer.schema_of(seen, writer.at_least)
        closes = types.keys() != {"null"}
        yield fact(("-type",), names_with_counts(types), update, times=seen.n, closes=closes)
    new = [*seen.new_values(schema)]
    if new or (schema.is_set and is_open("-values")):
        text = names_with_counts(seen.values()) or "values that are no plain words, or too many to be kept"
        update = {}
        if new and not schema.is_closed:
            update = {"x-known-values": new}
        # Null is no value of the set.
        closes = not seen.counts["unkept"]
        yield fact(("-values",), text, update, times=types.get("string", 0), closes=closes)
    formats = seen.facts(FORMAT)
    if is_open("-unit"):
        is_unit = len(formats) == 1 and formats.keys() <= UNITS.keys()
        update = {}
        if is_unit:
            [unit] = formats
            update = {"format": FORMAT_NAMES.get(unit, unit)}
        times = sum(formats.values())
        yield fact(("-unit",), names_with_counts(formats), update, times=times, closes=is_unit)


def newly_required(schema: Schema, seen: Tally, at_least: int) -> list[str]:
    """Return the members to call required: members that the contract lacks, and others if a gap asks for them."""
    if seen.counts["objects"] < at_least:
        return []
    names = seen.always(at_least) - schema.required.keys()
    if not gaps_ending(schema.gaps, *REQUIRED_ENDINGS):
        names &= seen.others(schema).keys()
    return sorted(names)
