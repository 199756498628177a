"""The arguments of a call: checked before anything is sent, then written as path, query and body."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast
from urllib.parse import quote, unquote, urlencode

from ._api import UNSET, CallOptions, Model, Operation, Parameter, Request, json_type, to_json
from .errors import InvalidArgumentError
from .excerpt import excerpt
from .upload import Upload

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

# Some servers choose the form of an error by what is accepted, and answer 406 or a silent 200 when it is not listed.
ACCEPT = "application/json, application/problem+json"
ACCEPT_FILE = "application/octet-stream, application/problem+json, */*;q=0.5"
DEEPEST = 200


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request as it goes over the wire, without address and credential."""

    operation: Operation
    target: str
    content: bytes | None
    headers: Mapping[str, str]
    files: Mapping[str, Upload] = field(default_factory=lambda: dict[str, Upload]())
    form: Mapping[str, str | list[str]] = field(default_factory=lambda: dict[str, "str | list[str]"]())

    @property
    def repeatable(self) -> bool:
        """Whether it can be sent again: a file that cannot be rewound is gone after the first try."""
        return all(upload.repeatable for upload in self.files.values())


def prepare(request: Request[Any], options: CallOptions) -> Prepared:
    """Check the arguments of *request* and write it; raises InvalidArgumentError with the argument's name."""
    operation = request.operation
    files = {name: Upload(name, source) for name, source in (request.files or {}).items() if source is not UNSET}
    for parameter in operation.parameters:
        if parameter.kind == "file" and parameter.location == "body":
            continue
        given = {"path": request.path, "query": request.query, "body": request.body or {}}[parameter.location]
        check(parameter, given.get(parameter.name), parameter.name in given)
    wildcards = {parameter.name for parameter in operation.parameters if parameter.wildcard}
    path = write_path(operation.path, request.path, wildcards)
    taken = {parameter.name for parameter in operation.parameters if parameter.location == "query"}
    if repeated := sorted(taken & (options.extra_query or {}).keys()):
        raise InvalidArgumentError(f"extra_query has {repeated[0]}, which the operation takes by name")
    query = write_query({**request.query, **(options.extra_query or {})})
    form = write_form(request) if files else {}
    content = None if files else write_body(request)
    headers = {"accept": ACCEPT_FILE if operation.streamed else ACCEPT}
    if content is not None:
        headers["content-type"] = operation.media_type or "application/json"
    headers |= {name.lower(): value for name, value in (options.extra_headers or {}).items()}
    return Prepared(operation, f"{path}?{query}" if query else path, content, headers, files, form)


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


def write_path(template: str, values: Mapping[str, Any], wildcards: Set[str] = frozenset()) -> str:
    """Fill the placeholders of a path; a segment is never empty, `.` or `..`, which a server takes for another path.

    A wildcard may have several segments.
    """
    path = template
    for name, value in values.items():
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise InvalidArgumentError(f"{name} must be a string, not {_shown(value)}")
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
        raise InvalidArgumentError(f"{name} must be a string, a number or a boolean in a query, not {_shown(value)}")
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
            raise InvalidArgumentError(f"{argument} must be a mapping, not {_shown(value)}")
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


def _shown(value: object) -> str:
    if value is None or isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= SHOWN_LENGTH else f"{text[: SHOWN_LENGTH - 3]}..."
    return type(value).__name__ if not isinstance(value, dict | list) else json_type(value)  # pyright: ignore[reportUnknownArgumentType]


def raw_request(
    method: str, path: str, query: Mapping[str, Any] | None, body: Mapping[str, Any] | None
) -> Request[Any]:
    """Make the request of an operation that the contract does not know; raises InvalidArgumentError."""
    for argument, text in (("method", method), ("path", path)):
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"{argument} must be a string, not {_shown(text)}")
    if not (query is None or isinstance(query, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]  # as above
        raise InvalidArgumentError(f"query must be a mapping, not {_shown(query)}")
    if not method.isalpha() or not method.isascii():
        raise InvalidArgumentError(f"method must be an HTTP method such as 'GET', not {method[:SHOWN_LENGTH]!r}")
    if not path.startswith("/") or path.startswith("//"):
        raise InvalidArgumentError(f"path must begin with one slash and name no host, not {path[:SHOWN_LENGTH]!r}")
    if "?" in path or "#" in path:
        raise InvalidArgumentError("path must have no query and no fragment; pass query={...}")
    if any(unquote(segment) in (".", "..") for segment in path.split("/")) or not path.isprintable() or " " in path:
        raise InvalidArgumentError(f"path must be written out and quoted, not {path[:SHOWN_LENGTH]!r}")
    operation = Operation(
        id=f"{method.upper()} {path}", method=method.upper(), path=path, scope="", resource="", verb=""
    )
    return Request(operation, _as_it_came, {}, query or {}, body)


def _as_it_came(payload: Any) -> Any:
    return payload
