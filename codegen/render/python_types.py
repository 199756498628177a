"""Write the types of values in Python, and the expressions that read them from JSON.

The types of arguments are strict (a closed set is a Literal). The types of responses are open, because a server may be
newer than the contract: an editor completes the known values, and an unknown one is not an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs
from openapi_python_client.parser.properties import AnyProperty, LiteralEnumProperty, ModelProperty
from openapi_python_client.parser.properties.const import ConstProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.none import NoneProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty

from codegen.render.normalise import NOT_SHOWN
from codegen.render.parse import Parse, plain
from codegen.render.runtime.encoding import json_type

MAPPING = "Mapping[str, Any]"
OPEN = "OpenModel"

# The type of a response, the function that reads it from JSON, and the JSON type of each kind of value.
KINDS = {
    "BooleanProperty": ("bool", "", "a boolean"),
    "DateProperty": ("date", "parse_date", "text"),
    "DateTimeProperty": ("datetime", "parse_datetime", "text"),
    "FileProperty": ("str", "", "text"),
    "FloatProperty": ("float", "", "a number"),
    "IntProperty": ("int", "", "a number"),
    "ListProperty": ("", "", "an array"),
    "ModelProperty": ("", "", "an object"),
    "StringProperty": ("str", "", "text"),
    "UuidProperty": ("UUID", "parse_uuid", "text"),
}


class PythonTypes:
    """The types of what the generator has read.

    Args:
        parse: The parse.
        package: What comes before the names of the models where they are called.
    """

    def __init__(self, parse: Parse, package: str = "") -> None:
        self._parse = parse
        self._package = package

    def type(self, prop: PropertyProtocol, *, strict: bool) -> str:
        """Return the type of an argument if *strict*, else of a response; with None where null is allowed."""
        written = self.not_null(prop, strict=strict)
        return f"{written} | None" if is_nullable(prop) and written not in ("Any", "None") else written

    def not_null(self, prop: PropertyProtocol, *, strict: bool) -> str:
        """Return the type of a value that is not null."""
        found = [each for part in alternatives(prop) for each in self._types(part, prop, strict=strict)]
        lacking = self._parse.lacking(prop)
        if "by" in lacking and "base" not in lacking and not strict:
            # A value of the discriminator that is not known is no model of the contract.
            found.append(OPEN)
        return " | ".join(dict.fromkeys(found)) or "None"

    def _types(self, part: PropertyProtocol, whole: PropertyProtocol, *, strict: bool) -> list[str]:
        """Return the types of one alternative of *whole*."""
        match part:
            case ListProperty():
                return [f"Sequence[{self.type(part.inner_property, strict=strict)}]"]
            case ModelProperty() if self._parse.is_model(part):
                return [part.class_info.name, MAPPING] if strict else [part.class_info.name]
            case ModelProperty():
                return [f"Mapping[str, {self.type(self._parse.value_of(part), strict=strict)}]"]
            case LiteralEnumProperty():
                return [part.class_info.name] if strict else [part.class_info.name, part.value_type.__name__]
            case ConstProperty():
                values = constants(whole)
                bases = sorted({type(value).__name__ for value in values})
                return [literal(values)] if strict else [literal(values), *bases]
            case AnyProperty():
                return [OPEN] if is_not_shown(part) and not strict else ["Any"]
            case _ if lacking := self._parse.lacking(part):
                known = [literal(lacking["known"])] if lacking["known"] else ["timedelta"] if strict else []
                return [*known, "str"]
            case _:
                written, reader, _ = kind(part)
                return [written, "str"] if strict and reader else [written]

    def names(self, prop: PropertyProtocol) -> set[tuple[str, str]]:
        """Return module and name of the models and the closed sets that a type names."""
        parts = self._parse.below(prop)
        named = [each for each in parts if isinstance(each, LiteralEnumProperty) or self._parse.is_model(each)]
        return {(str(each.class_info.module_name), str(each.class_info.name)) for each in named}

    def read(self, prop: PropertyProtocol, source: str) -> str:
        """Return the expression that reads the JSON value *source*; that itself where it has the type already."""
        parts = alternatives(prop)
        lists = [each.inner_property for each in parts if isinstance(each, ListProperty)]
        models = [f"{self._package}{each.class_info.name}" for each in parts if self._parse.is_model(each)]
        others = [each for each in parts if not isinstance(each, ListProperty) and not self._parse.is_model(each)]
        found: list[tuple[str, str]] = []
        if lists:
            item = lists[0]
            if isinstance(prop, UnionProperty) and len(lists) > 1:
                item = attrs.evolve(prop, inner_properties=lists, description=None)
            found.append((f"convert_list({source}, {self.reader(item)})", "list"))
        if models:
            found.append((self._model(prop, models, source), "dict"))
        if others or not found:
            found.append((self._other(others, source, is_only=not found), ""))
        expression, _ = found.pop()
        for read, python_type in reversed(found):
            expression = f"{read} if {source}.__class__ is {python_type} else {expression}"
        return expression

    def _model(self, prop: PropertyProtocol, models: Sequence[str], source: str) -> str:
        """Return the expression that reads an object as one of several models."""
        if len(models) == 1:
            return f"{models[0]}.from_value({source})"
        lacking = self._parse.lacking(prop)
        arguments = [source, f"({', '.join(models)})"]
        if "by" in lacking:
            by = ", ".join(f"{value!r}: {self._package}{name}" for value, name in sorted(lacking["by"].items()))
            base = [f"{self._package}{lacking['base']}"] if "base" in lacking else []
            arguments += [repr(lacking["key"]), f"{{{by}}}", *base]
        return f"one_of({', '.join(arguments)})"

    def _other(self, parts: Sequence[PropertyProtocol], source: str, *, is_only: bool) -> str:
        """Return the expression that reads what is no array and no model."""
        if len(parts) == 1 and isinstance(parts[0], ModelProperty):
            reader = self.reader(self._parse.value_of(parts[0]))
            return f"to_json({source})" if reader == "to_json" else f"convert_mapping({source}, {reader})"
        if any(map(is_not_shown, parts)):
            return f"open_value({source})"
        readers = {kind(each)[1] for each in parts} - {""}
        if len(readers) == 1:
            return f"{readers.pop()}({source})"
        is_plain = not any(isinstance(each, AnyProperty | ModelProperty) for each in parts)
        return source if is_only and is_plain else f"to_json({source})"

    def reader(self, prop: PropertyProtocol) -> str:
        """Return the function that reads an item or a whole response; null is one where it is allowed."""
        parts, expression = alternatives(prop), self.read(prop, "value")
        if parts and all(map(self._parse.is_model, parts)) and not is_nullable(prop):
            first = f"{self._package}{parts[0].get_base_type_string().as_unembedded_code()}"
            return (
                f"{first}.from_item" if len(parts) == 1 else f"lambda value: {expression} or {first}.from_item(value)"
            )
        function = expression.removesuffix("(value)")
        if expression == "value":
            return "to_json"
        return f"lambda value: {expression}" if "(" in function else function


def alternatives(prop: PropertyProtocol) -> list[PropertyProtocol]:
    """Return what a value that is not null may be."""
    if isinstance(prop, UnionProperty):
        return [part for each in prop.inner_properties for part in alternatives(each)]
    return [] if isinstance(prop, NoneProperty) else [prop]


def is_nullable(prop: PropertyProtocol) -> bool:
    """Return whether a value may be null."""
    parts = prop.inner_properties if isinstance(prop, UnionProperty) else [prop]
    return any(isinstance(each, NoneProperty) for each in parts)


def is_file(prop: PropertyProtocol) -> bool:
    """Return whether a value is a file."""
    return any(type(each).__name__ == "FileProperty" for each in alternatives(prop))


def is_not_shown(prop: PropertyProtocol) -> bool:
    """Return whether a value is an item of an array that the description does not show."""
    return plain(prop.description) == str(NOT_SHOWN["description"])


def kind(prop: PropertyProtocol) -> tuple[str, str, str]:
    """Return the type of a response, the function that reads it from JSON, and the JSON type."""
    match prop:
        case LiteralEnumProperty():
            return prop.value_type.__name__, "", json_type(next(iter(prop.values)))
        case ConstProperty():
            value = prop.value.raw_value
            return type(value).__name__, "", json_type(value)
        case _:
            return KINDS.get(type(prop).__name__, ("Any", "", ""))


def is_constant(prop: PropertyProtocol) -> bool:
    """Return whether a value is one of several constants, and nothing else."""
    parts = alternatives(prop)
    return bool(parts) and all(isinstance(each, ConstProperty) for each in parts)


def constants(prop: PropertyProtocol) -> tuple[Any, ...]:
    """Return the constants among the possible values."""
    return tuple(each.value.raw_value for each in alternatives(prop) if isinstance(each, ConstProperty))


def literal(values: Iterable[Any]) -> str:
    """Return the type of some values."""
    return f"Literal[{', '.join(map(repr, values))}]"


def json_types(prop: PropertyProtocol) -> list[str]:
    """Return the JSON types of a value, as messages name them."""
    null = {"null"} if is_nullable(prop) else set[str]()
    return sorted({kind(each)[2] for each in alternatives(prop)} | null)
