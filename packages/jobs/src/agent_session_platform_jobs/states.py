"""The states that the contract of a private build names: done, waiting, failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from agent_session_platform import InvalidArgumentError, States, operations


def named_states(wait: Callable[..., Any], user: str) -> States:
    """Return the states that the contract names for the objects of a wait.

    Args:
        wait: The method that waits for an object, such as `org.sessions.wait`; or any other function.
        user: What needs the states, for the message.

    Raises:
        InvalidArgumentError: The contract names no states, or the wait is no method of a client.
    """
    named: Mapping[str, Mapping[str, Any]] = {}
    with suppress(InvalidArgumentError):
        named = operations.of(wait).states
    if not named:
        raise InvalidArgumentError(
            f"{user} needs the states of your deployment, because the description shows none: pass values, such as"
            " States(done={'status': {'ready'}}), or name them in a private build (x-wait)"
        )
    return States(**named)
