"""What the requests and the responses of one operation show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_session_platform import Gap, operations as catalogue
from agent_session_platform.contract import Endpoint, Node

from .contract import Schema
from .facts import MAYBE_IGNORED, Change, Finding, Line, gaps_ending, how_often, json_path
from .schemas import PAGE_PARAMETERS, SchemaWriter
from .shape import TYPE, Tally

ACCEPTED: Final = range(200, 300)
STATUS_ENDINGS: Final = ["-errors", "-statuses"]
SUCCESS_ENDINGS: Final = ["-response", "-path", "-method"]


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


def exchanges_line(key: str, text: str, tally: Tally) -> Line:
    """Return the line about all exchanges of a path that the contract does not have."""
    times = sum(exchanges.counts["count"] for exchanges in tally.below.values())
    return Line(key, text, times, times, *tally.dates())


def media_type_of(exchanges: Tally) -> str:
    """Return the media type of the responses with one status: JSON if there is any."""
    # In alphabetical order, JSON comes before `none`, `other` and text.
    return min(exchanges.at("media").counts, default="none")


def response_facts(operation: Endpoint, status: int, tally: Tally, writer: SchemaWriter) -> Iterator[Finding]:
    """Yield what the responses with one status show: their form, other media types, and unusual headers."""
    place = f"{operation.place}/responses"
    gaps = writer.document.gaps_of(operation.place)
    media_type = media_type_of(tally)
    schema = writer.document.response(operation, status, media_type)
    body = tally.at("body")
    dates = tally.dates()
    forms = sorted(body.facts(TYPE)) or sorted(body.counts)
    text = f"{status} came, {' or '.join(forms)}"
    members = body.members()
    if members:
        text += f" with {', '.join(sorted(members))}"
    kind = ""
    if is_excluded(operation, status, gaps):
        kind = "status"
        text += f"; the contract has {', '.join(operation.node['responses'])}"
    was_read = body.n > 0 or body.counts.keys() == {"empty"}
    closes = status < 300 and media_type != "other" and was_read
    times = tally.counts["count"]
    line = Line(place, text, times, times, *dates, kind, closes=closes)
    changes: list[Change] = []
    if str(status) not in operation.node["responses"] and is_readable(status, media_type):
        node = response(operation.id, operation.method, schema, tally, line, writer)
        node["x-observed"] = line.evidence
        changes.append((json_path(place), {str(status): node}))
        parameters: list[Node] = []
        for name, parameter in page_parameters(operation.method, body, writer).items():
            if not operation.parameter("query", name):
                parameters.append(parameter)
        if parameters:
            changes.append((json_path(operation.place), {"parameters": parameters}))
    endings = STATUS_ENDINGS
    if status in ACCEPTED:
        endings = SUCCESS_ENDINGS
    yield Finding(line, changes, gaps_ending(gaps, *endings), section="")
    yield from other_media_types(operation, status, schema, tally)
    for name, responses in sorted(tally.at("header").members().items()):
        text = f"responses with {status} have a header {name}"
        yield Finding(Line(name_of(operation.id), text, responses.n, responses.n, *dates))


def is_excluded(operation: Endpoint, status: int, gaps: list[Gap]) -> bool:
    """Return whether the contract says that a status does not come."""
    if operation.declared(status) not in ("default", None):
        return False
    if 400 <= status < 500:
        return not gaps_ending(gaps, *STATUS_ENDINGS)
    # The contract never excludes a failure of the server.
    return status < 400


def is_readable(status: int, media_type: str) -> bool:
    """Return whether the SDK can read a response, and a contract may state it."""
    if media_type == "other" or status >= 500:
        return False
    if status in ACCEPTED:
        return media_type != "text/html"
    # The SDK cannot read a redirect.
    return status >= 400


def response(
    operation_id: str, method: str, schema: Schema | None, exchanges: Tally, line: Line, writer: SchemaWriter
) -> Node:
    """Return a response for the contract.

    Args:
        operation_id: The operation.
        method: Its HTTP method.
        schema: The schema in the contract; None if there is none.
        exchanges: The exchanges with its status.
        line: The evidence.
        writer: The writer of the proposal's schemas.
    """
    times = exchanges.counts["count"]
    node: Node = {"description": f"Seen {how_often(times)}."}
    media_type = media_type_of(exchanges)
    body = exchanges.at("body")
    content: Node = {}
    if body.n:
        content = {"schema": writer.of_response(operation_id, method, schema, body, line)}
    if media_type != "none":
        node["content"] = {media_type: content}
    return node


def page_parameters(method: str, body: Tally, writer: SchemaWriter) -> dict[str, Node]:
    """Return the parameters of a list whose responses have the envelope of a page, by name."""
    found: dict[str, Node] = {}
    if writer.is_page(method, body):
        for name, place in PAGE_PARAMETERS.items():
            found[name] = {"$ref": place}
    return found


def other_media_types(operation: Endpoint, status: int, schema: Schema | None, exchanges: Tally) -> Iterator[Finding]:
    """Yield the media types of responses that should be JSON."""
    if status >= 400 or schema is None:
        return
    media = exchanges.at("media").counts
    place = f"{operation.place}/responses/{operation.declared(status)}"
    for name, number in sorted(media.items()):
        if name != "none" and not name.endswith("json"):
            text = f"{name} came, and the contract says JSON"
            yield Finding(Line(place, text, number, media.total(), *exchanges.dates(), "media type"))


def request_facts(operation: Endpoint, tally: Tally, writer: SchemaWriter) -> Iterator[Finding]:
    """Yield query parameters and members of request bodies that the contract does not show."""
    gaps = writer.document.gaps_of(operation.place)
    name = name_of(operation.id)
    place = json_path(operation.place)
    stated = page_parameters(operation.method, in_successes(tally, "body"), writer)
    for parameter, requests in sorted(in_successes(tally, "query").members().items()):
        if operation.parameter("query", parameter):
            continue
        text = f"the query parameter {parameter} was accepted {how_often(requests.n)}"
        line = Line(name, text, requests.n, requests.n, *tally.dates())
        changes: list[Change] = []
        if parameter not in stated:
            changes.append((place, {"parameters": [query_parameter(parameter, line)]}))
        yield Finding(line, changes, gaps_ending(gaps, "-parameters", "-filters"))
    sent = in_successes(tally, "sent")
    if not sent.members():
        return
    text = f"bodies with {', '.join(sorted(sent.members()))} were accepted"
    line = Line(name, text, sent.n, sent.n, *tally.dates())
    changes = []
    body = writer.document.body(operation)
    if body is not None and body.is_unshown:
        # An update cannot add to a reference.
        if "$ref" in operation.node["requestBody"]:
            changes.append((json_path(operation.place, "requestBody"), None))
        changes.append((place, {"requestBody": request_body(operation.id, sent, line, writer)}))
    yield Finding(line, changes, gaps_ending(gaps, "-request"), section="")


def query_parameter(name: str, line: Line) -> Node:
    """Return a query parameter of which only its name is known."""
    return {
        "name": name,
        "in": "query",
        "schema": {},
        "description": MAYBE_IGNORED,
        "x-observed": line.evidence,
    }


def request_body(operation_id: str, sent: Tally, line: Line, writer: SchemaWriter) -> Node:
    """Return the body of requests that succeeded."""
    schema = writer.of_request(operation_id, sent, line)
    return {
        "content": {"application/json": {"schema": schema}},
        "description": MAYBE_IGNORED,
        "x-observed": line.evidence,
    }
