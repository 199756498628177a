"""Fitting: the most similar value that a schema allows, for requests and replies of a build."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from agent_session_platform.contract import Node, is_array, is_object

from .clock import parse_datetime
from .problems import suggestion
from .validation import ANY, Sampler, SandboxContract, known_members

# Stands for a value to which nothing in the schema is similar.
NOTHING: Final = object()
LAST_NUMBER: Final = re.compile(r"[0-9]{1,15}$")
# The ends of the names of ids; the handlers name an id after its record, and a contract may call it `id`.
ID_ENDINGS: Final = ("_id", "Id", "uuid")
# Members that may hold the text of an object, the most probable first.
TEXT_MEMBERS: Final = ("text", "message", "content", "body", "name", "title", "value")


class Fitter:
    """Fits values to the schemas of one contract.

    Args:
        contract: The contract.
        now: The current time, as a date-time.
        given: Values for required members that a value lacks, by their names.
    """

    def __init__(self, contract: SandboxContract, now: str, given: Mapping[str, Any] | None = None) -> None:
        self._contract = contract
        self._sampler = Sampler(contract, now)
        self._given = given or {}

    def fit(self, schema: Any, value: Any) -> Any:
        """Return a value if the schema allows it, or else the most similar one that it allows, or else a sample."""
        similar = self.similar(schema, value)
        if similar is NOTHING:
            return self._sampler.sample(schema)
        return similar

    def similar(self, schema: Any, value: Any) -> Any:
        """Return a value if the schema allows it, or else the most similar one, or NOTHING if none is similar."""
        if self._allows(schema, value):
            return value
        for flat in self._contract.shape(schema).alternatives:
            for converted in self._conversions(flat, value):
                if self._allows(schema, converted):
                    return converted
        return NOTHING

    def _allows(self, schema: Any, value: Any) -> bool:
        return self._contract.shape(schema).validator.is_valid(value)

    def _conversions(self, flat: Node, value: Any) -> Iterator[Any]:
        """Yield what a value may become, the most similar first; not all of it is valid."""
        if is_object(value):
            yield self._object(flat, value)
            yield from self._texts_of(value)
        elif is_array(value):
            yield self._array(flat, value)
            if value and not is_object(value[0]) and not is_array(value[0]):
                yield value[0]
        elif value is not None:
            yield from _same_word(flat, value)
            yield from _scalars(flat, value)
            yield self._wrapped(flat, value)

    def _object(self, flat: Node, value: Node) -> Node:
        """Return an object with its members fitted, and with the required ones that it lacks."""
        known, others = known_members(flat)
        fitted: Node = {}
        for name, member in self._renamed(flat, value).items():
            similar = self.similar(known.get(name, others), member)
            if similar is not NOTHING:
                fitted[name] = similar
        for name in flat.get("required", ()):
            if name not in fitted:
                fitted[name] = self._missing(name, known.get(name, others))
        return fitted

    def _missing(self, name: str, schema: Any) -> Any:
        """Return the value of a required member that an object lacks: a given one, or a sample with given ones."""
        if name in self._given:
            return self.fit(schema, self._given[name])
        sample = self._sampler.sample(schema)
        if not is_object(sample):
            return sample
        shape = self._contract.shape(schema)
        given = {each: self.fit(shape.member(each).schema, self._given[each]) for each in sample.keys() & self._given}
        return sample | given

    def _renamed(self, flat: Node, value: Node) -> Node:
        """Return an object whose members have the names of the schema: `total` becomes `total_queued`."""
        known, _ = known_members(flat)
        renamed = dict(value)
        for name in ("id", *flat.get("required", ())):
            if name in renamed or name not in known:
                continue
            similar: list[str] = []
            for other in renamed:
                is_id = name == "id" and other.endswith(ID_ENDINGS) and not similar
                is_similar = name != "id" and suggestion(name, [other]) and self._allows(known[name], renamed[other])
                if other not in known and (is_id or is_similar):
                    similar.append(other)
            if len(similar) == 1:
                renamed[name] = renamed.pop(similar[0])
        return renamed

    def _array(self, flat: Node, value: list[Any]) -> list[Any]:
        """Return an array whose items are fitted, with as many as the schema wants."""
        schema = flat.get("items", ANY)
        items = [self.fit(schema, item) for item in value[: flat.get("maxItems")]]
        while len(items) < flat.get("minItems", 0):
            items.append(self._sampler.sample(schema))
        return items

    def _texts_of(self, value: Node) -> Iterator[Any]:
        """Yield the members of an object that may be its text."""
        for name in (*TEXT_MEMBERS, *value):
            if isinstance(value.get(name), str):
                yield value[name]

    def _wrapped(self, flat: Node, value: Any) -> Any:
        """Return an object or an array that holds a value: `nightly` becomes `{"name": "nightly"}`."""
        known, _ = known_members(flat)
        if "items" in flat:
            return [self.fit(flat["items"], value)]
        for name in (*TEXT_MEMBERS, *known):
            if name in known and self._allows(known[name], value):
                return self._object(flat, {name: value})
        return None


def _same_word(flat: Node, value: Any) -> Iterator[Any]:
    """Yield the known value that is the same word in another case."""
    for known in (*flat.get("enum", ()), *flat.get("x-known-values", ())):
        if str(known).lower() == str(value).lower():
            yield known


def _scalars(flat: Node, value: str | float) -> Iterator[Any]:
    """Yield a text, a number or a boolean as other types, the most precise first."""
    if "x-known-values" in flat:
        return
    if isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, str):
        yield from _of_text(flat, value)
    else:
        yield from _of_number(flat, value)


def _of_text(flat: Node, text: str) -> Iterator[Any]:
    if text in ("true", "false"):
        yield text == "true"
    try:
        moment = parse_datetime(text)
    except ValueError:
        pass
    else:
        yield int(moment.timestamp())
        yield text[:10]
    last = LAST_NUMBER.search(text)
    if last is not None:
        yield int(last[0])
    if flat.get("format") == "uuid":
        yield uuid_of(text)


def _of_number(flat: Node, number: float) -> Iterator[Any]:
    if flat.get("format") in ("date-time", "date"):
        try:
            moment = datetime.fromtimestamp(number, UTC).isoformat()
        except (OverflowError, ValueError, OSError):
            return
        yield moment.replace("+00:00", "Z")
        yield moment[:10]
    yield int(number)
    yield str(number)


def uuid_of(text: str) -> str:
    """Return the UUID of a text, which is the same in every run."""
    return str(uuid5(NAMESPACE_URL, text))
