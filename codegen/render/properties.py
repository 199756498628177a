"""Write a property of the contract in Python: its type, and the expression that reads it from JSON.

The types of arguments are strict (a closed set is a Literal). The types of responses are open, because a server may be
newer than the contract: an editor completes the known values, and an unknown one is not an error.
"""

from __future__ import annotations

from typing import TypeGuard

from openapi_python_client.parser.properties.boolean import BooleanProperty
from openapi_python_client.parser.properties.const import ConstProperty
from openapi_python_client.parser.properties.datetime import DateTimeProperty
from openapi_python_client.parser.properties.file import FileProperty
from openapi_python_client.parser.properties.float import FloatProperty
from openapi_python_client.parser.properties.int import IntProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.literal_enum_property import LiteralEnumProperty
from openapi_python_client.parser.properties.model_property import ModelProperty
from openapi_python_client.parser.properties.none import NoneProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol as Property
from openapi_python_client.parser.properties.string import StringProperty
from openapi_python_client.parser.properties.union import UnionProperty

MAPPING = "Mapping[str, Any]"


def members(prop: Property) -> list[Property]:
    """Return the alternatives of a property, without null."""
    inner: list[Property] = list(prop.inner_properties) if isinstance(prop, UnionProperty) else [prop]
    return [each for each in inner if not isinstance(each, NoneProperty)]


def is_nullable(prop: Property) -> bool:
    """Return whether null is allowed."""
    return isinstance(prop, NoneProperty) or (
        isinstance(prop, UnionProperty) and any(isinstance(each, NoneProperty) for each in prop.inner_properties)
    )


def is_model(prop: Property) -> TypeGuard[ModelProperty]:
    """Return whether the property is an object with known fields; any other object is a plain mapping."""
    return isinstance(prop, ModelProperty) and bool(prop.data.properties or prop.data.allOf)


def schema_name(model: ModelProperty) -> str:
    """Return the name of a model's schema in the contract."""
    return str(model.name.get_untrusted_value()).rpartition("/")[2]


def model_fields(prop: ModelProperty) -> list[Property]:
    """Return the fields of a model, the required ones first."""
    return [*(prop.required_properties or ()), *(prop.optional_properties or ())]


def value_type(prop: Property, *, strict: bool, known: tuple[str, ...] = ()) -> str:
    """Return the type of a value that is not null.

    Args:
        prop: The property.
        strict: Return the type of an argument; else the type of a response, which is open.
        known: The known values of an open set.
    """
    if isinstance(prop, UnionProperty):
        inner = {value_type(each, strict=strict, known=known) for each in members(prop)}
        return " | ".join(sorted(inner)) or "None"
    if isinstance(prop, ListProperty):
        inner_type = value_type(prop.inner_property, strict=strict)
        if is_nullable(prop.inner_property):
            inner_type += " | None"
        return f"Sequence[{inner_type}]"
    if isinstance(prop, LiteralEnumProperty):
        base = prop.value_type.__name__
        return prop.class_info.name if strict else f"{prop.class_info.name} | {base}"
    if isinstance(prop, ModelProperty):
        if not is_model(prop):
            return MAPPING
        return f"{prop.class_info.name} | {MAPPING}" if strict else prop.class_info.name
    if isinstance(prop, DateTimeProperty):
        return "datetime | str" if strict else "datetime"
    if isinstance(prop, FileProperty):
        return "FileSource" if strict else "str"
    if isinstance(prop, BooleanProperty):
        return "bool"
    if isinstance(prop, IntProperty):
        return "int"
    if isinstance(prop, FloatProperty):
        return "float"
    if isinstance(prop, ConstProperty):
        return prop.get_type_string(no_optional=True).as_unembedded_code()
    if isinstance(prop, StringProperty) and known:
        return f"Literal[{', '.join(repr(value) for value in known)}] | str"
    if isinstance(prop, NoneProperty):
        return "None"
    return "Any" if prop.get_base_type_string().as_unembedded_code() == "Any" else "str"


def attribute_type(prop: Property, *, always: bool, known: tuple[str, ...] = ()) -> str:
    """Return the type of an attribute: T if the contract promises a value, else T | None."""
    written = value_type(prop, strict=False, known=known)
    return written if written == "Any" or (always and not is_nullable(prop)) else f"{written} | None"


def argument_type(prop: Property) -> str:
    """Return the type of an argument, without the type of an omitted one."""
    written = value_type(prop, strict=True)
    return f"{written} | None" if is_nullable(prop) and written != "Any" else written


def converter(prop: Property) -> str | None:
    """Return the function that converts a JSON value to its `attribute_type`; None where it has that type already."""
    alternatives = members(prop)
    if len(alternatives) != 1:
        return "to_json" if any(isinstance(each, ModelProperty | ListProperty) for each in alternatives) else None
    [only] = alternatives
    if isinstance(only, ListProperty):
        return f"lambda value: {read(only, 'value')}"
    if is_model(only):
        return f"{only.class_info.name}.view"
    if isinstance(only, DateTimeProperty):
        return "parse_datetime"
    if isinstance(only, ModelProperty) or value_type(only, strict=False) == "Any":
        return "to_json"
    return None


def item_converter(prop: Property) -> str:
    """Return the function that converts an item of an array; what should be a model always becomes one."""
    return f"{prop.class_info.name}.item" if is_model(prop) else converter(prop) or "to_json"


def read(prop: Property, source: str) -> str:
    """Return the expression that reads the JSON value *source*; objects and arrays become copies or views."""
    alternatives = members(prop)
    if len(alternatives) == 1 and isinstance(alternatives[0], ListProperty):
        return f"convert_list({source}, {item_converter(alternatives[0].inner_property)})"
    convert = converter(prop)
    return f"{convert}({source})" if convert else source


def models_of(prop: Property) -> set[tuple[str, str]]:
    """Return module and class of every model that a property names."""
    return {
        (only.class_info.module_name, only.class_info.name) for only in leaves(prop) if isinstance(only, ModelProperty)
    }


def enums_of(prop: Property) -> set[tuple[str, str]]:
    """Return module and name of every closed set of values that a property names."""
    return {
        (only.class_info.module_name, only.class_info.name)
        for only in leaves(prop)
        if isinstance(only, LiteralEnumProperty)
    }


def leaves(prop: Property) -> list[Property]:
    """Return the parts of unions and arrays; omit objects without known fields."""
    if isinstance(prop, UnionProperty):
        return [leaf for each in prop.inner_properties for leaf in leaves(each)]
    if isinstance(prop, ListProperty):
        return leaves(prop.inner_property)
    return [] if isinstance(prop, ModelProperty) and not is_model(prop) else [prop]
