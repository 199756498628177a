"""Schemas: their validators, the shapes of their values, and a sample of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, Final

from agent_session_platform.contract import Contract, Node, is_object, load
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.protocols import Validator
from jsonschema.validators import extend  # pyright: ignore[reportUnknownVariableType]  # it has no types

from .clock import parse_datetime

OBJECT, ARRAY = "object", "array"

# Those that need no optional package, so that every installation checks the same.
FORMATS: Final = FormatChecker(formats=("date", "email", "ipv4", "ipv6", "uuid"))

# A value may fit several variants of `oneOf`: objects are open, and few contracts say what excludes what.
ANY_OF: Final[Any] = Draft202012Validator.VALIDATORS["anyOf"]
EXTEND: Final[Callable[..., type[Validator]]] = extend  # pyright: ignore[reportUnknownVariableType]
VALIDATOR: Final = EXTEND(Draft202012Validator, {"oneOf": ANY_OF})

# What a schema says besides its variants: none of it belongs to one of them.
BESIDE_VARIANTS: Final = frozenset(
    {"oneOf", "anyOf", "discriminator", "title", "description", "default", "example", "examples"}
)
# Levels that are followed of a schema that contains itself.
MAX_LEVELS: Final = 5


@FORMATS.checks("date-time", raises=ValueError)
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or bool(parse_datetime(value))


class SandboxContract(Contract):
    """A contract whose schemas are read as one value of them needs."""

    def alternatives(self, schema: Any, levels: int = MAX_LEVELS) -> list[Node]:
        """Return the flat schemas of which a value follows one: itself, or one for each of its variants."""
        flat = self.flatten(schema)
        variants = [*flat.get("oneOf", ()), *flat.get("anyOf", ())]
        rest = {key: value for key, value in flat.items() if key not in BESIDE_VARIANTS}
        if not variants:
            return [flat]
        merged = [{"allOf": [rest, each]} if rest else each for each in variants]
        return [each for variant in merged for each in self.alternatives(variant, levels - 1)] if levels else []

    def validator(self, schema: Any) -> Validator:
        """Return a validator for a schema of the document."""
        # References are looked up from the root of the schema, so it needs the whole document.
        rooted = {**self.document, **(schema if is_object(schema) else {"allOf": [schema]})}
        return VALIDATOR(rooted, format_checker=FORMATS)


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
        whole = [self.contract.flatten(self.schema)] if len(self.alternatives) > 1 else []
        return [example for each in [*whole, *self.alternatives] for example in self.contract.examples(each)]

    @property
    def is_secret(self) -> bool:
        """True if `x-secret` is on the schema."""
        return bool(self.mark("x-secret"))

    def member(self, name: str) -> Shape:
        """Return the shape of a member, also of one that the schema does not show."""
        others = [each["additionalProperties"] for each in self.alternatives if "additionalProperties" in each]
        return self.members.get(name) or self._one_of([each for each in others if is_object(each)])

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
        return frozenset(TYPE_NAMES[type(value)] for value in values)
    implied = {"properties": OBJECT, "additionalProperties": OBJECT, "items": ARRAY}
    return frozenset(name for keyword, name in implied.items() if keyword in schema)


TYPE_NAMES: Final[dict[type[Any], str]] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: ARRAY,
    dict: OBJECT,
    type(None): "null",
}


class Sampler:
    """Values for schemas of one document.

    Args:
        contract: The document.
        now: The current time, as a date-time.
    """

    def __init__(self, contract: SandboxContract, now: str) -> None:
        self._contract = contract
        self._texts = {
            "date-time": now,
            "date": now[:10],
            "email": "user@example.com",
            "uuid": "00000000-0000-4000-8000-000000000000",
        }

    def allows(self, schema: Any, value: Any) -> bool:
        """Return whether a value is valid."""
        return self._contract.validator(schema).is_valid(value)

    def sample(self, schema: Any, levels: int = MAX_LEVELS) -> Any:
        """Return the example of a schema, or else a minimal value: null if it may be, or else what is required."""
        flat = self._contract.flatten(schema)
        options = self._contract.alternatives(schema)
        given = [*self._contract.examples(flat), *(flat[key] for key in ("const", "default") if key in flat)]
        valid = [each for each in given if self.allows(flat, each)]
        if valid or not options or not levels or any("null" in types_of(each) for each in options):
            return valid[0] if valid else None
        return self._minimal(options[0], levels - 1)

    def _minimal(self, flat: Node, levels: int) -> Any:
        values = [*flat.get("enum", ()), *flat.get("x-known-values", ())]
        if values:
            return values[0]
        match min(types_of(flat), default=OBJECT):
            case "object":
                known, others = _members(flat)
                return {name: self.sample(known.get(name, others), levels) for name in flat.get("required", ())}
            case "array":
                return [self.sample(flat.get("items", {}), levels) for _ in range(flat.get("minItems", 0))]
            case "string":
                return self._texts.get(flat.get("format", ""), "x" * flat.get("minLength", 0))
            case "boolean":
                return False
            case _:
                return flat.get("minimum", 0)

    def fit(self, schema: Any, value: Any) -> Any:
        """Return a value if the schema allows it, or else one with its valid members, or else a sample."""
        fitting = [
            value,
            *(self._complete(flat, value) for flat in self._contract.alternatives(schema) if is_object(value)),
        ]
        return next((each for each in fitting if self.allows(schema, each)), self.sample(schema))

    def _complete(self, flat: Node, value: Node) -> Node:
        """Return the members that a schema allows, and samples of those that it requires."""
        known, others = _members(flat)
        valid = {name: member for name, member in value.items() if self.allows(known.get(name, others), member)}
        missing = [name for name in flat.get("required", ()) if name not in valid]
        return valid | {name: self.sample(known.get(name, others)) for name in missing}


def _members(flat: Node) -> tuple[Node, Any]:
    """Return the schemas of the members that a flat schema shows, and the schema of all others."""
    return flat.get("properties", {}), flat.get("additionalProperties", {})
