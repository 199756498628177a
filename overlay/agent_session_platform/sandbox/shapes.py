"""JSON that a person wrote, checked against a schema: what is wrong is told with its place and a way out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, NoReturn, cast

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator

from .problems import nearest

Node = dict[str, Any]

TEXT: Final[Node] = {"type": "string"}
TEXTS: Final[Node] = {"type": "array", "items": TEXT}
FLAG: Final[Node] = {"type": "boolean"}
LONGEST_VALUE: Final = 80
# So many levels of arrays and objects a request may have: what is deeper could be taken, but not copied and compared.
# A state has its own around it, and may have more.
DEEPEST: Final = 100


def closed(required: tuple[str, ...] = (), /, **properties: Node) -> Node:
    """The schema of an object that has no other members than these."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def check(schema: Node, value: Any, where: str, *, hidden: bool = False) -> None:
    """Raise ValueError with the place and the reason when *value* is not as *schema* says.

    With *hidden* the message shows no value: it may be a credential.
    """
    # The outermost first: what is wrong within may follow from it.
    error = min(validator(schema).iter_errors(value), key=lambda error: len(error.absolute_path), default=None)
    if error is not None:
        place = where + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
        raise ValueError(f"{place}: {reason(error, hidden=hidden)}")


def validator(schema: Node) -> Validator:
    """A validator for a schema."""
    return Draft202012Validator(schema)


def reason(error: ValidationError, *, hidden: bool) -> str:
    """Why a value is refused, in the words of who wrote it."""
    schema = cast("Node", error.schema)
    if error.validator == "additionalProperties":
        known = list(schema["properties"])
        unknown = next(str(name) for name in cast("Node", error.instance) if name not in known)
        return f"there is no {unknown!r}{nearest(unknown, known) or '; there are: ' + ', '.join(known)}"
    if error.validator == "required":
        given = cast("Node", error.instance)
        return f"{next(str(name) for name in schema['required'] if name not in given)!r} is missing"
    value = "" if hidden else f", not {shortened(error.instance)}"
    if error.validator == "type":
        types: Any = schema["type"]
        return f"must be of type {types if isinstance(types, str) else ' or '.join(types)}{value}"
    if error.validator == "not":
        return "is given by the sandbox; leave it out"
    if error.validator == "enum":
        return f"must be one of {', '.join(json.dumps(each) for each in schema['enum'])}{value}"
    return "is not valid" if hidden else error.message


def shortened(value: Any) -> str:
    """A value as JSON, its beginning when it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."


def parse(content: bytes | str, deepest: int = 2 * DEEPEST) -> Any:
    """The JSON of a text; raises ValueError with the reason.

    What one reader would take otherwise than another is refused: a member that comes twice, numbers that JSON does not
    have or that do not fit, text that is not UTF-8, and what is nested deeper than so many levels.
    """
    try:
        text = content if isinstance(content, str) else content.decode()
        document = json.loads(text, parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_without_doubles)
        # Half a surrogate pair could not be written again.
        if "\\u" in text:
            json.dumps(document, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except UnicodeEncodeError:
        raise ValueError("it has half a surrogate pair, which is no character") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if deeper_than(deepest, document):
        raise ValueError(f"it is nested deeper than {deepest} levels")
    return document


def deeper_than(levels: int, value: Any) -> bool:
    """Whether there is something below so many levels of arrays and objects."""
    nodes: list[Any] = [value]
    for _ in range(levels):
        nodes = [child for node in nodes for child in children(node) if isinstance(child, dict | list)]
        if not nodes:
            return False
    return True


def children(node: Any) -> Iterable[Any]:
    """What stands in an object or an array."""
    if isinstance(node, dict):
        return cast("Node", node).values()
    return node if isinstance(node, list) else ()  # pyright: ignore[reportUnknownVariableType]  # any JSON


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{shortened(text)} is too large")
    return number


def _without_doubles(pairs: list[tuple[str, Any]]) -> Node:
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the member {shortened(twice)} comes twice in one object")
    return members
