"""Paths of operations: their templates, and the ids in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from ._api import Operation, Parameter
from .contract import PLACEHOLDER
from .text import plain_text


def source_text(operation: Operation, path: Mapping[str, Any]) -> str:
    """Return an operation with its path arguments, as one line; a missing prefix is added to an id.

    Args:
        operation: The operation.
        path: The path arguments by name.
    """
    ids: list[str] = []
    for parameter in path_parameters(operation):
        value = with_prefix(parameter, plain_text(path[parameter.name]))
        ids.append(f"{parameter.name}={value!r}")
    return f"{operation}({', '.join(ids)})"


def path_parameters(operation: Operation) -> list[Parameter]:
    """Return the path parameters of an operation, in their order."""
    return [parameter for parameter in operation.parameters if parameter.location == "path"]


def with_prefix(parameter: Parameter, text: str) -> str:
    """Return an id with its prefix, which is added if it is missing."""
    if not parameter.adds_prefix or text.startswith(parameter.prefix):
        return text
    return f"{parameter.prefix}{text}"


def comparable_id(parameter: Parameter, value: object) -> str:
    """Return an id in the form in which ids are compared: as text, and without a prefix.

    A list may show an id with or without the prefix that it has in paths, or as a number.

    Args:
        parameter: The path parameter that takes the id.
        value: The id as a caller or the server gave it; it is empty text if the value is null or anything else.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return plain_text(value).removeprefix(parameter.prefix)


@cache
def pattern_of(template: str, wildcards: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Return a pattern for the paths of a template, with a group for each id; a wildcard may have several segments."""
    pattern = re.escape(template)
    for name in PLACEHOLDER.findall(template):
        group = "([^/]+)"
        if name in wildcards:
            group = "(.+)"
        pattern = pattern.replace(re.escape(f"{{{name}}}"), group)
    return re.compile(pattern)


def path_pattern(operation: Operation) -> re.Pattern[str]:
    """Return a pattern for the paths of an operation."""
    wildcards = [parameter.name for parameter in operation.parameters if parameter.wildcard]
    return pattern_of(operation.path, tuple(wildcards))
