"""A checked request as it is written: path, query, and a body of JSON or of a form."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Set
from datetime import datetime
from typing import Any, cast
from urllib.parse import quote, urlencode

from .._api import UNSET, Model, Request, to_json
from ..errors import InvalidArgumentError
from ..text import excerpt, shown

QUERY_TYPES = (str, int, float, bool)
DEEPEST = 200


def write_path(template: str, values: Mapping[str, Any], wildcards: Set[str] = frozenset()) -> str:
    """Fill the placeholders of a path; a segment is never empty, `.` or `..`, which a server takes for another path.

    A wildcard may have several segments.
    """
    path = template
    for name, value in values.items():
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise InvalidArgumentError(f"{name} must be a string, not {shown(value)}")
        segments = str(value).split("/") if name in wildcards else [str(value)]
        if any(segment in ("", ".", "..") for segment in segments):
            raise InvalidArgumentError(f"{name} must be {'a path' if name in wildcards else 'an id'}, not {value!r}")
        try:
            written = "/".join(quote(segment, safe="") for segment in segments)
        except UnicodeEncodeError:
            raise InvalidArgumentError(f"{name} has characters that cannot be written in a path") from None
        path = path.replace(f"{{{name}}}", written)
    return path


def write_query(values: Mapping[str, Any]) -> str:
    """Write a query string: None is left out, and a list repeats its name."""
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if value is None or value is UNSET:
            continue
        several = isinstance(value, list | tuple | set | frozenset)
        pairs += [(name, _query_value(name, each)) for each in (cast("Iterable[Any]", value) if several else (value,))]
    try:
        return urlencode(pairs)
    except UnicodeEncodeError:
        raise InvalidArgumentError("the query has half of a surrogate pair, which UTF-8 cannot write") from None


def _query_value(name: str, value: Any) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise InvalidArgumentError(f"{name} {zone_wanted(value)}")
        return value.isoformat()
    if not isinstance(value, QUERY_TYPES):
        raise InvalidArgumentError(f"{name} must be a string, a number or a boolean in a query, not {shown(value)}")
    return str(value).lower() if isinstance(value, bool) else str(value)


def write_body(request: Request[Any]) -> bytes | None:
    """Write the body as JSON; None when there is none to send."""
    if request.body is None and request.extra_body is None:
        return None
    members = to_json(body_members(request))
    try:
        return json.dumps(members, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, or half of a surrogate pair.
        raise InvalidArgumentError(f"the body cannot be written as JSON: {excerpt(str(error))}") from None


def write_form(request: Request[Any]) -> dict[str, str | list[str]]:
    """Write the members of a form that are no files as text: a list repeats its name, anything nested is JSON."""
    form: dict[str, str | list[str]] = {}
    for name, value in body_members(request).items():
        plain = to_json(value)
        several = isinstance(plain, list)
        texts = [_form_value(each) for each in (cast("list[Any]", plain) if several else [plain])]
        form[name] = texts if several else texts[0]
    return form


def _form_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def body_members(request: Request[Any]) -> dict[str, Any]:
    """The members of the body that are given, named ones and those of `extra_body` together."""
    for argument, value in (("body", request.body), ("extra_body", request.extra_body)):
        if not (value is None or isinstance(value, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"{argument} must be a mapping, not {shown(value)}")
    members = {name: value for name, value in (request.body or {}).items() if value is not UNSET}
    if repeated := sorted(members.keys() & (request.extra_body or {}).keys()):
        raise InvalidArgumentError(f"extra_body repeats {repeated[0]}, which is given by name already")
    members.update(request.extra_body or {})
    for name, value in members.items():
        check_writable(name, value)
    return members


def check_writable(place: str, value: Any, depth: int = 0) -> None:
    """Refuse what JSON cannot write, with its place in the body."""
    if depth > DEEPEST:
        raise InvalidArgumentError(f"the body is nested too deeply (in {place.partition('.')[0].partition('[')[0]})")
    if isinstance(value, Model):
        value = value.to_dict()
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidArgumentError(f"the body cannot be written as JSON: {place} is {value}")
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise InvalidArgumentError(f"{place} {zone_wanted(value)}")
    elif isinstance(value, Mapping):
        for name, member in cast("Mapping[Any, Any]", value).items():  # type: ignore[redundant-cast]  # not for pyright
            if not isinstance(name, str):
                raise InvalidArgumentError(f"the body cannot be written as JSON: {place} has the key {name!r}")
            check_writable(f"{place}.{name}", member, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for index, member in enumerate(cast("Iterable[Any]", value)):
            check_writable(f"{place}[{index}]", member, depth + 1)
    elif not (value is None or isinstance(value, str | int | float)):
        raise InvalidArgumentError(f"the body cannot be written as JSON: {place} is of type {type(value).__name__}")


def zone_wanted(value: datetime) -> str:
    """What to say of a datetime without a timezone: no server knows which moment it is."""
    return f"must have a timezone, unlike {value.isoformat()}; make it one with datetime(..., tzinfo=UTC)"
