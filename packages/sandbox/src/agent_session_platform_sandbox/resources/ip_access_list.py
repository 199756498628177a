"""The IP access list of the enterprise. It is stored, not enforced."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Any, Final

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply
from ..problems import invalid
from ..state import State, alive

PREFIX: Final = re.compile("0|[1-9][0-9]{0,2}")


def get(call: Call) -> Reply:
    """Return the list."""
    return Reply(_list(call.state))


def append(call: Call) -> Reply:
    """Append ranges to the list (rule ip-access-list-append)."""
    _append(call.state, _ranges(call))
    return Reply(_list(call.state))


def replace(call: Call) -> Reply:
    """Replace the whole list (rule ip-access-list-replace)."""
    ranges = _ranges(call)
    call.state.collection("ip-ranges").clear()
    _append(call.state, ranges)
    return Reply(_list(call.state))


def delete(call: Call) -> Reply:
    """Empty the list."""
    call.state.collection("ip-ranges").clear()
    return Reply(None)


def _ranges(call: Call) -> list[str]:
    """Return the ranges of the body as written; refuse (422) other text than addresses and CIDR."""
    texts = call.texts("ip_ranges")
    message = "is neither an address nor CIDR, such as 10.0.0.0/8"
    failures = [
        (["body", "ip_ranges", str(position)], f"{text!r} {message}", "value_error")
        for position, text in enumerate(texts)
        if not _is_range(text)
    ]
    if failures:
        raise invalid(*failures)
    return texts


def _is_range(text: str) -> bool:
    """Return whether a text is an address or CIDR.

    Bits after the prefix may be set, because the description does not forbid it. A netmask (10.0.0.0/255.0.0.0) and the
    zone of an address (fe80::1%eth0) are refused.
    """
    _, slash, prefix = text.partition("/")
    if "%" in text or (slash and not PREFIX.fullmatch(prefix)):
        return False
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _append(state: State, texts: list[str]) -> None:
    for text in texts:
        state.add(state.collection("ip-ranges"), state.new_id("ip-range"), {"range": text})


def _list(state: State) -> dict[str, Any]:
    return {"ip_ranges": [each.fields["range"] for each in alive(state.collection("ip-ranges"))]}


ASSUMPTIONS: Assumptions = {
    "ip-access-list-get-response": "200 with `ip_ranges`, as they were written; empty in the beginning.",
    "ip-access-list-append-request": "`ip_ranges`, a list of addresses or CIDR; duplicates stay.",
    "ip-access-list-append-response": "200 with the whole list.",
    "ip-access-list-append-errors": "422 for anything but addresses and CIDR; nothing is appended then.",
    "ip-access-list-replace-request": "`ip_ranges`, as for POST; it may be empty.",
    "ip-access-list-replace-response": "200 with the list.",
    "ip-access-list-replace-errors": "422 for anything but addresses and CIDR; the list stays as it was.",
    "ip-access-list-delete-effect": "The list is empty afterwards. Access lists are stored, not enforced.",
    "ip-access-list-delete-response": "200 with `null`, also when the list is empty.",
}

HANDLERS: dict[str, Handler] = {
    "append_enterprise_ip_access_list": append,
    "delete_enterprise_ip_access_list": delete,
    "get_enterprise_ip_access_list": get,
    "replace_enterprise_ip_access_list": replace,
}
