"""Check our own keywords against the whole document: ids of gaps and rules, observations, ids, successors."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.contract.checks.operations import method_name, operations
from codegen.contract.checks.structure import Structure
from codegen.contract.nodes import Finding, child, instead, quote


def registry_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about our own keywords."""
    yield from ids(structure)
    for place, node in structure.of("observed"):
        if node["first"] > node["last"]:
            yield Finding(f"{place}/last", f"`last` is before `first`, {node['first']}; exchange the two")
    for place, node in structure.of("parameter"):
        if "x-adds-prefix" in node and "x-id-prefix" not in node:
            yield Finding(f"{place}/x-adds-prefix", "`x-adds-prefix` without `x-id-prefix`; add the prefix")
        for name in ("x-id-prefix", "x-wildcard"):
            if name in node and node["in"] != "path":
                text = f"`{name}` belongs to a path parameter, and not to a {node['in']} parameter; remove it"
                yield Finding(f"{place}/{name}", text)
    yield from resource_ids(structure)
    yield from successors(structure)


def ids(structure: Structure) -> Iterator[Finding]:
    """Yield the gaps and rules with the id of another one, and the cited rules that have no text anywhere."""
    for kind in ("gap", "rule"):
        first: dict[str, str] = {}
        for place, node in structure.of(kind):
            # A rule without a text only cites another one.
            if (kind == "gap" or "text" in node) and first.setdefault(node["id"], place) != place:
                text = f"the {kind} {quote(node['id'])} is also at {first[node['id']]}; an id is used once: change one"
                yield Finding(f"{place}/id", text)
    for place, node in structure.of("rule"):
        if node["id"] not in first:
            text = f"the rule {quote(node['id'])} has no text anywhere; {instead(node['id'], first, 'add `text`')}"
            yield Finding(place, text)


def resource_ids(structure: Structure) -> Iterator[Finding]:
    """Yield the ids of resources that cannot be one, or are not the only one of their object."""
    for place, node in structure.of("schema"):
        parts = [place, *(f"{place}/allOf/{index}" for index, _ in enumerate(node.get("allOf", ())))]
        names = [(part, name) for part in parts for name in structure.nodes.get(part, {}).get("properties", ())]
        fields = [child(f"{part}/properties", name) for part, name in names]
        marked = [field for field in fields if structure.nodes.get(field, {}).get("x-resource-id")]
        for field in marked[1:]:
            text = f"`x-resource-id` is also at {marked[0]}; leave it at the id by which paths name the resource"
            yield Finding(f"{field}/x-resource-id", text)
        for field in marked:
            if structure.follow(field)[1].get("type") not in ("string", "integer"):
                text = "`x-resource-id` at a type that is no id; an id is a string or an integer, and never null"
                yield Finding(f"{field}/x-resource-id", text)


def successors(structure: Structure) -> Iterator[Finding]:
    """Yield the successors of deprecated operations that do not exist."""
    found = list(operations(structure))
    names = {name: each.node["operationId"] for each in found if (name := method_name(each))}
    for each in found:
        successor = each.node.get("x-successor")
        if successor is not None and successor not in names:
            by_id = next((name for name, operation_id in names.items() if operation_id == successor), successor)
            way_out = instead(by_id, names, "write the method, such as `organization.automations.create`")
            yield Finding(f"{each.place}/x-successor", f"no operation has the method {quote(successor)}; {way_out}")
