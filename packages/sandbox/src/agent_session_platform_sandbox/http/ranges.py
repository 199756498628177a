"""Ranges of files (RFC 9110, sections 13.1.5 and 14): a download that broke off is continued where it ended."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from ..problems import RefusedError

# A server may ignore any Range header: so are several ranges, other units, and whatever is malformed.
RANGE: Final = re.compile(r"bytes=[ \t]*(?P<first>[0-9]{0,18})-(?P<last>[0-9]{0,18})[ \t]*", re.IGNORECASE)


def file_response(whole: Response, request: Request) -> Response:
    """Return the response of a file with its ETag, or only the range that the request asks for.

    Args:
        whole: The response with the whole file.
        request: The request; its method is GET or HEAD.

    Raises:
        RefusedError: The range begins behind the end of the file (416).
    """
    content = bytes(whole.body)
    # Strong: equal only for equal bytes.
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    whole.headers.update({"ETag": etag, "Accept-Ranges": "bytes"})
    span = requested_range(request.headers, etag, len(content)) if request.method == "GET" else None
    if span is None:
        return whole
    headers = {name: value for name, value in whole.headers.items() if name != "content-length"}
    headers["Content-Range"] = f"bytes {span.start}-{span.stop - 1}/{len(content)}"
    return Response(content[span.start : span.stop], 206, headers)


def requested_range(headers: Headers, etag: str, size: int) -> range | None:
    """Return which bytes of a file are asked for; None for the whole file.

    Args:
        headers: Headers of the request.
        etag: The strong ETag of the file.
        size: Number of its bytes.

    Raises:
        RefusedError: The range begins behind the end of the file (416).
    """
    match = RANGE.fullmatch(", ".join(headers.getlist("range")))
    # A date never fits, because the file has no Last-Modified; neither does a weak ETag.
    if match is None or headers.get("if-range", etag) != etag:
        return None
    span = _span(match["first"], match["last"], size)
    if span is None or span:
        return span
    detail = f"the file has {size} bytes, and none of the range {match[0]}"
    raise RefusedError(416, detail, headers={"Content-Range": f"bytes */{size}"})


def _span(first: str, last: str, size: int) -> range | None:
    """Return the bytes of a range, none if it is outside of the file; None if it is invalid or has no Content-Range."""
    if not first:
        # The last bytes. All of an empty file are no range that Content-Range could name.
        is_valid = last and (size or not int(last))
        return range(max(0, size - int(last)), size) if is_valid else None
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1, size) if last else size)
