"""Validation of the parameters of a request against the contract: in path, query, headers and cookies."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, unquote_plus

import attrs
from starlette.requests import Request

from ..contract import COOKIE, HEADER, PATH, QUERY, Parameter, Route
from ..problems import invalid, suggestion
from .failures import Failure, failures_of
from .styles import Decode, Pair, UnreadableError, read_value


@attrs.frozen
class Arguments:
    """The parameters of a request by name, with the types of the contract."""

    path: dict[str, Any]
    query: dict[str, Any]
    headers: dict[str, Any]
    cookies: dict[str, Any]


def read_arguments(route: Route, path: Mapping[str, str], request: Request, accepted: Container[str] = ()) -> Arguments:
    """Return the parameters of a request, validated. Unknown headers and cookies are ignored.

    Args:
        route: The operation.
        path: The path parameters as they were sent.
        request: The request.
        accepted: Query parameters that are accepted as text, although the contract does not have them.

    Raises:
        RefusedError: 422 for unknown, missing, repeated or invalid parameters.
    """
    failures: list[Failure] = []
    in_path = {name: [(name, text)] for name, text in path.items()}
    headers = {name: [(name, text) for text in request.headers.getlist(name)] for name in route.parameters[HEADER]}
    cookies = _sent_cookies(request) if route.parameters[COOKIE] else {}
    extra, in_query = _sort_query(route, request, accepted, failures)
    arguments = Arguments(
        path={name: unquote(text) for name, text in path.items()} | _read(route, PATH, in_path, unquote, failures),
        query=extra | _read(route, QUERY, in_query, unquote_plus, failures),
        headers=_read(route, HEADER, headers, str, failures),
        cookies=_read(route, COOKIE, cookies, unquote, failures),
    )
    if failures:
        raise invalid(*failures)
    return arguments


def find_parameter(parameters: Mapping[str, Parameter], name: str) -> Parameter | None:
    """Return the parameter that a name in a query or a form belongs to."""
    found = parameters.get(name) or parameters.get(name.partition("[")[0])
    if found is not None and not found.is_spread and (found.name == name or found.style == "deepObject"):
        return found
    spread = [each for each in parameters.values() if each.is_spread]
    showing = [each for each in spread if name in each.shape.members]
    return next(iter(showing or [each for each in spread if each.shape.is_open]), None)


def _sort_query(
    route: Route, request: Request, accepted: Container[str], failures: list[Failure]
) -> tuple[dict[str, Any], dict[str, list[Pair]]]:
    """Return the accepted parameters, and what was sent for each parameter of the contract."""
    extra: dict[str, Any] = {}
    sent: dict[str, list[Pair]] = {}
    unknown: dict[str, Failure] = {}
    parameters = route.parameters[QUERY]
    for name, text in split_pairs(request.scope["query_string"].decode("latin-1")):
        parameter = find_parameter(parameters, name)
        if name in accepted:
            extra[name] = unquote_plus(text)
        elif parameter is not None:
            sent.setdefault(parameter.name, []).append((name, text))
        else:
            message = f"unknown query parameter{suggestion(name, _names(parameters))}"
            unknown[name] = (["query", name], message, "extra_forbidden")
    failures += unknown.values()
    return extra, sent


def split_pairs(text: str) -> Iterator[Pair]:
    """Yield the names and the texts of a query or a form; a text is not decoded yet."""
    for pair in filter(None, text.split("&")):
        name, _, value = pair.partition("=")
        yield unquote_plus(name), value


def _names(parameters: Mapping[str, Parameter]) -> Iterator[str]:
    """Yield the names that a query may have."""
    for name, parameter in parameters.items():
        if parameter.is_spread:
            yield from parameter.shape.members
        elif parameter.style == "deepObject":
            yield from (f"{name}[{member}]" for member in parameter.shape.members)
        else:
            yield name


def _sent_cookies(request: Request) -> dict[str, list[Pair]]:
    sent: dict[str, list[Pair]] = {}
    for header in request.headers.getlist("cookie"):
        for pair in header.split(";"):
            name, _, text = pair.strip().partition("=")
            sent.setdefault(name, []).append((name, text.strip('"')))
    return sent


def _read(
    route: Route, location: str, sent: Mapping[str, list[Pair]], decode: Decode, failures: list[Failure]
) -> dict[str, Any]:
    """Return the parameters of one location, and add to the failures."""
    values: dict[str, Any] = {}
    for name, parameter in route.parameters[location].items():
        pairs = sent.get(name)
        if not pairs:
            if parameter.required:
                failures.append(([location, name], "Field required", "missing"))
            continue
        if parameter.is_any_text and len(pairs) == 1:
            values[name] = decode(pairs[0][1])
            continue
        try:
            values[name] = value = read_value(parameter, pairs, decode)
        except UnreadableError as error:
            message, kind = error.args
            failures.append(([location, name], message, kind))
            continue
        place = [location] if parameter.is_spread else [location, name]
        failures += failures_of(parameter.shape, value, place)
    return values
