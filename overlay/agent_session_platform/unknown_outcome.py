"""Read the state that a write of unknown outcome would have changed: `OutcomeUnknownError.read`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from ._api import EnterpriseScope, Operation, OrganizationScope, Pager
from .catalogue import path_arguments

if TYPE_CHECKING:
    from ._api import FacadeClient


def state_reader(
    client: FacadeClient, reader: Operation, write: Operation, path: Mapping[str, Any]
) -> Callable[[], Awaitable[Any]]:
    """Return the function that calls the reader of a write; it keeps nothing else of the call than its path.

    Args:
        client: The client of the write.
        reader: The operation that reads, on the same or the parent path.
        write: The operation that failed.
        path: Its path arguments by name.
    """
    arguments = path_arguments(write, path)[: reader.path.count("{")]

    async def read() -> Any:
        scope: Any = EnterpriseScope(client)
        rest = arguments
        if reader.scope == "organization":
            scope, rest = OrganizationScope(client, arguments[0]), arguments[1:]
        result = getattr(getattr(scope, reader.resource), reader.verb)(*rest)
        if isinstance(result, Pager):
            return await cast("Pager[Any]", result).first_page()  # type: ignore[redundant-cast]  # not for pyright
        return result if reader.streamed else await result

    return read
