"""Observations at their places in the contract: the shapes of all operations that use a schema, added up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs
from agent_session_platform.contract import PLACEHOLDER, Endpoint

from .contract import Document, Schema, query_of
from .record import ACCEPTED, BODY, COUNT, MEDIA, QUERY, REQUEST, RESPONSES
from .shape import COUNT as READ_COUNT
from .shape import ITEM, MEMBERS, TYPE
from .tally import FIRST, LAST, OTHERS, Room, Tally

# What a path begins with besides the names of resources: `/v3`, `/v3beta1`, `/beta/v2`.
VERSION: Final = re.compile(r"(?:/(?:v\d+(?:beta\d*)?|beta))+(?=/)")


@attrs.define
class Seen:
    """The values that were seen at a place.

    Attributes:
        schema: What the contract shows there, which may be nothing.
        shape: The shape, without what is below it.
        first: The date on which it was first seen.
        last: The date on which it was last seen.
        present: How many objects had each member that the contract shows.
        operations: The operations in whose bodies it was seen.
    """

    schema: Schema
    shape: Tally
    first: str
    last: str
    present: dict[str, int] = attrs.field(factory=dict[str, int])
    operations: set[str] = attrs.field(factory=set[str])

    @property
    def total(self) -> int:
        """The number of values that were read."""
        return int(self.shape.get(READ_COUNT, 0))

    @property
    def objects(self) -> int:
        """The number of those that were objects."""
        return int(self.shape.get(TYPE, {}).get("object", 0))


@attrs.frozen
class Response:
    """The responses of an operation with one status.

    Attributes:
        operation: The operation.
        status: The status.
        schema: What the contract shows of the body; None where it shows no JSON.
        tally: What was counted and read of them.
    """

    operation: Endpoint
    status: int
    schema: Schema | None
    tally: Tally

    @property
    def count(self) -> int:
        """The number of them."""
        return int(self.tally.get(COUNT, 0))

    @property
    def media_type(self) -> str:
        """The most frequent media type; `none` for no body."""
        media: Mapping[str, int] = self.tally.get(MEDIA, {})
        return max(sorted(media), key=lambda name: media[name], default="none")

    @property
    def body(self) -> Tally | None:
        """The shape of the bodies; None if none was read."""
        return self.tally.get(BODY)

    @property
    def dates(self) -> tuple[str, str]:
        """When the first and the last one came."""
        return self.tally[FIRST], self.tally[LAST]


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

    def of(self, operation: Endpoint) -> list[Response]:
        """Return the responses of an operation."""
        return [each for each in self.responses if each.operation is operation]

    def promoted(self) -> list[tuple[str, str, str]]:
        """Return the paths that were found under another version: key of the observation, operation, new path."""
        by_form = {
            (each.method, form_of(each.path)): (operation_id, each.path)
            for operation_id, each in self.document.endpoints.items()
        }
        known = {(each.method, PLACEHOLDER.sub("{}", each.path)) for each in self.document.endpoints.values()}
        found: list[tuple[str, str, str]] = []
        for key in sorted(self.unknown):
            method, _, template = key.partition(" ")
            operation_id, path = by_form.get((method, form_of(template)), ("", ""))
            if (method, template) in known:
                # Seen before this build had it.
                continue
            if operation_id and has_success(self.unknown[key]) and not has_success(self.tallies.get(operation_id, {})):
                names = [f"{{{name}}}" for name in PLACEHOLDER.findall(path)]
                found.append((key, operation_id, template.format(*names)))
        return found


def form_of(path: str) -> str:
    """Return a path without its version and without the names of its placeholders."""
    return PLACEHOLDER.sub("{}", VERSION.sub("", path, count=1))


def has_success(tally: Mapping[str, Any]) -> bool:
    """Return whether an operation has ever succeeded."""
    return any(status.startswith("2") for status in tally.get(RESPONSES, ()))


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
        for status, response in sorted(tally.get(RESPONSES, {}).items()):
            if not status.isdecimal():
                continue
            found = Response(operation, int(status), None, response)
            found = attrs.evolve(found, schema=document.response(operation, found.status, found.media_type))
            evidence.responses.append(found)
            is_declared = found.status >= 400 or operation.declared(found.status) != "default"
            if found.schema is not None and found.body is not None and is_declared and found.schema.shows_all:
                walk(found.schema, found.body, operation_id, found.dates, evidence.places)
        accepted: Tally | None = tally.get(REQUEST, {}).get(ACCEPTED, {}).get(BODY)
        body = document.body(operation)
        if accepted and body is not None and not body.is_unshown:
            walk(body, accepted, operation_id, (tally[FIRST], tally[LAST]), evidence.sent)
    return evidence


def walk(schema: Schema, shape: Tally, operation: str, dates: tuple[str, str], places: dict[str, Seen]) -> None:
    """Add a shape, and those below it, to what was seen at their places.

    Args:
        schema: What the contract shows.
        shape: The shape.
        operation: The operation in whose bodies it was seen.
        dates: When it was first and last seen.
        places: Where it is added. An object has the place where it is written, anything else that where it is used.
    """
    place = schema.place if schema.properties else schema.own_place
    seen = places.setdefault(place, Seen(schema, {}, *dates))
    seen.first, seen.last = min(seen.first, dates[0]), max(seen.last, dates[1])
    seen.operations.add(operation)
    room = Room()
    others: Mapping[str, Tally] = shape.get(OTHERS, {})
    below = (MEMBERS, ITEM, OTHERS)
    room.add(seen.shape, {key: value for key, value in shape.items() if key not in below})
    # A build before this one did not show all members that this one shows.
    unknown = {name: member for name, member in others.items() if name not in schema.properties}
    if unknown:
        room.add(seen.shape, {OTHERS: unknown})
    for name, member in [*shape.get(MEMBERS, {}).items(), *others.items()]:
        if name in schema.properties:
            seen.present[name] = seen.present.get(name, 0) + member[READ_COUNT]
            walk(schema.properties[name], member, operation, dates, places)
    if ITEM in shape and schema.items is not None:
        walk(schema.items, shape[ITEM], operation, dates, places)


def accepted_parameters(evidence: Evidence, operation_id: str) -> dict[str, int]:
    """Return the query parameters that were accepted and that the contract does not have, with how often."""
    query: Mapping[str, Mapping[str, int]] = evidence.tallies[operation_id].get(QUERY, {})
    known = query_of(evidence.document.endpoints[operation_id])
    accepted = {name: counts[ACCEPTED] for name, counts in sorted(query.items()) if counts.get(ACCEPTED)}
    return {name: times for name, times in accepted.items() if name not in known}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
