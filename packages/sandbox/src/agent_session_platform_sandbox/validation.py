"""JSON and schemas: parsed as a server must, and held against each other."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable
from itertools import islice
from typing import Any, Final, NoReturn, TypeAlias, cast

from agent_session_platform.contract import is_array, is_object
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator

from .problems import suggestion
from .schemas import Shape

# Deeper JSON can be parsed, but copying and comparing it would exceed the recursion limit.
MAX_DEPTH: Final = 100
# More values than this take seconds to validate, in which the sandbox responds to nothing else.
MAX_VALUES: Final = 200_000
MAX_SHOWN_LENGTH: Final = 80
# Failures of one value that are reported or compared.
MAX_FAILURES: Final = 1000
# Characters of an error message, which may quote the whole value.
MAX_MESSAGE: Final = 500
STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
FAILURE_TYPES: Final = {"required": "missing", "additionalProperties": "extra_forbidden", "format": "value_error"}

Failure: TypeAlias = tuple[list[str], str, str]
"""The place, the message and the type of a failure of validation."""

Node: TypeAlias = dict[str, Any]

TEXT: Final[Node] = {"type": "string"}
TEXTS: Final[Node] = {"type": "array", "items": TEXT}
FLAG: Final[Node] = {"type": "boolean"}


def parse_json(content: bytes | str, max_depth: int = 2 * MAX_DEPTH, max_values: int = MAX_VALUES) -> Any:
    """Parse JSON.

    Args:
        content: The text; bytes must be UTF-8.
        max_depth: Maximum number of levels of arrays and objects. The default leaves room for a saved state, which
            wraps the JSON of requests.
        max_values: Maximum number of values, members and items included.

    Raises:
        ValueError: It is not JSON, is nested too deeply, has too many values, repeats a member of an object, or has a
            number or a character that JSON cannot express.
    """
    try:
        text = content if isinstance(content, str) else content.decode()
        if _separators(text) > max_values and _separators(STRING.sub("", text)) > max_values:
            raise ValueError(f"it has more than {max_values} values")
        document = json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite_float, object_pairs_hook=_unique_members
        )
        # Half of a surrogate pair could not be written again.
        if "\\u" in text:
            json.dumps(document, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except UnicodeEncodeError:
        raise ValueError("it contains half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if is_deeper_than(max_depth, document):
        raise ValueError(f"it is nested deeper than {max_depth} levels")
    return document


def is_deeper_than(levels: int, value: Any) -> bool:
    """Return whether JSON has more than *levels* levels of arrays and objects."""
    nodes: list[Any] = [value]
    for _ in range(levels + 1):
        nodes = [node for node in nodes if is_object(node) or is_array(node)]
        if not nodes:
            return False
        nodes = [child for node in nodes for child in (node.values() if is_object(node) else node)]
    return True


def excerpt(value: Any) -> str:
    """Return a value as JSON, cut to 80 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN_LENGTH else f"{text[:MAX_SHOWN_LENGTH]}..."


def _separators(text: str) -> int:
    """Return the number of commas and opening brackets: JSON has at most one value more than these."""
    return text.count(",") + text.count("[") + text.count("{")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite_float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{excerpt(text)} is too large")
    return number


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        repeated = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the member {excerpt(repeated)} is repeated in one object")
    return members


def failures_of(shape: Shape, value: Any, place: list[str], unchecked: Container[str] = ()) -> list[Failure]:
    """Return why a value is not valid; also its unknown members, if the schema shows all members.

    Args:
        shape: The shape of the schema.
        value: The value.
        place: Location of the value in the request.
        unchecked: Members whose values are not checked.
    """
    failures: list[Failure] = []
    for error in islice(shape.validator.iter_errors(value), MAX_FAILURES):
        while error.context:
            # Of several variants, the one that the value fits best: it fails deepest, and not by its type.
            error = max(error.context, key=lambda each: (len(each.absolute_path), each.validator != "type"))
        if str(next(iter(error.absolute_path), "")) not in unchecked and not _is_set_by_server(shape, error):
            failures.append(_failure_of(error, place))
    if is_object(value) and not shape.is_open:
        for name in value:
            if name not in shape.members:
                message = f"unknown field{suggestion(name, shape.members)}"
                failures.append(([*place, name], message, "extra_forbidden"))
    return failures


def _failure_of(error: ValidationError, place: list[str]) -> Failure:
    """Return an error of the JSON schema validator in the form of the sandbox's problem details."""
    loc, kind = [*place, *map(str, error.absolute_path)], str(error.validator)
    if kind == "required":
        return [*loc, _missing(error)], "Field required", "missing"
    message, value = str(error.cause or error.message), repr(error.instance)
    if len(value) > MAX_SHOWN_LENGTH:
        message = message.replace(value, f"{value[:MAX_SHOWN_LENGTH]}...")
    if kind == "enum" and isinstance(error.instance, str):
        message += suggestion(error.instance, map(str, cast("Iterable[object]", error.validator_value)))
    return loc, message, FAILURE_TYPES.get(kind, kind)


def _missing(error: ValidationError) -> str:
    """Return the missing member of an error, which only its message names: 'name' is a required property."""
    return error.message.split("'")[1]


def _is_set_by_server(shape: Shape, error: ValidationError) -> bool:
    """Return whether the error is that a `readOnly` member is missing, which only responses must have."""
    if error.validator != "required":
        return False
    return bool(Shape(shape.contract, error.schema).member(_missing(error)).mark("readOnly"))


def closed_object(required: tuple[str, ...] = (), /, **properties: Node) -> Node:
    """Return the schema of an object that has no other members than *properties*."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def check(schema: Node, value: Any, where: str, *, hidden: bool = False) -> None:
    """Validate *value* against *schema*.

    Args:
        schema: A JSON schema.
        value: JSON that a person or another program wrote.
        where: Name of the value in the error message.
        hidden: Keep the value out of the error message, because it may be a credential.

    Raises:
        ValueError: The value is not valid. The message names the place and the reason.
    """
    # The outermost error comes first, because it may cause those inside.
    validator = cast("Validator", Draft202012Validator(schema))
    errors = islice(validator.iter_errors(value), MAX_FAILURES)
    error = min(errors, key=lambda error: len(error.absolute_path), default=None)
    if error is not None:
        place = where + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
        raise ValueError(f"{place}: {_reason(error, hidden=hidden)}")


def _reason(error: ValidationError, *, hidden: bool) -> str:
    schema = cast("Node", error.schema)
    value = "" if hidden else f", not {excerpt(error.instance)}"
    match error.validator:
        case "additionalProperties":
            known = list(schema["properties"])
            unknown = next(str(name) for name in cast("Node", error.instance) if name not in known)
            return f"there is no {unknown!r}{suggestion(unknown, known) or '; known: ' + ', '.join(known)}"
        case "required":
            return f"{_missing(error)!r} is missing"
        case "type":
            types: Any = schema["type"]
            return f"must be of type {types if isinstance(types, str) else ' or '.join(types)}{value}"
        case "not":
            return "is set by the sandbox; leave it out"
        case "enum":
            return f"must be one of {', '.join(map(json.dumps, schema['enum']))}"
        case _:
            return "is not valid" if hidden else error.message[:MAX_MESSAGE]
