"""Header parameters and cookies, written as headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from .._api import Request
from ..errors import InvalidArgumentError
from .values import flat_texts, json_text


def write_headers(request: Request[Any], styles: Mapping[str, str], extra: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a call by lower-case name; an argument that is None is left out.

    Args:
        request: The request, for its header parameters and cookies.
        styles: `Parameter.style` of those that have one.
        extra: The caller's own headers.

    Raises:
        InvalidArgumentError: A header cannot carry a value, which the message does not show; or the caller's own
            headers repeat one.
    """
    headers: dict[str, str] = {}
    for name, value in (request.headers or {}).items():
        if value is not None:
            text = json_text(name, value) if styles.get(name) == "json" else ",".join(flat_texts(name, value))
            if not (text.isascii() and text.isprintable()):
                raise InvalidArgumentError(f"{name} has characters that a header cannot carry")
            headers[name.lower()] = text.strip()
    cookies = {name: value for name, value in (request.cookies or {}).items() if value is not None}
    if cookies:
        headers["cookie"] = "; ".join(f"{name}={cookie_text(name, value)}" for name, value in cookies.items())
    own = {name.lower(): value.strip() for name, value in extra.items()}
    if repeated := sorted(headers.keys() & own.keys()):
        raise InvalidArgumentError(f"extra_headers has {repeated[0]}, which the operation takes by name")
    return {**headers, **own}


def cookie_text(name: str, value: Any) -> str:
    """Return the value of a cookie, quoted: it has neither commas nor semicolons (RFC 6265, section 4.1.1).

    Raises:
        InvalidArgumentError: A cookie cannot carry the value.
    """
    try:
        return ",".join(quote(text, safe="") for text in flat_texts(name, value))
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"{name} has characters that a cookie cannot carry") from None
