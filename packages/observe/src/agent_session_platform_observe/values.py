"""What the values at one place of the contract show: contradictions, members, and the facts that gaps ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from agent_session_platform.contract import Node

from .contract import Schema
from .facts import Change, Finding, Line, gaps_ending, json_path, literal, names_with_counts
from .schemas import SchemaWriter, format_name
from .shape import FORMAT, MISSING, TYPE, UNITS, Tally

REQUIRED_ENDINGS: Final = ("-required-fields", "-members")
# A text of one of these formats has no other format.
TEXT_FORMATS: Final = ("date-time", "date", "uuid")


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
            yield Finding(line, [(target, None)])
    types = " or ".join(sorted(schema.types))
    for name, times in sorted(seen.facts(TYPE).items()):
        if types and name not in schema.types:
            text = f"{name} came, and the contract says {types}"
            line = Line(place, text, times, seen.n, *dates, "type")
            yield Finding(line, type_changes(schema, name, line))
    form = schema.node.get("format")
    for name, times in sorted(seen.facts(FORMAT).items()):
        if form in TEXT_FORMATS and name != form:
            text = f"{name} text came, and the contract says {form}"
            yield Finding(Line(place, text, times, seen.n, *dates, "format"))
    if schema.is_closed:
        yield from values_outside_of_set(schema, seen)


def type_changes(schema: Schema, name: str, line: Line) -> list[Change]:
    """Return the change that allows one more type, if the types are written at the place itself."""
    given: str | list[str] = schema.node.get("type", [])
    if not given or schema.place != schema.own_place:
        return []
    # An update adds to a list of types, but replaces a single type.
    types = [name]
    if isinstance(given, str):
        types = [given, name]
    update = {"type": types, "x-observed": line.evidence}
    return [(json_path(schema.place), update)]


def values_outside_of_set(schema: Schema, seen: Tally) -> Iterator[Finding]:
    """Yield the values that a closed set of the contract does not have."""
    place = schema.place
    text = f"came, and the contract closes the set: {', '.join(schema.values)}"
    for name, times in seen.new_values(schema).items():
        line = Line(place, f"`{name}` {text}", times, seen.n, *seen.dates(), "value")
        update = {"enum": [name], "x-observed": line.evidence}
        yield Finding(line, [(json_path(place), update)])
    times = seen.counts["unkept"]
    if times:
        text = f"a value (not kept, because it is no plain word) {text}"
        yield Finding(Line(place, text, times, seen.n, *seen.dates(), "value"))


def new_members(schema: Schema, seen: Tally, writer: SchemaWriter, owner: str) -> Iterator[Finding]:
    """Yield the members that a schema lacks.

    Args:
        schema: The schema.
        seen: The objects that were seen.
        writer: The writer of the proposal's schemas.
        owner: What has the members, in the plural.
    """
    holder = schema
    for part in schema.parts:
        if "properties" in part.node:
            holder = part
    dates = seen.dates()
    for name, member in seen.others(schema).items():
        types = " or ".join(sorted(member.facts(TYPE)))
        total = max(member.n, seen.examined(name))
        line = Line(schema.place, f"{owner} have a member {name}, {types}", member.n, total, *dates)
        node = writer.schema_of(member)
        node["description"] = "Not shown by the description of the API."
        node["x-observed"] = line.evidence
        yield Finding(line, [(json_path(holder.place), {"properties": {name: node}})])
    unnamed = seen.counts["unnamed"]
    if unnamed:
        text = f"{owner} have members that are not kept, because their names may be values"
        yield Finding(Line(schema.place, text, unnamed, unnamed, *dates))


def facts_for_gaps(place: str, schema: Schema, seen: Tally, writer: SchemaWriter) -> Iterator[Finding]:
    """Yield the facts that fill the gaps of the schema at a place: required members, a type, values or a unit."""

    def fact(endings: Sequence[str], text: str, update: Node, times: int, *, closes: bool) -> Finding:
        line = Line(place, text, times, times, *seen.dates(), closes=closes)
        changes: list[Change] = []
        if update:
            changes.append((json_path(place), update | {"x-observed": line.evidence}))
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
        yield fact(REQUIRED_ENDINGS, text, update, seen.counts["objects"], closes=True)
    types = seen.facts(TYPE)
    if schema.is_unshown or is_open("-type"):
        update = {}
        if schema.is_unshown:
            update = writer.schema_of(seen)
        text = names_with_counts(types)
        yield fact(["-type"], text, update, seen.n, closes=types.keys() != {"null"})
    new = [*seen.new_values(schema)]
    if new or (schema.is_set and is_open("-values")):
        text = names_with_counts(seen.values())
        update = {}
        if new and not schema.is_closed:
            update = {"x-known-values": new}
        # Null is no value of the set.
        times = types.get("string", 0)
        text = text or "values that are no plain words, or too many to be kept"
        yield fact(["-values"], text, update, times, closes=not seen.counts["unkept"])
    if is_open("-unit"):
        formats = seen.facts(FORMAT)
        is_unit = len(formats) == 1 and formats.keys() <= UNITS.keys()
        update = {}
        if is_unit:
            update = {"format": format_name(*formats)}
        times = sum(formats.values())
        yield fact(["-unit"], names_with_counts(formats), update, times, closes=is_unit)


def newly_required(schema: Schema, seen: Tally, at_least: int) -> list[str]:
    """Return the members to call required: members that the contract lacks, and others if a gap asks for them."""
    if seen.counts["objects"] < at_least:
        return []
    names = seen.always(at_least) - schema.required.keys()
    if gaps_ending(schema.gaps, *REQUIRED_ENDINGS):
        return sorted(names)
    # Without a gap, a list of required members is complete.
    if schema.required:
        return []
    return sorted(names & seen.others(schema).keys())
