"""The IP access list of the enterprise."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Any, Final

from ..assumptions import Assumption
from ..http.call import Call, Handler, Reply
from ..problems import invalid
from ..state.state import State, alive

PREFIX: Final = re.compile("0|[1-9][0-9]{0,2}")


def get(call: Call) -> Reply:
    """Get the list."""
    return Reply(shown(call.state))


def append(call: Call) -> Reply:
    """Append ranges to the list (rule ip-access-list-append)."""
    write(call.state, ranges(call))
    return Reply(shown(call.state))


def replace(call: Call) -> Reply:
    """Replace the whole list (rule ip-access-list-replace)."""
    written = ranges(call)
    call.state.collection("ip-ranges").clear()
    write(call.state, written)
    return Reply(shown(call.state))


def delete(call: Call) -> Reply:
    """Empty the list."""
    call.state.collection("ip-ranges").clear()
    return Reply(None)


def ranges(call: Call) -> list[str]:
    """The ranges of the body, as written; refuses what is neither an address nor CIDR."""
    texts = call.texts("ip_ranges")
    failures = [
        (
            ["body", "ip_ranges", str(position)],
            f"{text!r} is neither an address nor CIDR, such as 10.0.0.0/8",
            "value_error",
        )
        for position, text in enumerate(texts)
        if not is_range(text)
    ]
    if failures:
        raise invalid(*failures)
    return texts


def is_range(text: str) -> bool:
    """Whether it is an address or CIDR; bits behind the prefix may be set, as nothing is shown against it.

    A netmask (10.0.0.0/255.0.0.0) and the zone of an address (fe80::1%eth0) are neither.
    """
    _, slash, prefix = text.partition("/")
    if "%" in text or (slash and not PREFIX.fullmatch(prefix)):
        return False
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def write(state: State, texts: list[str]) -> None:
    """Put ranges at the end of the list."""
    for text in texts:
        state.add(state.collection("ip-ranges"), state.new_id("ip-range"), {"range": text})


def shown(state: State) -> dict[str, Any]:
    """The list as it is answered with."""
    return {"ip_ranges": [each.fields["range"] for each in alive(state.collection("ip-ranges"))]}


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("ip-access-list-get-response", "200 with `ip_ranges`, as they were written; empty at first."),
    Assumption("ip-access-list-append-request", "`ip_ranges`, a list of addresses or CIDR; doubles stay."),
    Assumption("ip-access-list-append-response", "200 with the whole list."),
    Assumption("ip-access-list-append-errors", "422 for what is no address or CIDR; then nothing is appended."),
    Assumption("ip-access-list-replace-request", "`ip_ranges`, as for POST; it may be empty."),
    Assumption("ip-access-list-replace-response", "200 with the list."),
    Assumption("ip-access-list-replace-errors", "422 for what is no address or CIDR; the list stays as it was."),
    Assumption("ip-access-list-delete-effect", "The list is empty afterwards; no list ever keeps a caller out."),
    Assumption("ip-access-list-delete-response", "200 with `null`, also when the list is empty."),
)

HANDLERS: dict[str, Handler] = {
    "append_enterprise_ip_access_list": append,
    "delete_enterprise_ip_access_list": delete,
    "get_enterprise_ip_access_list": get,
    "replace_enterprise_ip_access_list": replace,
}
