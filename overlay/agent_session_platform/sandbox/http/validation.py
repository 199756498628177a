"""Requests against the contract: unknown parameters and members, wrong types and values out of range are refused."""

from __future__ import annotations

import re
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, cast

from jsonschema.exceptions import ValidationError
from starlette.datastructures import QueryParams

from ..problems import RefusedError, invalid, nearest
from ..shapes import DEEPEST, LONGEST_VALUE, parse
from .routes import Field, Route

TYPES = {"required": "missing", "additionalProperties": "extra_forbidden"}

# As JSON writes numbers; int() and float() take more, such as 1_0, and digits of any script.
WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,18})", re.ASCII)
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,32})?([eE][+-]?[0-9]{1,2})?", re.ASCII)

Failure = tuple[list[str], str, str]


def read_query(route: Route, given: QueryParams) -> dict[str, Any]:
    """The query as the contract types it; refuses with 422."""
    failures: list[Failure] = []
    query: dict[str, Any] = {}
    for name in dict.fromkeys(given):
        field = route.query.get(name)
        if field is None:
            failures.append(
                (["query", name], f"unknown query parameter{nearest(name, route.query)}", "extra_forbidden")
            )
            continue
        values = given.getlist(name)
        if len(values) > 1 and field.types and "array" not in field.types:
            failures.append((["query", name], f"given {len(values)} times; it takes one value", "multiple_values"))
            continue
        value = _typed(field, values)
        failures += [_failure(error, ["query", name]) for error in field.validator.iter_errors(value)]
        query[name] = value
    failures += [(["query", name], "Field required", "missing") for name in sorted(route.required_query - set(query))]
    if failures:
        raise invalid(*failures)
    return query


def _typed(field: Field, values: list[str]) -> Any:
    if "array" in field.types:
        return [_scalar(value, field.items) for value in values]
    # Of a parameter whose type is not shown, all that came: what several values mean is left to who looks at them.
    return _scalar(values[0], field.types) if len(values) == 1 else values


def _scalar(value: str, types: tuple[str, ...]) -> Any:
    if "boolean" in types and value in ("true", "false"):
        return value == "true"
    if "integer" in types and WHOLE.fullmatch(value):
        return int(value)
    if "number" in types and NUMBER.fullmatch(value):
        return float(value)
    # Left to the schema, which says what is wrong with it.
    return value


def read_body(route: Route, content: bytes, content_type: str) -> Any:
    """The JSON body; refuses what is no JSON (400), does not claim to be (415) or is not valid (422)."""
    if not content:
        if route.body_required:
            raise invalid((["body"], "Field required", "missing"))
        return None
    if route.body is None:
        raise RefusedError(400, "this operation takes no body")
    media_type, charset = media_type_of(content_type)
    if route.body_is_form:
        if media_type != "multipart/form-data":
            raise RefusedError(415, f"a form is expected, not {media_type or 'a body without a Content-Type'}")
        return read_form(content, content_type)
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise RefusedError(415, f"a JSON body is expected, not {media_type or 'one without a Content-Type'}")
    if charset not in ("utf-8", "utf8"):
        raise RefusedError(415, f"JSON is UTF-8, not {charset}; leave the charset out")
    try:
        body = parse(content, DEEPEST)
    except ValueError as error:
        raise RefusedError(400, f"the body is no JSON: {error}") from None
    failures = [_failure(error, ["body"]) for error in route.body.iter_errors(body)]
    failures += unknown_members(route, body)
    if failures:
        raise invalid(*failures)
    return body


def media_type_of(content_type: str) -> tuple[str, str]:
    """The media type of a Content-Type header and its charset, in small letters."""
    media_type, _, parameters = content_type.partition(";")
    if not parameters:
        return media_type.strip().lower(), "utf-8"
    header = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode("latin-1"))
    charset = str(header.get_param("charset", "utf-8")).lower()
    return media_type.strip().lower(), charset


def read_form(content: bytes, content_type: str) -> dict[str, Any]:
    """The parts of a form: text, or for a file its name and bytes; refuses what is none and a part that comes twice."""
    message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode("latin-1") + content)
    if not message.is_multipart() or message.defects:
        raise RefusedError(400, "the body is no form: its parts are not parted by the boundary of its Content-Type")
    form: dict[str, Any] = {}
    for part in message.iter_parts():
        name = str(part.get_param("name", "", "content-disposition"))
        data = part.get_payload(decode=True)
        payload = data if isinstance(data, bytes) else b""
        filename = part.get_filename()
        if name in form:
            raise invalid((["body", name], "given more than once; it takes one value", "multiple_values"))
        form[name] = payload.decode(errors="replace") if filename is None else {"name": filename, "content": payload}
    return form


def unknown_members(route: Route, body: Any) -> list[Failure]:
    """The members that a body has and the description, which shows it whole, does not."""
    known: dict[str, Any] = route.body_schema.get("properties", {})
    if not known or route.body_schema.get("additionalProperties") is True or not isinstance(body, dict):
        return []
    members = cast("dict[str, Any]", body)
    return [
        (["body", name], f"unknown field{nearest(name, known)}", "extra_forbidden")
        for name in members
        if name not in known
    ]


def _failure(error: ValidationError, place: list[str]) -> Failure:
    loc = [*place, *(str(part) for part in error.absolute_path)]
    kind = str(error.validator)
    if kind == "required":
        # The validator's place is the object, and only its message ('name' is a required property) names the member.
        return [*loc, error.message.split("'")[1]], "Field required", "missing"
    # The value is named, but it may be a whole body.
    value = repr(error.instance)
    message = (
        error.message.replace(value, f"{value[:LONGEST_VALUE]}...") if len(value) > LONGEST_VALUE else error.message
    )
    if kind == "enum" and isinstance(error.instance, str):
        message += nearest(error.instance, [str(each) for each in cast("list[object]", error.validator_value)])
    return loc, message, TYPES.get(kind, kind)
