"""Propose an operation for a path that the contract does not have, from responses of `Observations(paths=...)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs
from agent_session_platform.contract import PLACEHOLDER, Node

from .contract import Document
from .findings import MAYBE_IGNORED, Finding, Line, came, evidence, joined
from .overlay import body_schema, json_path, schema_of
from .shape import Tally

# The verb of an operation by its method. A GET of a page or an array is a list.
VERBS: Final = {"GET": "get", "HEAD": "head", "POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
VERSION: Final = re.compile(r"v[0-9]+(alpha|beta)?[0-9]*")
ORG_ID: Final = "{org_id}"
ORG_ID_PARAMETER: Final = "#/components/parameters/OrgId"
PROBLEM: Final = "#/components/responses/Problem"
TYPES: Final = ("application/json", "application/problem+json", "text/csv", "text/plain")


@attrs.define
class Names:
    """The operationIds and the tags that exist already."""

    ids: set[str]
    tags: set[str]


def new_operations(tallies: Mapping[str, Tally], document: Document, at_least: int) -> Iterator[Finding]:
    """Yield the operations that the contract does not have, and that have succeeded.

    Args:
        tallies: The observations. The key of an unknown path is its method and its template.
        document: The contract.
        at_least: As in `find`.
    """
    known = {(each.method.upper(), bare(each.path)) for each in document.endpoints.values()}
    names = Names({*document.endpoints}, {each["name"] for each in document.document.get("tags", ())})
    for key, tally in sorted(tallies.items()):
        method, _, path = key.partition(" ")
        # Only paths that a program has named are read. The others are counted.
        is_read = any("media" in each.below for each in tally.below.values())
        if not path or not is_read or (method, bare(path)) in known:
            continue
        if any(status.startswith("2") for status in tally.below):
            yield _new_operation(method, path, tally, document, at_least, names)


def bare(path: str) -> str:
    """Return a path without the names of its placeholders."""
    return PLACEHOLDER.sub("{}", path)


def _new_operation(method: str, path: str, tally: Tally, document: Document, at_least: int, names: Names) -> Finding:
    times = sum(each.counts["count"] for each in tally.below.values())
    text = f"{method} {path} has succeeded, and the contract does not have it"
    line = Line(f"{method} {path}", text, times, times, *tally.dates())
    words = [word for word in path.split("/") if word and word != ORG_ID and not VERSION.fullmatch(word)]
    literals = [word for word in words if not PLACEHOLDER.fullmatch(word)]
    scope = "organization" if ORG_ID in path else ""
    if literals[:1] == ["organizations"]:
        literals = literals[1:]
    elif literals[:1] == ["enterprise"]:
        scope, literals = "enterprise", literals[1:]
    tag = (literals or ["others"])[0].replace("-", " ").replace("_", " ")
    verb = "list" if method == "GET" and _is_list(tally) else VERBS.get(method, method.lower())
    operation_id = _id(verb, scope, literals, words, names.ids)
    names.ids.add(operation_id)
    slug = operation_id.replace("_", "-")
    node: Node = {
        "tags": [tag],
        "operationId": operation_id,
        "summary": f"Observed: {method} {path}.",
        "description": "Not in the description of the API. Write here what it does.",
        "security": [{next(iter(document.document["components"]["securitySchemes"])): []}],
        "x-not-shown": [
            {"id": f"{slug}-permission", "what": "The permission, its level and the kinds of credential."},
            {"id": f"{slug}-errors", "what": "The error statuses."},
        ],
        "x-observed": evidence(line),
        "parameters": [*_parameters(path, tally, line, document)],
        "responses": _responses(tally, document, at_least),
    }
    sent = joined(tally, "sent")
    if sent.members():
        # Accepted requests never show that a member is required.
        schema = schema_of(sent, document, sent.n + 1) | {"additionalProperties": True}
        node["requestBody"] = {"content": {"application/json": {"schema": schema}}, "description": MAYBE_IGNORED}
    changes: list[tuple[str, Any]] = []
    if tag not in names.tags:
        names.tags.add(tag)
        changes.append(("$['tags']", {"name": tag, "description": f"Observed: {tag}."}))
    changes.append((json_path("#/paths"), {path: {method.lower(): node}}))
    return Finding(line, tuple(changes), section="")


def _is_list(tally: Tally) -> bool:
    body = joined(tally, "body")
    return "items" in body.members() or "type:array" in body.counts


def _id(verb: str, scope: str, literals: list[str], words: list[str], taken: set[str]) -> str:
    """Return an operationId that no other operation has."""
    parts = [verb, *filter(None, [scope]), *literals]
    name = re.sub(r"\W+", "_", "_".join(parts))
    if name in taken:
        placeholders = [word[1:-1] for word in words if PLACEHOLDER.fullmatch(word)]
        name = "_".join([name, "by", *placeholders])
    while name in taken:
        name += "_again"
    return name


def _parameters(path: str, tally: Tally, line: Line, document: Document) -> Iterator[Node]:
    for name in PLACEHOLDER.findall(path):
        is_shown = f"{{{name}}}" == ORG_ID and "OrgId" in document.document["components"].get("parameters", {})
        about = {"description": "A part of the path.", "schema": {"type": "string"}}
        parameter = {"name": name, "in": "path", "required": True, **about}
        yield {"$ref": ORG_ID_PARAMETER} if is_shown else parameter
    for name, each in sorted(joined(tally, "query").members().items()):
        seen = {**evidence(line), "answers": each.n}
        about = {"description": f"Accepted {came(each.n)}. {MAYBE_IGNORED}", "x-observed": seen}
        yield {"name": name, "in": "query", "schema": {}, **about}


def _responses(tally: Tally, document: Document, at_least: int) -> Node:
    found: Node = {}
    for status, each in sorted(tally.below.items()):
        body, media_type = each.at("body"), min(each.at("media").counts, default="none")
        if not status.startswith("2"):
            continue
        node: Node = {"description": f"Seen {came(each.counts['count'])}."}
        if media_type in TYPES:
            content = body_schema(None, body, document, at_least) if body.n else {}
            node["content"] = {media_type: {"schema": content} if content else {}}
        found[status] = node
    if "Problem" in document.document["components"].get("responses", {}):
        found |= {"4XX": {"$ref": PROBLEM}, "default": {"$ref": PROBLEM}}
    return found
