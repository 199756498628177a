"""Find the operations of a foreign document that the contract has, by method and path."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from codegen.adopt.foreign import Foreign, object_of
from codegen.contract.contract import Contract
from codegen.contract.operations import OperationFacts
from codegen.contract.source import Node, quote
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
        place: The place of the operation in the document.
        node: The operation.
        item: The path item.
        facts: The operation of the contract; None if it is new.
    """

    method: str
    path: str
    written: str
    place: str
    node: Node
    item: Node
    facts: OperationFacts | None

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

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


def ending_alike(key: str, method: str, routes: list[Route]) -> Route | None:
    """Return the new operation of the method whose path ends most like a key; None if not one word is alike."""
    best: Route | None = None
    longest = 0
    segments = key.split("/")[::-1]
    for route in routes:
        length = 0
        has_word = False
        for ours, theirs in zip(segments, path_key(route.path).split("/")[::-1], strict=False):
            if ours != theirs:
                break
            length += 1
            has_word = has_word or ours != PARAMETER
        if route.method == method and has_word and length > longest:
            best, longest = route, length
    return best


class Matching:
    """The operations of a foreign document beside those of the contract.

    Args:
        foreign: The document.
        contract: The contract.

    Attributes:
        routes: The operations of the document, in its order.
        missing: The operations of the contract that the document lacks.
    """

    def __init__(self, foreign: Foreign, contract: Contract) -> None:
        self._foreign = foreign
        self._operations: dict[tuple[str, str], OperationFacts] = {}
        self._parameters: dict[str, str] = {}
        for facts in contract.operations.values():
            self._remember(facts)
        self._bases: set[str] = set()
        self.routes = list(self._routes())
        known = {route.facts.id for route in self.routes if route.facts is not None}
        self.missing = [facts for facts in contract.operations.values() if facts.id not in known]
        for base in sorted(self._bases):
            text = (
                f"the paths begin with `{base}`, which belongs to the base address: AgentPlatform('https://...{base}')"
            )
            foreign.note("#/paths", text)

    def _remember(self, facts: OperationFacts) -> None:
        """Remember an operation of the contract, and the names of its path parameters."""
        if any(parameter.get("x-wildcard") for parameter in facts.parameters):
            self._operations[facts.method.lower(), facts.path] = facts
            return
        self._operations[facts.method.lower(), path_key(facts.path)] = facts
        parts = facts.path.split("/")
        for index, part in enumerate(parts):
            if PLACEHOLDER.fullmatch(part):
                self._parameters.setdefault(path_key("/".join(parts[: index + 1])), part)

    def _routes(self) -> Iterator[Route]:
        """Yield the operations of the document. Those with a path of the contract take their place first."""
        found: dict[tuple[str, str], Route] = {}
        paths = self._foreign.part(self._foreign.document, "#", "paths", dict)
        if "webhooks" in self._foreign.document:
            self._foreign.note("#/webhooks", "`webhooks` are not read; left out")
        for written, item in paths.items():
            place = child("#/paths", written)
            resolved, place = self._foreign.resolve(item, place)
            for method, node in resolved.items():
                if method not in METHODS:
                    continue
                if not isinstance(node, dict):
                    self._foreign.note(child(place, method), f"{quote(node)} is no operation; left out")
                    continue
                path = self._path(written)
                facts = self._operations.get((method, path_key(path))) or self._operations.get((method, path))
                route = Route(method, path, written, child(place, method), node, resolved, facts)
                found[written, method] = route
        exact = {route.facts.id for route in found.values() if route.facts and route.facts.path == route.path}
        taken: set[str] = set()
        for route in found.values():
            facts = route.facts
            if facts is not None:
                is_other = facts.id in taken or (facts.id in exact and facts.path != route.path)
                if is_other:
                    self._foreign.note(
                        route.place, f"the document has {facts.method} {facts.path} twice; new operation"
                    )
                    route = attrs.evolve(route, facts=None)
                else:
                    taken.add(facts.id)
            yield route

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
        for server in self._foreign.part(self._foreign.document, "#", "servers", list):
            address = str(object_of(server).get("url", ""))
            path = re.sub(r"^\w+://[^/]*", "", address).rstrip("/")
            if VERSION.match(f"{path}/"):
                return f"{path}{written}"
        return written
