"""Samples: values that a schema allows, where the state of the sandbox has none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

from agent_session_platform.contract import Node, is_array, is_object

from .schemas import ARRAY, OBJECT, SandboxContract, types_of

# By the format of a text, as functions of the current time.
TEXTS: Final[dict[str, Callable[[str], str]]] = {
    "date-time": str,
    "date": lambda now: now[:10],
    "time": lambda now: now[11:],
    "duration": lambda now: "PT0S",
    "uuid": lambda now: "00000000-0000-4000-8000-000000000000",
    "email": lambda now: "user@example.com",
    "hostname": lambda now: "example.com",
    "ipv4": lambda now: "192.0.2.1",
    "ipv6": lambda now: "2001:db8::1",
    "uri": lambda now: "https://example.com",
    "url": lambda now: "https://example.com",
    "uri-reference": lambda now: "/",
}
# Candidates for a text with a pattern.
WORDS: Final = ("", "a", "A", "abc", "ABC", "0", "1", "00", "000", "a1", "A1", "a-1", "A-1", "AA", "aa")


class EndlessError(Exception):
    """A schema requires itself as a member, so that no value is finite."""


class Sampler:
    """Values for schemas of one document.

    Args:
        contract: The document.
        now: The current time, as a date-time.
    """

    def __init__(self, contract: SandboxContract, now: str) -> None:
        self._contract = contract
        self._now = now

    def allows(self, schema: Any, value: Any) -> bool:
        """Return whether a value is valid."""
        return self._contract.validator(schema).is_valid(value)

    def sample(self, schema: Any) -> Any:
        """Return the example of a schema, or else a minimal value: what is required, the first of several values."""
        try:
            return self._minimal(schema, frozenset())
        except EndlessError:
            return None

    def fit(self, schema: Any, value: Any) -> Any:
        """Return a value if the schema allows it, or else the most similar value that the schema allows."""
        if self.allows(schema, value):
            return value
        fitted = [(self._fit_to(each, value), each) for each in self._contract.alternatives(schema)]
        valid = [(_similarity(value, each, flat), each) for each, flat in fitted if self.allows(schema, each)]
        return max(valid, key=lambda each: each[0])[1] if valid else self.sample(schema)

    def _fit_to(self, flat: Node, value: Any) -> Any:
        if is_array(value) and ARRAY in types_of(flat):
            items = [self.fit(flat.get("items", {}), each) for each in value]
            return items[: flat.get("maxItems")]
        if not is_object(value) or OBJECT not in (types_of(flat) or (OBJECT,)):
            return value
        known: Node = flat.get("properties", {})
        others: Any = flat.get("additionalProperties", flat.get("unevaluatedProperties", True))
        result: Node = {}
        for name, member in value.items():
            schema = known.get(name, others)
            fitted = self.fit(schema, member) if is_object(member) or is_array(member) else member
            if schema is not False and self.allows(schema, fitted):
                result[name] = fitted
        missing = [name for name in flat.get("required", ()) if name not in result]
        return result | {name: self.sample(known.get(name, others)) for name in missing}

    def _minimal(self, schema: Any, path: frozenset[str]) -> Any:
        references, flat = _references(schema), self._contract.flatten(schema)
        if references & path:
            if "null" in types_of(flat):
                return None
            raise EndlessError(schema)
        for example in self._contract.examples(flat):
            if self.allows(flat, example):
                return example
        variants = [variant for _, variant in self._contract.variants(flat)]
        minimal = self._minimal if variants else self._minimal_of
        # Null is the last resort.
        for option in sorted(
            variants or _typed(flat), key=lambda each: self._contract.flatten(each).get("type") == "null"
        ):
            with suppress(EndlessError):
                return minimal(option, path | references)
        raise EndlessError(schema)

    def _minimal_of(self, flat: Node, path: frozenset[str]) -> Any:
        for keyword in ("const", "default"):
            if keyword in flat:
                return flat[keyword]
        for keyword in ("enum", "x-known-values"):
            if flat.get(keyword):
                return flat[keyword][0]
        match flat.get("type"):
            case "object" | None:
                known: Node = flat.get("properties", {})
                others: Any = flat.get("additionalProperties", {})
                return {name: self._minimal(known.get(name, others), path) for name in flat.get("required", ())}
            case "array":
                first: list[Any] = flat.get("prefixItems", [])
                more = max(0, flat.get("minItems", 0) - len(first))
                return [self._minimal(each, path) for each in [*first, *[flat.get("items", {})] * more]]
            case "string":
                return self._text(flat)
            case "integer" | "number":
                return _number(flat)
            case "boolean":
                return False
            case _:
                return None

    def _text(self, flat: Node) -> str:
        text = TEXTS[flat["format"]](self._now) if flat.get("format") in TEXTS else ""
        text += "x" * (flat.get("minLength", 0) - len(text))
        return next((each for each in (text, *WORDS) if self.allows(flat, each)), text)


def _references(schema: Any) -> frozenset[str]:
    """Return the references that a schema and the parts of its `allOf` begin with."""
    if not is_object(schema):
        return frozenset()
    own = frozenset([schema["$ref"]] if "$ref" in schema else ())
    return own.union(*map(_references, schema.get("allOf", ())))


def _typed(flat: Node) -> Iterator[Node]:
    """Yield a schema once for each of its types."""
    types: Any = flat.get("type")
    for each in types if is_array(types) else [types or min(types_of(flat), default=None)]:
        yield {**flat, "type": each}


def _number(flat: Node) -> Any:
    """Return zero, or else the number nearest to it."""
    step = flat.get("multipleOf", 1)
    lowest = flat.get("minimum", -math.inf)
    if "exclusiveMinimum" in flat:
        lowest = max(lowest, flat["exclusiveMinimum"] + step)
    highest = flat.get("maximum", math.inf)
    if "exclusiveMaximum" in flat:
        highest = min(highest, flat["exclusiveMaximum"] - step)
    nearest = max(lowest, min(highest, 0))
    multiple = math.ceil(nearest / step) * step
    return multiple if multiple <= highest else nearest


def _similarity(value: Any, other: Any, flat: Node) -> int:
    """Return a number that is greater if more members of a value are in another one, unchanged and in its schema."""
    if not is_object(value) or not is_object(other):
        return int(value == other)
    shown = flat.get("properties", {})
    return sum(
        (name in other) + (name in other and other[name] == each) + (name in shown) for name, each in value.items()
    )
