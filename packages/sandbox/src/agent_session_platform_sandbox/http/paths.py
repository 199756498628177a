"""Paths as they were sent, and suggestions for paths that no operation has."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from starlette.types import Scope

# Characters of a segment that need no encoding (RFC 3986), besides letters, digits, -._~ and the comma.
SEGMENT = "!$&'()*+;=:@"
# Characters of a path that is compared: the time grows with the square of its length.
MAX_COMPARED = 500


def path_as_sent(scope: Scope) -> str:
    """Return the path of a request in one unique encoding: a slash inside a name stays encoded."""
    path: str = scope["path"]
    sent: bytes | None = scope.get("raw_path")
    if sent is None:
        return quote(path)
    if b"%" not in sent:
        return path
    return "/".join(map(_encode_once, sent.decode("ascii", "replace").split("/")))


def _encode_once(segment: str) -> str:
    # A comma separates the items of an array, one inside an item is encoded.
    return ",".join(quote(unquote(item), safe=SEGMENT) for item in segment.split(","))


def path_suggestion(path: str, templates: Iterable[str]) -> str:
    """Return "; did you mean ...?" with the closest path of the contract, or an empty string."""
    given = path.split("/")
    # The parameters of a template are filled from the path, because any value fits them.
    filled = {_fill(template, given): template for template in templates}
    if path.endswith("/") and path.rstrip("/") in {_fill(template, given) for template in templates}:
        return "; remove the slash at the end"
    close = difflib.get_close_matches(path, filled, n=1, cutoff=0.5) if len(path) <= MAX_COMPARED else []
    return f"; did you mean {filled[close[0]]!r}?" if close else ""


def _fill(template: str, given: list[str]) -> str:
    parts = template.split("/")
    return "/".join(
        given[index] if part.startswith("{") and index < len(given) else part for index, part in enumerate(parts)
    )
