"""Check `x-pagination`, `x-follow` and `x-wait`: what they name is there."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.contract.checks.operations import Operation, operations
from codegen.contract.checks.schemas import Known, known, types_of
from codegen.contract.checks.structure import Structure
from codegen.contract.content import JSON, kind_of_media_type
from codegen.contract.naming import SCOPE, words
from codegen.contract.nodes import Finding, child, instead, quote

# Part "Paginated list envelope" of the API's description.
ENVELOPE = ("items", "end_cursor", "has_next_page", "total")
# The members of a list that each page must have; the others may be absent.
NEEDED = ("items", "end_cursor")


def pagination_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the entries of `x-pagination`, `x-follow` and `x-wait` that name nothing."""
    found = list(operations(structure))
    by_id = {each.node.get("operationId", ""): each for each in found}
    for operation in found:
        if "x-pagination" in operation.node:
            yield from paginated(structure, operation)
        if "x-follow" in operation.node:
            yield from followed(structure, operation)
        if "x-wait" in operation.node:
            yield from waited(structure, operation, by_id)


def paginated(structure: Structure, operation: Operation) -> Iterator[Finding]:
    """Yield the entries that name no member of the response, and a cursor that is no argument."""
    written, place = operation.node["x-pagination"], f"{operation.place}/x-pagination"
    page = shown_response(structure, operation)
    if page is None:
        yield Finding(place, "the first success is not JSON with a schema; write it, or remove `x-pagination`")
        return
    for entry in ENVELOPE:
        name = written.get(entry, entry)
        here = f"{place}/{entry}" if entry in written else place
        if name not in page.names and (entry in written or entry in NEEDED):
            way_out = instead(name, page.names, f"write the member of the response that has `{entry}`")
            yield Finding(here, f"the response has no member {quote(name)}; {way_out}")
        elif entry == "items":
            schema = structure.follow(page.names[name])[1]
            if "array" not in types_of(schema) and "allOf" not in schema:
                yield Finding(here, f"the member {quote(name)} is no array; name the list, or correct its type")
    names = [name for name, location in operation.parameters if location == "query"]
    if "requestBody" in operation.node:
        body, node = structure.follow(f"{operation.place}/requestBody")
        for media_type in node["content"]:
            names += known(structure, f"{child(f'{body}/content', media_type)}/schema").names
    name = written.get("after", "after")
    if name not in names:
        way_out = instead(name, names, "write the query parameter or the member of the body that takes the cursor")
        here = f"{place}/after" if "after" in written else place
        yield Finding(here, f"the operation has no argument {quote(name)}; {way_out}")


def shown_response(structure: Structure, operation: Operation) -> Known | None:
    """Return the members of the first success; None if that is not JSON with a schema."""
    statuses = [status for status in operation.node["responses"] if status.startswith("2")]
    if not statuses:
        return None
    place, node = structure.follow(child(f"{operation.place}/responses", statuses[0]))
    for media_type, media in node.get("content", {}).items():
        if kind_of_media_type(media_type) == JSON and "schema" in media:
            return known(structure, f"{child(f'{place}/content', media_type)}/schema")
    return None


def item_members(structure: Structure, operation: Operation) -> Known | None:
    """Return the members of an item of a list; None where they are not shown."""
    page = shown_response(structure, operation)
    name = operation.node.get("x-pagination", {}).get("items", "items")
    if page is None or name not in page.names:
        return None
    place, schema = structure.follow(page.names[name])
    return known(structure, f"{place}/items") if "items" in schema else None


def followed(structure: Structure, operation: Operation) -> Iterator[Finding]:
    """Yield what is wrong with a list to follow."""
    written, place = operation.node["x-follow"], f"{operation.place}/x-follow"
    if operation.method != "get" or words(operation.node.get("operationId", ""))[:1] != ["list"]:
        yield Finding(place, "only a GET whose operationId begins with `list` can be followed; remove `x-follow`")
        return
    names = [name for name, location in operation.parameters if location == "query"]
    for name in written.get("query", {}):
        if name not in names:
            way_out = instead(name, names, "write a query parameter of the operation")
            yield Finding(f"{place}/query/{name}", f"the operation has no query parameter {quote(name)}; {way_out}")
    item = item_members(structure, operation)
    members = item.names if item else {}
    if "id" in written and written["id"] not in members:
        way_out = instead(written["id"], members, "write the member of an item that has its id, or leave it out")
        yield Finding(f"{place}/id", f"an item has no member {quote(written['id'])}; {way_out}")


def waited(structure: Structure, operation: Operation, by_id: dict[str, Operation]) -> Iterator[Finding]:
    """Yield what is wrong with an object to wait for."""
    written, place = operation.node["x-wait"], f"{operation.place}/x-wait"
    shown = shown_response(structure, operation)
    if operation.method != "get" or shown is None or not shown.names:
        yield Finding(place, "only a GET of an object whose members are shown can be waited for; remove `x-wait`")
        return
    for index, name in enumerate(written.get("gone", ())):
        if name not in shown.names:
            way_out = instead(name, shown.names, "write a flag of the object")
            yield Finding(f"{place}/gone/{index}", f"the object has no member {quote(name)}; {way_out}")
    if "list" not in written:
        return
    name = written["list"]
    listing = by_id.get(name)
    if listing is None:
        way_out = instead(name, by_id, "write the operationId of the list of such objects")
        yield Finding(f"{place}/list", f"no operation {quote(name)}; {way_out}")
    elif scope(listing) != scope(operation) or needs_more(structure, listing):
        yield Finding(f"{place}/list", f"{quote(name)} needs other arguments; name a list of the same scope")
    elif item_members(structure, listing) is None:
        yield Finding(f"{place}/list", f"the items of {quote(name)} are not shown; leave `list` out")


def scope(operation: Operation) -> str | None:
    """Return the scope of an operation; None if its path is in none."""
    match = SCOPE.match(operation.path)
    return match.lastgroup if match else None


def needs_more(structure: Structure, operation: Operation) -> bool:
    """Return whether a call needs more arguments than its scope has."""
    required = sum(bool(structure.follow(place)[1].get("required")) for place in operation.parameters.values())
    return required > (scope(operation) == "organization")
