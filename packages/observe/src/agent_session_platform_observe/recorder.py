"""Count the exchanges of a deployment, and read the form of some of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Final

from agent_session_platform import ExchangeRecord, InvalidArgumentError
from agent_session_platform.contract import PLACEHOLDER, Endpoint

from .contract import Schema, load_document
from .shape import MOST_NODES, UNKNOWN, Reader, Tally

# The first responses of each status of an operation are read, and then one in 512, so that reading costs only a small
# part of the time of calls.
FIRST_READ: Final = 50
ONE_IN: Final = 512
# A larger body is not read, because parsing a body of this size already stops the event loop for five milliseconds.
LARGEST: Final = 512 * 1024
# At most this many values are read between two writes, so that memory and file stay bounded.
MOST_VALUES: Final = 100_000
# Of a path that the contract does not have, at most this many words are kept: names in the file have a maximal length.
MOST_WORDS: Final = 12

MEDIA_TYPES: Final = ("", "application/json", "application/problem+json", "text/csv", "text/html", "text/plain")
# Usual headers of HTTP, which need no report.
USUAL_HEADER: Final = re.compile("cache-control|connection|content-.+|date|etag|server|strict-.+|transfer-.+|vary")

# Matches the template of a path, in characters that a file of observations may have.
TEMPLATE: Final = re.compile(r"(?=.{2,200}\Z)(/([A-Za-z0-9_.-]+|\{[A-Za-z][A-Za-z0-9_]*\}))+")


class Recorder:
    """Counts exchanges, and reads some of them.

    Args:
        paths: The templates of the paths that the contract does not have, and that are read as well.

    Attributes:
        tally: What was seen.
        left: How many values may still be read.

    Raises:
        InvalidArgumentError: A text is no template of a path.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._templates = {template: pattern_of(template) for template in paths}
        self._numbers: dict[tuple[str, int], int] = {}
        self.tally = Tally()
        self.left = MOST_VALUES

    def record(self, exchange: ExchangeRecord, status: int) -> Tally:
        """Count a response, and read it unless enough similar responses were read. Return the tally of its status."""
        operation = exchange.operation
        key = operation.id
        endpoint = load_document().endpoints.get(key)
        is_read = True
        if endpoint is None:
            template = self.template_of(operation.path)
            is_read = template is not None
            key = f"{operation.method} {template or known_words(operation.path)}"
        number = self._numbers.get((key, status), 0) + 1
        self._numbers[key, status] = number
        seen = self.tally.at(key).at(str(status))
        seen.counts["count"] += 1
        is_due = number <= FIRST_READ or number % ONE_IN == 0
        if is_read and is_due and self.left > 0:
            seen.add(self._read(exchange, status, endpoint))
            seen.settle()
        return seen

    def template_of(self, path: str) -> str | None:
        """Return the template of a path that the contract does not have; None if it is not to be read."""
        for template, pattern in self._templates.items():
            if pattern.fullmatch(path):
                return template
        return None

    def _read(self, exchange: ExchangeRecord, status: int, endpoint: Endpoint | None) -> Tally:
        """Return the tally of one exchange. Without an endpoint, the contract does not have the path."""
        document = load_document()
        found = Tally()
        headers = {name.lower(): value for name, value in exchange.headers}
        media_type = plain_type(headers.get("content-type"))
        counted = "other"
        if media_type in MEDIA_TYPES:
            counted = media_type or "none"
        found.at("media").counts[counted] += 1
        unusual = [name for name in headers if name not in document.vocabulary and not USUAL_HEADER.fullmatch(name)]
        keep_names(unusual, found.at("header"))
        # Headers are counted for each response. Parameters are counted only if a program sends unknown parameters.
        parameters = [name for name in exchange.query if endpoint is None or not endpoint.parameter("query", name)]
        if parameters:
            found.at("query").keep_parameters(parameters)
        schema: Schema | None = None
        sent_schema: Schema | None = None
        is_secret = False
        if endpoint is not None:
            schema = document.response(endpoint, status, media_type)
            sent_schema = document.body(endpoint)
            is_secret = bool(endpoint.node.get("x-secret"))
        reader = Reader(document.vocabulary, left=min(MOST_NODES, self.left))
        self.left -= reader.left
        read_body(exchange.content, media_type or "application/json", schema, found.at("body"), reader)
        self.left += reader.left
        if exchange.request_body and not is_secret:
            reader = Reader(document.vocabulary, is_sent=True)
            media_type = plain_type(exchange.request_type)
            read_body(exchange.request_body, media_type, sent_schema, found.at("sent"), reader)
        return found


def seen_on(day: date) -> Tally:
    """Return the tally of the dates of a response."""
    number = int(f"{day:%Y%m%d}")
    return Tally(Counter(first=number, last=number))


def known_words(path: str) -> str:
    """Return a path without the words that the contract does not know, which may be values."""
    words: list[str] = []
    for word in path[1:].split("/")[:MOST_WORDS]:
        if word not in load_document().vocabulary:
            word = "{}"
        words.append(word)
    return f"/{'/'.join(words)}"


def pattern_of(template: str) -> re.Pattern[str]:
    """Return the pattern of the paths that a template stands for.

    Raises:
        InvalidArgumentError: The text is no template of a path.
    """
    if not TEMPLATE.fullmatch(template):
        text = "paths must be templates such as '/v3/enterprise/widgets/{widget_id}'"
        raise InvalidArgumentError(f"{text}, not {template[:100]!r}")
    return re.compile(PLACEHOLDER.sub("[^/]+", template.replace(".", r"\.")))


def plain_type(content_type: str | None) -> str:
    """Return a media type without its parameters; empty if there is none."""
    return (content_type or "").partition(";")[0].strip().lower()


def keep_names(names: list[str], tally: Tally) -> None:
    """Count the unknown names that may be kept."""
    for name in tally.keep(names):
        tally.at(UNKNOWN + name).counts["n"] += 1


def read_body(content: bytes | None, media_type: str, schema: Schema | None, tally: Tally, reader: Reader) -> None:
    """Read a body if it is JSON, and count the outcome: `read`, `unread` or `empty`."""
    if content == b"":
        tally.counts["empty"] += 1
        return
    is_json = media_type.endswith("json")
    if not content or not is_json or len(content) > LARGEST:
        tally.counts["unread"] += 1
        return
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        tally.counts["unread"] += 1
        return
    tally.counts["read"] += 1
    reader.read(value, schema, tally)
