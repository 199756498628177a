# Copied from codegen/render/runtime/ by codegen/render/generate.py: change that folder, not this file.
"""Describe models to pydantic; only programs that use pydantic, also through FastAPI, import this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from inspect import getdoc
from types import FunctionType
from typing import Annotated, Any, NotRequired, cast, get_type_hints

from pydantic import ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import PydanticCustomError, SchemaSerializer, core_schema
from typing_extensions import TypedDict

from .encoding import to_json


def schema_of(model: Any, handler: GetCoreSchemaHandler) -> Any:
    """Return the schema of a model: it accepts whatever a server may send, and is described as in the contract.

    Args:
        model: The class of the model.
        handler: Makes the schemas of other types.
    """
    # An OpenModel may be any JSON.
    is_open = not model._fields

    def validate(value: Any, _validate_fields: object) -> Any:
        if isinstance(value, model):
            return value
        if is_open or isinstance(value, Mapping):
            return model.from_item(to_json(value))
        raise PydanticCustomError("model_type", "Input should be a JSON object or a {name}", {"name": model.__name__})

    return core_schema.no_info_wrap_validator_function(
        validate,
        handler.generate_schema(Any if is_open else described(model)),
        serialization=core_schema.plain_serializer_function_ser_schema(to_json),
    )


@cache
def serializer() -> SchemaSerializer:
    """Return what writes every model as the server sent it."""
    written = core_schema.plain_serializer_function_ser_schema(to_json)
    return SchemaSerializer(core_schema.any_schema(serialization=written))


@cache
def described(model: Any) -> Any:
    """Return the fields of a model as a TypedDict: always the same one, so that pydantic recognizes a recursion."""
    fields: dict[str, Any] = {}
    for name, wire in model._fields.items():
        attribute = getattr(model, name)
        field: Any = Annotated[returned_type(attribute.fget), Field(description=getdoc(attribute))]
        fields[wire] = field if wire in model._required else NotRequired[field]
    made = cast("Any", TypedDict)(model.__name__, fields)
    made.__doc__, made.__module__ = getdoc(model), model.__module__
    made.__pydantic_config__ = ConfigDict(extra="allow")
    return made


def returned_type(function: FunctionType) -> Any:
    """Return the type that a function returns; its module imports some names for type checkers only."""
    models = import_module(f"{__package__}.models")
    names: dict[str, Any] = {name: getattr(models, name) for name in dir(models)}
    names |= {"Mapping": Mapping, "Sequence": Sequence, **function.__globals__}
    return get_type_hints(function, names)["return"]
