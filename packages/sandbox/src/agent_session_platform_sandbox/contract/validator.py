"""The validator of schemas: JSON Schema 2020-12 with the discriminators of OpenAPI, and with its formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import Any, Final, TypeAlias

from agent_session_platform.contract import Node, is_object
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend  # pyright: ignore[reportUnknownVariableType]  # it has no types

from ..time import parse_datetime

Discriminated: TypeAlias = Callable[[Node], tuple[str, dict[str, list[Any]]]]
"""Returns the name of the discriminator of a schema, and the variants that each of its values may choose."""

ANY_OF: Any = Draft202012Validator.VALIDATORS["anyOf"]

# Those of jsonschema that need no optional package; the others are here, so that every installation has the same.
FORMATS: Final = FormatChecker(formats=("email", "ipv4", "ipv6", "uuid"))
# Formats that a pattern describes well enough: it refuses what is no such text at all (RFC 3339, 3986, 1123).
PATTERNS: Final = {
    "duration": r"P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)",
    "hostname": r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*",
    "time": r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+",
    "uri-reference": r"[^\s<>\"{}|\\^`]*",
}
DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
LEAP_SECOND: Final = re.compile(r"(?<=[Tt ]\d\d:\d\d):60", re.ASCII)


def validator_class(discriminated: Discriminated) -> type[Validator]:
    """Return the class of the validators of a document.

    A value that fits several variants is valid: as objects are open, few contracts say which members exclude each
    other. A discriminator chooses the variant.
    """

    def check_variants(validator: Any, variants: list[Any], value: Any, schema: Node) -> Iterator[ValidationError]:
        name, by_value = discriminated(schema) if "discriminator" in schema else ("", {})
        chosen = value.get(name) if by_value and is_object(value) else None
        if not isinstance(chosen, str):
            yield from ANY_OF(validator, variants, value, schema)
        elif chosen not in by_value:
            message = f"{chosen!r} is not one of {[*by_value]}"
            yield ValidationError(message, "enum", [name], instance=chosen, validator_value=[*by_value], schema=schema)
        elif len(by_value[chosen]) == 1:
            yield from validator.descend(value, by_value[chosen][0])
        else:
            yield from ANY_OF(validator, by_value[chosen], value, schema)

    make: Callable[..., type[Validator]] = extend  # pyright: ignore[reportUnknownVariableType]
    return make(Draft202012Validator, {"oneOf": check_variants, "anyOf": check_variants})


@FORMATS.checks("date", raises=ValueError)
def check_date(value: object) -> bool:
    """Check that a value, if it is text, is a date."""
    if isinstance(value, str):
        try:
            date.fromisoformat(value if DATE.fullmatch(value) else "")
        except ValueError:
            raise ValueError("not an ISO 8601 date") from None
    return True


@FORMATS.checks("date-time", raises=ValueError)
def check_date_time(value: object) -> bool:
    """Check that a value, if it is text, is a date-time with a timezone."""
    if isinstance(value, str):
        # RFC 3339 has leap seconds, and letters in any case.
        parse_datetime(LEAP_SECOND.sub(":59", value).upper())
    return True


def check_pattern(pattern: str, value: object) -> bool:
    """Check that a value, if it is text, matches a pattern as a whole."""
    return not isinstance(value, str) or re.fullmatch(pattern, value, re.ASCII) is not None


for name, pattern in PATTERNS.items():
    FORMATS.checks(name)(partial(check_pattern, pattern))
