"""Rewrite the contract into what openapi-python-client can read: each schema into an equal shape, or a wider one.

The generator has no `allOf` of values, no `$defs`, no references into a schema, no constants of several types in one
`enum`, one class for each object, one media type for each body, and its own names. So here

- references are followed, and the parts of an `allOf` merged; only objects and closed sets stay behind a reference,
- an object that is written inline becomes a component, because the generator would refuse two classes of one name,
- objects without known members share one component for each shape of their members, instead of a class each,
- `patternProperties` and `prefixItems` become the union of their schemas, which is wider,
- unions are flat lists of alternatives with null at the end, and a set of values is a union of constants,
- a schema that contains itself without a name is any JSON where it does so,
- a parameter with `content` has the schema of that content, and a body has the media type that the SDK uses,
- two names that the generator would write alike are kept apart.

What it cannot read at all (bounds, known values, discriminators, examples) stays in the schemas and is joined later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import attrs
from openapi_python_client.strings import PythonIdentifier

from codegen.contract import (
    BYTES,
    COMPONENT,
    FILES,
    FORM,
    FORMATS,
    JSON,
    LINES,
    TEXT,
    Content,
    Contract,
    ContractError,
    Node,
    OperationFacts,
    child,
    class_name,
    flatten,
    is_component,
    model_class,
    response_content,
    value_schema,
)

# The media type by which the generator knows each kind of body.
MEDIA_TYPES = {
    JSON: "application/json",
    LINES: "application/json",
    FORM: "application/x-www-form-urlencoded",
    FILES: "multipart/form-data",
    TEXT: "application/octet-stream",
    BYTES: "application/octet-stream",
}
UNSCHEMED = {TEXT: {"type": "string"}, BYTES: {"type": "string", "format": "binary"}}
NULL: Node = {"type": "null"}
# Where a schema without a class contains itself: any JSON, and no view, because it may be a list of lists.
RECURSIVE: Node = {"x-contains-itself": True}

# Keywords that say which values a schema allows; beside a reference they are more than an annotation.
CONSTRAINTS = frozenset(
    {
        *("additionalProperties", "allOf", "anyOf", "const", "enum", "items", "oneOf", "patternProperties"),
        *("prefixItems", "properties", "type"),
    }
)
# Keywords that allow fewer values of the same type: docstrings name them, and the server checks them.
NARROWING = frozenset(
    {
        *("contains", "dependentRequired", "exclusiveMaximum", "exclusiveMinimum", "maxContains", "maxItems"),
        *("maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties"),
        *("minimum", "multipleOf", "not", "pattern", "propertyNames", "uniqueItems"),
    }
)
# Keywords that no type and no docstring shows, with what to write instead.
REFUSED = {
    **dict.fromkeys(("if", "then", "else", "dependentSchemas"), "write the cases as `oneOf`"),
    **dict.fromkeys(("$dynamicRef", "$anchor"), "write a `$ref` to `#/components/schemas`"),
    "contentSchema": "write the text in its description",
    "unevaluatedItems": "write `items`",
}

# Steps of a JSON pointer that do not name anything.
UNNAMED = frozenset(
    {
        *("additionalProperties", "allOf", "anyOf", "content", "items", "oneOf"),
        *("parameters", "properties", "responses", "schema"),
    }
)
PATH_NAME = re.compile("[a-zA-Z_-][a-zA-Z0-9_-]*")


@attrs.frozen
class NamedSchema:
    """A schema of the contract that has a class or an alias.

    Attributes:
        schema: The schema, with its `allOf` merged.
        place: Its JSON pointer.
    """

    schema: Node
    place: str


class Normalised:
    """The contract as the generator can read it.

    Attributes:
        components: The schemas of objects and closed sets by the names of their classes.
        sources: The schemas of the contract that they stand for; mappings have none.
        operations: The operations by their ids.
        paths: Their paths.
        document: The OpenAPI document.
        headers: The component whose properties are the headers of an operation that are no plain text, by its id.
        media_types: The media type by which the generator knows each one that the contract uses.
        wires: The name on the wire of each parameter or property that has another one here, by operation and location
            or by class, and that name.

    Raises:
        ContractError: Something in the contract has no form in Python.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.components: dict[str, Node] = {}
        self.sources: dict[str, NamedSchema] = {}
        self.operations: dict[str, Node] = {}
        self.paths: dict[str, str] = {}
        self.media_types: dict[str, str] = {}
        self.wires: dict[tuple[str, str], str] = {}
        self.headers: dict[str, str] = {}
        self._mappings: dict[str, str] = {}
        # A name that is taken elsewhere in the contract is not given to a schema without a name.
        self._names = {model_class(name): f"{COMPONENT}{name}" for name in contract.schemas}
        paths: Node = {}
        for operation_id, facts in contract.operations.items():
            path, method = facts.arguments["path"], facts.arguments["method"].lower()
            node = self.operations[operation_id] = self._operation(operation_id, facts)
            for parameter in node["parameters"]:
                wire = self.wires.get((f"{operation_id}/{parameter['in']}", parameter["name"]), "")
                path = path.replace(f"{{{wire}}}", f"{{{parameter['name']}}}") if parameter["in"] == "path" else path
            self.paths[operation_id] = path
            paths.setdefault(path, {})[method] = node
        info = {key: contract.document["info"][key] for key in ("title", "version")}
        components = {"schemas": self.components}
        self.document: Node = {"openapi": "3.1.0", "info": info, "paths": paths, "components": components}

    def _operation(self, operation_id: str, facts: OperationFacts) -> Node:
        node = self._contract.pointed(facts.place)
        found: Node = {
            "operationId": operation_id,
            "tags": [facts.name.resource],
            "parameters": [],
            "responses": {},
            **{key: node[key] for key in ("summary", "description", "deprecated") if key in node},
        }
        for location in ("path", "query", "header", "cookie"):
            declared = {each["name"]: each for each in facts.parameter_nodes if each["in"] == location}
            names = self._readable(f"{operation_id}/{location}", declared)
            for wire, parameter in declared.items():
                place = child(child(facts.place, "parameters"), wire)
                schema = self.schema(value_schema(parameter), place)
                required = parameter.get("required", False)
                if location == "header" and not is_text(schema):
                    # The generator refuses it in a header, where everything is sent as text.
                    name = self._free_name(class_name(f"{operation_id}_headers"), f"headers of {operation_id}")
                    self.headers[operation_id] = name
                    self.components.setdefault(name, {"type": "object", "properties": {}})
                    self.components[name]["properties"][names[wire]] = schema
                    schema = {"type": "string"}
                declaration = {"name": names[wire], "in": location, "required": required, "schema": schema}
                found["parameters"].append(declaration)
        if facts.request is not None:
            found["requestBody"] = {"required": facts.request.required, "content": self._content(facts.request)}
        for status, response in node["responses"].items():
            content = response_content(response, child(child(facts.place, "responses"), status), self._contract.resolve)
            found["responses"][status] = {"description": "", "content": self._content(content)}
        return found

    def _content(self, content: Content) -> Node:
        """Return the only media type of a body, with its schema."""
        if not content.media_type:
            return {}
        self.media_types[content.media_type] = MEDIA_TYPES[content.kind]
        schema = UNSCHEMED.get(content.kind) or self.schema(content.schema, content.place)
        return {content.media_type: {"schema": schema}}

    def schema(self, node: Any, place: str, seen: tuple[str, ...] = ()) -> Node:
        """Return a schema as the generator can read it.

        Args:
            node: The schema.
            place: Its JSON pointer, which names an object that is written inline.
            seen: The places that this one is a part of.
        """
        node = node if isinstance(node, dict) else {}
        reference = node.get("$ref")
        if reference is not None:
            if not CONSTRAINTS & node.keys():
                subtypes = self._contract.subtypes(reference)
                if subtypes and reference not in seen:
                    return self._extended(reference, subtypes, (*seen, reference))
                target = self._contract.pointed(reference)
                follow = self.schema if isinstance(target, dict) and "$ref" in target else self._merged
                return follow(target, reference, seen) if reference not in seen else RECURSIVE
            node = {"allOf": [{"$ref": reference}, {key: value for key, value in node.items() if key != "$ref"}]}
        return self._merged(node, place, seen)

    def _merged(self, node: Any, place: str, seen: tuple[str, ...]) -> Node:
        """Return a schema that is no reference."""
        node = node if isinstance(node, dict) else {}
        if place in seen:
            return RECURSIVE
        inside = (*seen, place)
        parts = node.get("allOf", ())
        if len(parts) == 1 and not (CONSTRAINTS - {"allOf"}) & node.keys() and not is_component(place):
            return self.schema(parts[0], child(child(place, "allOf"), 0), inside)
        schema = flatten(node, self._contract.resolve)
        for keyword in REFUSED.keys() & schema.keys():
            raise ContractError(f"{place}: `{keyword}` has no effect in the SDK; {REFUSED[keyword]}")
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else list(types)
        nullable = [NULL] if "null" in types else []
        if schema.get("properties"):
            others = [each for each in types if each not in ("object", "null")]
            found = [self._object(schema, place), *(self._of_type(each, schema, place, inside) for each in others)]
            return union([*found, *nullable])
        if "const" in schema or "enum" in schema:
            return union([self._values(schema, place), *nullable])
        for key in ("oneOf", "anyOf"):
            if key in schema:
                places = [child(child(place, key), index) for index, _ in enumerate(schema[key])]
                found = [self.schema(each, at, inside) for each, at in zip(schema[key], places, strict=True)]
                return self._discriminated(union([*found, *nullable]), schema)
        if not types:
            is_object = {"additionalProperties", "patternProperties"} & schema.keys()
            types = ["array"] if {"items", "prefixItems"} & schema.keys() else ["object"] if is_object else []
        return union([self._of_type(each, schema, place, inside) for each in types]) if types else {}

    def _of_type(self, kind: str, schema: Node, place: str, inside: tuple[str, ...]) -> Node:
        if kind == "array":
            return {"type": "array", "items": self._rest(schema, "prefixItems", "items", place, inside)}
        if kind == "object":
            return self._mapping(self._rest(schema, "patternProperties", "additionalProperties", place, inside))
        kept: Node = {}
        if kind == "string":
            known = [value for value in schema.get("x-known-values", ()) if isinstance(value, str)]
            kept = {"x-known-values": known} if known else {}
            kept |= {"format": schema["format"]} if not known and schema.get("format") in FORMATS else {}
        return {"type": kind, **kept}

    def _rest(self, schema: Node, first: str, rest: str, place: str, inside: tuple[str, ...]) -> Node:
        """Return the union of the members of an array or an object that have schemas of their own, and of the rest."""
        shown = schema.get(first, {})
        members = shown.items() if isinstance(shown, dict) else enumerate(shown)
        found = [self.schema(each, child(child(place, first), key), inside) for key, each in members]
        others = schema.get(rest, not found)
        if others is not False or not found:
            found.append(self.schema(others, child(place, rest), inside))
        return union(found)

    def _values(self, schema: Node, place: str) -> Node:
        """Return a closed set; Python has no literal type for objects, arrays and fractions."""
        values = [schema["const"]] if "const" in schema else schema["enum"]
        null = [NULL] if None in values else []
        values = sorted((each for each in values if each is not None), key=lambda each: (type(each).__name__, each))
        kinds = {type(each) for each in values}
        if not kinds <= {str, int, bool}:
            return union([{"type": "number"}, *null]) if kinds <= {int, float} else {}
        if is_component(place) and "const" not in schema and kinds in ({str}, {int}):
            name = self._named(schema, place)
            self.components[name] = {"type": "string" if kinds == {str} else "integer", "enum": values}
            return union([{"$ref": f"{COMPONENT}{name}"}, *null])
        return union([*({"const": each} for each in values), *null])

    def _object(self, schema: Node, place: str) -> Node:
        """Return a reference to the component of an object with known members."""
        name = self._named(schema, place)
        if name not in self.components:
            properties: Node = {}
            self.components[name] = {"type": "object", "properties": properties}
            required = schema.get("required", ())
            names = self._readable(name, schema["properties"])
            self.components[name]["required"] = [names[wire] for wire in required if wire in names]
            for wire, node in schema["properties"].items():
                properties[names[wire]] = self.schema(node, child(child(place, "properties"), wire))
            if {"additionalProperties", "patternProperties"} & schema.keys():
                more = self._rest(schema, "patternProperties", "additionalProperties", place, ())
                is_closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
                self.components[name]["additionalProperties"] = False if is_closed else more
        return {"$ref": f"{COMPONENT}{name}"}

    def _mapping(self, value: Node) -> Node:
        """Return a reference to the component of all objects whose members have this shape."""
        key = json.dumps(value, sort_keys=True)
        if key not in self._mappings:
            name = self._mappings[key] = self._free_name("Mapping", f"mapping of {key}")
            self.components[name] = {"type": "object", "additionalProperties": value}
        return {"$ref": f"{COMPONENT}{self._mappings[key]}"}

    def _extended(self, base: str, subtypes: list[str], seen: tuple[str, ...]) -> Node:
        """Return the union of a component that others extend, and of those."""
        first = self._merged(self._contract.pointed(base), base, ())
        found = union([first, *(self.schema({"$ref": each}, each, seen) for each in subtypes)])
        discriminated = self._discriminated(found, self._contract.resolve(self._contract.pointed(base)))
        discriminated["discriminator"]["x-base"] = referenced(first)
        return discriminated

    def _discriminated(self, found: Node, schema: Node) -> Node:
        """Return a union with the discriminator of *schema*, whose values are mapped to classes."""
        names = [name for name in map(referenced, found.get("oneOf", ())) if name in self.sources]
        classes = {self.sources[name].place: name for name in names}
        if "discriminator" not in schema or not classes:
            return found
        by = {place.rpartition("/")[2]: name for place, name in classes.items()}
        for value, target in schema["discriminator"].get("mapping", {}).items():
            place = target if target.startswith("#") else f"{COMPONENT}{target}"
            if place in classes:
                by[value] = classes[place]
        mapping = {value: f"{COMPONENT}{name}" for value, name in sorted(by.items())}
        return {**found, "discriminator": {**schema["discriminator"], "mapping": mapping}}

    def _named(self, schema: Node, place: str) -> str:
        """Return the name of the class of a schema: of a component its own, else one made of the place."""
        if is_component(place):
            name = model_class(place.removeprefix(COMPONENT))
            if self._names[name] != place:
                raise ContractError(f"{place}: the class would be {name}, as that of {self._names[name]}; rename one")
        else:
            name = self._free_name(model_class(class_name(self._described(place))), place)
        self.sources.setdefault(name, NamedSchema(schema, place))
        return name

    def _free_name(self, first: str, place: str) -> str:
        name, number = first, 1
        while self._names.setdefault(name, place) != place:
            number += 1
            name = f"{first}{number}"
        return name

    def _described(self, place: str) -> str:
        """Return what names a schema that is written inline: its component or operation, and its members."""
        path, _, steps = place.removeprefix("#/paths/").partition("/")
        if place.startswith("#/paths/"):
            method, _, steps = steps.partition("/")
            operations = self._contract.document["paths"][path.replace("~1", "/").replace("~0", "~")]
            steps = f"{operations.get(method, {}).get('operationId', path)}/{steps}"
        else:
            steps = place.rpartition("#/components/")[2].partition("/")[2]
        kept = [step.replace("requestBody", "body") for step in steps.split("/") if step not in UNNAMED]
        return "_".join(step for step in kept if not re.fullmatch(r"\d{1,2}|\w+~1.*", step))

    def _readable(self, owner: str, wires: Iterable[str]) -> dict[str, str]:
        """Return a name for each name on the wire: itself, unless the generator would refuse or confuse it."""
        found: dict[str, str] = {}
        taken: set[str] = set()
        for wire in wires:
            name, number = wire, 1
            if not wire or (owner.endswith("/path") and not PATH_NAME.fullmatch(wire)):
                name = f"name_{len(found)}"
            while (written := PythonIdentifier(name, "", skip_snake_case=True)) in taken:
                number += 1
                name = f"{wire}_{number}"
            taken.add(written)
            found[wire] = name
            if name != wire:
                self.wires[owner, name] = wire
        return found


