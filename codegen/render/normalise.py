"""Rewrite the contract into what openapi-python-client can read: each schema into an equal shape, or a wider one.

The generator has no `allOf` of values, no `$defs`, no references into a schema, no constants of several types in one
`enum`, one class for each object, one media type for each body, and its own names. So here

- references are followed, and the parts of an `allOf` merged; only objects and closed sets stay behind a reference,
- an object that is written inline becomes a component, because the generator would refuse two classes of one name,
- objects without known members share one component for each shape of their members, instead of a class each,
- `patternProperties` and `prefixItems` become the union of their schemas, which is wider,
- unions are flat lists of alternatives with null at the end, and a set of values is a union of constants,
- a schema without a name that contains itself becomes any JSON at the inner place,
- a parameter with `content` has the schema of that content, and a body has the media type that the SDK uses,
- each parameter and property has a number for a name, because the generator would write some names alike.

The generator cannot read bounds, known values, times as numbers, discriminators and examples at all. They stay in the
schemas, and are added to its result later.
"""

from __future__ import annotations

import re
from types import NoneType
from typing import Any

from jsonschema import Draft202012Validator

from codegen.contract.content import BYTES, TEXT, Content, chosen_content
from codegen.contract.contract import Contract
from codegen.contract.naming import class_name, model_class, module_name, resource_class
from codegen.contract.operations import FORMATS, OperationFacts, format_of, types_of
from codegen.contract.source import COMPONENT, ContractError, Node, is_component
from codegen.render.runtime.contract import child, schema_of

UNSCHEMED = {TEXT: {"type": "string"}, BYTES: {"type": "string", "format": "binary"}}
# Two schemas for any JSON: one for the items of an array that are not shown, and one for a schema without a class that
# contains itself. The parse distinguishes them by their descriptions.
NOT_SHOWN: Node = {"description": "not shown"}
RECURSIVE: Node = {"description": "contains itself"}

# Keywords that say which values a schema allows. Beside a reference, they change the meaning of the reference.
CONSTRAINTS = frozenset(
    {
        *("additionalProperties", "allOf", "anyOf", "const", "enum", "items", "oneOf", "patternProperties"),
        *("prefixItems", "properties", "type"),
    }
)
UNIONS = ("oneOf", "anyOf")
# The type of a closed set that has a name.
SETS = {str: "string", int: "integer"}
# Keywords that neither a type nor a docstring can show. For each keyword: what to write instead.
REFUSED = {
    **dict.fromkeys(("if", "then", "else", "dependentSchemas"), "write the cases as `oneOf`"),
    **dict.fromkeys(("$dynamicRef", "$anchor"), "write a `$ref` to `#/components/schemas`"),
    "contentSchema": "write the text in its description",
    "unevaluatedItems": "write `items`",
    "unevaluatedProperties": "write `additionalProperties`",
}

# All other keywords only allow fewer values of the same type. Docstrings name them, and the server checks them.
READ = {*CONSTRAINTS, *REFUSED, "$ref", "format", "required"}
NARROWING = {*Draft202012Validator.VALIDATORS, "maxContains", "minContains"} - READ

# Steps of a JSON pointer that do not name anything.
UNNAMED = re.compile(
    r"additionalProperties|allOf|anyOf|content|items|oneOf|parameters|properties|responses|schema|\d{1,2}|\w+~1.*"
)


