"""Read one exchange into the tally of its operation."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final, NamedTuple

from agent_session_platform import ExchangeRecord, Operation
from agent_session_platform.contract import is_object
from agent_session_platform.response.decode import parse_json

from .contract import Document, query_of
from .names import MOST_NAMES, header_name, is_field_name, is_standard, media_type
from .order import Order
from .shape import ITEMS, Reader
from .tally import Room, Tally, seen_today

METHODS: Final = ("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS")
# The values of these statuses say what becomes of a request's form; a 401 or 404 says nothing about it.
ACCEPTED: Final = "accepted"
REFUSED: Final = "refused"
REFUSING: Final = (400, 422)
# A larger body is not read: parsing this much takes about five milliseconds, in which nothing else runs.
LARGEST: Final = 512 * 1024

# So many items of a page are looked at for their order, as long as items are read in full.
ROWS: Final = 200

# The members of the tally of an operation, and of one of its responses.
RESPONSES: Final = "responses"
COUNT: Final = "count"
READ: Final = "read"
MEDIA: Final = "media"
HEADERS: Final = "headers"
BODY: Final = "body"
ORDER: Final = "order"
QUERY: Final = "query"
REQUEST: Final = "request"
CREDENTIALS: Final = "credentials"
BODIES: Final = "bodies"


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
    headers: tuple[str, ...]
    operation: Operation
    cursor: str | None
    sent: bytes | None
    sent_type: str | None
    content: bytes | None


def observed(record: ExchangeRecord, status: int) -> ObservedExchange:
    """Return what is kept of an attempt to which a response came."""
    cursor = record.query.get(record.operation.cursor)
    return ObservedExchange(
        record.credential or "",
        tuple(record.query),
        status,
        next((value for name, value in record.headers if name.lower() == "content-type"), ""),
        tuple(name for name, _ in record.headers),
        record.operation,
        cursor if isinstance(cursor, str) else None,
        record.request_body,
        record.request_type,
        record.content,
    )


def key_of(exchange: ObservedExchange, document: Document) -> str:
    """Return the id of the operation of an exchange; of one that the contract does not have, method and template."""
    operation = exchange.operation
    if operation.id in document.endpoints:
        return operation.id
    method = operation.method if operation.method in METHODS else "OTHER"
    return f"{method} {document.template(operation.path)}"


def fate_of(status: int) -> str | None:
    """Return what a status says of the form of the request; None if it says nothing."""
    return ACCEPTED if 200 <= status < 300 else REFUSED if status in REFUSING else None


def response_of(exchange: ObservedExchange, tally: Tally, room: Room) -> Tally:
    """Return the tally of the responses with the status of an exchange, below that of its operation."""
    seen_today(tally)
    status = str(exchange.status) if 100 <= exchange.status < 600 else "other"
    response = room.below(room.below(tally, RESPONSES), status)
    seen_today(response)
    return response


def count_exchange(
    exchange: ObservedExchange,
    document: Document,
    tally: Tally,
    room: Room,
    times: int,
    frequent: Container[str],
) -> None:
    """Count what every exchange shows, without reading a body.

    Args:
        exchange: The exchange; its bodies are not looked at.
        document: The contract.
        tally: The tally of the operation.
        room: What bounds the entries.
        times: How many such exchanges there were.
        frequent: The names of headers that came more than once.
    """
    response = response_of(exchange, tally, room)
    room.count(response, COUNT, times)
    room.count(room.below(response, MEDIA), media_type(exchange.content_type) or "none", times)
    headers = room.below(response, HEADERS)
    for name in {header_name(each) for each in exchange.headers if each in frequent or is_standard(each)} - {None}:
        if name is not None and (name in headers or len(headers) < MOST_NAMES):
            room.count(headers, name, times)
    if exchange.credential:
        outcome = REFUSED if exchange.status in (401, 403) else ACCEPTED if exchange.status < 300 else None
        if outcome is not None:
            room.count(room.below(room.below(tally, CREDENTIALS), exchange.credential), outcome, times)
    fate = fate_of(exchange.status)
    if fate is not None:
        query = room.below(tally, QUERY)
        endpoint = document.endpoints.get(exchange.operation.id)
        known = query_of(endpoint) if endpoint is not None else ()
        for name in exchange.query:
            if name in known or (is_field_name(name) and (name in query or len(query) < MOST_NAMES)):
                room.count(room.below(query, name), fate, times)


def read_bodies(
    exchange: ObservedExchange,
    document: Document,
    tally: Tally,
    response: Tally,
    reader: Reader,
    order: Order,
) -> None:
    """Read the bodies of an exchange into shapes.

    Args:
        exchange: The exchange.
        document: The contract.
        tally: The tally of the operation.
        response: The tally of the response.
        reader: What reads values.
        order: What knows the order of lists.
    """
    room, endpoint = reader.room, document.endpoints.get(exchange.operation.id)
    kind = media_type(exchange.content_type)
    found = parsed(exchange.content, kind or "application/json")
    room.count(room.below(response, BODIES), found[0])
    if found[0] == READ:
        schema = None if endpoint is None else document.response(endpoint, exchange.status, kind)
        reader.read(found[1], schema, room.below(response, BODY))
        if exchange.status < 300 and exchange.operation.method == "GET" and is_object(found[1]):
            items = next((each.items for each in schema.properties.values() if each.items), None) if schema else None
            shown = tuple(items.properties) if items is not None and not items.is_unshown else ("created_at",)
            rows = ROWS if reader.items == ITEMS else reader.items
            order.read(found[1], exchange.cursor, shown, room.below(tally, ORDER), room, rows)
    fate = fate_of(exchange.status)
    if fate is not None and exchange.sent and endpoint is not None and not endpoint.node.get("x-secret"):
        sent = parsed(exchange.sent, media_type(exchange.sent_type or ""))
        requests = room.below(room.below(tally, REQUEST), fate)
        room.count(room.below(requests, BODIES), sent[0])
        if sent[0] == READ:
            sender = Reader(room, sent=True, items=reader.items)
            sender.read(sent[1], document.body(endpoint), room.below(requests, BODY))


def parsed(content: bytes | None, kind: str) -> tuple[str, Any]:
    """Return what a body is, and its JSON where it was read."""
    if content is None:
        return "streamed", None
    if not content:
        return "empty", None
    if not kind.endswith("json"):
        return "no json", None
    if len(content) > LARGEST:
        return "large", None
    try:
        return READ, parse_json(content)
    except (ValueError, RecursionError):
        return "undecodable", None
