"""Make the error of a write of unknown outcome, and read the state that it would have changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from ._api import EnterpriseScope, Operation, OrganizationScope, Pager
from .catalogue import Catalogue, path_arguments
from .errors import AgentPlatformError, ConnectionFailedError, OutcomeUnknownError

if TYPE_CHECKING:
    from datetime import datetime

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


def outcome_unknown(operation: Operation, cause: AgentPlatformError, sent_at: datetime) -> OutcomeUnknownError:
    """Make the error of a write that broke off after the server may have received it.

    Args:
        operation: The write.
        cause: How it broke off.
        sent_at: When it was sent.
    """
    reader = Catalogue().reader_of(operation)
    read = f"with {reader} (`await error.read()`)" if reader is not None else "of what it would have changed"
    error = OutcomeUnknownError(
        f"{str(cause).removeprefix(f'{operation}: ')}; the write, sent at {sent_at:%Y-%m-%dT%H:%M:%S}Z, may "
        f"have been carried out and was not sent again: read the state {read} before you repeat it",
        operation=operation,
        sent_at=sent_at,
        reader=reader,
    )
    if isinstance(cause, ConnectionFailedError):
        error.__cause__ = cause
    return error
