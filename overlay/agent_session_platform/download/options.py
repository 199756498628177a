"""The options of a download: its bounds, and where it may be followed to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import attrs
from attrs.validators import optional

from ..errors import InvalidArgumentError
from ..response.redirect import normalize_authority
from ..text import format_value
from ..validators import at_least, instance_of, seconds


def read_hosts(value: Any) -> frozenset[str]:
    """Return hosts as they are compared; refuse anything but plain host names with optional ports."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InvalidArgumentError(f"hosts must be a list of host names, not {format_value(value)}")
    hosts: set[str] = set()
    for host in cast("Iterable[object]", value):
        authority = normalize_authority(host) if isinstance(host, str) else None
        if authority is None:
            raise InvalidArgumentError(
                "hosts must have the names of hosts as they are in a URL, such as 'files.example.com' or "
                f"'files.example.com:8443' (ASCII, no scheme, no wildcard), not {format_value(host)}"
            )
        hosts.add(authority)
    return frozenset(hosts)


@attrs.frozen
class DownloadOptions:
    """The options of one download.

    Attributes:
        max_bytes: Upper bound of the file's bytes, decompressed, at least 0; None: no limit.
        timeout: Seconds for the whole file, more than 0; None: no limit.
        follow: Whether a redirect is followed.
        hosts: The hosts that it may lead to.

    Raises:
        InvalidArgumentError: A value is out of range or of the wrong type.
    """

    max_bytes: int | None = attrs.field(validator=optional(at_least(0)))
    timeout: float | None = attrs.field(validator=optional(seconds(positive=True, finite=True)))
    follow: bool = attrs.field(validator=instance_of(bool, "True or False"))
    hosts: frozenset[str] = attrs.field(converter=read_hosts)

    def __attrs_post_init__(self) -> None:
        if self.follow and not self.hosts:
            raise InvalidArgumentError(
                "follow=True needs the hosts that may be followed to: hosts=['files.example.com']"
            )
        if self.hosts and not self.follow:
            raise InvalidArgumentError("hosts is of no use without follow=True")
