"""Make the contract of a deployment: the contract, and what the deployment's own document adds to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from pathlib import Path
from typing import Any

from codegen.adopt.combine import Combination
from codegen.adopt.foreign import Foreign, keys_of
from codegen.adopt.marks import mark_id, mark_list, open_values, referred
from codegen.adopt.matching import Matching, Route, ending_alike
from codegen.adopt.names import Kept, Names
from codegen.adopt.operations import Operations
from codegen.adopt.repair import Repair
from codegen.adopt.used import PREFIX, SUFFIX, Used
from codegen.contract.contract import Contract
from codegen.contract.example_values import example_of
from codegen.contract.naming import model_class, module_name, name_operation
from codegen.contract.operations import OperationFacts
from codegen.contract.source import COMPONENT, ContractError, Node, Source
from codegen.render.parse import Parse
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
        routes: The operations of the document.
        placed: Those that are not left out, by their places in the contract of the deployment.
        lacking: The operations of the contract that the document lacks, and that remain.
        removed: The operations that were removed, because the contract only infers them, each with the operation of the
            document that ends in the same way.
        left_out: The operations of the document that are left out, each with the reason.
        names: The names of the new operations.
        contradictions: The facts of the contract that the document states otherwise.

    Raises:
        ContractError: A name in the file of names cannot be used.
    """

    def __init__(self, foreign: Foreign, contract: Contract, kept: Kept, date: str) -> None:
        self.foreign = foreign
        self.contract = contract
        self.document: Node = deepcopy(contract.document)
        self.placed: dict[str, Route] = {}
        self.lacking: list[OperationFacts] = []
        self.removed: dict[OperationFacts, Route | None] = {}
        self.left_out: dict[Route, str] = {}
        self._places: dict[str, str] = {}
        self._used = Used(foreign)
        self._combination = Combination(contract, foreign, self._used, date)
        self._operations = Operations(foreign, self._combination)
        self.contradictions = self._combination.contradictions
        matching = Matching(foreign, self._used, contract)
        self.routes = matching.routes
        self.names = Names(contract, self.routes, kept, self._operations.is_list)
        for route in self.routes:
            if route.facts is not None:
                self._add_known(route, route.facts)
        for route in self.routes:
            if route.facts is None:
                self._add_new(route)
        for facts in matching.missing:
            self._add_missing(facts)
        self._remove_mentions()
        self._add_schemas()
        self._check()

    def _add_known(self, route: Route, facts: OperationFacts) -> None:
        """Add what the document shows of an operation of the contract."""
        node = self._operations.write(route, facts.node)
        self._remove(facts.path, route.method)
        self._put(route, node)

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
        node: Node = {"tags": [tag], "operationId": operation_id, "security": [{kind: []}]}
        self._put(route, self._operations.write(route, node))
        self._add_tag(tag)

    def _put(self, route: Route, node: Node) -> None:
        """Put an operation into the contract of the deployment."""
        item = self.document["paths"].setdefault(route.path, {})
        inherited = item.get("parameters", [])
        node["parameters"] = [parameter for parameter in node["parameters"] if parameter not in inherited]
        if not node["parameters"]:
            del node["parameters"]
        item[route.method] = node
        self.placed[child(child("#/paths", route.path), route.method)] = route

    def _add_tag(self, tag: str) -> None:
        """Declare a tag."""
        tags = self.document["tags"]
        if all(known["name"] != tag for known in tags):
            tags.append({"name": tag, "description": f"{tag.capitalize()}, as {self.foreign.name} calls them."})

    def _add_missing(self, facts: OperationFacts) -> None:
        """Remove an operation that the document lacks, if the contract only infers it."""
        if "x-inferred" in facts.node:
            self.removed[facts] = ending_alike(facts, list(self.placed.values()))
            self._remove(facts.path, facts.method.lower())
        else:
            self.lacking.append(facts)

    def _remove(self, path: str, method: str) -> None:
        """Remove an operation, and its path if that has no other one."""
        paths = self.document["paths"]
        del paths[path][method]
        if not METHODS & paths[path].keys():
            del paths[path]

    def _remove_mentions(self) -> None:
        """Remove what other operations say of the removed ones."""
        ids = {facts.id for facts in self.removed}
        names = {str(facts.name) for facts in self.removed}
        for operation in self._written():
            if operation.get("x-successor") in names:
                del operation["x-successor"]
            for response in operation["responses"].values():
                links = response.get("links", {})
                for name, link in list(links.items()):
                    if link.get("operationId") in ids:
                        del links[name]

    def _written(self) -> Iterator[Node]:
        for item in self.document["paths"].values():
            for method in METHODS & item.keys():
                yield item[method]

    def _add_schemas(self) -> None:
        """Add the schemas that the operations use, with their final names."""
        schemas: Node = self.document["components"]["schemas"]
        schemas |= self._combination.schemas
        used = referred([self.document["paths"], self._combination.schemas], schemas | self._used.schemas)
        names = dict(self._combination.names)
        modules = {module_name(model_class(name)) for name in schemas}
        # A name that is written goes first, before one that is made of another one.
        for key in sorted(self._used.schemas, key=lambda key: SUFFIX.search(key) is not None):
            if key in used and key not in names:
                names[key] = free_name(key.removeprefix(PREFIX), modules)
                schemas[names[key]] = self._used.schemas[key]
        references: dict[str, str] = {}
        for key, name in names.items():
            self._places[name] = self._used.places[key]
            references[f"{COMPONENT}{key}"] = f"{COMPONENT}{name}"
        self.document = final(self.document, references)
        open_values(self.document, self._places, self.contract)
        reader = Reader(self.document)
        for place, route in self.placed.items():
            mark_list(reader, reader.node_at(place), self.foreign, route)
            mark_id(reader, place)
        for name in {*self._places, *self._combination.schemas}:
            schema = self.document["components"]["schemas"][name]
            if not schema.get("examples"):
                schema["examples"] = [example_of(reader, schema)]

    def _check(self) -> None:
        """Leave out what the contract's checks refuse."""
        path = Path("openapi.yaml")

        def check(source: Source) -> None:
            Parse(Contract(path, source))

        Repair(self.document, self.foreign, self._origin, self._restore).run(check)

    def _origin(self, place: str) -> str:
        """Return the place in the document of a place in the contract of the deployment."""
        keys = keys_of(place)
        if keys[0] == "components" and keys[2] in self._places:
            return reduce(child, keys[3:], self._places[keys[2]])
        route = self._route(keys)
        return "#" if route is None else route.place

    def _route(self, keys: list[str]) -> Route | None:
        return self.placed.get(reduce(child, keys[:3], "#"))

    def _restore(self, keys: list[str], reason: str) -> bool:
        """Leave out what the document says of a parameter or an operation; return False if it says nothing."""
        route = self._route(keys)
        if route is None:
            return False
        operation = self.document["paths"][route.path][route.method]
        if keys[3:4] == ["parameters"] and len(keys) > 4:
            parameter = operation["parameters"][int(keys[4])]
            plain = {**parameter, "schema": {"type": "string"}}
            for key in ("allowReserved", "content", "explode", "style"):
                plain.pop(key, None)
            if plain != parameter:
                operation["parameters"][int(keys[4])] = plain
                self.foreign.note(route.place, f"{reason}; here it is a text")
                return True
        self.left_out[route] = reason
        self._remove(route.path, route.method)
        del self.placed[reduce(child, keys[:3], "#")]
        if route.facts is not None:
            item = self.document["paths"].setdefault(route.facts.path, {})
            stated = deepcopy(self.contract.document["paths"][route.facts.path])
            for key in ("parameters", route.method):
                if key in stated:
                    item[key] = stated[key]
        return True


def free_name(name: str, modules: set[str]) -> str:
    """Return a name for a component whose module no other one has, and add the module."""
    found, number = SUFFIX.sub("", name), 1
    while module_name(model_class(found)) in modules:
        found = name if number == 1 else f"{name}{number}"
        number += 1
    modules.add(module_name(model_class(found)))
    return found


def final(value: Any, references: dict[str, str]) -> Any:
    """Return a value with the final references, and without the characters that a file of YAML cannot have."""
    if isinstance(value, str):
        return references.get(value) or UNPRINTABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [final(entry, references) for entry in value]
    if isinstance(value, dict):
        return {final(key, references): final(member, references) for key, member in value.items()}
    return value
