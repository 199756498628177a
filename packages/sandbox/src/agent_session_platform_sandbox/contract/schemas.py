"""The schemas of a contract: their alternatives, the shapes of values, and validators."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from agent_session_platform.contract import Contract, Node, is_object, load
from jsonschema.protocols import Validator

from .validator import FORMATS, validator_class

OBJECT, ARRAY = "object", "array"
# What a schema says besides its variants: none of it belongs to one of them.
BESIDE_VARIANTS = frozenset(
    {"oneOf", "anyOf", "discriminator", "title", "description", "default", "example", "examples"}
)


class SandboxContract(Contract):
    """A contract whose schemas are read as one value of them needs."""

    @cached_property
    def _validator_class(self) -> type[Validator]:
        return validator_class(self.discriminated)

    def variants(self, flat: Node) -> list[tuple[str, Node]]:
        """Return the variants (`oneOf`, `anyOf`) of a flat schema: the reference of each, if any, and its schema."""
        rest = {key: value for key, value in flat.items() if key not in BESIDE_VARIANTS}
        name, by_value = self.discriminated(flat)
        found: list[tuple[str, Node]] = []
        for variant in _variants(flat):
            parts = [*filter(None, [rest]), variant]
            value = next((value for value, chosen in by_value.items() if variant in chosen), None)
            if value is not None and not {"const", "enum"} & self._member(variant, name).keys():
                parts.append({"properties": {name: {"const": value}}})
            found.append((_reference(variant), {"allOf": parts}))
        return found

    def discriminated(self, schema: Node) -> tuple[str, dict[str, list[Any]]]:
        """Return the name of the discriminator of a schema, and the variants that each of its values may choose."""
        node: Node = schema.get("discriminator", {})
        name, mapping = node.get("propertyName", ""), node.get("mapping", {})
        by_value: dict[str, list[Any]] = {}
        for variant in _variants(schema) if name else ():
            reference, member = _reference(variant), self._member(variant, name)
            last = reference.rpartition("/")[2]
            values = [value for value, target in mapping.items() if target in (reference, last)]
            values += [*([member["const"]] if "const" in member else member.get("enum", ())), *filter(None, [last])]
            for value in dict.fromkeys(values):
                by_value.setdefault(value, []).append(variant)
        return name, by_value

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

    def _member(self, schema: Any, name: str) -> Node:
        return self.flatten(self.flatten(schema).get("properties", {}).get(name, {}))


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
    def required(self) -> frozenset[str]:
        """The members that every alternative requires."""
        first, *others = [frozenset[str](each.get("required", ())) for each in self.alternatives] or [frozenset[str]()]
        return first.intersection(*others)

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
