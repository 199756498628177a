"""Read one exchange into the tally of its operation."""

from __future__ import annotations

from collections import OrderedDict
from itertools import pairwise
from typing import Any, Final, NamedTuple

from agent_session_platform import ExchangeRecord, Operation
from agent_session_platform.contract import Endpoint, is_array, is_object
from agent_session_platform.response.decode import parse_json

from .contract import Document, query_of
from .shape import PLAIN, Reader, format_of
from .tally import Room, Tally, seen_today

METHODS: Final = ("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS")
# The values of these statuses say what becomes of a request's form; a 401 or 404 says nothing about it.
REFUSING: Final = (400, 422)
# A larger body is not read: parsing this much takes about five milliseconds, in which nothing else runs.
LARGEST: Final = 512 * 1024
MEDIA_TYPES: Final = frozenset(
    {
        "application/json",
        "application/octet-stream",
        "application/problem+json",
        "text/event-stream",
        "text/html",
        "text/plain",
    }
)
# Headers of HTTP that every server may send: that one came is no news.
USUAL_HEADERS: Final = frozenset(
    {
        "cache-control",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "date",
        "etag",
        "server",
        "strict-transport-security",
        "transfer-encoding",
        "vary",
    }
)
# So many items of a page are looked at for their order, and so many cursors are remembered, each with the times of the
# last item before it.
ROWS: Final = 200
MOST_CURSORS: Final = 256


class Alike(NamedTuple):
    """Exchanges that are alike but for their bodies, without an argument of the path.

    Attributes:
        operation: The operation that was called. One of `AgentPlatform.request` has the path of the request.
        credential: The kind of the credential, such as `serviceUser`; empty if its prefix is unknown.
        query: The names of the query parameters.
        status: The status of the response.
        media_type: The media type of the response, `other` for an unusual one; empty when there is none.
        headers: The names of the headers of the response, in small letters.
    """

    operation: str
    credential: str
    query: tuple[str, ...]
    status: int
    media_type: str
    headers: tuple[str, ...]


def alike(record: ExchangeRecord, status: int) -> Alike:
    """Return what is counted of an attempt to which a response came."""
    headers = record.headers
    content_type = next((value for name, value in headers if name.lower() == "content-type"), "")
    media_type = content_type.partition(";")[0].strip().lower()
    return Alike(
        record.operation.id,
        record.credential or "",
        tuple(record.query),
        status,
        media_type if media_type in MEDIA_TYPES or not media_type else "other",
        tuple(name.lower() for name, _ in headers),
    )


def key_of(operation: Operation, document: Document) -> str:
    """Return the id of an operation; of one that the contract does not have, method and template."""
    if operation.id in document.endpoints:
        return operation.id
    method = operation.method if operation.method in METHODS else "OTHER"
    return f"{method} {document.template(operation.path)}"


def fate_of(status: int) -> str | None:
    """Return what a status says of the form of the request; None if it says nothing."""
    return "accepted" if 200 <= status < 300 else "refused" if status in REFUSING else None


def count_exchange(same: Alike, document: Document, tally: Tally, room: Room, times: int) -> None:
    """Count what every exchange shows, without reading a body.

    Args:
        same: What the exchanges have in common.
        document: The contract.
        tally: The tally of the operation.
        room: What bounds the entries.
        times: How many such exchanges there were.
    """
    response = response_of(tally, same.status, room)
    room.count(response, "count", times)
    endpoint = document.endpoints.get(same.operation)
    if endpoint is None:
        # Of a path that the contract does not have, all names may be values.
        return
    room.count(room.below(response, "media"), same.media_type or "none", times)
    count_names(response, "headers", set(same.headers) - USUAL_HEADERS - document.vocabulary, room, times)
    outcome = "refused" if same.status in (401, 403) else "accepted" if same.status < 300 else None
    if same.credential and outcome is not None:
        room.count(room.below(room.below(tally, "credentials"), same.credential), outcome, times)
    if fate := fate_of(same.status):
        count_names(room.below(tally, "query"), fate, set(same.query) - query_of(endpoint), room, times)


