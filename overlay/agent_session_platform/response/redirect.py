"""Decide where a redirect leads: to an https URL on a plain host, or nowhere."""

from __future__ import annotations

import re
from urllib.parse import quote, urljoin

import attrs

# httpx refuses a longer URL.
LONGEST_URL = 65_536

LABEL = r"[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?"
AUTHORITY = re.compile(rf"((?:{LABEL}\.)*{LABEL}|\[[0-9a-f:.]+\])(?::([0-9]{{1,5}}))?")
HTTPS_URL = re.compile(r"https://([^/?#]*)(/[^?#]*)?(\?[^#]*)?(?:#.*)?", re.IGNORECASE | re.DOTALL)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
PRINTABLE_ASCII = "".join(map(chr, range(0x21, 0x7F)))


@attrs.frozen
class RedirectTarget:
    """The https URL to which a redirect leads; its path and query may be a secret, and are in no repr.

    Attributes:
        authority: Host in lower case, and port unless it is 443.
        url: The whole URL.
    """

    authority: str
    url: str = attrs.field(repr=False)


def parse_redirect(base: str, location: str) -> RedirectTarget | str:
    """Return where a redirect leads.

    Everything is refused that two parsers may read differently: user information, backslashes, control characters, a
    host that is not plain ASCII. An error is a value here, because the frame of an exception would show the URL.

    Args:
        base: The URL that was requested.
        location: The Location header; empty if there was none, or several.

    Returns:
        The URL, or why it cannot be followed.
    """
    if not location:
        return "without a single Location"
    text = location.strip(" \t")
    if "\\" in text or any(character < " " or character == "\x7f" for character in text):
        return "to an address with characters that no URL has"
    text = quote(text.encode("utf-8", "replace"), safe=PRINTABLE_ASCII)
    try:
        absolute = text if SCHEME.match(text) else urljoin(base, text)
    except ValueError:
        return "to an address that is no URL"
    parts = HTTPS_URL.fullmatch(absolute)
    if parts is None:
        return "to an address that is not https"
    authority = normalize_authority(parts[1])
    if authority is None:
        return "to an address whose host is not a plain name"
    url = f"https://{authority}{parts[2] or '/'}{parts[3] or ''}"
    if len(url) > LONGEST_URL:
        return f"to an address of {len(url)} characters"
    return RedirectTarget(authority, url)


def normalize_authority(text: str) -> str | None:
    """Return a host with its port in lower case, without a port of 443; None if it is anything else."""
    found = AUTHORITY.fullmatch(text.lower()) if text.isascii() else None
    if found is None:
        return None
    host, port = found[1], int(found[2] or 443)
    if not 0 < port < 65_536:
        return None
    return host if port == 443 else f"{host}:{port}"
