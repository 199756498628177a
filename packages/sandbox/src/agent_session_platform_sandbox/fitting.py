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
from .validation import ANY, MAX_LEVELS, OBJECT, SandboxContract, types_of

# Stands for a value to which nothing in the schema is similar.
NOTHING: Final = object()
LAST_NUMBER: Final = re.compile(r"[0-9]{1,15}$")
# Samples of formats that no time is part of.
TEXTS_OF_FORMATS: Final = {
    "email": "user@example.com",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uri": "https://platform.invalid/",
    "url": "https://platform.invalid/",
    "hostname": "platform.invalid",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "time": "00:00:00Z",
    "duration": "PT0S",
}
# Samples that usual patterns allow: words, numbers, versions, colours, hashes.
TEXTS_OF_PATTERNS: Final = ("x", "0", "a-1", "A", "1.0.0", "#000000", "0" * 8, "0" * 32, "0" * 40, "0" * 64)
# The ends of the names of ids; the handlers name an id after its record, and a contract may call it `id`.
ID_ENDINGS: Final = ("_id", "Id", "uuid")
# Members that may hold the text of an object, the most probable first.
TEXT_MEMBERS: Final = ("text", "message", "content", "body", "name", "title", "value")


class Fitter:
    """Fits values to the schemas of one contract, and makes sample values.

    Args:
        contract: The contract.
        now: The current time, as a date-time.
        given: Values for required members that a value lacks, by their names.
    """

    def __init__(self, contract: SandboxContract, now: str, given: Mapping[str, Any] | None = None) -> None:
        self._contract = contract
        self._now = now
        self._given = given or {}

    def fit(self, schema: Any, value: Any) -> Any:
        """Return a value if the schema allows it, or else the most similar one that it allows, or else a sample."""
        similar = self.similar(schema, value)
        if similar is NOTHING:
            return self.sample(schema)
        return similar

    def sample(self, schema: Any, levels: int = MAX_LEVELS) -> Any:
        """Return the example of a schema, or else a minimal value: null if allowed, or only the required members."""
        shape = self._contract.shape(schema)
        flat = self._contract.flatten(schema)
        given = [*self._contract.examples(flat)]
        for key in ("const", "default"):
            if key in flat:
                given.append(flat[key])
        for value in given:
            if shape.validator.is_valid(value):
                return value
        if not shape.alternatives or not levels or "null" in shape.types:
            return None
        return self._minimal(shape.alternatives[0], levels - 1)

    def _minimal(self, flat: Node, levels: int) -> Any:
        """Return a minimal value: the first one of those that are known, or one of the type."""
        for value in self._contract.shape(flat).known_values:
            return value
        match min(types_of(flat), default=OBJECT):
            case "object":
                known, others = known_members(flat)
                members: Node = {}
                for name in flat.get("required", ()):
                    members[name] = self.sample(known.get(name, others), levels)
                return members
            case "array":
                return [self.sample(flat.get("items", ANY), levels)] * flat.get("minItems", 0)
            case "string":
                return self._first_valid(flat, self._texts(flat))
            case "boolean":
                return False
            case _:
                return self._first_valid(flat, self._numbers(flat))

    def _first_valid(self, flat: Node, values: list[Any]) -> Any:
        """Return the first value that is valid, or else the first one."""
        validator = self._contract.shape(flat).validator
        return next(filter(validator.is_valid, values), values[0])

    def _texts(self, flat: Node) -> list[str]:
        """Return texts, of which one probably has the format and the pattern of a schema."""
        of_format = {"date-time": self._now, "date": self._now[:10]} | TEXTS_OF_FORMATS
        least = "x" * flat.get("minLength", 0)
        return [of_format.get(flat.get("format", ""), least), *of_format.values(), *TEXTS_OF_PATTERNS]

    def _numbers(self, flat: Node) -> list[float]:
        """Return numbers, of which one probably is within the bounds of a schema."""
        if flat.get("format") == "unix-time":
            return [int(parse_datetime(self._now).timestamp())]
        least = flat.get("minimum", 0)
        step = flat.get("multipleOf", 1)
        above = flat.get("exclusiveMinimum", 0) + step
        return [least, above, flat.get("maximum", 0), step * (least // step + 1)]

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
        sample = self.sample(schema)
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
                is_own = name == "id" or other not in self._given
                is_id = is_own and f"_{name}".endswith(ID_ENDINGS) and other.endswith(ID_ENDINGS)
                is_similar = name != "id" and suggestion(name, [other]) and self._allows(known[name], renamed[other])
                if other not in known and (is_id or is_similar):
                    similar.append(other)
            if len(similar) == 1 or (name == "id" and similar):
                renamed[name] = renamed.pop(similar[0])
        return renamed

    def _array(self, flat: Node, value: list[Any]) -> list[Any]:
        """Return an array whose items are fitted, with as many as the schema wants."""
        schema = flat.get("items", ANY)
        items = [self.fit(schema, item) for item in value[: flat.get("maxItems")]]
        while len(items) < flat.get("minItems", 0):
            items.append(self.sample(schema))
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


def known_members(flat: Node) -> tuple[Node, Any]:
    """Return the schemas of the members that a flat schema shows, and the schema of all other members."""
    return flat.get("properties", ANY), flat.get("additionalProperties", ANY)
