"""Check the operations: each has its own id, a method name of its own, and a tag."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import attrs

from codegen.contract.checks.structure import Structure
from codegen.contract.finding import Finding, listed, quote
from codegen.contract.naming import NamingError, name_operation
from codegen.contract.nodes import Node, child, parts

OPERATION_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


@attrs.frozen
class Operation:
    """An operation and its path item."""

    path: str
    method: str
    node: Node
    item: Node

    @property
    def place(self) -> str:
        """Its JSON pointer."""
        return child(self.item_place, self.method)

    @property
    def item_place(self) -> str:
        """The JSON pointer of the path item."""
        return child("#/paths", self.path)


def operations(structure: Structure) -> Iterator[Operation]:
    """Yield the operations of `paths`, without those in which something is wrong."""
    for place, node in structure.of("operation"):
        match parts(place):
            case ["paths", path, method]:
                yield Operation(path, method, node, structure.nodes[place.rpartition("/")[0]])


def operation_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about operations."""
    found = list(operations(structure))
    for each in found:
        yield from one_operation(each)
    yield from repeated_ids(found)
    yield from repeated_names(found)


def one_operation(operation: Operation) -> Iterator[Finding]:
    """Yield the findings about an operation by itself."""
    node, place = operation.node, operation.place
    if not node.get("tags"):
        yield Finding(place, "an operation without a tag; add `tags: [...]`: the first one names its resource")
    if "operationId" not in node:
        yield Finding(place, "an operation without `operationId`; add it, such as `list_organization_sessions`")
    elif not OPERATION_ID.fullmatch(node["operationId"]):
        text = f"{quote(node['operationId'])} is no identifier; begin with a letter, and use letters, digits and `_`"
        yield Finding(f"{place}/operationId", text)
    try:
        name_operation(operation.path, "tag", "id", operation.method)
    except NamingError as error:
        yield Finding(operation.item_place, f"{error}; correct the path")
    permissions = {name for entry in node.get("security", ()) for names in entry.values() for name in names}
    if len(permissions) > 1:
        text = f"the operation names several permissions, {listed(sorted(permissions))}; list one in every entry"
        yield Finding(f"{place}/security", text)


def repeated_ids(found: Iterable[Operation]) -> Iterator[Finding]:
    """Yield the operations with the operationId of another one."""
    for first, each in same(found, lambda each: each.node.get("operationId")):
        text = f"the operationId {quote(each.node['operationId'])} is also that of {first.place}"
        yield Finding(f"{each.place}/operationId", f"{text}; an id is used once: change one of them")


def repeated_names(found: Iterable[Operation]) -> Iterator[Finding]:
    """Yield the operations with the method name of another one."""
    for first, each in same(found, method_name):
        if first.node["operationId"] != each.node["operationId"]:
            text = f"the method name {quote(method_name(each))} is also that of {first.place}"
            way_out = "change one operationId: its words that are not in scope and tag make the name"
            yield Finding(f"{each.place}/operationId", f"{text}; {way_out}")


def same(found: Iterable[Operation], value: Callable[[Operation], str | None]) -> Iterator[tuple[Operation, Operation]]:
    """Yield the pairs of operations that have the same value; those without a value are left out."""
    first: dict[str, Operation] = {}
    for each in found:
        mine = value(each)
        if mine is not None and first.setdefault(mine, each) is not each:
            yield first[mine], each


def method_name(operation: Operation) -> str | None:
    """Return the name of the operation in the SDK, or None if it has none."""
    tags, operation_id = operation.node.get("tags"), operation.node.get("operationId")
    if not tags or not operation_id:
        return None
    try:
        return str(name_operation(operation.path, tags[0], operation_id, operation.method))
    except NamingError:
        return None
