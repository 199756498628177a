"""An item of a list: the line that it becomes, and the digests by which it is found again."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any, cast

import attrs

DIGEST_BYTES = 16


@attrs.frozen
class Item:
    """An item, ready to be compared and written.

    Attributes:
        value: The item as the server sent it.
        text: The item as JSON on one line, its members in the order in which they came; UTF-8 can write it.
        key: The digest of its id; of its content where it has no id.
        content: The digest of its content, whatever the order of its members.
        id: Its id; None where it has none.
    """

    value: Any
    text: str
    key: bytes
    content: bytes
    id: str | int | None

    @property
    def line(self) -> bytes:
        """The item as a line of JSON Lines."""
        return f"{self.text}\n".encode()


def item_of(value: Any, key: str | None) -> Item:
    """Prepare an item.

    Args:
        value: The item as the server sent it.
        key: The field with its id; None if there is none. An id that is neither text nor a whole number is none.
    """
    content = digest("content", json.dumps(value, sort_keys=True))
    found: Any = cast("dict[str, Any]", value).get(key) if key is not None and isinstance(value, dict) else None
    item_id = found if isinstance(found, str | int) and not isinstance(found, bool) else None
    return Item(
        value=value,
        text=text_of(value),
        key=content if item_id is None else digest("id", json.dumps(item_id)),
        content=content,
        id=item_id,
    )


def text_of(value: Any) -> str:
    """Return a value as JSON that UTF-8 can write: half of a surrogate pair needs an escape sequence."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def digest(kind: str, text: str) -> bytes:
    """Return the digest of a text, which no text of another kind has."""
    return blake2b(f"{kind}:{text}".encode(), digest_size=DIGEST_BYTES).digest()


def changed_fields(before: Any, after: Any) -> tuple[str, ...]:
    """Return the names of the members that differ, those of *before* first; none unless both are objects."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return ()
    old, new = cast("dict[str, Any]", before), cast("dict[str, Any]", after)
    names = [*old, *(name for name in new if name not in old)]
    absent = object()
    return tuple(name for name in names if old.get(name, absent) != new.get(name, absent))
