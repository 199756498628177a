"""Write the schemas of a foreign document in the form of the contract."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from typing import Any

from codegen.adopt.combine import Combination, add_null
from codegen.adopt.foreign import Foreign, keys_of, object_of
from codegen.contract.naming import class_name, model_class, module_name
from codegen.contract.operations import types_of
from codegen.contract.source import COMPONENT, DEEPEST, Node, join_names, quote
from codegen.render.runtime.contract import child

# Keywords that the contract has in the same form.
KEPT = frozenset(
    {
        *("const", "contentEncoding", "contentMediaType", "default", "deprecated", "format", "maxItems", "maxLength"),
        *("maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "pattern"),
        *("exclusiveMaximum", "exclusiveMinimum", "readOnly", "title", "uniqueItems", "writeOnly"),
    }
)
# Keywords whose schemas are written in the form of the contract.
INNER = frozenset({"additionalProperties", "allOf", "anyOf", "items", "not", "oneOf", "properties"})
INNER |= {"patternProperties", "prefixItems"}
# Keywords that this module reads, or that say nothing about a value.
READ = {"$comment", "$defs", "$id", "$schema", "description", "discriminator", "enum", "example", "examples"}
READ |= {"externalDocs", "nullable", "required", "type", "xml"}
TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
UNIX_TIME = re.compile(r"(?i)\bunix\b[^.]*\bseconds\b|\bseconds since (the )?(unix )?epoch\b")
# What frameworks and their users write behind the name of a response.
SUFFIX = re.compile(r"(?<=[a-z0-9])(Response|Out|Output|Read|Dto|DTO|Schema|Model)$")
# The body of a form, as FastAPI names it.
FORM = re.compile(r"Body_(\w+?)_v\d\w*_(?:post|put|patch|delete)")
PAGE = re.compile(r"(?:Page|PaginatedResponse|Paginated|ListResponse)_(\w+?)_*")
NOT_SHOWN = ("NotShown", "NotShownPage")


class Schemas:
    """The schemas of a foreign document as components of the contract.

    Args:
        foreign: The document.
        combination: The contract, to which the document adds.

    Attributes:
        names: The name of the component that stands for a schema of the document, by the place of the schema.
        components: The components, which may be those of the contract with what the document adds.
    """

    def __init__(self, foreign: Foreign, combination: Combination) -> None:
        self._foreign = foreign
        self._combination = combination
        self._contract = contract = combination.contract
        self.names: dict[str, str] = {}
        self.components: dict[str, Node] = {}
        known = foreign.part(foreign.part(foreign.document, "#", "components", dict), "#/components", "schemas", dict)
        self._written = {clean_name(name) for name in known}
        self._modules = {module_name(model_class(name)) for name in contract.schemas}
        self._paired: set[str] = set()
        self._waiting: list[str] = []

    def pair(self, stated: Node, node: Any, place: str) -> None:
        """Let a component of the contract stand for the schema that the document has at the same place.

        Args:
            stated: The schema of the contract.
            node: The schema of the document.
            place: Its place.
        """
        node, place = self.bare(node, place)
        reference = stated.get("$ref")
        for alternative in stated.get("anyOf", ()):
            reference = alternative.get("$ref", reference)
        flat = self._contract.flatten({"$ref": reference} if reference else stated)
        members = dict(self.members(node, place))
        if reference:
            name = reference.removeprefix(COMPONENT)
            is_alike = bool(flat.get("properties")) == bool(members) and ("enum" in flat) == ("enum" in node)
            if name in NOT_SHOWN or name in self._paired or place in self.names or not is_alike:
                return
            self._paired.add(name)
            self.names[place] = name
            self._waiting.append(place)
        for member, schema in flat.get("properties", {}).items():
            if member in members:
                self.pair(schema, *members[member])
        if "items" in flat and "items" in node:
            self.pair(flat["items"], node["items"], child(place, "items"))

    def convert(self, node: Any, place: str, name: str) -> Node:
        """Return a schema in the form of the contract.

        Args:
            node: The schema of the document.
            place: Its place.
            name: The name of the component that stands for it, if it is an object.
        """
        if node is True:
            return {}
        if not isinstance(node, dict) or place.count("/") > DEEPEST:
            self._foreign.note(place, f"{quote(node)} is no schema that can be used; it may be anything")
            return {}
        if "$ref" in node:
            return self._reference(node, place)
        if place in self.names or node.get("properties") or len(self._foreign.part(node, place, "allOf", list)) > 1:
            found: Node = {"$ref": self.component(place, name)}
            return self._with_null(found, node)
        return self._inline(node, place, name)

    def component(self, place: str, name: str) -> str:
        """Return the reference to the component that stands for the schema at a place of the document."""
        if place not in self.names:
            self.names[place] = self._free_name(name)
            self._waiting.append(place)
        return f"{COMPONENT}{self.names[place]}"

    def finish(self) -> None:
        """Write the components that were asked for, and those that they ask for."""
        while self._waiting:
            place = self._waiting.pop()
            name = self.names[place]
            node, _ = self._foreign.resolve({"$ref": place}, place)
            stated = self._contract.schemas.get(name)
            shown = self._inline(node, place, name)
            if stated is not None and "allOf" in node:
                shown = self._merged(node, place, name)
            if "example" in node:
                shown["examples"] = [node["example"]]
            if stated is not None:
                self._note_lacking(stated, shown, place, name)
                shown = self._combination.combine(stated, shown)
            self._describe(shown, name)
            self.components[name] = shown

    def _note_lacking(self, stated: Node, shown: Node, place: str, name: str) -> None:
        """Note the members that only the contract states."""
        lacking = self._contract.flatten(stated).get("properties", {}).keys() - shown.get("properties", {}).keys()
        if lacking and "properties" in shown:
            text = f"the document lacks {join_names(sorted(lacking))} of {name}; the contract's remain"
            self._foreign.note(place, text)

    def _reference(self, node: Node, place: str) -> Node:
        target, found_at = self._foreign.resolve({"$ref": node["$ref"]}, place)
        if found_at == place:
            return {}
        found_at = reduce(child, keys_of(found_at), "#")
        found: Node = {"$ref": self.component(found_at, component_name(found_at))}
        if isinstance(node.get("description"), str):
            found["description"] = node["description"]
        return self._with_null(found, node, target)

    def _inline(self, node: Node, place: str, name: str) -> Node:
        """Return a schema that is not a reference."""
        found: Node = {}
        for key, value in node.items():
            if key in KEPT:
                found[key] = value
            elif key not in INNER and key not in READ:
                self._foreign.note(child(place, key), f"`{key}` is not read; left out")
        found |= self._types(node, place)
        self._add_bounds(node, found)
        self._add_texts(node, place, found)
        found |= self._inner(node, place, name)
        found = single_alternative(found)
        if place in self.names and "properties" in node:
            # The references to the component allow null.
            return found
        return self._with_null(found, node)

    def _merged(self, node: Node, place: str, name: str) -> Node:
        """Return an object whose `allOf` is merged, because the contract states some of its members."""
        properties: Node = {}
        for member, (schema, here) in self.members(node, place):
            properties |= self._properties({member: schema}, here.rpartition("/")[0], name)
        return {"type": "object", "properties": properties, "required": list(self._required(node, place))}

    def _types(self, node: Node, place: str) -> Node:
        """Return the types and the values of a schema."""
        found: Node = {}
        types = known_types(node)
        if "type" in node and not types:
            self._foreign.note(child(place, "type"), f"{quote(node['type'])} is no type; it may be anything")
        if types:
            found["type"] = types
        if len(types) == 1:
            found["type"] = types[0]
        values: list[Any] = []
        for value in self._foreign.part(node, place, "enum", list):
            if value not in values:
                values.append(value)
        if values:
            found["enum"] = values
        return found

    def _add_bounds(self, node: Node, found: Node) -> None:
        """Write the exclusive bounds of OpenAPI 3.0 as numbers."""
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if isinstance(node.get(exclusive), bool):
                del found[exclusive]
                if node[exclusive] and bound in found:
                    found[exclusive] = found.pop(bound)

    def _add_texts(self, node: Node, place: str, found: Node) -> None:
        """Add the description, and what it says about the unit of a number."""
        description = self._foreign.part(node, place, "description", str).strip()
        if description:
            found["description"] = description
        if "integer" in types_of(found) and (node.get("format") == "unix-time" or UNIX_TIME.search(description)):
            found["format"] = "unix-time"

    def _inner(self, node: Node, place: str, name: str) -> Node:
        """Return the keywords that have schemas in them."""
        found: Node = {}
        members = self._foreign.part(node, place, "properties", dict)
        if members:
            found["properties"] = self._properties(members, child(place, "properties"), name)
        required = self._foreign.part(node, place, "required", list)
        known = [member for member in map(str, required) if member in members or "allOf" in node]
        if len(known) < len(required):
            text = "a member is required that is no property; it is left out"
            self._foreign.note(child(place, "required"), text)
        if known:
            found["required"] = list(dict.fromkeys(known))
        for key in ("additionalProperties", "items", "not"):
            if key in node:
                found[key] = node[key]
                if not isinstance(node[key], bool):
                    found[key] = self.convert(node[key], child(place, key), singular(name))
        for key in ("allOf", "anyOf", "oneOf", "prefixItems"):
            parts: list[Node] = []
            for index, part in enumerate(self._foreign.part(node, place, key, list)):
                parts.append(self._alternative(part, child(child(place, key), index), name, key))
            if parts:
                found[key] = parts
        patterns = self._foreign.part(node, place, "patternProperties", dict)
        if patterns:
            found["patternProperties"] = self._properties(patterns, child(place, "patternProperties"), name)
        if "discriminator" in node:
            found |= self._discriminator(node, place)
        return found

    def _alternative(self, part: Any, place: str, name: str, key: str) -> Node:
        """Return a part of an `allOf`, which is written inline, or an alternative."""
        if key == "allOf" and isinstance(part, dict) and "$ref" not in part:
            return self._inline(part, place, name)
        title = object_of(part).get("title")
        if isinstance(title, str):
            name = clean_name(title)
        return self.convert(part, place, name)

    def _properties(self, members: Node, place: str, name: str) -> Node:
        found: Node = {}
        for member, schema in members.items():
            here = child(place, member)
            if not member.strip():
                self._foreign.note(here, "a member without a name; left out")
                continue
            found[member] = self.convert(schema, here, name + class_name(member))
        return found

    def _discriminator(self, node: Node, place: str) -> Node:
        written = self._foreign.part(node, place, "discriminator", dict)
        if not isinstance(written.get("propertyName"), str):
            return {}
        found: Node = {"propertyName": written["propertyName"]}
        mapping: Node = {}
        for value, target in self._foreign.part(written, child(place, "discriminator"), "mapping", dict).items():
            reference = target if "#" in str(target) else f"{COMPONENT}{target}"
            converted = self._reference({"$ref": reference}, child(place, "discriminator"))
            if "$ref" in converted:
                mapping[value] = converted["$ref"]
        if mapping:
            found["mapping"] = mapping
        return {"discriminator": found}

    def _with_null(self, schema: Node, *nodes: Node) -> Node:
        """Return a schema that allows null if one of the nodes says so, as OpenAPI 3.0 writes it."""
        is_nullable = any(node.get("nullable") is True for node in nodes)
        if self._foreign.version.startswith("3.0") and is_nullable:
            return add_null(schema)
        return schema

    def _describe(self, schema: Node, name: str) -> None:
        """Describe a schema and its members by their titles where the document and the contract do not."""
        title = schema.pop("title", "")
        if name and "description" not in schema:
            schema["description"] = f"{str(title).strip() or name}."
        for inner in inner_schemas(schema):
            self._describe(inner, "")
        for member, inner in schema.get("properties", {}).items():
            self._describe(inner, member)

    def _free_name(self, name: str) -> str:
        first = name or "Schema"
        short = SUFFIX.sub("", first)
        if short and short not in self._written and module_name(model_class(short)) not in self._modules:
            first = short
        found, number = first, 1
        while module_name(model_class(found)) in self._modules:
            number += 1
            found = f"{first}{number}"
        self._modules.add(module_name(model_class(found)))
        return found

    def bare(self, node: Any, place: str) -> tuple[Node, str]:
        """Return a schema without references and without null as an alternative, with its place."""
        for _ in range(DEEPEST):
            node, place = self._foreign.resolve(node, place)
            key = next((key for key in ("anyOf", "oneOf", "allOf") if isinstance(node.get(key), list)), "")
            others = [index for index, part in enumerate(node.get(key, ())) if part != {"type": "null"}]
            if len(others) != 1 or node.get("properties"):
                break
            index = others[0]
            node, place = node[key][index], child(child(place, key), index)
        return node, reduce(child, keys_of(place), "#")

    def _required(self, node: Node, place: str, depth: int = 0) -> Iterator[str]:
        """Yield the members that a schema and the parts of its `allOf` require."""
        for index, part in enumerate(self._foreign.part(node, place, "allOf", list)):
            if depth < DEEPEST:
                inner = self._foreign.resolve(part, child(child(place, "allOf"), index))
                yield from self._required(*inner, depth + 1)
        yield from map(str, self._foreign.part(node, place, "required", list))

    def members(self, node: Node, place: str, depth: int = 0) -> Iterator[tuple[str, tuple[Any, str]]]:
        """Yield the properties of a schema and of the parts of its `allOf`, each with its schema and place."""
        for index, part in enumerate(self._foreign.part(node, place, "allOf", list)):
            if depth < DEEPEST:
                inner = self._foreign.resolve(part, child(child(place, "allOf"), index))
                yield from self.members(*inner, depth + 1)
        for member, schema in self._foreign.part(node, place, "properties", dict).items():
            yield member, (schema, child(child(place, "properties"), member))


def known_types(node: Node) -> list[str]:
    """Return the types of a foreign schema; empty if one of them is no type."""
    written = node.get("type")
    types: list[Any] = written if isinstance(written, list) else [written]
    if all(kind in TYPES for kind in types):
        return types
    return []


def inner_schemas(schema: Node) -> Iterator[Node]:
    """Yield the schemas in a schema."""
    for keyword in INNER & schema.keys():
        value = schema[keyword]
        parts = [value]
        if isinstance(value, list):
            parts = value
        elif keyword in ("properties", "patternProperties"):
            parts = list(value.values())
        yield from (part for part in parts if isinstance(part, dict))


def single_alternative(schema: Node) -> Node:
    """Return a schema without a union of one alternative and null, as some tools write it."""
    for key in ("anyOf", "oneOf", "allOf"):
        others = [part for part in schema.get(key, ()) if part.get("type") != "null"]
        has_null = len(others) < len(schema.get(key, ()))
        if len(others) == 1 and not {"properties", "type"} & schema.keys() and not (has_null and "$ref" in others[0]):
            rest = {name: value for name, value in schema.items() if name != key}
            found = {**others[0], **rest}
            return add_null(found) if has_null else found
    return schema


def component_name(place: str) -> str:
    """Return the name of a component for the schema at a place of a foreign document."""
    keys = keys_of(place)
    if place.startswith(COMPONENT) and len(keys) == 3:
        return clean_name(keys[-1])
    names = [key for key in keys[2:] if key not in INNER and key != "schemas"]
    return clean_name("_".join(names[-2:]))


def clean_name(text: str) -> str:
    """Return a name as the contract has it: without the names of modules that frameworks write before it."""
    generic = PAGE.fullmatch(text)
    if generic:
        return f"{SUFFIX.sub('', clean_name(generic[1]))}Page"
    form = FORM.fullmatch(text)
    if form:
        return f"{class_name(form[1])}Body"
    last = re.split(r"__|\.", text.strip("_"))[-1]
    if re.fullmatch(r"[A-Z][A-Za-z0-9]*", last):
        return last
    return class_name(last)


def singular(name: str) -> str:
    """Return the singular of a name in the plural; otherwise the name with `Item`."""
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    if name.endswith("s") and not name.endswith("ss"):
        return name[:-1]
    return f"{name}Item"
