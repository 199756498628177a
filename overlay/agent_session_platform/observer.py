"""The interface of observers of all responses."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from ._api import UNSET
from .response.response import Response

if TYPE_CHECKING:
    from ._api import Operation
    from .request.prepare import PreparedRequest
    from .response.response import StreamedResponse


# The name of a header, of name and value.
NAME: Final = itemgetter(0)


class ObservedExchange(NamedTuple):
    """One request and its response, without any argument of the path and without the values of headers.

    Attributes:
        credential: The kind of the credential, such as `serviceUser`; empty if its prefix is unknown.
        query: The names of the query parameters.
        status: The status of the response.
        content_type: The Content-Type header of the response; empty when there is none.
        headers: The names of the headers of the response, as they came.
        operation: The operation that was called. One of `AgentPlatform.request` has the path of the request.
        cursor: The cursor of a page; None of the first one, and of everything that is no list.
        sent: The body of the request; None for none, and for a form with files.
        sent_type: The media type of that body.
        content: The body of the response; None where it is read as it comes.
    """

    credential: str
    query: tuple[str, ...]
    status: int
    content_type: str
    headers: tuple[bytes, ...]
    operation: Operation
    cursor: str | None
    sent: bytes | None
    sent_type: str | None
    content: bytes | None

    def __repr__(self) -> str:
        return f"<ObservedExchange {self.operation} {self.status}>"


class Observer(Protocol):
    """An observer of a client, `AgentPlatform(observe=...)`: plain functions, which must be quick and never raise."""

    def see(self, exchange: ObservedExchange, /) -> None:
        """Take note of a response; called once for each attempt that has one.

        Args:
            exchange: The response, with the request that it belongs to.
        """
        ...

    def save(self) -> None:
        """Write what was noted; called in a thread when the client is closed."""
        ...


class ObserverNotifier:
    """The hook of a client, which passes each response on to an observer.

    Args:
        observer: The observer.
    """

    def __init__(self, observer: Observer) -> None:
        self.observer = observer

    def notify(self, request: PreparedRequest, credential: str | None, response: Response | StreamedResponse) -> None:
        """Pass a response on to the observer.

        Args:
            request: What was sent.
            credential: The kind of the credential.
            response: What came back.
        """
        content_type, content = "", None
        if isinstance(response, Response):
            content_type, content = response.content_type, response.content
        else:
            content_type = response.fields.get("content-type", "")
        query: tuple[str, ...] = ()
        cursor: object = None
        if request.query:
            query = tuple([name for name, value in request.query.items() if value is not None and value is not UNSET])
            cursor = request.query.get(request.operation.cursor)
        self.observer.see(
            ObservedExchange(
                credential or "",
                query,
                response.status,
                content_type,
                tuple(map(NAME, response.headers)),
                request.operation,
                cursor if isinstance(cursor, str) else None,
                request.content,
                request.media_type,
                content,
            )
        )
