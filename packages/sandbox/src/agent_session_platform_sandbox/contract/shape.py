"""The shape of a value: its types, items and members, over all alternatives of its schema."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from .document import Contract, Node
from .json_values import is_object

OBJECT, ARRAY = "object", "array"


class Shape:
    """The form of a value as its schema says, computed on demand, because schemas may be recursive.

    Args:
        contract: The document of the schema.
        schema: A schema, with or without references.
    """

    def __init__(self, contract: Contract, schema: Any) -> None:
        self.contract = contract
        self.schema = schema

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
        objects = [each for each in self.alternatives if _may_be_object(each)]
        return not objects or any(
            not each.get("properties")
            or each.get("additionalProperties", False) is not False
            or "patternProperties" in each
            # Other schemas extend it.
            or "discriminator" in each
            for each in objects
        )

    @cached_property
    def is_secret(self) -> bool:
        """True if `x-secret` is on the schema."""
        return any(each.get("x-secret") for each in self.alternatives)

    def member(self, name: str) -> Shape:
        """Return the shape of a member."""
        return self.members.get(name) or self.others

    def mark(self, extension: str) -> Any:
        """Return the value of an extension of the schema; None if it has none."""
        return next((each[extension] for each in self.alternatives if extension in each), None)

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


def _may_be_object(schema: Node) -> bool:
    types = types_of(schema)
    return not types or OBJECT in types
