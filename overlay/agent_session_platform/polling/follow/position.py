"""The position of a follower: how far it has come in a list that grows at its end."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from ...errors import InvalidArgumentError
from ...text import truncate

# Bytes of the digest that stands for an item.
DIGEST_BYTES = 8
# Items of one page that a position keeps: five times the largest page. A list without pages may have more.
MAX_KEPT = 1000
# This many consecutive items find the place again on a page that has changed: items without an id may be equal.
MAX_TAIL = 8

# An operation with its path arguments is shorter, unless somebody has changed the position.
LONGEST_SOURCE: Final = 500


class Position:
    """The place after the latest item: the cursor of its page, and the items of that page that were delivered.

    The end of a list has no cursor, so the last page is read again, and what is known of it is dropped.

    Attributes:
        cursor: The cursor that the page was fetched with; None is the beginning of the list.
        latest: The digests of the latest items in their order, also of earlier pages; empty if there were none.
        passing: Whether the items of the list are passed over until it was read once.

    Args:
        source: What the list is of; see `Pager.source`.
        cursor: As above.
        delivered: The digests of the delivered items of the page, in their order; the latest of them if they are many.
        count: How many items of the page were delivered; None: as many as `delivered` has.
        latest: As above.
        passing: As above.
    """

    def __init__(
        self,
        source: str,
        cursor: str | None = None,
        delivered: Sequence[bytes] = (),
        *,
        count: int | None = None,
        latest: Sequence[bytes] = (),
        passing: bool = False,
    ) -> None:
        self._source = source
        self.cursor = cursor
        self.passing = passing
        self.latest = deque(latest, MAX_TAIL)
        self._delivered = deque(delivered, MAX_KEPT)
        self._count = len(delivered) if count is None else count

    @classmethod
    def parse(cls, text: str, source: str) -> Position:
        """Parse the text of an earlier position.

        Args:
            text: The text.
            source: What the list is of.

        Raises:
            InvalidArgumentError: It is none, or it is one of another list.
        """
        try:
            document: Any = json.loads(text)
            members = cast("dict[str, Any]", document)
            cursor, count, passing = members["cursor"], members["count"], members["passing"]
            of = members["source"]
            delivered, latest = _unpack(members["delivered"]), _unpack(members["latest"])
        except (KeyError, TypeError, ValueError):
            pass
        else:
            if isinstance(of, str) and of != source:
                raise InvalidArgumentError(
                    f"start is a position in {truncate(of, LONGEST_SOURCE)}, and not in {source}"
                )
            if of == source and isinstance(cursor, str | None) and type(count) is int and count >= len(delivered):
                return cls(source, cursor, delivered, count=count, latest=latest, passing=bool(passing))
        raise InvalidArgumentError(
            f"start must be the `position` of a follower, not {truncate(repr(text))}; a cursor of a list, or the id of "
            "an item, is none"
        )

    def __str__(self) -> str:
        return json.dumps(
            {
                "source": self._source,
                "cursor": self.cursor,
                "delivered": _pack(self._delivered),
                "count": self._count,
                "latest": _pack(self.latest),
                "passing": self.passing,
            }
        )

    def at_page(self, cursor: str | None) -> None:
        """Move to the page at *cursor*, of which nothing was delivered; staying on the page changes nothing."""
        if cursor != self.cursor:
            self.cursor, self._count = cursor, 0
            self._delivered.clear()

    def new(self, digests: Sequence[bytes], *, have_ids: bool) -> Sequence[int]:
        """Return the indexes of the items of the page that were not delivered.

        Args:
            digests: The digests of all items of the page, in their order.
            have_ids: Whether the items have ids, so that no two of them are equal.
        """
        kept = [*self._delivered]
        if [*digests[self._count - len(kept) : self._count]] == kept:
            # The page is as it was, or has grown.
            return range(self._count, len(digests))
        known = Counter(kept)
        begin = 0
        if self._count > len(kept):
            # More was delivered than is kept: what stands before the kept items was, too.
            first = next((index for index, each in enumerate(digests) if each in known), 0)
            begin = first if have_ids else place_after(kept[-MAX_TAIL:], digests)
        new: list[int] = []
        for index, each in enumerate(digests):
            if known[each] > 0 and (have_ids or not begin):
                known[each] -= 1
            elif index >= begin:
                new.append(index)
        return new

    def deliver(self, digest: bytes) -> None:
        """Note that an item of the page was delivered."""
        self._delivered.append(digest)
        self._count += 1
        self.latest.append(digest)

    def complete(self, digests: Sequence[bytes]) -> None:
        """Note that all items of the page were delivered; those that it does not have any more are forgotten."""
        self._delivered = deque(digests, MAX_KEPT)
        self._count = len(digests)


def place_after(sequence: Sequence[bytes], digests: Sequence[bytes]) -> int:
    """Return the index after the first place of a sequence in *digests*; 0 if it is not there."""
    wanted, length = [*sequence], len(sequence)
    ends = range(length, len(digests) + 1) if length else ()
    return next((end for end in ends if [*digests[end - length : end]] == wanted), 0)


def _pack(digests: Iterable[bytes]) -> str:
    return b64encode(b"".join(digests)).decode()


def _unpack(text: str) -> list[bytes]:
    packed = b64decode(text, validate=True)
    if len(packed) % DIGEST_BYTES:
        raise ValueError(f"{len(packed)} bytes are no whole digests")
    return [packed[at : at + DIGEST_BYTES] for at in range(0, len(packed), DIGEST_BYTES)]
