"""`asp batch --find-by`: the object of a row whose request was cut off, by a field that has the key of the row."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import click
from agent_session_platform import AgentPlatform, Catalogue, Operation, to_json

from ..connect import method_of
from ..settings import Settings


def list_of(create: Operation) -> Operation:
    """Return the operation that lists what another one creates.

    Args:
        create: The operation that creates.

    Raises:
        click.UsageError: The contract has none.
    """
    name, catalogue = f"{create.scope}.{create.resource}.list", Catalogue()
    if name not in catalogue or not catalogue[name].paginated:
        raise click.UsageError(
            f"--find-by: the contract has no list of what {create} creates; leave it out, and after the run look at "
            "`asp batch unknown`"
        )
    return catalogue[name]


def finder(
    create: Operation, platform: AgentPlatform, settings: Settings, field: str
) -> Callable[[str], Awaitable[Any]]:
    """Return what looks for the object of a key; it reads the list from its beginning each time.

    Args:
        create: The operation that creates.
        platform: The client.
        settings: The global options.
        field: A field of an item of the list: its value is the key, or an array that has the key.
    """
    method = method_of(platform, settings, list_of(create))

    async def find(key: str) -> Any:
        async for item in method():
            members: dict[str, Any] = to_json(item)
            value: Any = members.get(field)
            if key == value or (isinstance(value, list) and key in value):
                return item
        return None

    return find
