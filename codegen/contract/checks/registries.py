"""Check our own keywords: ids of gaps and rules, known values, prefixes of ids, successors."""

from __future__ import annotations

import json
from collections.abc import Iterator

from codegen.contract.checks.operations import method_name, operations
from codegen.contract.checks.schemas import fits, requote, types_of
from codegen.contract.checks.structure import Structure
from codegen.contract.checks.wording import described
from codegen.contract.finding import Finding, instead, listed, quote
from codegen.contract.nodes import child


def registry_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about our own keywords."""
    yield from repeated(structure, "gap")
    yield from repeated(structure, "rule")
    yield from unknown_rules(structure)
    yield from known_values(structure)
    yield from observed(structure)
    yield from prefixes(structure)
    yield from resource_ids(structure)
    yield from older_paths(structure)
    yield from successors(structure)


def repeated(structure: Structure, kind: str) -> Iterator[Finding]:
    """Yield the gaps or rules that have the id of another one; a rule without a text only cites another one."""
    first: dict[str, str] = {}
    for place, node in structure.of(kind):
        if (kind == "gap" or "text" in node) and first.setdefault(node["id"], place) != place:
            text = f"the {kind} {quote(node['id'])} is also at {first[node['id']]}; an id is used once: change one"
            yield Finding(f"{place}/id", text)


def unknown_rules(structure: Structure) -> Iterator[Finding]:
    """Yield the cited rules that have no text anywhere."""
    rules = list(structure.of("rule"))
    known = {node["id"] for _, node in rules if "text" in node}
    for place, node in rules:
        if node["id"] not in known:
            text = f"the rule {quote(node['id'])} has no text anywhere; {instead(node['id'], known, 'add `text`')}"
            yield Finding(place, text)


def known_values(structure: Structure) -> Iterator[Finding]:
    """Yield the known values that are repeated or do not have the type of their schema."""
    for place, node in structure.of("schema"):
        first: dict[str, int] = {}
        for index, value in enumerate(node.get("x-known-values", ())):
            here = f"{place}/x-known-values/{index}"
            if first.setdefault(json.dumps(value, sort_keys=True), index) != index:
                yield Finding(here, f"the value {quote(value)} is there twice; remove one")
            if not fits(value, types_of(node)):
                way_out = requote(value, types_of(node))
                yield Finding(here, f"{described(value)} is not of the type {listed(types_of(node))}; {way_out}")


def observed(structure: Structure) -> Iterator[Finding]:
    """Yield the observations that end before they begin."""
    for place, node in structure.of("observed"):
        if node["first"] > node["last"]:
            yield Finding(f"{place}/last", f"`last` is before `first`, {node['first']}; exchange the two")


def prefixes(structure: Structure) -> Iterator[Finding]:
    """Yield the prefixes of ids that are wrong."""
    for place, node in structure.of("parameter"):
        if "x-adds-prefix" in node and "x-id-prefix" not in node:
            yield Finding(f"{place}/x-adds-prefix", "`x-adds-prefix` without `x-id-prefix`; add the prefix")
        if node.get("x-id-prefix") == "":
            yield Finding(f"{place}/x-id-prefix", "the prefix is empty; write it, such as `org-`, or remove it")
        for name in ("x-id-prefix", "x-wildcard"):
            if name in node and node["in"] != "path":
                text = f"`{name}` belongs to a path parameter, and not to a {node['in']} parameter; remove it"
                yield Finding(f"{place}/{name}", text)


def resource_ids(structure: Structure) -> Iterator[Finding]:
    """Yield the ids of resources that cannot be one, or are not the only one of their object."""
    for place, node in structure.of("schema"):
        parts = [place, *(f"{place}/allOf/{index}" for index, _ in enumerate(node.get("allOf", ())))]
        fields = [
            child(f"{part}/properties", name) for part in parts for name in structure.nodes[part].get("properties", ())
        ]
        marked = [field for field in fields if structure.nodes[field].get("x-resource-id")]
        for field in marked[1:]:
            text = f"`x-resource-id` is also at {marked[0]}; leave it at the id by which paths name the resource"
            yield Finding(f"{field}/x-resource-id", text)
        for field in marked:
            found = structure.follow(field)
            if found and found[1].get("type") not in ("string", "integer"):
                text = "`x-resource-id` at a type that is no id; an id is a string or an integer, and never null"
                yield Finding(f"{field}/x-resource-id", text)


def older_paths(structure: Structure) -> Iterator[Finding]:
    """Yield the older paths of operations that are no paths."""
    for place, node in structure.of("operation"):
        for name in ("x-legacy", "x-stated-path"):
            if name in node and not node[name].startswith("/"):
                yield Finding(f"{place}/{name}", f"{quote(node[name])} is no path; write `/{node[name]}`")


def successors(structure: Structure) -> Iterator[Finding]:
    """Yield the successors of deprecated operations that do not exist."""
    found = list(operations(structure))
    names = {name for each in found if (name := method_name(each))}
    for each in found:
        successor = each.node.get("x-successor")
        if successor is not None and successor not in names and not structure.findings:
            by_id = next((method_name(each) for each in found if each.node.get("operationId") == successor), None)
            way_out = (
                f"did you mean `{by_id}`?"
                if by_id
                else instead(successor, names, "write the method, such as `organization.automations.create`")
            )
            yield Finding(f"{each.place}/x-successor", f"no operation has the method {quote(successor)}; {way_out}")
