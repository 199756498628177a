"""Schemas: their validators, the shapes of their values, and a sample of each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from functools import cache, cached_property
from typing import Any, Final

from agent_session_platform.contract import Contract, Node, is_array, is_object, load
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend  # pyright: ignore[reportUnknownVariableType]  # it has no types

from .clock import parse_datetime

OBJECT, ARRAY = "object", "array"
ANY_OF: Final[Any] = Draft202012Validator.VALIDATORS["anyOf"]

# Those of jsonschema that need no optional package; the others are here, so that every installation has the same.
FORMATS: Final = FormatChecker(formats=("email", "ipv4", "ipv6", "uuid"))
# Formats that a pattern describes well enough: it refuses what is no such text at all (RFC 3339, 3986, 1123).
PATTERNS: Final = {
    "duration": r"P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)",
    "hostname": r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*",
    "time": r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+",
    "uri-reference": r"[^\s<>\"{}|\\^`]*",
}
DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
LEAP_SECOND: Final = re.compile(r"(?<=[Tt ]\d\d:\d\d):60", re.ASCII)

# What a schema says besides its variants: none of it belongs to one of them.
BESIDE_VARIANTS: Final = frozenset(
    {"oneOf", "anyOf", "discriminator", "title", "description", "default", "example", "examples"}
)


def check_date(text: str) -> bool:
    """Return True for an ISO 8601 date; raise ValueError for other text."""
    try:
        date.fromisoformat(text if DATE.fullmatch(text) else "")
    except ValueError:
        raise ValueError("not an ISO 8601 date") from None
    return True


def check_date_time(text: str) -> bool:
    """Return True for a date-time with a timezone; raise ValueError for other text."""
    # RFC 3339 has leap seconds, and letters in any case.
    return bool(parse_datetime(LEAP_SECOND.sub(":59", text).upper()))


def _add_format(name: str, check: Callable[[str], bool]) -> None:
    def is_valid(value: object) -> bool:
        # A value of another type has no format.
        return not isinstance(value, str) or check(value)

    FORMATS.checks(name, raises=ValueError)(is_valid)


def _matches(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(pattern, text, re.ASCII) is not None


_add_format("date", check_date)
_add_format("date-time", check_date_time)
for format_name, its_pattern in PATTERNS.items():
    _add_format(format_name, _matches(its_pattern))


class SandboxContract(Contract):
    """A contract whose schemas are read as one value of them needs."""

    @cached_property
    def _validator_class(self) -> type[Validator]:
        """The class of the validators: a discriminator chooses the variant, else a value may fit several.

        As objects are open, few contracts say which members exclude each other.
        """

        def check_variants(validator: Any, variants: list[Any], value: Any, schema: Node) -> Iterator[ValidationError]:
            name, chosen = self._discriminator(schema)
            given = value.get(name) if chosen and is_object(value) else None
            if not isinstance(given, str):
                yield from ANY_OF(validator, variants, value, schema)
            elif given in chosen:
                yield from validator.descend(value, chosen[given])
            else:
                message = f"{given!r} is not one of {[*chosen]}"
                yield ValidationError(message, "enum", [name], instance=given, validator_value=[*chosen], schema=schema)

        make: Callable[..., type[Validator]] = extend  # pyright: ignore[reportUnknownVariableType]
        return make(Draft202012Validator, {"oneOf": check_variants, "anyOf": check_variants})

    def _discriminator(self, schema: Node) -> tuple[str, dict[str, Any]]:
        """Return the name of the discriminator of a schema, and the variant that each of its values chooses."""
        node: Node = schema.get("discriminator", {})
        name, mapping = node.get("propertyName", ""), node.get("mapping", {})
        chosen: dict[str, Any] = {}
        for variant in _variants(schema) if name else ():
            reference = _reference(variant)
            last = reference.rpartition("/")[2]
            member = self.flatten(self.flatten(variant).get("properties", {}).get(name, {}))
            values = [value for value, target in mapping.items() if target in (reference, last)]
            values += [member["const"]] if "const" in member else member.get("enum", ())
            chosen |= dict.fromkeys([*values, *filter(None, [last])], variant)
        return name, chosen

    def variants(self, flat: Node) -> list[tuple[str, Node]]:
        """Return the variants (`oneOf`, `anyOf`) of a flat schema: the reference of each, if any, and its schema."""
        rest = {key: value for key, value in flat.items() if key not in BESIDE_VARIANTS}
        name, chosen = self._discriminator(flat)
        found: list[tuple[str, Node]] = []
        for variant in _variants(flat):
            value = next((value for value, of_value in chosen.items() if of_value is variant), None)
            of_value = [] if value is None else [{"properties": {name: {"const": value}}}]
            found.append((_reference(variant), {"allOf": [*filter(None, [rest]), variant, *of_value]}))
        return found

    def alternatives(self, schema: Any, seen: frozenset[str] = frozenset()) -> list[Node]:
        """Return the flat schemas of which a value follows one: itself, or one for each of its variants."""
        flat, seen = self.flatten(schema), seen | {_reference(schema)}
        variants = self.variants(flat)
        # A variant that leads back to itself adds nothing.
        new = [(reference, variant) for reference, variant in variants if not reference or reference not in seen]
        found = [self.alternatives(variant, seen | {reference}) for reference, variant in new]
        return [each for alternatives in found for each in alternatives] if variants else [flat]

    def validator(self, schema: Any) -> Validator:
        """Return a validator for a schema of the document."""
        # References are looked up from the root of the schema, so it needs the whole document.
        rooted = {**self.document, **(schema if is_object(schema) else {"allOf": [schema]})}
        return self._validator_class(rooted, format_checker=FORMATS)


@cache
def load_contract() -> SandboxContract:
    """Return the contract of this build, loaded once."""
    return SandboxContract(load().document)


class Shape:
    """The form of a value as its schema says, computed on demand, because schemas may be recursive.

    Args:
        contract: The contract of the schema.
        schema: A schema, with or without references.
    """

    def __init__(self, contract: SandboxContract, schema: Any) -> None:
        self.contract = contract
        self.schema = schema

    @cached_property
    def validator(self) -> Validator:
        """The validator of the schema."""
        return self.contract.validator(self.schema)

    @cached_property
    def alternatives(self) -> list[Node]:
        """The flat schemas of which the value follows one."""
        return self.contract.alternatives(self.schema)

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types of the value; empty if the schema does not restrict them."""
        return frozenset[str]().union(*map(types_of, self.alternatives))

    @cached_property
    def items(self) -> Shape:
        """The shape of the items of an array."""
        return self._one_of([each["items"] for each in self.alternatives if "items" in each])

    @cached_property
    def members(self) -> dict[str, Shape]:
        """The shapes of the members that the schema shows."""
        schemas: dict[str, list[Any]] = {}
        for each in self.alternatives:
            for name, schema in each.get("properties", {}).items():
                schemas.setdefault(name, []).append(schema)
        return {name: self._one_of(of_name) for name, of_name in schemas.items()}

    @cached_property
    def others(self) -> Shape:
        """The shape of the members that the schema does not show."""
        extra = [each.get("additionalProperties") for each in self.alternatives]
        return self._one_of([each for each in extra if is_object(each)])

    @cached_property
    def is_open(self) -> bool:
        """True if the value may have members that the schema does not show.

        A schema that shows members shows all of them, unless it says otherwise.
        """
        objects = [each for each in self.alternatives if OBJECT in (types_of(each) or (OBJECT,))]
        return not objects or any(
            not each.get("properties")
            or each.get("additionalProperties", False) is not False
            or "patternProperties" in each
            # Other schemas extend it.
            or "discriminator" in each
            for each in objects
        )

    @property
    def examples(self) -> list[Any]:
        """The examples of the value."""
        return [example for each in self.alternatives for example in self.contract.examples(each)]

    @property
    def is_secret(self) -> bool:
        """True if `x-secret` is on the schema."""
        return bool(self.mark("x-secret"))

    def member(self, name: str) -> Shape:
        """Return the shape of a member."""
        return self.members.get(name) or self.others

    def mark(self, keyword: str) -> Any:
        """Return the value of a keyword of the schema; None if it has none."""
        return next((each[keyword] for each in self.alternatives if keyword in each), None)

    def _one_of(self, schemas: list[Any]) -> Shape:
        return Shape(self.contract, schemas[0] if len(schemas) == 1 else {"anyOf": schemas} if schemas else {})


