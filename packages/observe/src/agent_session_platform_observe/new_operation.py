"""Propose an operation for a path that the contract does not have, from responses of `Observations(paths=...)`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from agent_session_platform.contract import PLACEHOLDER, Node

from .contract import COMPONENTS
from .exchanges import (
    ACCEPTED,
    exchanges_line,
    in_successes,
    is_readable,
    media_type_of,
    page_parameters,
    query_parameter,
    request_body,
    response,
)
from .facts import Change, Finding, Line, json_path
from .schemas import SchemaWriter, singular
from .shape import Tally

# The verb of an operation by its method. A GET of a page or an array is a list.
VERBS: Final = {
    "GET": "get",
    "POST": "create",
    "PUT": "replace",
    "PATCH": "update",
    "DELETE": "delete",
}
# The words of a path that name nothing: its version, and placeholders.
UNNAMED: Final = re.compile(r"v[0-9]+(alpha|beta)?[0-9]*|\{.+\}")
ORG_ID: Final = "{org_id}"
ORG_ID_PARAMETER: Final = f"{COMPONENTS}/parameters/OrgId"
PROBLEM: Final = f"{COMPONENTS}/responses/Problem"


def new_operations(tallies: Mapping[str, Tally], writer: SchemaWriter) -> Iterator[Finding]:
    """Yield the operations that the contract does not have, and that have succeeded.

    Args:
        tallies: The observations. The key of an unknown path is its method and its template.
        writer: The writer of the proposal's schemas.
    """
    document = writer.document
    known = {f"{endpoint.method} {bare(endpoint.path)}" for endpoint in document.endpoints.values()}
    taken = {in_singular(operation_id) for operation_id in document.endpoints}
    tags = {tag["name"] for tag in document.document.get("tags", ())}
    for key, tally in sorted(tallies.items()):
        method, _, path = key.partition(" ")
        if not path or bare(key) in known or not has_succeeded(tally):
            continue
        scope, words = words_of(path)
        tag = "others"
        if words:
            tag = re.sub("[-_]", " ", words[0])
        changes: list[Change] = []
        if tag not in tags:
            tags.add(tag)
            changes.append(("$['tags']", {"name": tag, "description": f"Observed: {tag}."}))
        operation_id = new_id(method, path, [scope, *words], tally, taken)
        taken.add(in_singular(operation_id))
        line = exchanges_line(key, f"{key} has succeeded, and the contract does not have it", tally)
        node = new_operation(operation_id, tag, tally, line, writer)
        changes.append((json_path("#/paths"), {path: {method.lower(): node}}))
        yield Finding(line, changes, section="")


def bare(path: str) -> str:
    """Return a path without the names of its placeholders."""
    return PLACEHOLDER.sub("{}", path)


def has_succeeded(tally: Tally) -> bool:
    """Return whether there is a success that the SDK can read. A path that nobody named was only counted."""
    for status, exchanges in tally.below.items():
        is_success = int(status) in ACCEPTED
        if is_success and "media" in exchanges.below and is_readable(int(status), media_type_of(exchanges)):
            return True
    return False


def words_of(path: str) -> tuple[str, list[str]]:
    """Return the scope of a path, and the words that name its resource."""
    words = [word for word in path[1:].split("/") if not UNNAMED.fullmatch(word)]
    if words[:1] == ["enterprise"]:
        return "enterprise", words[1:]
    if words[:1] == ["organizations"]:
        words = words[1:]
    if ORG_ID in path:
        return "organization", words
    return "", words


def new_id(method: str, path: str, words: list[str], tally: Tally, taken: Collection[str]) -> str:
    """Return an operationId that no other operation has, such as `get_enterprise_widget`."""
    verb = VERBS.get(method, method.lower())
    bodies = in_successes(tally, "body")
    is_list = "items" in bodies.members() or "type:array" in bodies.counts
    if method == "GET" and is_list:
        verb = "list"
    elif method == "POST" or path.endswith("}"):
        words = [*words[:-1], singular(words[-1])]
    name = "_".join(filter(None, [verb, *words]))
    name = re.sub(r"\W", "_", name)
    if in_singular(name) in taken:
        placeholders = PLACEHOLDER.findall(path.replace(ORG_ID, ""))
        name = "_".join([name, "by", *placeholders])
    while in_singular(name) in taken:
        name += "_again"
    return name


def in_singular(operation_id: str) -> str:
    """Return an operationId as methods are named: without a difference between `widget` and `widgets`."""
    return "_".join(map(singular, operation_id.split("_")))


def new_operation(operation_id: str, tag: str, tally: Tally, line: Line, writer: SchemaWriter) -> Node:
    """Return an operation, with a gap for what responses do not show."""
    document = writer.document
    method = line.subject.partition(" ")[0]
    slug = operation_id.replace("_", "-")
    credential = next(iter(document.document["components"]["securitySchemes"]))
    responses: Node = {}
    for status, exchanges in sorted(tally.below.items()):
        if int(status) in ACCEPTED and is_readable(int(status), media_type_of(exchanges)):
            responses[status] = response(operation_id, method, None, exchanges, line, writer)
    if document.has(PROBLEM):
        responses |= {"4XX": {"$ref": PROBLEM}, "default": {"$ref": PROBLEM}}
    node: Node = {
        "tags": [tag],
        "operationId": operation_id,
        "summary": f"Observed: {line.subject}.",
        "description": "Not in the description of the API. Write here what it does.",
        "security": [{credential: []}],
        "x-not-shown": [
            {"id": f"{slug}-permission", "what": "The permission, its level and the kinds of credential."},
            {"id": f"{slug}-errors", "what": "The error statuses."},
        ],
        "x-observed": line.evidence,
        "parameters": [*parameters(line, tally, writer)],
        "responses": responses,
    }
    sent = in_successes(tally, "sent")
    if sent.members():
        node["requestBody"] = request_body(operation_id, sent, line, writer)
    return node


def parameters(line: Line, tally: Tally, writer: SchemaWriter) -> Iterator[Node]:
    """Yield the parameters of an operation: of its path, of its pages, and of its query."""
    method, _, path = line.subject.partition(" ")
    for name in PLACEHOLDER.findall(path):
        if f"{{{name}}}" == ORG_ID and writer.document.has(ORG_ID_PARAMETER):
            yield {"$ref": ORG_ID_PARAMETER}
            continue
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "description": "A part of the path.",
            "schema": {"type": "string"},
        }
    of_page = page_parameters(method, in_successes(tally, "body"), writer)
    yield from of_page.values()
    for name, requests in sorted(in_successes(tally, "query").members().items()):
        if name not in of_page:
            seen = Line(line.subject, "", requests.n, requests.n, line.first, line.last)
            yield query_parameter(name, seen)
