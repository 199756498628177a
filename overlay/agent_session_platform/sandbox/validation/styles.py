"""Values that are written as text: in paths, queries, headers, cookies and forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeAlias, cast

from ..contract import BODY, COOKIE, HEADER, QUERY, Parameter, Shape
from .json_parser import parse_json

# Numbers in the syntax of JSON; int() and float() accept more, such as 1_0 and digits of any script.
WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})", re.ASCII)
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,32})?([eE][+-]?[0-9]{1,2})?", re.ASCII)

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
        texts = [",".join(texts)]
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
    tree: dict[str, Any] = {}
    for name, text in pairs:
        place, keys = tree, name[len(parameter.name) + 1 : -1].split("][")
        for key in keys[:-1]:
            place = place.setdefault(key, {})
            if not isinstance(place, dict):
                break
        texts = place.setdefault(keys[-1], []) if isinstance(place, dict) else None
        if not name.endswith("]") or not isinstance(texts, list):
            raise UnreadableError(f"must be written as {parameter.name}[member]=value", "object_parsing")
        cast("list[str]", texts).append(decode(text))
    return _grow(parameter.shape, tree)


def _grow(shape: Shape, node: dict[str, Any] | list[str]) -> Any:
    if isinstance(node, list):
        if len(node) > 1 and shape.types and "array" not in shape.types:
            raise UnreadableError(f"given {len(node)} times; it takes one value", "multiple_values")
        return _read_texts(shape, node)
    if "array" in shape.types:
        # Some clients number the items: name[member][0]=1.
        return [item for each in node.values() for item in _grow_items(shape.items, each)]
    return {name: _grow(shape.member(name), each) for name, each in node.items()}


def _grow_items(shape: Shape, node: dict[str, Any] | list[str]) -> list[Any]:
    return [_grow(shape, node)] if isinstance(node, dict) else [read_scalar(shape, text) for text in node]
