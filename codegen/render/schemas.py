"""Read the schemas of the contract: the shape of each value, and the models and closed sets that need a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import attrs

from codegen.contract import (
    COMPONENT,
    FORMATS,
    Contract,
    ContractError,
    Node,
    child,
    class_name,
    flatten,
    is_component,
    model_class,
    module_name,
)
from codegen.render.shapes import ListOf, MappingOf, Model, NamedValues, Names, Open, Scalar, Shape, Values
from codegen.render.unions import OneOf

# Keywords that say what values a schema allows; beside a reference they are more than an annotation.
CONSTRAINTS = frozenset(
    {"additionalProperties", "allOf", "anyOf", "const", "enum", "items", "oneOf", "properties", "type"}
)

# Steps of a JSON pointer that do not name anything.
UNNAMED = frozenset(
    {
        *("additionalProperties", "allOf", "anyOf", "content", "items", "oneOf"),
        *("parameters", "properties", "responses", "schema"),
    }
)


@attrs.frozen
class NamedSchema:
    """A schema that becomes a module: a model or a closed set.

    Attributes:
        schema: The schema, with its `allOf` merged.
        place: Its JSON pointer.
        name: The name of the class or of the type.
        module: The name of the module.
    """

    schema: Node
    place: str
    name: str
    module: str

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of a closed set, sorted and without null."""
        values = [value for value in self.schema.get("enum", ()) if value is not None]
        return tuple(sorted(values, key=lambda value: (type(value).__name__, value)))


