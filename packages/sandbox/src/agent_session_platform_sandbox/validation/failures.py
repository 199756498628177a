"""Failures of validation: their place, message and type, as problem details show them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import islice
from typing import Any, TypeAlias, cast

from agent_session_platform.contract import is_object
from jsonschema.exceptions import ValidationError

from ..contract import Shape
from ..problems import suggestion
from .json_parser import MAX_SHOWN_LENGTH

# Failures of one value that are reported.
MAX_FAILURES = 1000
FAILURE_TYPES = {"required": "missing", "additionalProperties": "extra_forbidden", "format": "value_error"}

Failure: TypeAlias = tuple[list[str], str, str]


def failures_of(shape: Shape, value: Any, place: list[str], unchecked: Container[str] = ()) -> list[Failure]:
    """Return why a value is not valid; also its unknown members, if the schema shows all members.

    Args:
        shape: The shape of the schema.
        value: The value.
        place: Location of the value in the request.
        unchecked: Members whose values are not checked.
    """
    failures = (
        failure_of(error, place)
        for outer in shape.validator.iter_errors(value)
        for error in _of_best_variant(outer)
        if not _is_set_by_server(shape, error) and str(next(iter(error.absolute_path), "")) not in unchecked
    )
    return [*islice(failures, MAX_FAILURES), *islice(_unknown_members(shape, value, place), MAX_FAILURES)]


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
    message, value = str(error.cause or error.message), repr(error.instance)
    if len(value) > MAX_SHOWN_LENGTH:
        message = message.replace(value, f"{value[:MAX_SHOWN_LENGTH]}...")
    if kind == "enum" and isinstance(error.instance, str):
        message += suggestion(error.instance, [str(each) for each in cast("list[object]", error.validator_value)])
    return loc, message, FAILURE_TYPES.get(kind, kind)


def _unknown_members(shape: Shape, value: Any, place: list[str]) -> Iterator[Failure]:
    if is_object(value) and not shape.is_open:
        for name in value:
            if name not in shape.members:
                yield [*place, name], f"unknown field{suggestion(name, shape.members)}", "extra_forbidden"


def _of_best_variant(error: ValidationError) -> Iterator[ValidationError]:
    """Yield the errors of the variant of a `oneOf` or `anyOf` that the value fits best; else the error itself."""
    variants: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        variants.setdefault(inner.schema_path[0], []).append(inner)
    if not variants:
        yield error
        return

    def misfit(errors: list[ValidationError]) -> tuple[bool, int, int]:
        """Return a key that is greater for a variant of another type, with more or with outer errors."""
        other_type = any(each.validator in ("type", "const", "enum") and not each.path for each in errors)
        return other_type, len(errors), -max(len(each.path) for each in errors)

    for inner in min(variants.values(), key=misfit):
        yield from _of_best_variant(inner)


def _is_set_by_server(shape: Shape, error: ValidationError) -> bool:
    """Return whether the error is that a `readOnly` member is missing, which only responses must have."""
    if error.validator != "required":
        return False
    schema = shape.contract.flatten(error.schema)
    name = error.message.split("'")[1]
    return bool(shape.contract.flatten(schema.get("properties", {}).get(name, {})).get("readOnly"))