def count_names(tally: Tally, key: str, names: set[str], room: Room, times: int) -> None:
    """Count names of which only those are kept that come each time."""
    for other in room.narrow(room.below(tally, key), names, times).values():
        room.count(other, "n", times)


def response_of(tally: Tally, status: int, room: Room) -> Tally:
    """Return the tally of the responses with a status, below that of an operation."""
    response = room.below(room.below(tally, "responses"), str(status) if 100 <= status < 600 else "other")
    seen_today(tally)
    seen_today(response)
    return response


def read_bodies(
    record: ExchangeRecord, same: Alike, endpoint: Endpoint, document: Document, tally: Tally, reader: Reader
) -> Any:
    """Read the bodies of an exchange into shapes.

    Args:
        record: The exchange.
        same: What is counted of it.
        endpoint: The operation as the contract has it.
        document: The contract.
        tally: The tally of the operation.
        reader: What reads values.

    Returns:
        The JSON of the response; None where it was not read.
    """
    room = reader.room
    response = response_of(tally, same.status, room)
    outcome, body = parsed(record.content, same.media_type or "application/json")
    room.count(room.below(response, "bodies"), outcome)
    if outcome == "read":
        reader.read(body, document.response(endpoint, same.status, same.media_type), room.below(response, "body"))
    fate = fate_of(same.status)
    if fate is not None and record.request_body and not endpoint.node.get("x-secret"):
        outcome, sent = parsed(record.request_body, (record.request_type or "").partition(";")[0])
        requests = room.below(room.below(tally, "request"), fate)
        room.count(room.below(requests, "bodies"), outcome)
        if outcome == "read":
            sender = Reader(room, reader.vocabulary, sent=True)
            sender.read(sent, document.body(endpoint), room.below(requests, "body"))
    return body


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
        return "read", parse_json(content)
    except (ValueError, RecursionError):
        return "undecodable", None


class Order:
    """The order of the items of lists, on a page and from one page to the next, by each member that is a time."""

    def __init__(self) -> None:
        self._ends: OrderedDict[str, dict[str, int | str]] = OrderedDict()

    def read(self, body: dict[str, Any], cursor: object, document: Document, tally: Tally, room: Room) -> None:
        """Note how the items of a page are ordered.

        Args:
            body: The body of the response.
            cursor: The cursor by which the page was requested.
            document: The contract: members that it does not know are not looked at.
            tally: Where the order is counted.
            room: What bounds the entries.
        """
        items: list[Any] = next((member for member in body.values() if is_array(member)), list[Any]())[:ROWS]
        rows = [
            {name: value for name, value in item.items() if name in document.vocabulary and is_time(value)}
            for item in items
            if is_object(item)
        ]
        if not rows:
            return
        before = self._ends.pop(cursor, {}) if isinstance(cursor, str) else {}
        for name in rows[0]:
            pages = direction([row[name] for row in rows if name in row])
            seams = direction([before[name], rows[0][name]]) if name in before else None
            for part, order in (("pages", pages), ("seams", seams)):
                if order is not None:
                    room.count(room.below(room.below(tally, part), name), order)
        following = body.get("end_cursor")
        if isinstance(following, str) and len(items) < ROWS:
            self._ends[following] = rows[-1]
            if len(self._ends) > MOST_CURSORS:
                self._ends.popitem(last=False)


def is_time(value: object) -> bool:
    """Return whether a value is a time."""
    if isinstance(value, str):
        return format_of(value) in ("date-time", "date")
    return isinstance(value, int) and format_of(value) != PLAIN


def direction(values: list[Any]) -> str | None:
    """Return how values are ordered; None if they are all the same, or of several types."""
    if len({value.__class__ for value in values}) != 1 or len(set(values)) == 1:
        return None
    if all(one <= other for one, other in pairwise(values)):
        return "ascending"
    return "descending" if all(one >= other for one, other in pairwise(values)) else "neither"
