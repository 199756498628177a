"""The position of a follower: how far it has come in a list that grows at its end."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any, cast

from ...errors import InvalidArgumentError
from ...text import truncate

# Bytes of the digest that stands for an item.
DIGEST_BYTES = 8
# Items of one page that a position keeps: five times the largest page. A list without pages may have more.
MAX_KEPT = 1000


class Position:
    """The place after the latest item: the cursor of its page, and the items of that page that were delivered.

    The end of a list has no cursor, so the last page is read again, and what is known of it is dropped.

    Args:
        cursor: The cursor that the page was fetched with; None is the beginning of the list.
        delivered: The digests of the delivered items of the page, in their order.
        latest: The digest of the latest item, which may be of an earlier page; empty if there was none.
        trimmed: Whether more items of the page were delivered before those.
    """

    def __init__(
        self,
        cursor: str | None = None,
        delivered: Sequence[bytes] = (),
        latest: bytes = b"",
        *,
        trimmed: bool = False,
    ) -> None:
        self.cursor = cursor
        self.latest = latest
        self._delivered = deque(delivered, MAX_KEPT)
        self._trimmed = trimmed

    @classmethod
    def parse(cls, text: str) -> Position:
        """Parse the text of an earlier position.

        Raises:
            InvalidArgumentError: It is none.
        """
        try:
            document: Any = json.loads(text)
            members = cast("dict[str, Any]", document)
            packed = b64decode(members["delivered"], validate=True)
            cursor, latest = members["cursor"], b64decode(members["latest"], validate=True)
            trimmed = members["trimmed"]
        except (KeyError, TypeError, ValueError):
            pass
        else:
            if isinstance(cursor, str | None) and isinstance(trimmed, bool) and len(packed) % DIGEST_BYTES == 0:
                starts = range(0, len(packed), DIGEST_BYTES)
                return cls(cursor, [packed[at : at + DIGEST_BYTES] for at in starts], latest, trimmed=trimmed)
        raise InvalidArgumentError(
            f"start must be the `position` of a follower, not {truncate(repr(text))}; a cursor of a list, or the id of "
            "an item, is none"
        )

    def __str__(self) -> str:
        return json.dumps(
            {
                "cursor": self.cursor,
                "delivered": b64encode(b"".join(self._delivered)).decode(),
                "latest": b64encode(self.latest).decode(),
                "trimmed": self._trimmed,
            }
        )

    def at_page(self, cursor: str | None) -> None:
        """Move to the page at *cursor*, of which nothing was delivered; staying on the page changes nothing."""
        if cursor != self.cursor:
            self.cursor, self._trimmed = cursor, False
            self._delivered.clear()

    def new(self, digests: Sequence[bytes]) -> Iterator[int]:
        """Yield the indexes of the items of the page that were not delivered.

        Args:
            digests: The digests of all items of the page, in their order.
        """
        known = Counter(self._delivered)
        # What stands before the first known item was delivered before it.
        first = next((index for index, each in enumerate(digests) if each in known), 0) if self._trimmed else 0
        for index, each in enumerate(digests):
            if known[each] > 0:
                known[each] -= 1
            elif index >= first:
                yield index

    def deliver(self, digest: bytes) -> None:
        """Note that an item of the page was delivered."""
        self._trimmed = self._trimmed or len(self._delivered) == MAX_KEPT
        self._delivered.append(digest)
        self.latest = digest