class Normalised:
    """The contract as the generator can read it.

    Attributes:
        document: The OpenAPI document.
        components: The schemas of objects and closed sets by the names of their classes.
        sources: The schemas of the contract behind the components, with their `allOf` merged, but without mappings.
        places: The JSON pointers of these schemas, and of the mappings.
        dicts: The names of the TypedDicts of objects, by the names of their classes.
        lacking: The facts about a schema that the parse cannot have: known values, `duration`, `unix-time`, a
            discriminator. The key is the place of the schema in the contract. The parse has this place as the
            description of the schema.
        wires: The location and wire name of each parameter and property. The first key is the id of an operation, or a
            class. The second key is the name that the generator gets.
        paths: The paths that the generator gets, by the ids of the operations.

    Raises:
        ContractError: Something in the contract has no form in Python.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.components: dict[str, Node] = {}
        self.sources: dict[str, Node] = {}
        self.dicts: dict[str, str] = {}
        self.lacking: dict[str, Node] = {}
        self.wires: dict[str, dict[str, tuple[str, str]]] = {}
        self.paths: dict[str, str] = {}
        # A schema without a name does not get a name that another schema of the contract has.
        self.places = {model_class(name): f"{COMPONENT}{name}" for name in contract.schemas}
        for facts in contract.operations.values():
            self.places[resource_class(facts.name.scope, facts.name.resource)] = facts.place
        self._modules: dict[str, str] = {}
        paths: Node = {}
        for operation_id, facts in contract.operations.items():
            node = self._operation(operation_id, facts)
            paths.setdefault(self.paths[operation_id], {})[facts.arguments["method"].lower()] = node
        self.document: Node = {"openapi": "3.1.0", "info": contract.document["info"], "paths": paths}
        self.document["components"] = {"schemas": self.components}

    def _operation(self, operation_id: str, facts: OperationFacts) -> Node:
        path = facts.arguments["path"]
        parameters: list[Node] = []
        for parameter in facts.parameters:
            wire, location = parameter["name"], parameter["in"]
            schema = self.schema(schema_of(parameter), child(child(facts.place, "parameters"), wire))
            name = self._numbered(operation_id, location, wire)
            if location == "path":
                path = path.replace(f"{{{wire}}}", f"{{{name}}}")
            elif location == "header":
                # The generator refuses dates, arrays and objects in a header.
                location = "query"
            declared = {"name": name, "in": location, "required": parameter.get("required", False), "schema": schema}
            parameters.append(declared)
        self.paths[operation_id] = path
        responses: Node = {}
        for status, response in facts.responses.items():
            content = chosen_content(response, child(child(facts.place, "responses"), status), self._contract.resolve)
            responses[status] = {"description": "", "content": self._content(content)}
        found: Node = {"operationId": operation_id, "tags": [facts.name.resource]}
        found |= {"parameters": parameters, "responses": responses}
        if facts.request is not None:
            found["requestBody"] = {"required": facts.request.required, "content": self._content(facts.request)}
        return found

    def _content(self, content: Content) -> Node:
        """Return the only media type of a body, with its schema."""
        if not content.media_type:
            return {}
        schema = UNSCHEMED.get(content.kind) or self.schema(content.schema, content.place)
        # The generator leaves out a body of a media type that it does not know.
        return {"application/json": {"schema": schema}}

    def schema(self, node: Any, place: str, seen: tuple[str, ...] = ()) -> Node:
        """Return a schema as the generator can read it.

        Args:
            node: The schema.
            place: Its JSON pointer, which names an object that is written inline.
            seen: The places that this one is a part of.
        """
        if node is False:
            raise ContractError(f"{place}: the schema `false` allows no value; remove it")
        if not isinstance(node, dict) or "$ref" not in node:
            return self._merged(node, place, seen)
        reference = node["$ref"]
        if CONSTRAINTS & node.keys():
            beside = {**node}
            del beside["$ref"]
            return self._merged({"allOf": [{"$ref": reference}, beside]}, place, seen)
        if reference in seen:
            return RECURSIVE
        if subtypes := self._contract.subtypes(reference):
            return self._extended(reference, subtypes, (*seen, reference))
        return self.schema(self._contract.node_at(reference), reference, seen)

    def _merged(self, node: Any, place: str, seen: tuple[str, ...]) -> Node:
        """Return a schema as the generator can read it, if the schema is not only a reference."""
        if place in seen:
            return RECURSIVE
        inside = (*seen, place)
        parts: list[Any] = []
        if isinstance(node, dict):
            parts = node.get("allOf", parts)
        if len(parts) == 1 and not (CONSTRAINTS - {"allOf"}) & node.keys() and not is_component(place):
            return self.schema(parts[0], child(child(place, "allOf"), 0), inside)
        schema = self._contract.flatten(node)
        for keyword, remedy in REFUSED.items():
            if schema.get(keyword, False) is not False:
                raise ContractError(f"{place}: `{keyword}` has no effect in the SDK; {remedy}")
        if parts:
            self._refuse_parts(node, schema, place)
        found: list[Node] = []
        types = types_of(schema)
        null: list[str] = []
        if "null" in types:
            null.append("null")
        cases = next(filter(schema.__contains__, UNIONS), "")
        if schema.get("properties"):
            found.append(self._object(schema, place))
            types = [each for each in types if each != "object"]
        elif "const" in schema or "enum" in schema:
            found += self._values(schema, place)
            types = null
        elif cases:
            for index, case in enumerate(schema[cases]):
                found.append(self.schema(case, child(child(place, cases), index), inside))
            types = null
        elif not types:
            types = implied_types(schema)
        for each in types:
            found.append(self._of_type(each, schema, place, inside))
        return self._union(found, schema, place)

    def _refuse_parts(self, node: Node, schema: Node, place: str) -> None:
        """Raise ContractError if the parts of an `allOf` cannot be merged, or allow no value.

        Args:
            node: The schema that has the parts.
            schema: The merged schema.
            place: Its JSON pointer.
        """
        unions = 0
        for part in (*map(self._contract.flatten, node["allOf"]), node):
            if False in node["allOf"] or contradicts(part, schema):
                raise ContractError(f"{place}: the parts of `allOf` have no value in common; remove one of them")
            for keyword in filter(part.__contains__, UNIONS):
                # A case that only requires members does not change a type.
                unions += any(self._contract.flatten(case).keys() - {"required"} for case in part[keyword])
        if unions > 1:
            raise ContractError(f"{place}: `allOf` of several unions; write all cases as one `oneOf`")

    def _of_type(self, kind: str, schema: Node, place: str, inside: tuple[str, ...]) -> Node:
        if kind == "array":
            # An item that is not shown is an OpenModel.
            return {"type": "array", "items": self._rest(schema, "prefixItems", "items", place, inside) or NOT_SHOWN}
        if kind == "object":
            name = self._free_name("Mapping", place)
            value = self._rest(schema, "patternProperties", "additionalProperties", place, inside)
            self.components[name] = {"type": "object", "additionalProperties": value}
            return {"$ref": f"{COMPONENT}{name}"}
        found: Node = {"type": kind}
        written = schema.get("format")
        if kind == "string":
            known = [value for value in schema.get("x-known-values", ()) if isinstance(value, str)]
            if known or written == "duration":
                self.lacking[place] = {"known": known}
                found["description"] = place
            elif format_of(schema) in FORMATS:
                found["format"] = format_of(schema)
        elif written == "unix-time" and kind != "boolean":
            self.lacking[place] = {"is_time": True}
            found["description"] = place
        return found

    def _rest(self, schema: Node, first: str, rest: str, place: str, inside: tuple[str, ...]) -> Node:
        """Return the union of all schemas that the members of an array or an object may have.

        Args:
            schema: The schema of the array or object.
            first: The keyword with the schemas of certain members, such as `prefixItems`.
            rest: The keyword with the schema of all other members, such as `items`.
            place: The JSON pointer of the schema.
            inside: The places that the schema is a part of.
        """
        shown = schema.get(first, {})
        if isinstance(shown, list):
            shown = dict(enumerate(shown))
        found: list[Node] = []
        for key, each in shown.items():
            found.append(self.schema(each, child(child(place, first), key), inside))
        others = schema.get(rest, not found)
        if others is not False or not found:
            found.append(self.schema(others or {}, child(place, rest), inside))
        return self._union(found, {}, place)

    def _values(self, schema: Node, place: str) -> list[Node]:
        """Return the alternatives of a closed set; Python has no literal type for objects, arrays and fractions."""
        values = allowed_values(schema)
        kinds = {*map(type, values)} - {NoneType}
        found: list[Node] = []
        if kinds in ({str}, {int}) and is_component(place) and "const" not in schema:
            name = self._named(schema, place)
            known = sorted(value for value in values if value is not None)
            self.components[name] = {"type": SETS[kinds.pop()], "enum": known}
            found.append({"$ref": f"{COMPONENT}{name}"})
        elif kinds <= {str, int, bool}:
            for value in sorted(values, key=lambda value: (type(value).__name__, value)):
                if value is not None:
                    found.append({"const": value})
        elif kinds <= {int, float}:
            found.append({"type": "number"})
        else:
            return [{}]
        if None in values:
            found.append({"type": "null"})
        return found

    def _object(self, schema: Node, place: str) -> Node:
        """Return a reference to the component of an object with known members."""
        name = self._named(schema, place)
        if name not in self.components:
            self.dicts[name] = self._free_name(f"{name}Dict", f"{place} as a dict")
            properties: Node = {}
            required: list[str] = []
            component = self.components[name] = {"type": "object", "properties": properties, "required": required}
            for wire, node in schema["properties"].items():
                number = self._numbered(name, "", wire)
                properties[number] = self.schema(node, child(child(place, "properties"), wire))
                if wire in schema.get("required", ()):
                    required.append(number)
            # A model keeps all members. This keyword only says whether a request body may have further members.
            component["additionalProperties"] = False
            if schema.get("additionalProperties", False) is not False or "patternProperties" in schema:
                rest = self._rest(schema, "patternProperties", "additionalProperties", place, ())
                component["additionalProperties"] = rest
        return {"$ref": f"{COMPONENT}{name}"}

    def _extended(self, base: str, subtypes: list[str], seen: tuple[str, ...]) -> Node:
        """Return the union of a component and of the components that extend it."""
        schema = self._contract.node_at(base)
        found = [self._merged(schema, base, ())]
        for each in subtypes:
            found.append(self.schema({"$ref": each}, each, seen))
        united = self._union(found, self._contract.resolve(schema), base)
        self.lacking[base]["base"] = model_class(base.removeprefix(COMPONENT))
        return united

    def _union(self, alternatives: list[Node], schema: Node, place: str) -> Node:
        """Return the union of schemas. Its discriminator is that of *schema*, or of an inner union with all models."""
        if not alternatives:
            return {}
        if len(alternatives) == 1:
            return alternatives[0]
        flat: list[Node] = []
        unions: list[str] = []
        for each in alternatives:
            if each in ({}, RECURSIVE):
                return each
            flat += each.get("oneOf", [each])
            if "oneOf" in each and "description" in each:
                unions.append(each["description"])
        found: Node = {"oneOf": flat}
        classes: dict[str, str] = {}
        for part in flat:
            name = part.get("$ref", "").removeprefix(COMPONENT)
            if name in self.sources:
                classes[self.places[name]] = name
        if "discriminator" in schema and classes:
            self.lacking[place] = self._discriminator(schema, place, classes, unions)
            return {**found, "description": place}
        for union in unions:
            if {*classes.values()} == {*self.lacking[union]["by"].values()}:
                return {**found, "description": union}
        return found

    def _discriminator(self, schema: Node, place: str, classes: dict[str, str], unions: list[str]) -> Node:
        """Return the discriminator of a union: the name of its member, and the class of each of its values.

        Args:
            schema: The union.
            place: Its JSON pointer.
            classes: The classes of its models, by the JSON pointers of the models.
            unions: The JSON pointers of the inner unions that also have a discriminator.
        """
        key = schema["discriminator"]["propertyName"]
        by: dict[str, str] = {}
        for at, name in classes.items():
            if is_component(at):
                by[at.removeprefix(COMPONENT)] = name
        for union in unions:
            inner = self.lacking[union]
            if inner["key"] != key:
                text = f"the union {union} in it has another discriminator, {inner['key']}; remove this one"
                raise ContractError(f"{place}/discriminator: {text}")
            by |= inner["by"]
        for value, target in schema["discriminator"].get("mapping", {}).items():
            at = target
            if not target.startswith("#"):
                at = f"{COMPONENT}{target}"
            while "$ref" in self._contract.node_at(at):
                at = self._contract.node_at(at)["$ref"]
            if at in classes:
                by[value] = classes[at]
            elif at not in unions or value not in self.lacking[at]["by"]:
                raise ContractError(f"{place}: the discriminator names {at}, which is not an alternative; add it")
        stated = {*by}
        for name in classes.values():
            for value in self._constants(name, key):
                # A component that extends another component may also have the values of the other component.
                if by.setdefault(value, name) != name and value not in stated and "properties" not in schema:
                    text = f"several alternatives have {value} as {key}; write one of them into `mapping`"
                    raise ContractError(f"{place}/discriminator: {text}")
        # A boolean is compared as `True` or `False`, as Python writes it.
        by |= {each.capitalize(): by[each] for each in ("true", "false") if each in by}
        return {"key": key, "by": by}

    def _constants(self, name: str, member: str) -> list[str]:
        """Return the values that a class allows for a member, as Python writes them; empty if it allows any value."""
        members = self._contract.flatten(self.sources[name]).get("properties", {})
        return list(map(str, allowed_values(self._contract.flatten(members.get(member, {})))))

    def _named(self, schema: Node, place: str) -> str:
        """Return the name of the class of a schema. A component has its own name. Other names are made of the place."""
        if is_component(place):
            name = model_class(place.removeprefix(COMPONENT))
            if self.places[name] != place:
                raise ContractError(f"{place}: the class would be {name}, as that of {self.places[name]}; rename one")
        else:
            name = self._free_name(model_class(class_name(self._described(place))), place)
        other = self._modules.setdefault(module_name(name), name)
        if other != name:
            raise ContractError(f"{place}: the module of {name} would be that of {other}; rename one")
        self.sources.setdefault(name, schema)
        return name

    def _free_name(self, first: str, place: str) -> str:
        name, number = first, 1
        while self.places.setdefault(name, place) != place:
            number += 1
            name = f"{first}{number}"
        return name

    def _described(self, place: str) -> str:
        """Return the words that name an inline schema, from its component or operation and the members above it."""
        steps = place.removeprefix("#/components/").partition("/")[2]
        for operation_id, facts in self._contract.operations.items():
            if place.startswith(f"{facts.place}/"):
                steps = operation_id + place.removeprefix(facts.place)
        named = [step for step in steps.split("/") if not UNNAMED.fullmatch(step)]
        return "_".join(named).replace("requestBody", "body")

    def _numbered(self, owner: str, location: str, wire: str) -> str:
        """Return the name that the generator gets for a parameter of an operation, or for a property of a class."""
        names = self.wires.setdefault(owner, {})
        name = f"name_{len(names)}"
        names[name] = location, wire
        return name


def allowed_values(schema: Node) -> list[Any]:
    """Return the values of a closed set; empty if other values are possible."""
    if "const" in schema:
        return [schema["const"]]
    return list(schema.get("enum", ()))


def implied_types(schema: Node) -> list[str]:
    """Return the type of a schema that names none, but has keywords of this type."""
    if {"items", "prefixItems"} & schema.keys():
        return ["array"]
    if {"additionalProperties", "patternProperties"} & schema.keys():
        return ["object"]
    return []


def contradicts(part: Node, whole: Node) -> bool:
    """Return whether a part of an `allOf` and the whole schema have no type, or no value of `enum`, in common."""
    types, allowed = {*types_of(part)}, {*types_of(whole)}
    if allowed & {"integer", "number"}:
        # An integer is a number, too.
        allowed |= {"integer", "number"}
    if types and types.isdisjoint(allowed):
        return True
    return "enum" in part and not any(value in whole["enum"] for value in part["enum"])