def closed_values(schema: str, member: str) -> tuple[str, ...]:
    """Return all values that a member of a schema of the contract may have; empty if it does not close the set."""
    shape = Shape(load_contract(), {"$ref": f"#/components/schemas/{schema}"})
    return tuple(shape.member(member).mark("enum") or ())


def types_of(schema: Node) -> frozenset[str]:
    """Return the JSON types of a flat schema without alternatives; empty if it does not restrict them."""
    types: Any = schema.get("type")
    if types is not None:
        return frozenset([types] if isinstance(types, str) else types)
    values: list[Any] = [schema["const"]] if "const" in schema else schema.get("enum", [])
    if values:
        return frozenset(map(_type_of, values))
    implied = {"properties": OBJECT, "additionalProperties": OBJECT, "items": ARRAY}
    return frozenset(type_ for keyword, type_ in implied.items() if keyword in schema)


def _type_of(value: Any) -> str:
    names = {"bool": "boolean", "int": "integer", "float": "number", "str": "string", "list": ARRAY, "dict": OBJECT}
    return names.get(type(value).__name__, "null")


def _variants(schema: Node) -> list[Any]:
    return [*schema.get("oneOf", ()), *schema.get("anyOf", ())]


def _reference(schema: Any) -> str:
    return str(schema.get("$ref", "")) if is_object(schema) else ""


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
        fitted = [(self._fit_to(flat, value), flat) for flat in self._contract.alternatives(schema)]
        valid = [(_kept_members(value, each, flat), each) for each, flat in fitted if self.allows(schema, each)]
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
        minimal, flatten = self._minimal if variants else self._minimal_of, self._contract.flatten
        # Null is the last resort.
        for option in sorted(variants or _typed(flat), key=lambda each: flatten(each).get("type") == "null"):
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
                return [self._minimal(flat.get("items", {}), path) for _ in range(flat.get("minItems", 0))]
            case "string":
                text = TEXTS[flat["format"]](self._now) if flat.get("format") in TEXTS else ""
                text += "x" * (flat.get("minLength", 0) - len(text))
                return next((each for each in (text, *WORDS) if self.allows(flat, each)), text)
            case "integer" | "number":
                return self._number(flat)
            case "boolean":
                return False
            case _:
                return None

    def _number(self, flat: Node) -> Any:
        """Return zero, or else a number next to one of the bounds."""
        bounds = [flat[each] for each in flat if each.removeprefix("exclusive").lower() in ("minimum", "maximum")]
        step = flat.get("multipleOf", 1)
        near = [(math.floor(bound / step) + more) * step for bound in bounds for more in (0, 1, -1)]
        return next((each for each in (0, *bounds, *near) if self.allows(flat, each)), 0)


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


def _kept_members(value: Any, other: Any, flat: Node) -> int:
    """Return the number of members of a value that its schema shows and another value has unchanged."""
    if not is_object(value) or not is_object(other):
        return 0
    return sum(name in other and other[name] == value[name] for name in flat.get("properties", {}) if name in value)
