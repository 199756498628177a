"""Validation of JSON from people and programs against a schema; errors name the place and suggest a correction."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any, Final, cast

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator

from ..problems import suggestion
from .json_parser import excerpt

Node = dict[str, Any]

TEXT: Final[Node] = {"type": "string"}
TEXTS: Final[Node] = {"type": "array", "items": TEXT}
# Characters of an error message, which may quote the whole value.
MAX_MESSAGE: Final = 500

# Errors of one value that are compared.
MAX_ERRORS: Final = 1000

FLAG: Final[Node] = {"type": "boolean"}


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
    errors = islice(validator.iter_errors(value), MAX_ERRORS)
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
            given = cast("Node", error.instance)
            return f"{next(str(name) for name in schema['required'] if name not in given)!r} is missing"
        case "type":
            types: Any = schema["type"]
            return f"must be of type {types if isinstance(types, str) else ' or '.join(types)}{value}"
        case "not":
            return "is set by the sandbox; leave it out"
        case "enum":
            return f"must be one of {', '.join(json.dumps(each) for each in schema['enum'])}{value}"
        case _:
            return "is not valid" if hidden else error.message[:MAX_MESSAGE]
