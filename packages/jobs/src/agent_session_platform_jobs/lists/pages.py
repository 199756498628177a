"""The pages of a list, and its items as they are written."""

from __future__ import annotations

import inspect
import json
import reprlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from hashlib import blake2b
from typing import Any, TypeAlias, cast

import attrs
from agent_session_platform import (
    InvalidArgumentError,
    MissingFieldError,
    Page,
    Pager,
    PagingError,
    RequestOptions,
    operations,
    to_json,
)


@attrs.frozen
class Item:
    """An item, ready to be compared and written.

    Attributes:
        value: The item as the server sent it.
        text: The item as JSON on one line, with its members in the order of the server; UTF-8 can encode it.
        key: The digest of its id, or of its content if it has no id.
        content: The digest of its content, whatever the order of its members.
        id: The id of the item; None if it has no id.
    """

    value: Any
    text: str
    key: bytes
    content: bytes
    id: str | int | None


def item_of(value: Any, key: str | None) -> Item:
    """Prepare an item.

    Args:
        value: The item as the server sent it.
        key: The field with the id; None if items have no id. Only text or a whole number counts as an id.
    """
    content = digest("content", json.dumps(value, sort_keys=True))
    found: Any = cast("dict[str, Any]", value).get(key) if key is not None and isinstance(value, dict) else None
    item_id = found if isinstance(found, str | int) and not isinstance(found, bool) else None
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair needs an escape sequence.
        text = json.dumps(value)
    return Item(value, text, content if item_id is None else digest("id", json.dumps(item_id)), content, item_id)


def digest(kind: str, text: str) -> bytes:
    """Return the digest of a text. The kind is part of the digest, so equal texts of two kinds have two digests."""
    return blake2b(f"{kind}:{text}".encode(), digest_size=16).digest()


ListSource: TypeAlias = Pager[Any] | Awaitable[Any] | Callable[..., Pager[Any] | Awaitable[Any]]
"""A pager, an awaitable of a list, or a method that returns a pager or an awaitable, such as `org.sessions.list`."""

# The statuses with which a server may refuse a cursor that it does not know any more. A 404 may also mean that the list
# is gone.
CURSOR_REFUSALS = (400, 404, 410, 422)


@attrs.frozen
class ListPage:
    """The items that came with one response.

    Attributes:
        items: The items as JSON values.
        key: The field with the id of the items; None if the contract declares no such field.
        cursor: The cursor that the response was requested with; None is the beginning of the list.
        following: The cursor of the next response; None if this response is the last.
    """

    items: list[Any]
    key: str | None
    cursor: str | None
    following: str | None


def source_name(source: ListSource) -> str | None:
    """Return the list of a source: the operation, its path arguments and the server; None if it does not show them."""
    if isinstance(source, Pager):
        return f"{source.source} at {source.base_url}"
    method = cast("Callable[..., Any]", source)
    try:
        return f"{operations.source_of(method)} at {base_url_of(method)}"
    except InvalidArgumentError:
        return None


def base_url_of(method: Any) -> str:
    """Return the address of the server that a method of a client would call, also within `functools.partial`."""
    while isinstance(method, partial):
        method = method.func
    return str(method.__self__.base_url)


def list_pages(source: ListSource, cursor: str | None) -> AsyncGenerator[ListPage, None]:
    """Iterate over the responses of a list, from *cursor* on.

    Args:
        source: The list.
        cursor: Where to begin; None is the beginning of the list.

    Raises:
        InvalidArgumentError: The source is no list, or the next page cannot be requested from an awaitable.
        PagingError: The list cannot be followed any further.
        AgentPlatformError: A response could not be fetched.
    """
    method = None if isinstance(source, Pager) or not callable(source) else source
    # Nothing is sent yet: a pager is not consumed, and a coroutine not awaited.
    listed: Pager[Any] | Awaitable[Any] = cast("Any", source) if method is None else method()
    if not isinstance(listed, Pager | Awaitable):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        wanted = "a pager, an awaitable of a list, or a method that returns one, such as org.sessions.list"
        raise InvalidArgumentError(f"source must be {wanted}, not {reprlib.repr(source)}")
    if isinstance(listed, Pager):
        return _of_pager(listed, cursor)
    return _of_payloads(listed, method, cursor)


