"""Make the contract of a deployment: the contract, and what the deployment's own document adds to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from codegen.adopt.combine import Combination
from codegen.adopt.foreign import Foreign, keys_of
from codegen.adopt.marks import mark_id, mark_list, open_values
from codegen.adopt.matching import Matching, Route, ending_alike, path_key
from codegen.adopt.names import Kept, Names
from codegen.adopt.operations import Operations
from codegen.adopt.repair import Repair
from codegen.adopt.schemas import Schemas
from codegen.contract.contract import Contract
from codegen.contract.naming import name_operation
from codegen.contract.operations import OperationFacts
from codegen.contract.source import ContractError, Node
from codegen.render.runtime.contract import METHODS, Contract as Reader, child

# What YAML does not allow in a text.
UNPRINTABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


class Adoption:
    """The contract of a deployment.

    Args:
        foreign: The deployment's own document.
        contract: The contract, with the deployment's word.
        kept: The file of names.
        date: The date on which the document is read, as `2026-11-28`.

    Attributes:
        document: The contract of the deployment.
        known: The operations that the contract has.
        new: The operations that only the document has.
        removed: The operations that were removed, because the contract only infers them, each with the operation of the
            document that ends in the same way.
        left_out: The operations of the document that are left out, each with the reason.
        names: The names of the new operations.

    Raises:
        ContractError: A name in the file of names cannot be used.
    """

    def __init__(self, foreign: Foreign, contract: Contract, kept: Kept, date: str) -> None:
        self.foreign = foreign
        self.contract = contract
        self.document: Node = deepcopy(contract.document)
        self.known: dict[str, Route] = {}
        self.new: dict[str, Route] = {}
        self.removed: dict[OperationFacts, Route | None] = {}
        self.left_out: dict[Route, str] = {}
        combination = Combination(contract, {"document": foreign.name, "date": date})
        self._schemas = Schemas(foreign, combination)
        self._operations = Operations(foreign, combination, self._schemas)
        self._matching = Matching(foreign, contract)
        routes = self._matching.routes
        self.names = Names(foreign, contract, routes, kept, self._operations.is_list)
        for route in routes:
            self._operations.pair(route)
        for route in routes:
            if route.facts is not None:
                self._add_known(route, route.facts)
        for route in routes:
            if route.facts is None:
                self._add_new(route)
        self._remove_inferred()
        self._schemas.finish()
        self.document["components"]["schemas"] |= self._schemas.components
        self._finish()

    @property
    def count(self) -> int:
        """The number of operations of the document."""
        return len(self._matching.routes)

    @property
    def lacking(self) -> list[OperationFacts]:
        """The operations of the contract that the document lacks, and that remain, because the contract states them."""
        return [facts for facts in self._matching.missing if facts not in self.removed]

    def _add_known(self, route: Route, facts: OperationFacts) -> None:
        """Add what the document shows of an operation of the contract."""
        paths = self.document["paths"]
        node = self._operations.write(route, facts.node)
        if route.path != facts.path:
            above = paths[facts.path].get("parameters")
            self._remove(facts)
            paths.setdefault(route.path, {"parameters": above} if above else {})
        paths[route.path][route.method] = node
        self.known[child(child("#/paths", route.path), route.method)] = route

    def _add_new(self, route: Route) -> None:
        """Add an operation that only the document has."""
        try:
            name_operation(route.path, "any", "any", route.method)
        except ContractError as error:
            self.left_out[route] = str(error)
            return
        named = self.names.name(route)
        if named is None:
            self.left_out[route] = "the file of names says so"
            return
        operation_id, tag = named
        kind = next(iter(self.contract.components["securitySchemes"]))
        node: Node = {"tags": [tag], "operationId": operation_id, "security": [{kind: []}], "responses": {}}
        written = self._operations.write(route, node)
        item = self.document["paths"].setdefault(route.path, {})
        inherited = item.get("parameters", ())
        written["parameters"] = [node for node in written.get("parameters", ()) if node not in inherited]
        if not written["parameters"]:
            del written["parameters"]
        item[route.method] = written
        self.new[child(child("#/paths", route.path), route.method)] = route
        self._add_tag(tag)

    def _add_tag(self, tag: str) -> None:
        """Declare a tag."""
        tags = self.document["tags"]
        if any(known["name"] == tag for known in tags):
            return
        description = f"{tag.capitalize()}, as {self.foreign.name} calls them."
        for known in self.foreign.part(self.foreign.document, "#", "tags", list):
            if isinstance(known, dict) and known.get("name") == tag and isinstance(known.get("description"), str):
                description = known["description"]
        tags.append({"name": tag, "description": description})

    def _remove_inferred(self) -> None:
        """Remove the operations that the contract only infers, and that the document lacks."""
        for facts in self._matching.missing:
            if "x-inferred" in facts.node:
                key = path_key(facts.path)
                self.removed[facts] = ending_alike(key, facts.method.lower(), list(self.new.values()))
                self._remove(facts)
        removed = {facts.id for facts in self.removed}
        names = {str(facts.name) for facts in self.removed}
        for _, operation in self._written():
            if operation.get("x-successor") in names:
                del operation["x-successor"]
            for response in operation["responses"].values():
                links = response.get("links", {})
                for name in [name for name, link in links.items() if link.get("operationId") in removed]:
                    del links[name]

    def _remove(self, facts: OperationFacts) -> None:
        """Remove an operation, and its path if that has no other one."""
        paths = self.document["paths"]
        del paths[facts.path][facts.method.lower()]
        if not METHODS & paths[facts.path].keys():
            del paths[facts.path]

    def _written(self) -> Iterator[tuple[str, Node]]:
        """Yield the operations with their places."""
        for path, item in self.document["paths"].items():
            for method in METHODS & item.keys():
                yield child(child("#/paths", path), method), item[method]

    def _finish(self) -> None:
        """Change what the contract's checks refuse, and mark lists and ids."""
        open_values(self.document, self._schemas.components, self.contract)
        self.document = printable(self.document)
        places = {name: place for place, name in self._schemas.names.items()}
        repair = Repair(self.document, self.contract, self.foreign, places, self.restore)
        repair.run()
        reader = Reader(self.document)
        for place in (*self.known, *self.new):
            mark_list(reader, reader.node_at(place), self.foreign, self._route(place))
            mark_id(reader, place)
        repair.add_examples()
        repair.run()

    def _route(self, place: str) -> Route:
        return self.known.get(place) or self.new[place]

    def restore(self, place: str, reason: str) -> bool:
        """Leave out what the document says of an operation. Return False if nothing of it is there.

        Args:
            place: The place of the operation in the contract of the deployment.
            reason: Why it is left out.
        """
        route = self.new.pop(place, None)
        path, method = keys_of(place)[1:3]
        if route is not None:
            del self.document["paths"][path][method]
        elif place in self.known:
            route = self.known.pop(place)
            del self.document["paths"][path][method]
            facts = route.facts
            if facts is not None:
                item = self.contract.document["paths"][facts.path]
                kept = self.document["paths"].setdefault(facts.path, {})
                kept |= {key: deepcopy(value) for key, value in item.items() if key in ("parameters", method)}
        else:
            return False
        if not METHODS & self.document["paths"][path].keys():
            del self.document["paths"][path]
        self.left_out[route] = reason
        return True


def printable(value: Any) -> Any:
    """Return a value without the characters that a file of YAML cannot have."""
    if isinstance(value, str):
        return UNPRINTABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [printable(entry) for entry in value]
    if isinstance(value, dict):
        return {printable(key): printable(member) for key, member in value.items()}
    return value
