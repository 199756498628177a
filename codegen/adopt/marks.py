"""Mark what the form of a response makes certain: pages, the id of a resource, and sets that are open."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from codegen.adopt.foreign import Foreign
from codegen.adopt.matching import Route
from codegen.contract.contract import Contract
from codegen.contract.operations import ENVELOPE, types_of
from codegen.contract.source import COMPONENT, Node
from codegen.render.runtime.contract import METHODS, PLACEHOLDER, Contract as Reader

# The members that say whether there is a next page, and how many items there are.
MORE = ("has_next_page", "has_more", "hasMore", "hasNextPage")
TOTAL = ("total", "total_count", "totalCount", "count")
# Members and parameters that a list of pages has, even if its cursor is not found.
PAGED = {*MORE, "next", "next_cursor", "nextCursor", "next_page_token", "nextPageToken", "offset", "page"}


def success_schema(reader: Reader, node: Node) -> Node:
    """Return the schema of the first success of an operation."""
    for status, written in node["responses"].items():
        media = reader.resolve(written).get("content", {}).get("application/json", {})
        if status.startswith("2"):
            schema: Node = media.get("schema", {})
            return schema
    return {}


def mark_list(reader: Reader, node: Node, foreign: Foreign, route: Route) -> None:
    """Name the members of a page whose cursor a query parameter takes; note that a list has pages, but no cursor."""
    members: Node = reader.flatten(success_schema(reader, node)).get("properties", {})
    queries = [reader.resolve(written)["name"] for written in node.get("parameters", ())]
    lists = [name for name, schema in members.items() if "array" in types_of(reader.flatten(schema))]
    is_usual = members.keys() >= {*ENVELOPE} and "after" in queries
    if route.method != "get" or "x-pagination" in node or not lists or is_usual:
        return
    pages = pages_of(members, queries)
    if pages and (len(lists) == 1 or "items" in lists):
        node["x-pagination"] = {"items": "items" if "items" in lists else lists[0], **pages}
    elif PAGED & {*members, *queries}:
        text = "the list has pages, but no cursor that a parameter takes; the method returns one page"
        foreign.note(route.place, text)


def pages_of(members: Node, queries: list[str]) -> Node:
    """Return the member with the cursor that a query parameter takes, and what else a page says; empty without it."""
    for query in queries:
        cursors = {f"next_{query}", f"next{query[:1].upper()}{query[1:]}"}
        if query == "after":
            cursors |= {"end_cursor", "endCursor", "next_cursor", "nextCursor"}
        found = cursors & members.keys()
        if found:
            pages = {"end_cursor": min(found), "after": query}
            for key, names in (("has_next_page", MORE), ("total", TOTAL)):
                for name in members.keys() & names:
                    pages[key] = name
            return pages
    return {}


def mark_id(reader: Reader, place: str) -> None:
    """Mark the member by which a path names what it returns: a required text of the same name."""
    node = reader.node_at(place)
    path = place.removesuffix("/get")
    names = PLACEHOLDER.findall(path)
    reference = success_schema(reader, node).get("$ref", "")
    if path == place or not path.endswith("}") or not names or not reference:
        return
    schema = reader.node_at(reference)
    members: Node = schema.get("properties", {})
    member = members.get(names[-1], {})
    has_mark = any("x-resource-id" in schema for schema in members.values())
    if names[-1] in schema.get("required", ()) and member.get("type") == "string" and not has_mark:
        member["x-resource-id"] = True


def open_values(document: Node, names: Collection[str], contract: Contract) -> None:
    """Write the closed sets of responses as known values, because a server may be newer than its document.

    Args:
        document: The contract of the deployment.
        names: The names of the components that the document shows.
        contract: The contract, whose closed sets remain.
    """
    components: Node = document["components"]
    schemas: Node = components["schemas"]
    requests: list[Any] = [components.get("parameters"), components.get("requestBodies")]
    for item in document["paths"].values():
        for method in METHODS & item.keys():
            requests += [item[method].get("parameters"), item[method].get("requestBody")]
            open_sets(item[method]["responses"])
    closed = referred(requests, schemas)
    for name in names:
        stated = contract.schemas.get(name, {}).get("enum")
        if name not in closed and stated != schemas[name].get("enum", ()):
            open_sets(schemas[name])


def open_sets(value: Any) -> None:
    """Write the sets in a part of a document as known values. A set of one value is a constant."""
    if isinstance(value, list):
        for entry in value:
            open_sets(entry)
    if not isinstance(value, dict):
        return
    values = value.get("enum")
    if isinstance(values, list):
        texts = [entry for entry in values if entry is not None]
        if len(texts) > 1 and {*map(type, texts)} == {str}:
            del value["enum"]
            value["x-known-values"] = texts
    for key, member in value.items():
        if key not in ("default", "examples"):
            open_sets(member)


def referred(values: list[Any], schemas: Node) -> set[str]:
    """Return the names of the component schemas that some values refer to, and of those that these refer to."""
    found: set[str] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, str) and value.startswith(COMPONENT):
            name = value.removeprefix(COMPONENT)
            if name not in found and name in schemas:
                found.add(name)
                waiting.append(schemas[name])
    return found
