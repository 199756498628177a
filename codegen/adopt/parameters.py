"""Write the parameters of a foreign operation in the form of the contract."""

from __future__ import annotations

from codegen.adopt.combine import Combination, facts_of
from codegen.adopt.foreign import Foreign, object_of
from codegen.adopt.matching import Route
from codegen.adopt.schemas import Schemas, known_types
from codegen.contract.naming import class_name
from codegen.contract.operations import DEFAULT_STYLES, OWN_HEADERS
from codegen.contract.source import Node, join_names, quote
from codegen.render.runtime.contract import PLACEHOLDER, child, schema_of

COMPOUND = {"array", "object"}


class Parameters:
    """The parameters of the operations of a foreign document.

    Args:
        foreign: The document.
        combination: The contract, to which the document adds.
        schemas: The schemas of the document.
    """

    def __init__(self, foreign: Foreign, combination: Combination, schemas: Schemas) -> None:
        self._foreign = foreign
        self._combination = combination
        self._schemas = schemas
        self._shared: dict[tuple[str, str], str] = {}
        for name, node in combination.contract.components.get("parameters", {}).items():
            if node["in"] == "path":
                self._shared[node["in"], node["name"]] = f"#/components/parameters/{name}"

    def pair(self, route: Route) -> None:
        """Find the components of the contract that stand for schemas of the parameters of a known operation."""
        if route.facts is None:
            return
        for (location, name), (node, place) in self._declared(route).items():
            stated = route.facts.parameter(location, name)
            if stated and "schema" in node:
                self._schemas.pair(schema_of(stated), node["schema"], child(place, "schema"))

    def write(self, route: Route, node: Node) -> list[Node]:
        """Return the parameters of an operation, but for those that its path has.

        Args:
            route: The operation of the document.
            node: The operation as the contract states it.
        """
        declared = self._declared(route)
        changed: dict[tuple[str, str], Node | None] = {}
        stated: dict[tuple[str, str], Node] = {}
        if route.facts is not None:
            for parameter in route.facts.parameters:
                stated[parameter["in"], parameter["name"]] = parameter
        written = self._written(node)
        for name in PLACEHOLDER.findall(route.path):
            if ("path", name) not in declared:
                self._foreign.note(route.place, f"the path parameter {quote(name)} is not declared; it is a text")
                declared["path", name] = {"name": name, "in": "path"}, route.place
        added: list[Node] = []
        for (location, name), (parameter, place) in declared.items():
            for shown in self._parameters(route, location, name, parameter, place):
                key = location, shown["name"]
                if key in stated:
                    combined = self._combine(stated[key], shown)
                    is_same = facts_of(combined) == facts_of(stated[key])
                    changed[key] = written.get(key) if is_same else combined
                elif key in self._shared and shown["schema"].get("type") == "string":
                    added.append({"$ref": self._shared[key]})
                else:
                    added.append(shown)
        found: list[Node] = []
        lacking: list[str] = []
        for key, known in stated.items():
            location, name = key
            kept = changed.get(key, written.get(key, known))
            if key not in changed and location == "path":
                continue
            if key not in changed:
                lacking.append(name)
            if kept is not None:
                found.append(kept)
        if lacking:
            text = f"the document lacks {join_names(lacking)} of the parameters of {route}; the contract's remain"
            self._foreign.note(route.place, text)
        return [*found, *added]

    def _combine(self, stated: Node, shown: Node) -> Node:
        """Return a parameter that the contract states, with what the document shows."""
        found = {**stated, **shown, "schema": self._combination.combine(schema_of(stated), shown["schema"])}
        if not shown.get("required"):
            found["required"] = False
        return found

    def _written(self, node: Node) -> dict[tuple[str, str], Node]:
        """Return the parameters of an operation of the contract, as they are written, by location and name."""
        found: dict[tuple[str, str], Node] = {}
        for written in node.get("parameters", ()):
            parameter = self._combination.contract.resolve(written)
            found[parameter["in"], parameter["name"]] = written
        return found

    def _declared(self, route: Route) -> dict[tuple[str, str], tuple[Node, str]]:
        """Return the parameters that the SDK can send, with their places, by location and name."""
        found: dict[tuple[str, str], tuple[Node, str]] = {}
        holders = ((route.item, route.place.rpartition("/")[0]), (route.node, route.place))
        for holder, above in holders:
            place = child(above, "parameters")
            for index, written in enumerate(self._foreign.part(holder, above, "parameters", list)):
                node, here = self._foreign.resolve(written, child(place, index))
                name, location = node.get("name"), node.get("in")
                if not isinstance(name, str) or location not in ("path", "query", "header", "cookie"):
                    self._foreign.note(here, "a parameter without a name or a place; left out")
                elif location == "cookie":
                    self._foreign.note(here, f"the SDK sends no cookies; {quote(name)} is left out")
                elif location == "header" and OWN_HEADERS.fullmatch(name):
                    self._foreign.note(here, f"the SDK sets the header {quote(name)} itself; left out")
                elif location == "path" and name not in route.renamed:
                    self._foreign.note(here, f"the path has no parameter {quote(name)}; left out")
                else:
                    known = route.renamed[name] if location == "path" else name
                    found[location, known] = node, here
        return found

    def _parameters(self, route: Route, location: str, name: str, node: Node, place: str) -> list[Node]:
        """Return a parameter; for an object in a query, each of its members as a parameter."""
        schema = object_of(node.get("schema"))
        owner = class_name(f"{route.method}_{name}")
        bare, here = self._schemas.bare(schema, child(place, "schema"))
        is_deep = node.get("style") == "deepObject"
        members = dict(self._schemas.members(bare, here))
        if location == "query" and members and "content" not in node and (is_deep or node.get("explode", True)):
            self._foreign.note(place, f"{quote(name)} is an object; each of its members is a parameter")
            found: list[Node] = []
            for member, (inner, inner_place) in members.items():
                wire = f"{name}[{member}]" if is_deep else member
                required = bool(node.get("required")) and member in bare.get("required", ())
                part = {"name": wire, "in": location, "required": required, "schema": inner}
                found.append(self._written_parameter(part, inner_place, owner))
            return found
        return [self._written_parameter({**node, "name": name, "schema": schema}, child(place, "schema"), owner)]

    def _written_parameter(self, node: Node, place: str, owner: str) -> Node:
        """Return a parameter in the form of the contract; as a text if the SDK cannot send it otherwise."""
        location, name = node["in"], node["name"]
        found: Node = {"name": name, "in": location, "required": location == "path" or node.get("required") is True}
        schema = self._schemas.convert(node["schema"], place, owner)
        description = node.get("description") or schema.get("description", schema.get("title"))
        found["description"] = f"The value of `{name}`."
        if isinstance(description, str):
            found["description"] = description
        if node.get("deprecated") is True:
            found["deprecated"] = True
        if not schema and location == "path":
            schema = {"type": "string"}
        if self._is_sent_otherwise(node, place):
            self._foreign.note(place, f"the SDK cannot write {quote(name)} as declared; it is a text")
            schema = {"type": "string"}
        schema.pop("description", None)
        schema.pop("title", None)
        found["schema"] = schema
        return found

    def _is_sent_otherwise(self, node: Node, place: str) -> bool:
        """Return whether a parameter has a form that the SDK cannot write."""
        location = node["in"]
        if "content" in node or node.get("style", DEFAULT_STYLES[location]) != DEFAULT_STYLES[location]:
            return True
        bare, here = self._schemas.bare(node["schema"], place)
        kinds = {*known_types(bare)}
        if bare.get("properties"):
            kinds.add("object")
        if "object" in kinds:
            return True
        if "array" not in kinds:
            return False
        item, _ = self._schemas.bare(bare.get("items", {}), child(here, "items"))
        is_nested = bool(COMPOUND.intersection(known_types(item)) or item.get("properties"))
        return location == "path" or node.get("explode") is False or is_nested