async def _of_pager(pager: Pager[Any], cursor: str | None) -> AsyncGenerator[ListPage, None]:
    at = pager if cursor is None else pager.resume(cursor)
    async with aclosing(cast("AsyncGenerator[Page[Any], None]", at.pages())) as pages:
        async for page in pages:
            try:
                items = page.items
            except MissingFieldError:
                items = ()
            following = None if at.exhausted else at.cursor
            yield ListPage([to_json(item) for item in items], _declared_key(items), cursor, following)
            cursor = following


async def _of_payloads(
    listed: Awaitable[Any], method: Callable[..., Any] | None, cursor: str | None
) -> AsyncGenerator[ListPage, None]:
    if cursor is not None:
        if isinstance(listed, Coroutine):
            listed.close()
        listed = _request_at(method, cursor)
    followed = {cursor}
    while True:
        received: Any = await _awaited(listed, cursor, is_first=len(followed) == 1)
        payload: Any = to_json(received)
        members = cast("dict[str, Any]", payload) if isinstance(payload, dict) else {"items": payload}
        following = members.get("end_cursor") if _has_more(members) else None
        if _has_more(members) and (not isinstance(following, str) or following in {"", *followed}):
            message = f"there is another page, but end_cursor is no new cursor: {reprlib.repr(following)}"
            raise PagingError(message, operation=None, cursor=cursor)
        followed.add(following)
        yield ListPage(_items_of(members, payload), _declared_key(received), cursor, following)
        if following is None:
            return
        listed, cursor = _request_at(method, following), following


def _has_more(members: Mapping[str, Any]) -> bool:
    """Return whether there is another page: as the page says, or else if it has a cursor, as pagers decide it."""
    flag = members.get("has_next_page")
    if flag is None:
        return members.get("end_cursor") not in (None, "")
    return flag is True


async def _awaited(listed: Awaitable[Any], cursor: str | None, *, is_first: bool) -> Any:
    """Await a page.

    Raises:
        PagingError: A cursor of the server, and so of any page but the first, cannot be sent.
    """
    try:
        return await listed
    except InvalidArgumentError as error:
        if is_first:
            raise
        reason = f"the server's cursor cannot be sent: {error.message}"
        raise PagingError(reason, operation=error.operation, cursor=cursor) from error


def _declared_key(items: Any) -> str | None:
    """Return the field with the id of a list's models; None if the contract declares no such field."""
    return operations.resource_id(type(items[0])) if isinstance(items, Sequence) and items else None  # pyright: ignore[reportUnknownArgumentType]  # any value


def _items_of(members: dict[str, Any], payload: Any) -> list[Any]:
    """Return the items of a payload: its `items`, or its only member that is an array, or else the payload itself."""
    arrays: list[list[Any]] = [value for value in members.values() if isinstance(value, list)]
    if isinstance(members.get("items"), list):
        return cast("list[Any]", members["items"])
    return arrays[0] if len(arrays) == 1 else [payload]


def _request_at(method: Callable[..., Any] | None, cursor: str) -> Awaitable[Any]:
    """Request the page at *cursor* of a list that the contract does not call paginated.

    Raises:
        InvalidArgumentError: The source is no method that can be called again, or the method takes no options.
    """
    if method is None or "options" not in inspect.signature(method).parameters:
        raise InvalidArgumentError(
            "the response has another page, and only a method that takes `options` can request it: pass the method of "
            "the SDK, such as org.audit_logs.list, with functools.partial if it takes arguments"
        )
    options: RequestOptions = getattr(method, "keywords", {}).get("options") or RequestOptions()
    query = {**(options.extra_query or {}), "after": cursor}
    requested: Awaitable[Any] = method(options=attrs.evolve(options, extra_query=query))
    return requested
