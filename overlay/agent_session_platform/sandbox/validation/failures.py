"""Failures of validation: their place, message and type, as problem details show them."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, TypeAlias, cast

from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator

from ..contract import Shape
from ..problems import suggestion
from .json_parser import MAX_SHOWN_LENGTH

FAILURE_TYPES = {"required": "missing", "additionalProperties": "extra_forbidden"}

Failure: TypeAlias = tuple[list[str], str, str]


def failures_of(
    validator: Validator, shape: Shape, value: Any, place: list[str], unchecked: Container[str] = ()
) -> list[Failure]:
    """Return why a value is not valid; also its unknown members, if the schema shows all members.

    Args:
        validator: The validator of the schema.
        shape: The shape of the schema.
        value: The value.
        place: Location of the value in the request.
        unchecked: Members whose values are not checked.
    """
    failures = [
        failure_of(error, place)
        for error in validator.iter_errors(value)
        if not _is_set_by_server(shape, error) and next(iter(error.absolute_path), None) not in unchecked
    ]
    return failures + _unknown_members(shape, value, place)


def failure_of(error: ValidationError, place: list[str]) -> Failure:
    """Return a validation failure in the form of the sandbox's problem details.

    Args:
        error: The error of the JSON schema validator.
        place: Location of the validated value in the request.
    """
    loc = [*place, *(str(part) for part in error.absolute_path)]
    kind = str(error.validator)
    if kind == "required":
        # The error is about the object, and only its message ('name' is a required property) names the member.
        return [*loc, error.message.split("'")[1]], "Field required", "missing"
    message, value = error.message, repr(error.instance)
    if len(value) > MAX_SHOWN_LENGTH:
        message = message.replace(value, f"{value[:MAX_SHOWN_LENGTH]}...")
    if kind == "enum" and isinstance(error.instance, str):
        message += suggestion(error.instance, [str(each) for each in cast("list[object]", error.validator_value)])
    return loc, message, FAILURE_TYPES.get(kind, kind)


def _unknown_members(shape: Shape, value: Any, place: list[str]) -> list[Failure]:
    if not isinstance(value, dict) or shape.is_open:
        return []
    return [
        ([*place, name], f"unknown field{suggestion(name, shape.members)}", "extra_forbidden")
        for name in cast("dict[str, Any]", value)
        if name not in shape.members
    ]


def _is_set_by_server(shape: Shape, error: ValidationError) -> bool:
    """Return whether the error is that a `readOnly` member is missing, which only responses must have."""
    if error.validator != "required":
        return False
    schema = shape.contract.flatten(error.schema)
    name = error.message.split("'")[1]
    return bool(shape.contract.flatten(schema.get("properties", {}).get(name, {})).get("readOnly"))
