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
- two names that the generator would write alike are kept apart.

The generator cannot read bounds, known values, times as numbers, discriminators and examples at all. They stay in the
schemas, and are added to its result later.
"""

from __future__ import annotations

import re
from typing import Any

from jsonschema import Draft202012Validator
from openapi_python_client.strings import PythonIdentifier

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
PATH_NAME = re.compile("[a-zA-Z_-][a-zA-Z0-9_-]*")


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
        wires: The location and wire name of each parameter and property. The first key names an operation with a
            location, or a class. The second key is the identifier that the generator makes.

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
        # A schema without a name does not get a name that another schema of the contract has.
        self.places = {model_class(name): f"{COMPONENT}{name}" for name in contract.schemas}
        for facts in contract.operations.values():
            self.places[resource_class(facts.name.scope, facts.name.resource)] = facts.place
        self._modules: dict[str, str] = {}
        paths: Node = {}
        for operation_id, facts in contract.operations.items():
            path, node = self._operation(operation_id, facts)
            paths.setdefault(path, {})[facts.arguments["method"].lower()] = node
        self.document: Node = {"openapi": "3.1.0", "info": contract.document["info"], "paths": paths}
        self.document["components"] = {"schemas": self.components}

    def _operation(self, operation_id: str, facts: OperationFacts) -> tuple[str, Node]:
        path = facts.arguments["path"]
        parameters: list[Node] = []
        for parameter in facts.parameters:
            wire, location = parameter["name"], parameter["in"]
            schema = self.schema(schema_of(parameter), child(child(facts.place, "parameters"), wire))
            # The generator refuses dates, arrays and objects in a header.
            known = "query" if location == "header" else location
            name = self._readable(f"{operation_id}/{known}", wire, location)
            if location == "path":
                path = path.replace(f"{{{wire}}}", f"{{{name}}}")
            declared = {"name": name, "in": known, "required": parameter.get("required", False), "schema": schema}
            parameters.append(declared)
        responses: Node = {}
        for status, response in facts.responses.items():
            content = chosen_content(response, child(child(facts.place, "responses"), status), self._contract.resolve)
            responses[status] = {"description": "", "content": self._content(content)}
        found: Node = {"operationId": operation_id, "tags": [facts.name.resource]}
        found |= {"parameters": parameters, "responses": responses}
        if facts.request is not None:
            found["requestBody"] = {"required": facts.request.required, "content": self._content(facts.request)}
        return path, found

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
        reference = node.get("$ref") if isinstance(node, dict) else None
        if reference is None:
            return self._merged(node, place, seen)
        if CONSTRAINTS & node.keys():
            beside = {key: value for key, value in node.items() if key != "$ref"}
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
        node = node if isinstance(node, dict) else {}
        parts = node.get("allOf", ())
        if len(parts) == 1 and not (CONSTRAINTS - {"allOf"}) & node.keys() and not is_component(place):
            return self.schema(parts[0], child(child(place, "allOf"), 0), inside)
        schema = self._contract.flatten(node)
        for keyword in (each for each in REFUSED if schema.get(each, False) is not False):
            raise ContractError(f"{place}: `{keyword}` has no effect in the SDK; {REFUSED[keyword]}")
        nodes = (*map(self._contract.flatten, parts), node) if parts else ()
        unions = [each[key] for each in nodes for key in UNIONS if key in each]
        if sum(any(self._contract.flatten(each).keys() - {"required"} for each in union) for union in unions) > 1:
            raise ContractError(f"{place}: `allOf` of several unions; write all cases as one `oneOf`")
        types = types_of(schema)
        if False in parts or any(contradicts(each, schema) for each in nodes):
            raise ContractError(f"{place}: the parts of `allOf` have no value in common; remove one of them")
        null = [each for each in types if each == "null"]
        alternatives = next((key for key in UNIONS if key in schema), "")
        found: list[Node] = []
        if schema.get("properties"):
            found = [self._object(schema, place)]
            types = [each for each in types if each != "object"]
        elif "const" in schema or "enum" in schema:
            found, types = self._values(schema, place), null
        elif alternatives:
            for index, each in enumerate(schema[alternatives]):
                found.append(self.schema(each, child(child(place, alternatives), index), inside))
            types = null
        elif not types:
            is_object = {"additionalProperties", "patternProperties"} & schema.keys()
            types = ["array"] if {"items", "prefixItems"} & schema.keys() else ["object"] if is_object else []
        found += [self._of_type(each, schema, place, inside) for each in types]
        return self._union(found, schema, place)

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
        if kind == "string":
            known = [value for value in schema.get("x-known-values", ()) if isinstance(value, str)]
            if known or schema.get("format") == "duration":
                self.lacking[place] = {"known": known}
                return {**found, "description": place}
            found |= {"format": format_of(schema)} if format_of(schema) in FORMATS else {}
        elif schema.get("format") == "unix-time" and kind in ("integer", "number"):
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
        members = shown.items() if isinstance(shown, dict) else enumerate(shown)
        found = [self.schema(each, child(child(place, first), key), inside) for key, each in members]
        others = schema.get(rest, not found)
        if others is not False or not found:
            found.append(self.schema(others or {}, child(place, rest), inside))
        return self._union(found, {}, place)

    def _values(self, schema: Node, place: str) -> list[Node]:
        """Return the alternatives of a closed set; Python has no literal type for objects, arrays and fractions."""
        values = [schema["const"]] if "const" in schema else schema["enum"]
        null: list[Node] = [{"type": "null"}] if None in values else []
        values = sorted((each for each in values if each is not None), key=lambda each: (type(each).__name__, each))
        kinds = {type(each) for each in values}
        if not kinds <= {str, int, bool}:
            return [{"type": "number"}, *null] if kinds <= {int, float} else [{}]
        if is_component(place) and "const" not in schema and kinds in ({str}, {int}):
            name = self._named(schema, place)
            self.components[name] = {"type": "string" if kinds == {str} else "integer", "enum": values}
            return [{"$ref": f"{COMPONENT}{name}"}, *null]
        return [*({"const": each} for each in values), *null]

    def _object(self, schema: Node, place: str) -> Node:
        """Return a reference to the component of an object with known members."""
        name = self._named(schema, place)
        if name not in self.components:
            self.dicts[name] = self._free_name(f"{name}Dict", f"{place} as a dict")
            properties: Node = {}
            required: list[str] = []
            component = self.components[name] = {"type": "object", "properties": properties, "required": required}
            for wire, node in schema["properties"].items():
                readable = self._readable(name, wire)
                properties[readable] = self.schema(node, child(child(place, "properties"), wire))
                if wire in schema.get("required", ()):
                    required.append(readable)
            # A model keeps all members. This keyword only says whether a request body may have further members.
            is_open = schema.get("additionalProperties", False) is not False or "patternProperties" in schema
            rest = self._rest(schema, "patternProperties", "additionalProperties", place, ()) if is_open else False
            component["additionalProperties"] = rest
        return {"$ref": f"{COMPONENT}{name}"}

    def _extended(self, base: str, subtypes: list[str], seen: tuple[str, ...]) -> Node:
        """Return the union of a component and of the components that extend it."""
        schema = self._contract.node_at(base)
        found = [self._merged(schema, base, ()), *(self.schema({"$ref": each}, each, seen) for each in subtypes)]
        united = self._union(found, self._contract.resolve(schema), base)
        self.lacking[base]["base"] = model_class(base.removeprefix(COMPONENT))
        return united

    def _union(self, alternatives: list[Node], schema: Node, place: str) -> Node:
        """Return the union of schemas. Its discriminator is that of *schema*, or of an inner union with all models."""
        for each in alternatives:
            if len(alternatives) == 1 or each in ({}, RECURSIVE):
                return each
        places = [each["description"] for each in alternatives if "oneOf" in each and "description" in each]
        flat = [part for each in alternatives for part in each.get("oneOf", [each])]
        names = [str(each.get("$ref", "")).removeprefix(COMPONENT) for each in flat]
        classes = {self.places[name]: name for name in names if name in self.sources}
        found: Node = {"oneOf": flat} if flat else {}
        if "discriminator" in schema and classes:
            self.lacking[place] = self._discriminator(schema, place, classes, places)
            return {**found, "description": place}
        for each in places:
            if {*classes.values()} == {*self.lacking[each]["by"].values()}:
                return {**found, "description": each}
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
        named = {at.removeprefix(COMPONENT): name for at, name in classes.items() if is_component(at)}
        for each in unions:
            if self.lacking[each]["key"] != key:
                text = f"the union {each} in it has another discriminator, {self.lacking[each]['key']}"
                raise ContractError(f"{place}/discriminator: {text}; remove this one")
            named |= self.lacking[each]["by"]
        for value, target in schema["discriminator"].get("mapping", {}).items():
            at = target if target.startswith("#") else f"{COMPONENT}{target}"
            while "$ref" in self._contract.node_at(at):
                at = self._contract.node_at(at)["$ref"]
            if at in classes:
                named[value] = classes[at]
            elif at not in unions or value not in self.lacking[at]["by"]:
                raise ContractError(f"{place}: the discriminator names {at}, which is not an alternative; add it")
        by = dict(named)
        for name in classes.values():
            members = self._contract.flatten(self.sources[name]).get("properties", {})
            tag = self._contract.flatten(members.get(key, {}))
            for value in map(str, [tag["const"]] if "const" in tag else tag.get("enum", ())):
                # A component that extends another component may also have the values of the other component.
                if by.setdefault(value, name) != name and value not in named and "properties" not in schema:
                    text = f"several alternatives have {value} as {key}; write one of them into `mapping`"
                    raise ContractError(f"{place}/discriminator: {text}")
        # A boolean is compared as `True` or `False`, as Python writes it.
        by |= {each.capitalize(): by[each] for each in ("true", "false") if each in by}
        return {"key": key, "by": by}

    def _named(self, schema: Node, place: str) -> str:
        """Return the name of the class of a schema. A component has its own name. Other names are made of the place."""
        if is_component(place):
            name = model_class(place.removeprefix(COMPONENT))
            if self.places[name] != place:
                raise ContractError(f"{place}: the class would be {name}, as that of {self.places[name]}; rename one")
        else:
            name = self._free_name(model_class(class_name(self._described(place))), place)
        if (other := self._modules.setdefault(module_name(name), name)) != name:
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
        return "_".join(step.replace("requestBody", "body") for step in steps.split("/") if not UNNAMED.fullmatch(step))

    def _readable(self, owner: str, wire: str, location: str = "") -> str:
        """Return the name that the generator gets for a wire name.

        The name differs from the wire name only if the generator would refuse it, or take it for another name.
        """
        taken = self.wires.setdefault(owner, {})
        is_readable = wire and (location != "path" or PATH_NAME.fullmatch(wire))
        name = wire if is_readable else f"name_{len(taken)}"
        while identifier(name) in taken:
            name += "_"
        taken[identifier(name)] = location, wire
        return name


def contradicts(part: Node, whole: Node) -> bool:
    """Return whether a part of an `allOf` and the whole schema have no type, or no value of `enum`, in common."""
    types, allowed = {*types_of(part)}, {*types_of(whole)}
    if allowed & {"integer", "number"}:
        # An integer is a number, too.
        allowed |= {"integer", "number"}
    in_common = [value for value in part.get("enum", ()) if value in whole["enum"]]
    return bool(types and types.isdisjoint(allowed)) or ("enum" in part and not in_common)


def identifier(name: str) -> str:
    """Return the identifier by which the generator distinguishes a parameter or a property from others."""
    return PythonIdentifier(name, "", skip_snake_case=True)
