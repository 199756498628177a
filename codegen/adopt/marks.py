"""Mark what the form of a response makes certain: pages, the id of a resource, and sets that are open."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from codegen.adopt.foreign import Foreign
from codegen.adopt.matching import Route
from codegen.adopt.schemas import inner_schemas
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
    if route.method != "get" or "x-pagination" in node or not lists:
        return
    if members.keys() >= {*ENVELOPE} and "after" in queries:
        return
    items = "items" if "items" in lists else lists[0]
    for query in queries:
        cursors = {f"next_{query}", f"next{query[:1].upper()}{query[1:]}"}
        if query == "after":
            cursors |= {"end_cursor", "endCursor", "next_cursor", "nextCursor"}
        found = [name for name in members if name in cursors]
        if found and (items == "items" or len(lists) == 1):
            pages = {"items": items, "end_cursor": found[0], "after": query}
            for key, names in (("has_next_page", MORE), ("total", TOTAL)):
                for name in members.keys() & {*names}:
                    pages[key] = name
            node["x-pagination"] = pages
            return
    if PAGED & {*members, *queries}:
        foreign.note(
            route.place, "the list has pages, but no cursor that a parameter takes; the method returns one page"
        )


def mark_id(reader: Reader, place: str) -> None:
    """Mark the member by which a path names what it returns: a required text of the same name."""
    node = reader.node_at(place)
    path = place.removesuffix("/get")
    names = PLACEHOLDER.findall(path)
    reference = success_schema(reader, node).get("$ref", "")
    if path == place or not path.endswith("}") or not names or not reference:
        return
    schema = reader.node_at(reference)
    member = schema.get("properties", {}).get(names[-1], {})
    marked = [each for each in schema.get("properties", {}).values() if each.get("x-resource-id")]
    if names[-1] in schema.get("required", ()) and member.get("type") == "string" and not marked:
        member["x-resource-id"] = True


def open_values(document: Node, names: Collection[str], contract: Contract) -> None:
    """Write the closed sets of responses as known values, because a server may be newer than its document.

    Args:
        document: The contract of the deployment.
        names: The names of the components that the document shows.
        contract: The contract, whose closed sets remain.
    """
    schemas = document["components"]["schemas"]
    requested = referred(requests(document), schemas)
    for name in names:
        closed = contract.schemas.get(name, {}).get("enum")
        if name not in requested and closed != schemas[name].get("enum", ()):
            open_schema(schemas[name])
    for _, node in operations_of(document):
        for response in node["responses"].values():
            for media in response.get("content", {}).values():
                open_schema(media.get("schema", {}))


def open_schema(schema: Node) -> None:
    """Write the sets of a schema as known values. A set of one value is a constant."""
    values = [value for value in schema.get("enum", ()) if value is not None]
    if len(values) > 1 and all(isinstance(value, str) for value in values):
        del schema["enum"]
        schema["x-known-values"] = values
    for inner in inner_schemas(schema):
        open_schema(inner)


def referred(values: list[object], schemas: Node) -> set[str]:
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


def requests(document: Node) -> list[object]:
    """Return what the operations of a document take."""
    components = document["components"]
    found: list[object] = [components.get("parameters"), components.get("requestBodies")]
    for _, node in operations_of(document):
        found += [node.get("parameters"), node.get("requestBody")]
    return found


def operations_of(document: Node) -> Iterator[tuple[str, Node]]:
    """Yield the operations of a document, each with its method."""
    for item in document["paths"].values():
        for method in METHODS & item.keys():
            yield method, item[method]
