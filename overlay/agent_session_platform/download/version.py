"""The version of a file, by which a server says whether the rest of it still fits what came before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

import attrs

STRONG_ETAG = re.compile(r'"[\x21\x23-\x7e]{0,1000}"')
LONGEST_DATE = 40
NUMBER = re.compile(r"[0-9]{1,18}")
CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\*)", re.IGNORECASE)

# A file that is asked for in pieces must come as it is: a range of a compressed body cannot be joined to another.
IDENTITY = {"accept-encoding": "identity"}


@attrs.frozen
class Version:
    """The version of a file.

    Attributes:
        validator: Its strong ETag, or else its Last-Modified.
        size: Number of its bytes; None if the server did not say.
    """

    validator: str
    size: int | None

    def range_headers(self, offset: int) -> dict[str, str]:
        """Return the headers that ask for the rest of this version, or else for the whole file (RFC 9110, 13.1.5)."""
        return {**IDENTITY, "range": f"bytes={offset}-", "if-range": self.validator}

    def end_of(self, fields: Mapping[str, str], offset: int) -> int | None:
        """Return the size of the file if a 206 is its whole rest from *offset*; None if it does not fit.

        If-Range was sent: a server that repeats no validator in its 206 has compared it.

        Args:
            fields: Headers of the response by lower-case name.
            offset: Where the rest must begin.
        """
        found = CONTENT_RANGE.fullmatch(fields.get("content-range", ""))
        if found is None or is_encoded(fields):
            return None
        name = "etag" if self.validator.startswith('"') else "last-modified"
        if fields.get(name, self.validator) != self.validator:
            return None
        sizes = {int(found[3])} if found[3] != "*" else set[int]()
        sizes |= {self.size} if self.size is not None else set[int]()
        first, end = int(found[1]), int(found[2]) + 1
        return end if sizes == {end} and first == offset < end else None


def version_of(fields: Mapping[str, str]) -> Version | None:
    """Return the version of a file that came from its beginning; None if its rest cannot be asked for."""
    if is_encoded(fields):
        return None
    etag = fields.get("etag", "")
    if STRONG_ETAG.fullmatch(etag):
        return Version(etag, size_of(fields))
    modified = fields.get("last-modified", "")
    if is_settled(modified, fields.get("date")):
        return Version(modified, size_of(fields))
    return None


def size_of(fields: Mapping[str, str]) -> int | None:
    """Return the number of bytes that a whole response must have; None if it is not known."""
    length = fields.get("content-length", "")
    return int(length) if NUMBER.fullmatch(length) and not is_encoded(fields) else None


def is_encoded(fields: Mapping[str, str]) -> bool:
    """Return whether a body has a Content-Encoding."""
    return fields.get("content-encoding", "").strip().lower() not in ("", "identity")


def is_settled(modified: str, date: str | None) -> bool:
    """Return whether a Last-Modified is a strong validator: not of the second of the response (RFC 9110, 8.8.2.2)."""
    try:
        since = parsedate_to_datetime(modified)
        if len(modified) > LONGEST_DATE or not (modified.isascii() and modified.isprintable()):
            return False
        return date is None or (parsedate_to_datetime(date) - since).total_seconds() >= 1
    except (ValueError, TypeError):
        return False
