"""Validation of query parameters against the contract."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, cast

from jsonschema.exceptions import ValidationError
from starlette.datastructures import QueryParams

from ..contract import QueryParameter, Route
from ..problems import invalid, suggestion
from .json_parser import MAX_SHOWN_LENGTH

# Numbers in the syntax of JSON; int() and float() accept more, such as 1_0 and digits of any script.
WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})", re.ASCII)
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,32})?([eE][+-]?[0-9]{1,2})?", re.ASCII)

FAILURE_TYPES = {"required": "missing", "additionalProperties": "extra_forbidden"}

Failure = tuple[list[str], str, str]


def read_query(route: Route, given: QueryParams, accepted: Container[str] = ()) -> dict[str, Any]:
    """Return the query parameters with the types of the contract.

    Args:
        route: The operation.
        given: The query parameters.
        accepted: Parameters that are accepted as text, although the contract does not have them.

    Raises:
        RefusedError: 422 for unknown, missing, repeated or invalid parameters.
    """
    failures: list[Failure] = []
    query: dict[str, Any] = {}
    for name in dict.fromkeys(given):
        if name in accepted:
            query[name] = given[name]
            continue
        parameter = route.query.get(name)
        if parameter is None:
            message = f"unknown query parameter{suggestion(name, route.query)}"
            failures.append((["query", name], message, "extra_forbidden"))
            continue
        values = given.getlist(name)
        if len(values) > 1 and parameter.types and "array" not in parameter.types:
            failures.append((["query", name], f"given {len(values)} times; it takes one value", "multiple_values"))
            continue
        query[name] = value = _typed(parameter, values)
        failures += [failure_of(error, ["query", name]) for error in parameter.validator.iter_errors(value)]
    failures += [(["query", name], "Field required", "missing") for name in sorted(route.required_query - set(query))]
    if failures:
        raise invalid(*failures)
    return query


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


def _typed(parameter: QueryParameter, values: list[str]) -> Any:
    if "array" in parameter.types:
        return [_scalar(value, parameter.items) for value in values]
    # A parameter without a type keeps all its values: the handler decides what several of them mean.
    return _scalar(values[0], parameter.types) if len(values) == 1 else values


def _scalar(value: str, types: tuple[str, ...]) -> Any:
    if "boolean" in types and value in ("true", "false"):
        return value == "true"
    if "integer" in types and WHOLE_NUMBER.fullmatch(value):
        return int(value)
    if "number" in types and NUMBER.fullmatch(value):
        return float(value)
    # The schema reports any other value.
    return value
