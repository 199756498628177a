"""The interface of observers of all responses; the package `observe` has one that keeps their form."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from ._api import UNSET
from .response.response import Response

if TYPE_CHECKING:
    from ._api import Operation
    from .request.prepare import PreparedRequest
    from .response.response import StreamedResponse


class ObservedExchange(NamedTuple):
    """One request and its response, without any argument of the path and without the values of headers.

    Attributes:
        operation: The operation that was called. One of `AgentPlatform.request` has the path of the request.
        credential: The kind of the credential, such as `serviceUser`; empty where its prefix does not tell.
        query: The names of the query parameters.
        cursor: The cursor of a page; None of the first one, and of everything that is no list.
        sent: The body of the request; None for none, and for a form with files.
        sent_type: The media type of that body.
        status: The status of the response.
        content_type: The Content-Type header of the response; empty when there is none.
        headers: The names of the headers of the response, as they came.
        content: The body of the response; None where it is read as it comes.
    """

    operation: Operation
    credential: str
    query: tuple[str, ...]
    cursor: str | None
    sent: bytes | None
    sent_type: str | None
    status: int
    content_type: str
    headers: tuple[bytes, ...]
    content: bytes | None

    def __repr__(self) -> str:
        return f"<ObservedExchange {self.operation} {self.status}>"


class Observer(Protocol):
    """An observer of a client, `AgentPlatform(observe=...)`: plain functions, which must be quick and never raise."""

    def see(self, exchange: ObservedExchange, /) -> None:
        """Take note of a response; called once for each attempt that has one."""
        ...

    def save(self) -> None:
        """Write what was noted; called in a thread when the client is closed."""
        ...


def notify(
    observer: Observer, request: PreparedRequest, credential: str | None, response: Response | StreamedResponse
) -> None:
    """Tell an observer of a response.

    Args:
        observer: The observer.
        request: What was sent.
        credential: The kind of the credential.
        response: What came.
    """
    if isinstance(response, Response):
        content_type, content = response.content_type, response.content
    else:
        content_type, content = response.fields.get("content-type", ""), None
    cursor = request.query.get(request.operation.cursor) if request.query else None
    observer.see(
        ObservedExchange(
            request.operation,
            credential or "",
            tuple([name for name, value in request.query.items() if value is not None and value is not UNSET]),
            cursor if isinstance(cursor, str) else None,
            request.content,
            request.media_type,
            response.status,
            content_type,
            tuple([name for name, _ in response.headers]),
            content,
        )
    )
