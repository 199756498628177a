"""Read HAR files (HTTP Archive 1.2), which browsers and proxies write, as if the SDK had seen their traffic."""

from __future__ import annotations

import json
import os
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import attrs
from agent_session_platform import ExchangeRecord, InvalidArgumentError, Operation, operations
from agent_session_platform.contract import Node, is_array, is_object

from .contract import load_document
from .facts import counted
from .file import merge_into
from .recorder import LARGEST, MOST_VALUES, Recorder, seen_on
from .shape import UNKNOWN, Tally

# Where a path of the contract may begin in an address. The first two slashes belong to `https://`.
SLASH: Final = re.compile("(?<=[^/])/(?=[^/])")
# A program that has no clock writes the year 1, or 1970.
FIRST_YEAR: Final = 2000

# Why an entry is ignored.
MALFORMED: Final = "malformed: without a request, a response or a time, or with a body that is not base64"
ELSEWHERE: Final = "to another address"
OTHER_METHOD: Final = "with a method that no operation has, such as OPTIONS of a browser"
NO_RESPONSE: Final = "without a response: failed, blocked or cancelled"
NOT_IN_CONTRACT: Final = "to a path that the contract does not have"


@attrs.frozen
class HarImport:
    """What an import has read.

    Attributes:
        base_url: The address of the deployment.
        read: How many responses each operation has, by its name.
        ignored: How many entries were ignored, by the reason.
        other_base_urls: How many entries lead from another address to operations of the contract, by the address. They
            are ignored.
        unread: How many responses are counted, but not read: the files lack the body, or it has more than 512 KiB.
        rare_names: How many members are not kept, because fewer than three objects had them.
    """

    base_url: str
    read: dict[str, int]
    ignored: dict[str, int]
    other_base_urls: dict[str, int]
    unread: int
    rare_names: int

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return attrs.asdict(self)

    def __str__(self) -> str:
        parts = (
            (f"read from {self.base_url}", "response", self.read),
            ("ignored", "request", self.ignored),
            ("ignored, although their paths are in the contract (see the base URL)", "request", self.other_base_urls),
            ("not read: the file lacks the body, or it has more than 512 KiB", "response", {"": self.unread}),
            ("not kept: fewer than three objects had it", "member", {"": self.rare_names}),
        )
        lines: list[str] = []
        for text, noun, numbers in parts:
            total = sum(numbers.values())
            if total:
                lines.append(f"{counted(total, noun)} {text}")
                lines += [f"  {name}: {number}" for name, number in numbers.items() if name]
        return "\n".join(lines)


def import_har(
    hars: Iterable[str | os.PathLike[str]],
    path: str | os.PathLike[str],
    *,
    base_url: str | None = None,
    paths: Iterable[str] = (),
) -> HarImport:
    """Add the traffic in HAR files to a file of observations, by the rules of `Observations`: no values are kept.

    The text of one file is in memory at a time. Each import adds to the counts, so import a file once.

    Args:
        hars: The HAR files.
        path: The file of observations, which need not exist.
        base_url: The address of the deployment, such as `https://acme.example/api`; by default the address from which
            most requests lead to operations of the contract.
        paths: Paths that the contract does not have, and that are read as well, as in `Observations`.

    Returns:
        What was read, and what was ignored.

    Raises:
        InvalidArgumentError: A file is no HAR file, or no request belongs to the deployment; nothing is written. Or the
            file of observations is another file, or is full.
        OSError: The file of observations cannot be written.

    Example:
        print(import_har(["traffic.har"], "observed.json"))
    """
    files = [Path(har) for har in hars]
    candidates = Counter[str]()
    for file in files:
        read_entries(file, lambda entry: candidates.update(base_urls(entry)))
    if base_url is None:
        base_url, _ = candidates.most_common(1)[0] if candidates else ("", 0)
    traffic = Traffic(address_of(base_url), paths)
    for file in files:
        read_entries(file, traffic.add)
    del candidates[traffic.base_url]
    if not traffic.read:
        text = f"no request leads from {base_url or 'any address'} to an operation of the contract"
        others = ", ".join(candidates) or "none"
        raise InvalidArgumentError(f"{text}; pass the base URL of the deployment (these lead to operations: {others})")
    rare = traffic.recorder.tally.take_rare()
    merge_into(Path(os.path.realpath(path)), traffic.recorder.tally)
    return HarImport(
        traffic.base_url, {**traffic.read}, {**traffic.ignored}, {**candidates}, traffic.unread, names_in(rare)
    )