def union(alternatives: Iterable[Node]) -> Node:
    """Return the flat union of schemas, each once and null last; any JSON if one of them is that."""
    alternatives = list(alternatives)
    discriminators = [each["discriminator"] for each in alternatives if "discriminator" in each]
    flat = [part for each in alternatives for part in each.get("oneOf", [each])]
    found = [each for index, each in enumerate(flat) if each not in flat[:index]]
    texts = [each for each in found if each.get("type") == "string" and each.get("format") in (None, "duration")]
    if len(texts) > 1:
        # The generator has one type for them.
        known = [value for each in texts for value in each.get("x-known-values", ())]
        found[found.index(texts[0])] = {"type": "string", **({"x-known-values": known} if known else {})}
        found = [each for each in found if each not in texts[1:]]
    found = [each for each in found if each != NULL] + [NULL] * (NULL in found)
    if {} in found or not found:
        return {}
    # Of two unions in a union, each value of a discriminator may mean two models.
    kept = {"discriminator": discriminators[0]} if len(discriminators) == 1 else {}
    return found[0] if len(found) == 1 else {"oneOf": found, **kept}


def referenced(node: Node) -> str:
    """Return the name of the component that a schema refers to; empty if it is no reference."""
    return str(node.get("$ref", "")).removeprefix(COMPONENT)


def is_text(schema: Node) -> bool:
    """Return whether the generator accepts a schema in a header."""
    return schema.get("type") in ("boolean", "integer", "number", "string") and schema.get("format") not in (
        "binary",
        "date",
        "date-time",
    )
