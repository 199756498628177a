"""Parameters: parse the parameters of requests, and check them against the contract."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import unquote, unquote_plus

from starlette.requests import Request

from .contract import HEADER, PATH, QUERY, Parameter, Route
from .problems import invalid, suggestion
from .validation import Failure, Shape, failures_of, parse_json

# Numbers in the syntax of JSON; int() and float() accept more, such as 1_0 and digits of any script.
WHOLE_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,299})", re.ASCII)
NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,299})(\.[0-9]{1,32})?([eE][+-]?[0-9]{1,2})?", re.ASCII)

# A name, and a text that is not decoded yet.
Pair: TypeAlias = tuple[str, str]
Decode: TypeAlias = Callable[[str], str]


class UnreadableError(ValueError):
    """A text is not written as the contract says. The second argument is the type of the failure."""


def read_value(parameter: Parameter, texts: list[str], decode: Decode = str) -> Any:
    """Return the value of a parameter. Text that fits no type of the schema stays text; validation then refuses it.

    Args:
        parameter: The parameter.
        texts: The texts that were sent for the parameter; at least one.
        decode: A function that decodes a text.

    Raises:
        UnreadableError: The text is not written as the contract says.
    """
    shape = parameter.shape
    if parameter.is_list and parameter.location == HEADER:
        texts = [text.strip() for text in ",".join(texts).split(",") if text]
    if parameter.is_list:
        return [read_scalar(shape.items, decode(text)) for text in texts]
    # A parameter without a type keeps all its values: the handler decides what several values mean.
    if len(texts) > 1 and (parameter.is_json or shape.types):
        raise UnreadableError(f"given {len(texts)} times; it takes one value", "multiple_values")
    if parameter.is_json:
        try:
            return parse_json(decode(texts[0]))
        except ValueError as error:
            raise UnreadableError(f"not JSON: {error}", "json_invalid") from None
    return _read_texts(shape, [decode(text) for text in texts])


def read_scalar(shape: Shape, text: str) -> Any:
    """Return a text as a boolean or a number if the schema has such a type; otherwise return the text."""
    types = shape.types
    if "boolean" in types and text in ("true", "false"):
        return text == "true"
    if "integer" in types and WHOLE_NUMBER.fullmatch(text):
        return int(text)
    if "number" in types and NUMBER.fullmatch(text):
        return float(text)
    return text


def _read_texts(shape: Shape, texts: list[str]) -> Any:
    """Return the value of one text, or a list with the value of each text."""
    values = [read_scalar(shape, text) for text in texts]
    return values[0] if len(values) == 1 else values


def _read_query(known: Mapping[str, Parameter], sent: Iterable[Pair]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the objects of a query, of which each member is a parameter of its own, and all other texts by name."""
    objects: dict[str, dict[str, Any]] = {}
    texts: dict[str, list[str]] = {}
    for name, text in sent:
        texts.setdefault(name, []).append(text)
    for parameter in known.values():
        if not parameter.is_object:
            continue
        shape = parameter.shape
        of_object = [name for name in texts if name not in known and (name in shape.members or shape.is_open)]
        for name in of_object:
            decoded = [unquote_plus(text) for text in texts.pop(name)]
            objects.setdefault(parameter.name, {})[name] = _read_texts(shape.member(name), decoded)
    return objects, texts


def read_arguments(
    route: Route, path: Mapping[str, str], request: Request, accepted: Container[str] = ()
) -> dict[str, dict[str, Any]]:
    """Return the parameters of a request by location and name, validated. Unknown headers are ignored.

    Args:
        route: The operation.
        path: The path parameters, not decoded.
        request: The request.
        accepted: Query parameters that are accepted though the contract does not have them.

    Raises:
        RefusedError: 422 for unknown, missing, repeated or invalid parameters.
    """
    known, extra = route.parameters[QUERY], dict[str, str]()
    pairs = split_pairs(request.scope["query_string"].decode("latin-1"))
    objects, query = _read_query(known, pairs)
    unknown: dict[str, Failure] = {}
    for name, texts in query.items():
        if name in known:
            continue
        if name in accepted:
            extra[name] = unquote_plus(texts[-1])
        else:
            message = f"unknown query parameter{suggestion(name, known)}"
            unknown[name] = (["query", name], message, "extra_forbidden")
    failures = [*unknown.values()]

    def read(location: str, sent: Mapping[str, list[str]], decode: Decode) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, parameter in route.parameters[location].items():
            try:
                if location == QUERY and name in objects:
                    values[name] = objects[name]
                elif texts := sent.get(name):
                    values[name] = read_value(parameter, texts, decode)
                else:
                    if parameter.required:
                        failures.append(([location, name], "Field required", "missing"))
                    continue
                failures.extend(failures_of(parameter.shape, values[name], [location, name]))
            except UnreadableError as error:
                failures.append(([location, name], *error.args))
        return values

    headers = {name: request.headers.getlist(name) for name in route.parameters[HEADER]}
    arguments = {
        PATH: {name: unquote(text) for name, text in path.items()}
        | read(PATH, {name: [text] for name, text in path.items()}, unquote),
        QUERY: extra | read(QUERY, query, unquote_plus),
        HEADER: read(HEADER, headers, str),
    }
    if failures:
        raise invalid(*failures)
    return arguments


def split_pairs(text: str) -> Iterator[Pair]:
    """Yield the names and the texts of a query; a text is not decoded yet."""
    for pair in filter(None, text.split("&")):
        name, _, value = pair.partition("=")
        yield unquote_plus(name), value