class Schemas:
    """The schemas of the contract as shapes.

    Attributes:
        models: The models by their JSON pointers; complete when all shapes were read.
        closed_sets: The named closed sets of values by their JSON pointers.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.models: dict[str, NamedSchema] = {}
        self.closed_sets: dict[str, NamedSchema] = {}
        # A name that is taken elsewhere in the contract is not given to a schema without a name.
        self._names = {model_class(name): f"{COMPONENT}{name}" for name in contract.schemas}

    def shape(self, node: Any, place: str, seen: tuple[str, ...] = ()) -> Shape:
        """Return the shape of a schema.

        Args:
            node: The schema.
            place: Its JSON pointer, which names a model that is written inline.
            seen: The places that this one is a part of: a schema that contains itself without a name is any JSON.
        """
        node = node if isinstance(node, dict) else {}
        reference = node.get("$ref")
        if reference is not None:
            target = self._contract.pointed(reference)
            subtypes = self._contract.subtypes(reference)
            if subtypes and reference not in seen and not CONSTRAINTS & node.keys():
                return self._extended(reference, subtypes, (*seen, reference))
            if not CONSTRAINTS & node.keys():
                follow = self.shape if isinstance(target, dict) and "$ref" in target else self._shape_of
                return follow(target, reference, seen) if reference not in seen else Shape()
            node = {"allOf": [{"$ref": reference}, {key: value for key, value in node.items() if key != "$ref"}]}
        return self._shape_of(node, place, seen)

    def _shape_of(self, node: Node, place: str, seen: tuple[str, ...]) -> Shape:
        if place in seen:
            return Shape()
        inside = (*seen, place)
        parts = node.get("allOf", ())
        if len(parts) == 1 and not (CONSTRAINTS - {"allOf"}) & node.keys() and not is_component(place):
            return self.shape(parts[0], child(child(place, "allOf"), 0), inside)
        schema = flatten(node, self._contract.resolve)
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else list(types)
        nullable = "null" in types
        if schema.get("properties"):
            model = self._model(schema, place, nullable=nullable)
            others = [each for each in types if each not in ("object", "null")]
            if not others:
                return model
            found = [self._of_type(each, schema, place, inside) for each in others]
            return OneOf((attrs.evolve(model, nullable=False), *found), nullable=nullable)
        if "const" in schema:
            schema["enum"] = [schema["const"]]
        if "enum" in schema:
            return self._values(schema, place, nullable=nullable)
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return self._one_of(schema, key, place, inside, nullable=nullable)
        if not types:
            types = ["array"] if "items" in schema else ["object"] if "additionalProperties" in schema else []
        found = [self._of_type(each, schema, place, inside) for each in types if each != "null"]
        if len(found) == 1:
            return attrs.evolve(found[0], nullable=nullable or found[0].nullable)
        return OneOf(tuple(found), nullable=nullable) if found else Scalar("null") if nullable else Shape()

    def _of_type(self, kind: str, schema: Node, place: str, inside: tuple[str, ...]) -> Shape:
        if kind == "array":
            item = self.shape(schema.get("items", {}), child(place, "items"), inside)
            return ListOf(Open() if type(item) is Shape else item)
        if kind == "object":
            value = schema.get("additionalProperties", {})
            return MappingOf(self.shape(value, child(place, "additionalProperties"), inside))
        known = tuple(value for value in schema.get("x-known-values", ()) if isinstance(value, str))
        if kind == "string" and known:
            return Values(known, closed=False)
        return Scalar(FORMATS.get(schema.get("format", ""), kind) if kind == "string" else kind)

    def _values(self, schema: Node, place: str, *, nullable: bool) -> Shape:
        """Return the shape of a closed set; Python has no literal type for objects, arrays and fractions."""
        values = tuple(value for value in schema["enum"] if value is not None)
        nullable = nullable or None in schema["enum"]
        if not values:
            return Scalar("null")
        if not all(isinstance(value, str | int) for value in values):
            kinds = {type(value) for value in values}
            return Scalar("number", nullable=nullable) if kinds <= {int, float} else Shape(nullable=nullable)
        values = tuple(sorted(values, key=lambda value: (type(value).__name__, value)))
        if not is_component(place) or "const" in schema:
            return Values(values, nullable=nullable)
        named = self._named(self.closed_sets, schema, place)
        return NamedValues(values, nullable=nullable, name=named.name, module=named.module)

    def _one_of(self, schema: Node, key: str, place: str, inside: tuple[str, ...], *, nullable: bool) -> Shape:
        """Return the shape of a union; alternatives that are the same count once."""
        found = [self.shape(each, child(child(place, key), index), inside) for index, each in enumerate(schema[key])]
        nullable = nullable or any(each.nullable or each == Scalar("null") for each in found)
        found = list(dict.fromkeys(attrs.evolve(each, nullable=False) for each in found if each != Scalar("null")))
        found = [part for each in found for part in (each.alternatives if isinstance(each, OneOf) else (each,))]
        if len(found) == 1:
            return attrs.evolve(found[0], nullable=nullable)
        if found and all(isinstance(each, Values) and each.closed for each in found):
            values = {value: None for each in found for value in each.values}  # type: ignore[attr-defined]  # all are Values
            return Values(tuple(values), nullable=nullable)
        if not found or any(type(each) is Shape for each in found):
            return Scalar("null") if not found else Shape(nullable=nullable)
        return OneOf(tuple(found), *self._discriminator(schema, found), nullable=nullable)

    def _extended(self, base: str, subtypes: list[str], seen: tuple[str, ...]) -> Shape:
        """Return the shape of a component that others extend: one of them, or itself for a value that is not known."""
        # Of two that fit as well, the first counts: what is not known stays the base.
        models = [self._shape_of(self._contract.pointed(base), base, ())]
        models += [self.shape({"$ref": each}, each, seen) for each in subtypes]
        schema = self._contract.resolve(self._contract.pointed(base))
        return OneOf(tuple(models), *self._discriminator(schema, models))

    def _discriminator(self, schema: Node, found: list[Shape]) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return the member that names the model, and the class for each of its values."""
        discriminator = schema.get("discriminator", {})
        models = {each.schema: each.name for each in found if isinstance(each, Model)}
        if not discriminator or not models:
            return "", ()
        by = {place.rpartition("/")[2]: name for place, name in models.items()}
        for value, target in discriminator.get("mapping", {}).items():
            place = target if target.startswith("#") else f"{COMPONENT}{target}"
            if place in models:
                by[value] = models[place]
        return discriminator["propertyName"], tuple(sorted(by.items()))

    def _model(self, schema: Node, place: str, *, nullable: bool) -> Shape:
        named = self._named(self.models, schema, place)
        return Model(place, named.name, named.module, nullable=nullable)

    def _named(self, registry: dict[str, NamedSchema], schema: Node, place: str) -> NamedSchema:
        """Return the named schema at *place*, and give it a name the first time."""
        if place not in registry:
            name = self._name(place)
            registry[place] = NamedSchema(schema, place, name, module_name(name))
        return registry[place]

    def _name(self, place: str) -> str:
        """Return the name of a schema: of a component its own, else one made of the place."""
        if is_component(place):
            name = model_class(place.removeprefix(COMPONENT))
            if self._names[name] != place:
                raise ContractError(f"{place}: the class would be {name}, as that of {self._names[name]}; rename one")
            return name
        first = name = model_class(class_name(self._described(place)))
        number = 1
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

    def names_below(self, named: NamedSchema) -> Names:
        """Return the names that the members of a model refer to, without its own."""
        found = frozenset[tuple[str, str]]().union(*(shape.names() for _, shape in self.members(named)))
        return found - {(named.module, named.name)}

    def members(self, named: NamedSchema) -> list[tuple[str, Shape]]:
        """Return wire name and shape of each member of a model, the required ones first."""
        properties = child(named.place, "properties")
        required = named.schema.get("required", ())
        found = sorted(named.schema["properties"].items(), key=lambda each: each[0] not in required)
        return [(name, self.shape(node, child(properties, name))) for name, node in found]

    def models_of(self, shapes: Iterable[Shape]) -> set[str]:
        """Return the JSON pointers of all models in *shapes*, and in the members of these models."""
        found: set[str] = set()
        waiting = list(shapes)
        while waiting:
            for shape in waiting.pop().below():
                if isinstance(shape, Model) and shape.schema not in found:
                    found.add(shape.schema)
                    waiting += [member for _, member in self.members(self.models[shape.schema])]
        return found
