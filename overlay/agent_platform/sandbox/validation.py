"""Requests against the contract: unknown parameters and members, wrong types and values out of range are refused."""

from __future__ import annotations

import json
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, cast

from jsonschema.exceptions import ValidationError
from starlette.datastructures import QueryParams

from .problems import RefusedError, invalid, nearest
from .routes import Field, Route

TYPES = {"required": "missing", "additionalProperties": "extra_forbidden"}

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
        value = _typed(field, given.getlist(name))
        failures += [_failure(error, ["query", name]) for error in field.validator.iter_errors(value)]
        query[name] = value
    failures += [(["query", name], "Field required", "missing") for name in sorted(route.required_query - set(query))]
    if failures:
        raise invalid(*failures)
    return query


def _typed(field: Field, values: list[str]) -> Any:
    if "array" in field.types:
        return [_scalar(value, field.items) for value in values]
    return _scalar(values[-1], field.types)


def _scalar(value: str, types: tuple[str, ...]) -> Any:
    if "boolean" in types and value in ("true", "false"):
        return value == "true"
    try:
        if "integer" in types:
            return int(value)
        if "number" in types:
            return float(value)
    except ValueError:
        pass
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
    media_type = content_type.partition(";")[0].strip().lower()
    if route.body_is_form:
        if media_type != "multipart/form-data":
            raise RefusedError(415, f"a form is expected, not {media_type or 'a body without a Content-Type'}")
        return read_form(content, content_type)
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise RefusedError(415, f"a JSON body is expected, not {media_type or 'one without a Content-Type'}")
    try:
        body = json.loads(content)
        # What cannot be written again is refused as well: lone surrogates, and numbers that JSON does not have.
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise RefusedError(400, "the body is no JSON") from None
    failures = [_failure(error, ["body"]) for error in route.body.iter_errors(body)]
    failures += unknown_members(route, body)
    if failures:
        raise invalid(*failures)
    return body


def read_form(content: bytes, content_type: str) -> dict[str, Any]:
    """The parts of a form: text, or for a file its name and bytes."""
    message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + content)
    form: dict[str, Any] = {}
    for part in message.iter_parts():
        name = str(part.get_param("name", "", "content-disposition"))
        data = part.get_payload(decode=True)
        payload = data if isinstance(data, bytes) else b""
        filename = part.get_filename()
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
    return loc, error.message, TYPES.get(kind, kind)
