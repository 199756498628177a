"""The form of a list: where the response has the items, and where the cursors are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs
from agent_session_platform.contract import is_object

from ..contract import Content, Kind, Route, Shape
from .call import Call
from .paging import DEFAULT_SIZE, PageOfRecords, find_page

ITEMS: Final = "items"
# The usual names of the page size.
SIZES: Final = ("first", "limit", "size", "page_size")


@attrs.frozen(kw_only=True)
class ListForm:
    """The form of the response of a list.

    Attributes:
        items: Shape of an item.
        member: Member of the response that has the items; None if the response is the items themselves.
        by_key: True if the items are the members of an object, by their ids.
        names: The members `end_cursor`, `has_next_page` and `total` by their usual names, where the response has them.
        after: Parameter, or member of the body, that takes the cursor.
        is_certain: True if nothing but a list has this form.
        is_free: True if the contract does not show the items.
    """

    items: Shape
    member: str | None = None
    by_key: bool = False
    names: Mapping[str, str] = attrs.field(factory=lambda: dict[str, str]())
    after: str = "after"
    is_certain: bool = True
    is_free: bool = False

    @property
    def is_page(self) -> bool:
        """True if the list is paginated."""
        return "end_cursor" in self.names

    def page(self, call: Call, records: list[Any]) -> PageOfRecords:
        """Return the page that a request asks for; all records if the list is not paginated."""
        if not self.is_page:
            return PageOfRecords(records, None, len(records))
        body: Mapping[str, Any] = call.body if is_object(call.body) else {}
        where, sent = ("body", body) if self.after in body else ("query", call.query)
        sizes: list[Any] = [each[name] for each in (call.query, body) for name in SIZES if name in each]
        size = next((each for each in sizes if isinstance(each, int) and each > 0), DEFAULT_SIZE)
        return find_page(records, size, sent.get(self.after), (where, self.after))

    def write(self, page: PageOfRecords, items: list[Any], keys: list[str]) -> Any:
        """Return the response as JSON.

        Args:
            page: The page.
            items: The items of the page.
            keys: The ids of the items.
        """
        if self.by_key:
            return dict(zip(keys, items, strict=True))
        if self.member is None:
            return items
        values = {
            "end_cursor": page.end_cursor,
            "has_next_page": page.end_cursor is not None,
            "total": page.total,
        }
        return {self.member: items, **{name: values[usual] for usual, name in self.names.items()}}


def list_form(route: Route, content: Content | None) -> ListForm | None:
    """Return the form of a list in a response; None if the response cannot have a list.

    Args:
        route: The operation.
        content: The media type of the response; None if it has no body.
    """
    if content is None or content.kind in (Kind.BYTES, Kind.TEXT):
        return None
    shape = content.shape
    if content.kind is Kind.JSON_LINES:
        return ListForm(items=shape, is_free=_is_free(shape))
    if "array" in shape.types:
        return ListForm(items=shape.items)
    names = route.pagination or {}
    arrays = [name for name, each in shape.members.items() if "array" in each.types]
    member = names.get(ITEMS) or next((name for name in (ITEMS, *arrays) if name in shape.members), None)
    if member is None:
        by_key = bool(shape.others.types or shape.others.members)
        if not by_key and not _is_free(shape):
            return None
        return ListForm(items=shape.others, member=ITEMS, by_key=by_key, is_certain=False, is_free=not by_key)
    members = {usual: names.get(usual, usual) for usual in ("end_cursor", "has_next_page", "total")}
    members = {usual: name for usual, name in members.items() if name in shape.members}
    return ListForm(
        items=shape.member(member).items,
        member=member,
        names=members,
        after=names.get("after", "after"),
        is_certain="end_cursor" in members,
    )


def _is_free(shape: Shape) -> bool:
    return shape.types <= {"object", "null"} and not shape.members and shape.is_open
