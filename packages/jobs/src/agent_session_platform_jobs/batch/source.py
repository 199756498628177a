"""Rows as the caller gives them, with the key and the arguments of each."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Mapping
from hashlib import sha256
from typing import Any, TypeVar, cast

from agent_session_platform import InvalidArgumentError, to_json
from agent_session_platform.text import format_value, type_name

R = TypeVar("R")


async def iterate(rows: AsyncIterable[R] | Iterable[R]) -> AsyncGenerator[R, None]:
    """Iterate over rows of either kind."""
    if isinstance(rows, AsyncIterable):
        async for row in rows:
            yield row
    else:
        for row in rows:
            yield row


def check_key(key: object) -> str:
    """Return the key of a row as text.

    Raises:
        InvalidArgumentError: It is no key.
    """
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    # Half of a surrogate pair is no text that a file or a request can have.
    if not isinstance(key, str) or not key or any("\ud800" <= character <= "\udfff" for character in key):
        raise InvalidArgumentError(f"key must return text that is not empty or a whole number, not {format_value(key)}")
    return key


def digest_of(key: str, arguments: Mapping[str, Any]) -> str:
    """Return the digest of arguments, in any order; of a value that JSON cannot write, only the type counts."""

    def write(value: Any) -> Any:
        if isinstance(value, set | frozenset):
            # Their order is another one in each process.
            return sorted(map(repr, cast("set[Any]", value)))
        try:
            return to_json(value)
        except TypeError:
            return type_name(value)

    sent = {name: value for name, value in arguments.items() if name != "options"}
    try:
        return sha256(json.dumps(sent, sort_keys=True, default=write).encode()).hexdigest()
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"the arguments of row {key!r} cannot be written as JSON: {error}") from None
