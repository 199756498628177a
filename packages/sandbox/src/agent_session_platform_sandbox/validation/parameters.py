"""Parameters: how they are written, and whether the contract accepts them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeAlias
from urllib.parse import unquote, unquote_plus

import attrs
from starlette.requests import Request

from ..contract import BODY, COOKIE, HEADER, PATH, QUERY, Parameter, Route, Shape
from ..problems import invalid, suggestion
from .schemas import Failure, failures_of, parse_json

# Numbers in the syntax of JSON; int() and float() accept more, such as 1_0 and digits of any script.
WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,299})", re.ASCII)
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,299})(\.[0-9]{1,32})?([eE][+-]?[0-9]{1,2})?", re.ASCII)

DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|"}

Pair: TypeAlias = tuple[str, str]
"""A name, and a text that is not decoded yet."""

Decode: TypeAlias = Callable[[str], str]


class UnreadableError(ValueError):
    """A text is not written as the contract says. The second argument is the type of the failure."""


def read_value(parameter: Parameter, pairs: list[Pair], decode: Decode = str) -> Any:
    """Return the value of a parameter; one that fits no type of its schema stays text, and the schema refuses it.

    Args:
        parameter: The parameter.
        pairs: What was sent for it, at least one.
        decode: Decodes a text.

    Raises:
        UnreadableError: The text is not written as the contract says.
    """
    shape, texts = parameter.shape, [text for _, text in pairs]
    if parameter.style == "deepObject":
        return _read_deep(parameter, pairs, decode)
    if parameter.is_spread:
        members = {name: [text for other, text in pairs if other == name] for name, _ in pairs}
        return {name: _read_texts(shape.member(name), map(decode, given)) for name, given in members.items()}
    if parameter.is_list and parameter.explode and parameter.location in (QUERY, BODY):
        return [read_scalar(shape.items, decode(text)) for text in texts]
    if parameter.is_list and parameter.location in (HEADER, COOKIE):
        # An exploded array would be `ids=1&ids=2`, in one cookie.
        texts = [",".join(texts).replace(f"&{parameter.name}=", ",")]
    # A parameter without a type keeps all its values: the handler decides what several of them mean.
    if len(texts) > 1 and (parameter.is_json or shape.types):
        raise UnreadableError(f"given {len(texts)} times; it takes one value", "multiple_values")
    if parameter.is_json:
        return _read_json(decode(texts[0]))
    if parameter.is_list:
        return [read_scalar(shape.items, part) for part in _split(parameter, texts[0], decode)]
    if "object" in shape.types:
        return _read_object(parameter, texts[0], decode)
    return _read_texts(shape, map(decode, texts))


def read_scalar(shape: Shape, text: str) -> Any:
    """Return the value of a text, if it is of a type of the schema; else the text."""
    types = shape.types
    if "boolean" in types and text in ("true", "false"):
        return text == "true"
    if "integer" in types and WHOLE_NUMBER.fullmatch(text):
        return int(text)
    if "number" in types and NUMBER.fullmatch(text):
        return float(text)
    if ("object" in types and text.startswith("{")) or ("array" in types and text.startswith("[")):
        with suppress(UnreadableError):
            return _read_json(text)
    return text


def _read_json(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise UnreadableError(f"not JSON: {error}", "json_invalid") from None


def _read_texts(shape: Shape, texts: Iterable[str]) -> Any:
    if "array" in shape.types:
        return [read_scalar(shape.items, text) for text in texts]
    values = [read_scalar(shape, text) for text in texts]
    return values[0] if len(values) == 1 else values


def _split(parameter: Parameter, text: str, decode: Decode) -> list[str]:
    """Return the parts of a text. Clients encode the delimiter or not; if not, a part may contain it encoded."""
    delimiter = DELIMITERS.get(parameter.style, ",")
    if not text:
        return []
    parts = [decode(part) for part in text.split(delimiter)] if delimiter in text else decode(text).split(delimiter)
    return [part.strip() for part in parts] if parameter.location == HEADER else parts


def _read_object(parameter: Parameter, text: str, decode: Decode) -> dict[str, Any]:
    """Return the object of a text: `a=1,b=2` if it is exploded, else `a,1,b,2`."""
    parts = _split(parameter, text, decode)
    if parameter.explode:
        parts = [each for part in parts for each in part.partition("=")[::2]]
    if len(parts) % 2:
        raise UnreadableError("a name without a value; it takes names and values in turn", "object_parsing")
    names, texts = parts[::2], parts[1::2]
    return {name: read_scalar(parameter.shape.member(name), each) for name, each in zip(names, texts, strict=True)}


def _read_deep(parameter: Parameter, pairs: list[Pair], decode: Decode) -> Any:
    """Return the object of `name[member]=1&name[other][inner]=2`."""
    prefix = f"{parameter.name}["
    if not all(name.startswith(prefix) and name.endswith("]") for name, _ in pairs):
        raise UnreadableError(f"must be written as {prefix}member]=value", "object_parsing")
    return _grow(parameter.shape, [(name[len(prefix) : -1].split("]["), decode(text)) for name, text in pairs])


def _grow(shape: Shape, parts: list[tuple[list[str], str]]) -> Any:
    """Return the value of texts, each with the names of the members that lead to it."""
    texts = [text for names, text in parts if not names]
    if len(texts) == len(parts):
        if len(texts) > 1 and shape.types and "array" not in shape.types:
            raise UnreadableError(f"given {len(texts)} times; it takes one value", "multiple_values")
        return _read_texts(shape, texts)
    groups: dict[str, list[tuple[list[str], str]]] = {}
    for names, text in parts:
        groups.setdefault(names[0] if names else "", []).append((names[1:], text))
    if "array" not in shape.types:
        return {name: _grow(shape.member(name), group) for name, group in groups.items()}
    # Some clients number the items, as in name[member][0]=1, or leave the brackets empty.
    return [item for group in groups.values() for item in _grow_items(shape.items, group)]


def _grow_items(shape: Shape, group: list[tuple[list[str], str]]) -> list[Any]:
    is_text = not any(names for names, _ in group)
    return [read_scalar(shape, text) for _, text in group] if is_text else [_grow(shape, group)]


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