class Traffic:
    """The entries of HAR files that belong to a deployment.

    Args:
        base_url: The address of the deployment.
        paths: As in `import_har`.

    Attributes:
        base_url: The address of the deployment.
        recorder: The recorder of the entries.
        read: How many responses each operation has.
        ignored: How many entries were ignored, by the reason.
        unread: How many responses were not read.
    """

    def __init__(self, base_url: str, paths: Iterable[str]) -> None:
        self.base_url = base_url
        self.recorder = Recorder(paths)
        self.read = Counter[str]()
        self.ignored = Counter[str]()
        self.unread = 0
        endpoints = load_document().endpoints.values()
        self._methods = {endpoint.method for endpoint in endpoints}
        self._versions = {endpoint.path.split("/")[1] for endpoint in endpoints}

    def add(self, entry: Node) -> None:
        """Record an entry, or count why it is ignored."""
        try:
            why = self._why_ignored(entry)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            why = MALFORMED
        if why:
            self.ignored[why] += 1

    def _why_ignored(self, entry: Node) -> str:
        """Record an entry. If it is ignored, return the reason."""
        method: str = entry["request"]["method"].upper()
        status = int(entry["response"]["status"])
        address = address_of(entry["request"]["url"])
        path = address.removeprefix(self.base_url)
        if path == address or not path.startswith("/"):
            return ELSEWHERE
        if method not in self._methods:
            return OTHER_METHOD
        if not 100 <= status <= 999:
            return NO_RESPONSE
        operation = operations.find(method, path)
        template = self.recorder.template_of(path)
        is_known = operation is not None or template is not None
        if not is_known and path.split("/")[1] not in self._versions:
            return NOT_IN_CONTRACT
        if operation is None:
            named = f"{method} {template}"
            operation = Operation(id=named, method=method, path=path, scope="", resource="", verb="")
        exchange = exchange_of(entry, operation, status)
        started = datetime.fromisoformat(entry["startedDateTime"])
        if started.year < FIRST_YEAR:
            started = datetime.now(UTC)
        # An import writes once, and reads as much as many runs of a program.
        self.recorder.left = MOST_VALUES
        self.recorder.record(exchange, status).add(seen_on(started.astimezone(UTC).date()))
        self.unread += exchange.content is None or len(exchange.content) > LARGEST
        if not is_known:
            # The path is counted, so that a report shows it.
            return NOT_IN_CONTRACT
        self.read[str(operation)] += 1
        return ""


def read_entries(file: Path, use: Callable[[Node], None]) -> None:
    """Pass each entry of a HAR file to a function, and forget it.

    Raises:
        InvalidArgumentError: It is no HAR file; the message says where it is wrong.
    """

    def take_entry(node: Node) -> Node | None:
        if not {"request", "response"} <= node.keys():
            return node
        use(node)
        return None

    try:
        text = file.read_text(encoding="utf-8-sig")
        # Some programs write control characters as they are.
        document: Any = json.loads(text, object_hook=take_entry, strict=False)
        log: Any = document.get("log") if is_object(document) else None
        entries: Any = log.get("entries") if is_object(log) else None
        if not is_array(entries):
            raise ValueError("it has no `log.entries`")
        for entry in entries:
            if entry is not None:
                use({})
    except (OSError, ValueError, RecursionError) as error:
        # The messages of these errors have the place, and no part of the text.
        why = getattr(error, "strerror", None) or error
        raise InvalidArgumentError(f"no HAR file: {str(file)!r} ({why}); export the traffic again, as HAR") from None


def address_of(url: str) -> str:
    """Return a URL without its query and without a password."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}"


def base_urls(entry: Node) -> list[str]:
    """Return the addresses from which a request leads to an operation."""
    try:
        method = entry["request"]["method"].upper()
        address = address_of(entry["request"]["url"])
    except (AttributeError, KeyError, TypeError, ValueError):
        return []
    starts = [slash.start() for slash in SLASH.finditer(address)]
    return [address[:start] for start in starts if operations.find(method, address[start:])]


def exchange_of(entry: Node, operation: Operation, status: int) -> ExchangeRecord:
    """Return an entry as the SDK would have seen it."""
    url: str = entry["request"]["url"]
    content: Node = entry["response"].get("content") or {}
    sent: Node = entry["request"].get("postData") or {}
    # Browsers write `x-unknown` if there is no type.
    headers: list[tuple[str, str]] = [("content-type", (content.get("mimeType") or "").replace("x-unknown", ""))]
    received: list[Node] = entry["response"].get("headers") or []
    # Some programs write the status of HTTP/2 as a header, `:status`.
    headers += [(header["name"], header["value"]) for header in received if header["name"][0] != ":"]
    body = bytes_of(content)
    if body is None and (content.get("size") == 0 or status == 204):
        body = b""
    return ExchangeRecord(
        operation=operation,
        path=operation.path,
        attempt=1,
        credential=None,
        query=dict(parse_qsl(urlsplit(url).query, keep_blank_values=True)),
        request_body=bytes_of(sent),
        request_type=sent.get("mimeType"),
        status=status,
        headers=tuple(headers),
        content=body,
        seconds=0.0,
        error=None,
    )


def bytes_of(content: Node) -> bytes | None:
    """Return the bytes of a body; None if the file lacks them.

    Raises:
        ValueError: The body is not base64, although the file says so.
    """
    text = content.get("text")
    if text is None:
        return None
    if content.get("encoding") == "base64":
        return b64decode(text, validate=True)
    data: bytes = text.encode(errors="surrogatepass")
    return data


def names_in(tally: Tally) -> int:
    """Return how many unknown names a tally has."""
    number = 0
    for step, below in tally.below.items():
        number += step.startswith(UNKNOWN) + names_in(below)
    return number
