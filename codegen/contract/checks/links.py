"""Check the links of responses: each leads to an operation, with arguments that the operation takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.contract.checks.operations import operations
from codegen.contract.checks.parameters import parameters
from codegen.contract.checks.structure import Structure
from codegen.contract.finding import Finding, instead, listed, quote
from codegen.contract.nodes import Node, child

# A value that a link takes from the request or the response.
EXPRESSION = re.compile(r"\$(url|method|statusCode|(request|response)\.(body(#.*)?|(header|query|path)\..+))")


def link_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about links."""
    nodes = ((place, node) for place, node in structure.nodes.items() if structure.kinds[place] == "operation")
    by_id = {node["operationId"]: place for place, node in nodes if isinstance(node.get("operationId"), str)}
    takes = {each.place: parameters(structure, each) for each in operations(structure)}
    for place, node in structure.of("link"):
        if ("operationId" in node) == ("operationRef" in node):
            yield Finding(place, "a link has either `operationId` or `operationRef`; write one of them")
            continue
        target = node.get("operationRef", by_id.get(node.get("operationId", "")))
        if "operationId" in node and target is None:
            way_out = instead(node["operationId"], by_id, "write the operationId of an operation of this file")
            yield Finding(f"{place}/operationId", f"no operation {quote(node['operationId'])}; {way_out}")
        elif structure.kinds.get(str(target)) != "operation":
            text = f"{quote(target)} is no operation of this file; write `operationId` instead"
            yield Finding(f"{place}/operationRef", text)
        elif (declared := takes.get(str(target))) is not None:
            yield from arguments(place, node, declared)


def arguments(place: str, node: Node, declared: dict[tuple[str, str], str]) -> Iterator[Finding]:
    """Yield the arguments of a link that are wrong."""
    names = {name for name, _ in declared} | {f"{location}.{name}" for name, location in declared}
    for name, value in node.get("parameters", {}).items():
        here = child(f"{place}/parameters", name)
        if name not in names:
            otherwise = f"write {listed(sorted(name for name, _ in declared))}" if declared else "remove it"
            yield Finding(here, f"the operation has no parameter {quote(name)}; {instead(name, names, otherwise)}")
        if isinstance(value, str) and value.startswith("$") and not EXPRESSION.fullmatch(value):
            yield Finding(here, f"{quote(value)} is no expression; write `$request.path.x` or `$response.body#/x`")
