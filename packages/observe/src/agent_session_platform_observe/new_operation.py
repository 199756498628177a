"""Propose an operation for a path that the contract does not have, from responses of `Observations(paths=...)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from agent_session_platform.contract import PLACEHOLDER, Node

from .contract import COMPONENTS
from .exchanges import ACCEPTED, in_successes, media_type_of, query_parameter, request_body
from .facts import MAYBE_IGNORED, Finding, Line, how_often
from .overlay import json_path
from .schemas import PAGE_PARAMETERS, SchemaWriter, singular
from .shape import Tally

# The verb of an operation by its method. A GET of a page or an array is a list.
VERBS: Final = {"GET": "get", "HEAD": "head", "POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
VERSION: Final = re.compile(r"v[0-9]+(alpha|beta)?[0-9]*")
ORG_ID: Final = "{org_id}"
ORG_ID_PARAMETER: Final = f"{COMPONENTS}/parameters/OrgId"
PROBLEM: Final = f"{COMPONENTS}/responses/Problem"
MEDIA_TYPES: Final = ("application/json", "application/problem+json", "text/csv", "text/plain")


def new_operations(tallies: Mapping[str, Tally], writer: SchemaWriter) -> Iterator[Finding]:
    """Yield the operations that the contract does not have, and that have succeeded.

    Args:
        tallies: The observations. The key of an unknown path is its method and its template.
        writer: The writer of the proposal's schemas.
    """
    document = writer.document
    known = {(endpoint.method.upper(), bare(endpoint.path)) for endpoint in document.endpoints.values()}
    ids = {*document.endpoints}
    tags = {tag["name"] for tag in document.document.get("tags", ())}
    for key, tally in sorted(tallies.items()):
        method, _, path = key.partition(" ")
        if not path or (method, bare(path)) in known or not _is_read_and_successful(tally):
            continue
        operation = NewOperation(method, path, tally, writer)
        operation.choose_id(ids)
        ids.add(operation.id)
        changes: list[tuple[str, Any]] = []
        if operation.tag not in tags:
            tags.add(operation.tag)
            changes.append(("$['tags']", {"name": operation.tag, "description": f"Observed: {operation.tag}."}))
        changes.append((json_path("#/paths"), {path: {method.lower(): operation.node()}}))
        yield Finding(operation.line, tuple(changes), section="")


def bare(path: str) -> str:
    """Return a path without the names of its placeholders."""
    return PLACEHOLDER.sub("{}", path)


def _is_read_and_successful(tally: Tally) -> bool:
    """Return whether a program has named the path, so that it was read, and not only counted."""
    is_read = any("media" in exchanges.below for exchanges in tally.below.values())
    return is_read and any(int(status) in ACCEPTED for status in tally.below)


class NewOperation:
    """An operation that the contract does not have.

    Args:
        method: The HTTP method.
        path: The template of its path.
        tally: Its exchanges.
        writer: The writer of the proposal's schemas.

    Attributes:
        line: The evidence.
        id: Its operationId.
        tag: Its tag, which names the resource.
    """

    def __init__(self, method: str, path: str, tally: Tally, writer: SchemaWriter) -> None:
        self._method = method
        self._path = path
        self._tally = tally
        self._writer = writer
        self._bodies = in_successes(tally, "body")
        self.id = ""
        times = sum(exchanges.counts["count"] for exchanges in tally.below.values())
        text = f"{method} {path} has succeeded, and the contract does not have it"
        self.line = Line(f"{method} {path}", text, times, times, *tally.dates())
        words = [word for word in path.split("/") if word and not VERSION.fullmatch(word)]
        self._words = [word for word in words if not PLACEHOLDER.fullmatch(word)]
        self._scope = ""
        if ORG_ID in path:
            self._scope = "organization"
        if self._words[:1] == ["organizations"]:
            del self._words[0]
        elif self._words[:1] == ["enterprise"]:
            self._scope = self._words.pop(0)
        self.tag = "others"
        if self._words:
            self.tag = re.sub("[-_]", " ", self._words[0])

    def choose_id(self, taken: set[str]) -> None:
        """Choose an operationId that no other operation has, such as `get_enterprise_widget`."""
        verb = VERBS.get(self._method, self._method.lower())
        words = [*self._words]
        is_array = "type:array" in self._bodies.counts
        if self._method == "GET" and (is_array or "items" in self._bodies.members()):
            verb = "list"
        elif words and (self._method == "POST" or self._path.endswith("}")):
            words[-1] = singular(words[-1])
        parts = [verb, self._scope, *words]
        name = re.sub(r"\W+", "_", "_".join(filter(None, parts)))
        if name in taken:
            placeholders = [each for each in PLACEHOLDER.findall(self._path) if f"{{{each}}}" != ORG_ID]
            name = "_".join([name, "by", *placeholders])
        while name in taken:
            name += "_again"
        self.id = name

    def node(self) -> Node:
        """Return the operation, with a gap for what responses do not show."""
        slug = self.id.replace("_", "-")
        components = self._writer.document.document["components"]
        node: Node = {
            "tags": [self.tag],
            "operationId": self.id,
            "summary": f"Observed: {self._method} {self._path}.",
            "description": "Not in the description of the API. Write here what it does.",
            "security": [{next(iter(components["securitySchemes"])): []}],
            "x-not-shown": [
                {"id": f"{slug}-permission", "what": "The permission, its level and the kinds of credential."},
                {"id": f"{slug}-errors", "what": "The error statuses."},
            ],
            "x-observed": self.line.evidence,
            "parameters": [*self._parameters()],
            "responses": self._responses(),
        }
        sent = in_successes(self._tally, "sent")
        if sent.members():
            node["requestBody"] = request_body(self.id, sent, self.line, self._writer)
        return node

    def _parameters(self) -> Iterator[Node]:
        for name in PLACEHOLDER.findall(self._path):
            if f"{{{name}}}" == ORG_ID and self._writer.document.has(ORG_ID_PARAMETER):
                yield {"$ref": ORG_ID_PARAMETER}
            else:
                about = {"description": "A part of the path.", "schema": {"type": "string"}}
                yield {"name": name, "in": "path", "required": True, **about}
        known: set[str] = set()
        if self._method == "GET" and self._writer.is_page(self._bodies):
            known = {*PAGE_PARAMETERS}
            for place in PAGE_PARAMETERS.values():
                yield {"$ref": place}
        for name, requests in sorted(in_successes(self._tally, "query").members().items()):
            if name not in known:
                node = query_parameter(name, self.line)
                node["description"] = f"Accepted {how_often(requests.n)}. {MAYBE_IGNORED}"
                node["x-observed"] = {**self.line.evidence, "answers": requests.n}
                yield node

    def _responses(self) -> Node:
        found: Node = {}
        for status, exchanges in sorted(self._tally.below.items()):
            if int(status) not in ACCEPTED:
                continue
            node: Node = {"description": f"Seen {how_often(exchanges.counts['count'])}."}
            media_type = media_type_of(exchanges)
            if media_type in MEDIA_TYPES:
                node["content"] = {media_type: self._content(exchanges.at("body"))}
            found[status] = node
        if self._writer.document.has(PROBLEM):
            found["4XX"] = {"$ref": PROBLEM}
            found["default"] = {"$ref": PROBLEM}
        return found

    def _content(self, body: Tally) -> Node:
        if not body.n:
            return {}
        return {"schema": self._writer.of_response(self.id, None, body, self.line)}
