"""Find the operations of a foreign document that the contract has, by method and path."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from codegen.adopt.foreign import Foreign, list_of, object_of
from codegen.adopt.used import Used
from codegen.contract.contract import Contract
from codegen.contract.operations import OperationFacts
from codegen.contract.source import Node
from codegen.render.runtime.contract import METHODS, PLACEHOLDER, child

# The version prefix in its documented forms, after what belongs to the base address.
VERSION = re.compile(r"(?P<base>.*?)(?P<beta>/beta)?/v(?P<number>\d+)(?P<suffix>/?(?:alpha|beta)\w*)?(?=/)")
PARAMETER = "{}"


@attrs.frozen(eq=False)
class Route:
    """An operation of the foreign document.

    Attributes:
        method: The HTTP method, in small letters.
        path: The path, with the names that the contract has for its parameters.
        written: The path as the document has it.
        node: The operation in the copy of the document.
        parameters: The parameters of its path item.
        beside: What is read of it, and is not in the copy.
        facts: The operation of the contract; None if it is new.
    """

    method: str
    path: str
    written: str
    node: Node
    parameters: list[Node]
    beside: Node
    facts: OperationFacts | None

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def place(self) -> str:
        """The place of the operation in the document."""
        return child(child("#/paths", self.written), self.method)

    @property
    def renamed(self) -> dict[str, str]:
        """The name of each path parameter in the contract, by its name in the document."""
        return dict(zip(PLACEHOLDER.findall(self.written), PLACEHOLDER.findall(self.path), strict=True))


def path_key(path: str) -> str:
    """Return a path without the names of its parameters, and without the marks of a beta version."""
    bare = PLACEHOLDER.sub(PARAMETER, path).rstrip("/")
    match = VERSION.match(bare)
    if match is None:
        return bare
    return f"{match['number']}{bare[match.end() :]}"


def is_beta(path: str) -> bool:
    """Return whether the version of a path is a beta version."""
    match = VERSION.match(path)
    return match is not None and bool(match["beta"] or match["suffix"])


def ending_alike(facts: OperationFacts, routes: list[Route]) -> Route | None:
    """Return the new operation whose path ends as that of an operation of the contract: in the same word, at least."""
    ending = path_key(facts.path).rpartition("/")[2]
    for route in routes:
        is_alike = path_key(route.path).endswith(f"/{ending}")
        is_new = route.facts is None and route.method == facts.method.lower()
        if is_alike and is_new and ending != PARAMETER:
            return route
    return None


class Matching:
    """The operations of a foreign document beside those of the contract.

    Args:
        foreign: The document.
        used: The copy of it.
        contract: The contract.

    Attributes:
        routes: The operations of the document, in its order.
        missing: The operations of the contract that the document lacks.
    """

    def __init__(self, foreign: Foreign, used: Used, contract: Contract) -> None:
        self._foreign = foreign
        self._used = used
        self._operations: dict[tuple[str, str], OperationFacts] = {}
        self._parameters: dict[str, str] = {}
        for facts in contract.operations.values():
            self._remember(facts)
        self._bases: set[str] = set()
        self.routes = list(self._routes())
        missing = dict(contract.operations)
        for route in self.routes:
            if route.facts is not None:
                del missing[route.facts.id]
        self.missing = list(missing.values())
        for base in sorted(self._bases):
            way_out = f"which belongs to the base address: AgentPlatform('https://...{base}')"
            foreign.note("#/paths", f"the paths begin with `{base}`, {way_out}")

    def _remember(self, facts: OperationFacts) -> None:
        """Remember an operation of the contract, and the names of its path parameters."""
        method = facts.method.lower()
        if any(parameter.get("x-wildcard") for parameter in facts.parameters):
            self._operations[method, facts.path] = facts
            return
        self._operations[method, path_key(facts.path)] = facts
        parts = facts.path.split("/")
        for index, part in enumerate(parts):
            if PLACEHOLDER.fullmatch(part):
                self._parameters.setdefault(path_key("/".join(parts[: index + 1])), part)

    def _routes(self) -> Iterator[Route]:
        """Yield the operations of the document. Of two for one of the contract, the one with its path is known."""
        found: list[Route] = []
        for written, item in self._used.paths.items():
            for method in item:
                if method not in METHODS:
                    continue
                path = self._path(written)
                facts = self._operations.get((method, path_key(path))) or self._operations.get((method, path))
                beside = self._used.beside[written, method]
                route = Route(method, path, written, item[method], list_of(item.get("parameters")), beside, facts)
                found.append(route)
        taken: dict[str, Route] = {}
        for route in found:
            if route.facts is not None and (route.facts.id not in taken or route.facts.path == route.path):
                taken[route.facts.id] = route
        for route in found:
            if route.facts is None or taken[route.facts.id] is route:
                yield route
                continue
            text = f"the document has {route.facts.method} {route.facts.path} twice; new operation"
            self._foreign.note(route.place, text)
            yield attrs.evolve(route, facts=None)

    def _path(self, written: str) -> str:
        """Return a path of the document without what belongs to the base address, and with the contract's names."""
        path = self._with_version(written)
        match = VERSION.match(path)
        if match is not None and match["base"]:
            self._bases.add(match["base"])
            path = path.removeprefix(match["base"])
        parts = path.split("/")
        names: list[str] = []
        for index, part in enumerate(parts):
            if PLACEHOLDER.fullmatch(part):
                name = self._parameters.get(path_key("/".join(parts[: index + 1])), part)
                if name not in names and name not in parts[index + 1 :]:
                    parts[index] = name
                names.append(parts[index])
        return "/".join(parts)

    def _with_version(self, written: str) -> str:
        """Return a path of the document with the path of the server before it, if only that has the version."""
        if VERSION.match(f"{written}/"):
            return written
        for server in list_of(self._foreign.document.get("servers")):
            address = str(object_of(server).get("url", ""))
            path = re.sub(r"^\w+://[^/]*", "", address).rstrip("/")
            if VERSION.match(f"{path}/"):
                return f"{path}{written}"
        return written
