"""Check `x-follow` and `x-wait`: what they name is in the response, in the arguments and among the operations."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.contract.checks.members import Known, Members
from codegen.contract.checks.operations import Operation, operations
from codegen.contract.checks.pagination import page_schema
from codegen.contract.checks.parameters import parameters
from codegen.contract.checks.structure import Structure
from codegen.contract.finding import Finding, instead, quote
from codegen.contract.naming import SCOPE, words


def job_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the entries of `x-follow` and `x-wait` that name nothing."""
    members = Members(structure)
    found = list(operations(structure))
    by_id = {each.node.get("operationId", ""): each for each in found}
    for operation in found:
        if "x-follow" in operation.node:
            yield from followed(structure, members, operation)
        if "x-wait" in operation.node:
            yield from waited(structure, members, operation, by_id)


def followed(structure: Structure, members: Members, operation: Operation) -> Iterator[Finding]:
    """Yield what is wrong with a list to follow."""
    written, place = operation.node["x-follow"], f"{operation.place}/x-follow"
    if operation.method != "get" or words(operation.node.get("operationId", ""))[:1] != ["list"]:
        yield Finding(place, "only a GET whose operationId begins with `list` can be followed; remove `x-follow`")
        return
    declared = parameters(structure, operation) or {}
    names = [name for name, location in declared if location == "query"]
    for name in written.get("query", {}):
        if name not in names:
            way_out = instead(name, names, "write a query parameter of the operation")
            yield Finding(f"{place}/query/{name}", f"the operation has no query parameter {quote(name)}; {way_out}")
    known = item_members(structure, members, operation)
    if "id" in written and (known is None or written["id"] not in known.names):
        names = list(known.names) if known else []
        way_out = instead(written["id"], names, "write the member of an item that has its id, or leave it out")
        yield Finding(f"{place}/id", f"an item has no member {quote(written['id'])}; {way_out}")


def item_members(structure: Structure, members: Members, operation: Operation) -> Known | None:
    """Return the members of an item of a list; None where they are not shown."""
    page = page_schema(structure, operation)
    known = members.of(page) if page else None
    name = operation.node.get("x-pagination", {}).get("items", "items")
    if known is None or name not in known.names:
        return None
    found = structure.follow(known.names[name])
    return members.of(f"{found[0]}/items") if found and "items" in found[1] else None


def waited(
    structure: Structure, members: Members, operation: Operation, by_id: dict[str, Operation]
) -> Iterator[Finding]:
    """Yield what is wrong with an object to wait for."""
    written, place = operation.node["x-wait"], f"{operation.place}/x-wait"
    schema = page_schema(structure, operation)
    known = members.of(schema) if schema else None
    if operation.method != "get" or known is None or not known.names:
        yield Finding(place, "only a GET of an object whose members are shown can be waited for; remove `x-wait`")
        return
    for index, name in enumerate(written.get("gone", ())):
        if name not in known.names:
            way_out = instead(name, known.names, "write a flag of the object")
            yield Finding(f"{place}/gone/{index}", f"the object has no member {quote(name)}; {way_out}")
    if "list" not in written:
        return
    listing = by_id.get(written["list"])
    if listing is None:
        way_out = instead(written["list"], by_id, "write the operationId of the list of such objects")
        yield Finding(f"{place}/list", f"no operation {quote(written['list'])}; {way_out}")
    elif scope(listing) != scope(operation) or needs_more(structure, listing):
        yield Finding(f"{place}/list", f"{quote(written['list'])} needs other arguments; name a list of the same scope")
    elif item_members(structure, members, listing) is None:
        yield Finding(f"{place}/list", f"the items of {quote(written['list'])} are not shown; leave `list` out")


def scope(operation: Operation) -> str | None:
    """Return the scope of an operation; None if its path is in none."""
    match = SCOPE.match(operation.path)
    return match.lastgroup if match else None


def needs_more(structure: Structure, operation: Operation) -> bool:
    """Return whether a call needs more arguments than its scope has."""
    places = (parameters(structure, operation) or {}).values()
    found = (structure.follow(place) for place in places)
    required = sum(bool(each and each[1].get("required")) for each in found)
    return required > (scope(operation) == "organization")
