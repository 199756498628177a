"""Check `x-pagination`: the members that it names are in the response, and the cursor is an argument."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.contract.checks.members import Members
from codegen.contract.checks.operations import Operation, operations
from codegen.contract.checks.parameters import parameters
from codegen.contract.checks.structure import Structure
from codegen.contract.content import JSON, kind_of_media_type
from codegen.contract.finding import Finding, instead, quote
from codegen.contract.nodes import child

# Part "Paginated list envelope" of the API's description.
ENVELOPE = ("items", "end_cursor", "has_next_page", "total")
# The members of a list that each page must have; the others may be absent.
NEEDED = ("items", "end_cursor")


def pagination_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the entries of `x-pagination` that name nothing."""
    members = Members(structure)
    for operation in operations(structure):
        if "x-pagination" in operation.node:
            yield from response_members(structure, members, operation)
            yield from cursor(structure, members, operation)


def response_members(structure: Structure, members: Members, operation: Operation) -> Iterator[Finding]:
    """Yield the entries that name no member of the response."""
    written, place = operation.node["x-pagination"], f"{operation.place}/x-pagination"
    page = page_schema(structure, operation)
    if page is None:
        yield Finding(place, "the first success is not JSON with a schema; write it, or remove `x-pagination`")
        return
    known = members.of(page)
    if known is None:
        return
    for entry in ENVELOPE:
        name = written.get(entry, entry)
        if name not in known.names and (entry in written or entry in NEEDED):
            here = f"{place}/{entry}" if entry in written else place
            way_out = instead(name, known.names, f"write the member of the response that has `{entry}`")
            yield Finding(here, f"the response has no member {quote(name)}; {way_out}")
    items = known.names.get(written.get("items", "items"))
    found = structure.follow(items) if items else None
    if found and "array" not in found[1].get("type", ()) and "allOf" not in found[1]:
        text = f"the member {quote(written.get('items', 'items'))} is no array; name the list, or correct its type"
        yield Finding(f"{place}/items" if "items" in written else place, text)


def page_schema(structure: Structure, operation: Operation) -> str | None:
    """Return the JSON pointer of the schema of the first success; None if that is not JSON with a schema."""
    statuses = [status for status in operation.node["responses"] if status.startswith("2")]
    found = structure.follow(child(f"{operation.place}/responses", statuses[0])) if statuses else None
    for media_type, media in found[1].get("content", {}).items() if found else ():
        if kind_of_media_type(media_type) == JSON and "schema" in media and found:
            return f"{child(f'{found[0]}/content', media_type)}/schema"
    return None


def cursor(structure: Structure, members: Members, operation: Operation) -> Iterator[Finding]:
    """Yield a cursor that is neither a query parameter nor a member of the body."""
    declared = parameters(structure, operation)
    if declared is None:
        return
    names = [name for name, location in declared if location == "query"]
    if body := structure.follow(f"{operation.place}/requestBody"):
        for media_type in body[1]["content"]:
            known = members.of(f"{child(f'{body[0]}/content', media_type)}/schema")
            names += known.names if known else ()
    name = operation.node["x-pagination"].get("after", "after")
    if name not in names:
        way_out = instead(name, names, "write the query parameter or the member of the body that takes the cursor")
        place = f"{operation.place}/x-pagination" + ("/after" if "after" in operation.node["x-pagination"] else "")
        yield Finding(place, f"the operation has no argument {quote(name)}; {way_out}")
