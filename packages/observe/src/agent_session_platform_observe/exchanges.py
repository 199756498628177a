"""What the requests and the responses of one operation show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from agent_session_platform import operations as catalogue
from agent_session_platform.contract import Endpoint, Node

from .facts import MAYBE_IGNORED, Finding, Line, how_often
from .overlay import json_path
from .schemas import PAGE_PARAMETERS, SchemaWriter
from .shape import TYPE, Tally
from .values import gaps_ending

ACCEPTED: Final = range(200, 300)
# The endings of the ids of gaps. An ending shows which fact the gap leaves open.
STATUS_ENDINGS: Final = ("-errors", "-statuses")
SUCCESS_ENDINGS: Final = ("-response", "-path", "-method")


def name_of(operation_id: str) -> str:
    """Return the name of an operation, such as `organization.sessions.list`. Without the operation, return its id."""
    if operation_id not in catalogue:
        return operation_id
    return catalogue[operation_id].name


def in_successes(tally: Tally, part: str) -> Tally:
    """Return the tally of one part, such as `header`, in all successful exchanges of an operation."""
    found = Tally()
    for status, exchanges in tally.below.items():
        if int(status) in ACCEPTED:
            found.add(exchanges.at(part))
    return found


def media_type_of(exchanges: Tally) -> str:
    """Return the media type of the responses with one status: JSON if there is any."""
    # In alphabetical order, JSON comes before `none`, `other` and text.
    return min(exchanges.at("media").counts, default="none")


class ResponseFacts:
    """The facts that the responses with one status show.

    Args:
        operation: The operation.
        status: The status.
        tally: The exchanges with this status.
        writer: The writer of the proposal's schemas.
    """

    def __init__(self, operation: Endpoint, status: int, tally: Tally, writer: SchemaWriter) -> None:
        self._operation = operation
        self._status = status
        self._tally = tally
        self._writer = writer
        self._body = tally.at("body")
        self._media_type = media_type_of(tally)
        self._schema = writer.document.response(operation, status, self._media_type)
        self._gaps = writer.document.gaps_of(operation.place)
        self._place = f"{operation.place}/responses"

    def findings(self) -> Iterator[Finding]:
        """Yield the status with the form of its bodies, unexpected media types, and unusual headers."""
        line = self._line()
        changes: tuple[tuple[str, Any], ...] = ()
        if self._is_new_and_readable():
            changes = tuple(self._changes(line))
        endings: tuple[str, ...] = STATUS_ENDINGS
        if self._status in ACCEPTED:
            endings = SUCCESS_ENDINGS
        yield Finding(line, changes, gaps_ending(self._gaps, *endings), section="")
        yield from self._unexpected_media_types()
        for name, responses in sorted(self._tally.at("header").members().items()):
            text = f"responses with {self._status} have a header {name}"
            subject = name_of(self._operation.id)
            yield Finding(Line(subject, text, responses.n, responses.n, *self._tally.dates()))

    def _line(self) -> Line:
        forms = sorted(self._body.facts(TYPE)) or sorted(self._body.counts)
        text = f"{self._status} came, {' or '.join(forms)}"
        members = sorted(self._body.members())
        if members:
            text += f" with {', '.join(members)}"
        kind = ""
        if self._is_excluded():
            kind = "status"
            text += f"; the contract has {', '.join(self._operation.node['responses'])}"
        was_read = self._body.n > 0 or self._body.counts.keys() == {"empty"}
        closes = self._status < 300 and self._media_type != "other" and was_read
        times = self._tally.counts["count"]
        return Line(self._place, text, times, times, *self._tally.dates(), kind, closes=closes)

    def _is_excluded(self) -> bool:
        """Return whether the contract says that this status does not come."""
        if self._operation.declared(self._status) not in ("default", None):
            return False
        # The contract never excludes a failure of the server.
        if self._status >= 500:
            return False
        is_left_open = self._status >= 400 and gaps_ending(self._gaps, *STATUS_ENDINGS)
        return not is_left_open

    def _is_new_and_readable(self) -> bool:
        """Return whether the contract lacks the status, and the SDK could read its responses."""
        if str(self._status) in self._operation.node["responses"] or self._status >= 500:
            return False
        # The SDK cannot read a redirect or an HTML page.
        if self._media_type == "other" or 300 <= self._status < 400:
            return False
        return self._status >= 400 or self._media_type != "text/html"

    def _changes(self, line: Line) -> Iterator[tuple[str, Any]]:
        node: Node = {"description": f"Seen {how_often(line.times)}.", "x-observed": line.evidence}
        if self._media_type != "none":
            node["content"] = {self._media_type: self._content(line)}
        yield json_path(self._place), {str(self._status): node}
        if self._operation.method != "GET" or not self._writer.is_page(self._body):
            return
        parameters: list[Node] = []
        for name, place in PAGE_PARAMETERS.items():
            if not self._operation.parameter("query", name):
                parameters.append({"$ref": place})
        if parameters:
            yield json_path(self._operation.place), {"parameters": parameters}

    def _content(self, line: Line) -> Node:
        if not self._body.n:
            return {}
        schema = self._writer.of_response(self._operation.id, self._schema, self._body, line)
        if not schema:
            return {}
        return {"schema": schema}

    def _unexpected_media_types(self) -> Iterator[Finding]:
        if self._status >= 400 or self._schema is None:
            return
        media = self._tally.at("media").counts
        place = f"{self._place}/{self._operation.declared(self._status)}"
        for name, number in sorted(media.items()):
            if name != "none" and not name.endswith("json"):
                text = f"{name} came, and the contract says JSON"
                yield Finding(Line(place, text, number, media.total(), *self._tally.dates(), "media type"))


def request_facts(operation: Endpoint, tally: Tally, writer: SchemaWriter) -> Iterator[Finding]:
    """Yield query parameters and members of request bodies that the contract does not show."""
    gaps = writer.document.gaps_of(operation.place)
    name = name_of(operation.id)
    is_page = writer.is_page(in_successes(tally, "body"))
    for parameter, requests in sorted(in_successes(tally, "query").members().items()):
        if operation.parameter("query", parameter):
            continue
        text = f"the query parameter {parameter} was accepted {how_often(requests.n)}"
        line = Line(name, text, requests.n, requests.n, *tally.dates())
        changes: tuple[tuple[str, Any], ...] = ()
        # The parameters of a page are stated with its envelope.
        if not (is_page and parameter in PAGE_PARAMETERS):
            changes = ((json_path(operation.place), {"parameters": [query_parameter(parameter, line)]}),)
        yield Finding(line, changes, gaps_ending(gaps, "-parameters", "-filters"))
    sent = in_successes(tally, "sent")
    if sent.members():
        text = f"bodies with {', '.join(sorted(sent.members()))} were accepted"
        line = Line(name, text, sent.n, sent.n, *tally.dates())
        yield Finding(line, body_changes(operation, sent, line, writer), gaps_ending(gaps, "-request"), section="")


def query_parameter(name: str, line: Line) -> Node:
    """Return a query parameter of which nothing but its name is known."""
    return {"name": name, "in": "query", "schema": {}, "description": MAYBE_IGNORED, "x-observed": line.evidence}


def body_changes(operation: Endpoint, sent: Tally, line: Line, writer: SchemaWriter) -> tuple[tuple[str, Any], ...]:
    """Return the changes that state the members of a request body that the contract does not show."""
    body = writer.document.body(operation)
    if body is None or not body.is_unshown:
        return ()
    changes: list[tuple[str, Any]] = []
    # An update cannot add to a reference.
    if "$ref" in operation.node["requestBody"]:
        changes.append((json_path(operation.place, "requestBody"), None))
    node = request_body(operation.id, sent, line, writer) | {"x-observed": line.evidence}
    changes.append((json_path(operation.place), {"requestBody": node}))
    return tuple(changes)


def request_body(operation_id: str, sent: Tally, line: Line, writer: SchemaWriter) -> Node:
    """Return the body of requests that succeeded."""
    schema = writer.of_request(operation_id, sent, line)
    return {"content": {"application/json": {"schema": schema}}, "description": MAYBE_IGNORED}
