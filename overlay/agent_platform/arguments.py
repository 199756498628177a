"""The arguments of a call: checked before anything is sent, then written as path, query and body."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from urllib.parse import quote, urlencode

from ._api import UNSET, CallOptions, Model, Operation, Parameter, Request, json_type, to_json
from .errors import InvalidArgumentError

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "a string"),
    "integer": ((int,), "an integer"),
    "number": ((int, float), "a number"),
    "boolean": ((bool,), "a boolean"),
    "array": ((list, tuple, set, frozenset), "a list"),
    "object": ((Mapping,), "a mapping"),
    "date-time": ((datetime, str), "a datetime or ISO 8601 text"),
}
QUERY_TYPES = (str, int, float, bool)
SHOWN_LENGTH = 60
DEEPEST = 200


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request as it goes over the wire, without address and credential."""

    operation: Operation
    target: str
    content: bytes | None
    headers: Mapping[str, str]


def prepare(request: Request[Any], options: CallOptions) -> Prepared:
    """Check the arguments of *request* and write it; raises InvalidArgumentError with the argument's name."""
    operation = request.operation
    for parameter in operation.parameters:
        given = {"path": request.path, "query": request.query, "body": request.body or {}}[parameter.location]
        check(parameter, given.get(parameter.name), parameter.name in given)
    path = write_path(operation.path, request.path)
    query = write_query({**request.query, **(options.extra_query or {})})
    content = write_body(request)
    headers = {"Accept": "application/json, application/problem+json"}
    if content is not None:
        headers["Content-Type"] = operation.media_type or "application/json"
    if options.extra_headers:
        headers.update(options.extra_headers)
    return Prepared(operation, f"{path}?{query}" if query else path, content, headers)


def check(parameter: Parameter, value: Any, given: bool = True) -> None:
    """Check one value against what the contract says of its parameter."""
    name = parameter.name
    if value is UNSET or not given or (value is None and (parameter.nullable or parameter.location == "query")):
        return
    if parameter.kind:
        types, wanted = KINDS[parameter.kind]
        # For Python a bool is an int; for JSON it is not.
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            hint = f"; write [{_shown(value)}]" if parameter.kind == "array" and isinstance(value, str) else ""
            raise InvalidArgumentError(f"{name} must be {wanted}, not {_shown(value)}{hint}")
    if isinstance(value, datetime) and value.tzinfo is None:
        raise InvalidArgumentError(f"{name} {zone_wanted(value)}")
    if isinstance(value, int | float):
        check_range(parameter, value)


def zone_wanted(value: datetime) -> str:
    """What to say of a datetime without a timezone: no server knows which moment it is."""
    return f"must have a timezone, unlike {value.isoformat()}; make it one with datetime(..., tzinfo=UTC)"


def check_range(parameter: Parameter, value: float) -> None:
    """Check a number against the bounds that the contract states."""
    low, high = parameter.minimum, parameter.maximum
    if (low is None or value >= low) and (high is None or value <= high):
        return
    bounds = f"at most {high}" if low is None else f"at least {low}" if high is None else f"between {low} and {high}"
    raise InvalidArgumentError(f"{parameter.name} must be {bounds}, not {value}")


def write_path(template: str, values: Mapping[str, Any]) -> str:
    """Fill the placeholders of a path; a segment is never empty, `.` or `..`, which a server takes for another path."""
    path = template
    for name, value in values.items():
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise InvalidArgumentError(f"{name} must be a string, not {_shown(value)}")
        if value in ("", ".", ".."):
            raise InvalidArgumentError(f"{name} must be an id, not {value!r}")
        path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
    return path


def write_query(values: Mapping[str, Any]) -> str:
    """Write a query string: None is left out, and a list repeats its name."""
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if value is None or value is UNSET:
            continue
        several = isinstance(value, list | tuple | set | frozenset)
        pairs += [(name, _query_value(name, each)) for each in (cast("Iterable[Any]", value) if several else (value,))]
    return urlencode(pairs)


def _query_value(name: str, value: Any) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise InvalidArgumentError(f"{name} {zone_wanted(value)}")
        return value.isoformat()
    if not isinstance(value, QUERY_TYPES):
        raise InvalidArgumentError(f"{name} must be a string, a number or a boolean in a query, not {_shown(value)}")
    return str(value).lower() if isinstance(value, bool) else str(value)


def write_body(request: Request[Any]) -> bytes | None:
    """Write the body as JSON, named members and `extra_body` together; None when there is none to send."""
    if request.body is None and request.extra_body is None:
        return None
    for argument, value in (("body", request.body), ("extra_body", request.extra_body)):
        if not (value is None or isinstance(value, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"{argument} must be a mapping, not {_shown(value)}")
    members = {name: value for name, value in (request.body or {}).items() if value is not UNSET}
    if repeated := sorted(members.keys() & (request.extra_body or {}).keys()):
        raise InvalidArgumentError(f"extra_body repeats {repeated[0]}, which is given by name already")
    members.update(request.extra_body or {})
    for name, value in members.items():
        check_writable(name, value)
    return json.dumps(to_json(members), ensure_ascii=False, separators=(",", ":")).encode()


def check_writable(place: str, value: Any, depth: int = 0) -> None:
    """Refuse what JSON cannot write, with its place in the body."""
    if depth > DEEPEST:
        raise InvalidArgumentError(f"the body is nested too deeply (in {place.partition('.')[0].partition('[')[0]})")
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
    elif not (value is None or isinstance(value, str | int | float | Model)):
        raise InvalidArgumentError(f"the body cannot be written as JSON: {place} is of type {type(value).__name__}")


def _shown(value: object) -> str:
    if value is None or isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= SHOWN_LENGTH else f"{text[: SHOWN_LENGTH - 3]}..."
    return type(value).__name__ if not isinstance(value, dict | list) else json_type(value)  # pyright: ignore[reportUnknownArgumentType]


def raw_request(
    method: str, path: str, query: Mapping[str, Any] | None, body: Mapping[str, Any] | None
) -> Request[Any]:
    """Make the request of an operation that the contract does not know; raises InvalidArgumentError."""
    if not method.isalpha() or not method.isascii():
        raise InvalidArgumentError(f"method must be an HTTP method such as 'GET', not {method[:SHOWN_LENGTH]!r}")
    if not path.startswith("/") or path.startswith("//"):
        raise InvalidArgumentError(f"path must begin with one slash and name no host, not {path[:SHOWN_LENGTH]!r}")
    if "?" in path or "#" in path:
        raise InvalidArgumentError("path must have no query and no fragment; pass query={...}")
    if any(segment in (".", "..") for segment in path.split("/")) or not path.isprintable() or " " in path:
        raise InvalidArgumentError(f"path must be written out and quoted, not {path[:SHOWN_LENGTH]!r}")
    operation = Operation(
        id=f"{method.upper()} {path}", method=method.upper(), path=path, scope="", resource="", verb=""
    )
    return Request(operation, _as_it_came, {}, query or {}, body)


def _as_it_came(payload: Any) -> Any:
    return payload
