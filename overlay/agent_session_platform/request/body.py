"""The body of a request: JSON, or a form with files."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from .._api import UNSET, Model, to_json
from ..errors import InvalidArgumentError
from ..text import format_value, truncate
from .arguments import LIST_TYPES, check_timezone

# json.dumps raises RecursionError for a body that is nested much deeper.
MAX_DEPTH = 200

Members = Mapping[str, Any] | None


def write_body(body: Members, extra_body: Members) -> bytes:
    """Write a body as JSON."""
    members = to_json(join_members(body, extra_body))
    try:
        return json.dumps(members, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, or half of a surrogate pair.
        raise InvalidArgumentError(f"the body cannot be written as JSON: {truncate(str(error))}") from None


def write_form(body: Members, extra_body: Members) -> dict[str, str | list[str]]:
    """Write the members of a form that are not files as text: a list repeats its name, a nested value is JSON."""
    form: dict[str, str | list[str]] = {}
    for name, value in join_members(body, extra_body).items():
        plain = to_json(value)
        form[name] = (
            [_form_text(each) for each in plain] if isinstance(plain, list) else _form_text(plain)  # pyright: ignore[reportUnknownVariableType]  # any JSON
        )
    return form


def _form_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def join_members(body: Members, extra_body: Members) -> dict[str, Any]:
    """Join the members that are given by name with those of `extra_body`; refuse what cannot be written."""
    for argument, value in (("body", body), ("extra_body", extra_body)):
        if not (value is None or isinstance(value, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"{argument} must be a mapping, not {format_value(value)}")
    members = {name: value for name, value in (body or {}).items() if value is not UNSET}
    if repeated := sorted(members.keys() & (extra_body or {}).keys()):
        raise InvalidArgumentError(f"extra_body repeats {repeated[0]}, which is given by name already")
    members.update(extra_body or {})
    for name, value in members.items():
        check_writable(name, value)
    return members


def check_writable(place: str, value: Any, depth: int = 0) -> None:
    """Refuse a value that JSON cannot write.

    Args:
        place: The place of the value in the body, for the message.
        value: The value.
        depth: How deep the value is nested in the body.

    Raises:
        InvalidArgumentError: The value, or one inside it, cannot be written.
    """
    if depth > MAX_DEPTH:
        raise InvalidArgumentError(f"the body is nested too deeply (in {place.partition('.')[0].partition('[')[0]})")
    if isinstance(value, Model):
        value = value.to_dict()
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidArgumentError(f"the body cannot be written as JSON: {place} is {value}")
    if isinstance(value, datetime):
        check_timezone(place, value)
    elif isinstance(value, Mapping):
        for name, member in cast("Mapping[Any, Any]", value).items():  # type: ignore[redundant-cast]  # not for pyright
            if not isinstance(name, str):
                raise InvalidArgumentError(f"the body cannot be written as JSON: {place} has the key {name!r}")
            check_writable(f"{place}.{name}", member, depth + 1)
    elif isinstance(value, LIST_TYPES):
        for index, member in enumerate(cast("Iterable[Any]", value)):
            check_writable(f"{place}[{index}]", member, depth + 1)
    elif not (value is None or isinstance(value, str | int | float)):
        raise InvalidArgumentError(f"the body cannot be written as JSON: {place} is of type {type(value).__name__}")
