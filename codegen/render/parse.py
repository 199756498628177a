"""Read the normalised contract with openapi-python-client, and write the types that it has read in Python.

The structure of operations and models, and the type of each value, are those of the generator's endpoints, models and
properties. Other facts about a schema are looked up by its place, which the parse has as the schema's description.

The types of arguments are strict (a closed set is a Literal). The types of responses are open, because a server may be
newer than the contract: an editor completes the known values, and an unknown value is not an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any, TypeGuard
from unittest.mock import patch

import attrs
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.errors import GeneratorError, ParseError
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import AnyProperty, LiteralEnumProperty, ModelProperty
from openapi_python_client.parser.properties.const import ConstProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.model_property import ANY_ADDITIONAL_PROPERTY
from openapi_python_client.parser.properties.none import NoneProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.schema.untrusted_string import UntrustedString
from openapi_python_client.strings import PythonIdentifier

from codegen import ROOT
from codegen.contract.content import Content
from codegen.contract.contract import Contract
from codegen.contract.operations import OperationFacts
from codegen.contract.source import ContractError, Node
from codegen.render.normalise import NOT_SHOWN, Normalised
from codegen.render.runtime.encoding import json_type

MAPPING = "Mapping[str, Any]"
OPEN = "OpenModel"

# For each kind of value: its type in a response, the function that reads it from JSON, and its JSON type.
KINDS = {
    "BooleanProperty": ("bool", "", "a boolean"),
    "DateProperty": ("date", "parse_date", "text"),
    "DateTimeProperty": ("datetime", "parse_datetime", "text"),
    "FileProperty": ("str", "", "text"),
    "FloatProperty": ("float", "", "a number"),
    "IntProperty": ("int", "", "a number"),
    "ListProperty": ("", "", "an array"),
    "ModelProperty": ("", "", "an object"),
    "StringProperty": ("str", "", "text"),
    "UuidProperty": ("UUID", "parse_uuid", "text"),
}


class Parse:
    """The generator's parse of a contract.

    Attributes:
        config: The configuration of the generator.
        data: The result of the generator.
        models: The generator's models by the names of their classes, including objects without known members.
        dicts: The names of the TypedDicts of the models that arguments contain.
        sources: The schemas of the contract that have a class or a name, with their `allOf` merged.
        places: The JSON pointers of these schemas.

    Raises:
        ContractError: The generator cannot read something, or has left something out.
    """

    def __init__(self, contract: Contract) -> None:
        self._normalised = normalised = Normalised(contract)
        self.sources, self.places, self.dicts = normalised.sources, normalised.places, normalised.dicts
        settings = ConfigFile.load_from_path(ROOT / "generator-config.yml")
        self.config = Config.from_sources(settings, MetaType.NONE, contract.path, "utf-8", True, None)
        # The generator copies each endpoint three times with all models below it, which is most of its work. It changes
        # only the endpoint itself.
        with patch("openapi_python_client.parser.openapi.deepcopy", copy):
            data = GeneratorData.from_dict(normalised.document, config=self.config)
        if isinstance(data, GeneratorError):
            raise ContractError(f"{data.header}: {data.detail}")
        self.data: GeneratorData = data
        self.models = {str(each.class_info.name): each for each in data.models}
        self._endpoints: dict[str, Endpoint] = {}
        self._errors: list[ParseError] = []
        for collection in data.endpoint_collections_by_tag.values():
            self._errors += collection.parse_errors
            for endpoint in collection.endpoints:
                self._endpoints[endpoint.name] = endpoint
        for error in data.errors:
            raise ContractError(f"#/components/schemas: {described(error)}")
        for operation_id, facts in contract.operations.items():
            self._check_operation(operation_id, facts)
        for name, schema in self.sources.items():
            missing = schema.get("properties", {}).keys() - self.members(name).keys()
            if missing:
                raise ContractError(f"{self.places[name]}: the generator leaves out {', '.join(missing)}; rename it")

    def parameters(self, facts: OperationFacts) -> dict[tuple[str, str], PropertyProtocol]:
        """Return the parameters by location and name on the wire."""
        found = self._endpoint(facts).iter_all_parameters()
        return {self._wire(facts.arguments["id"], prop): prop for _, prop in found}

    def body(self, facts: OperationFacts) -> PropertyProtocol:
        """Return the request body of an operation that has one."""
        return self._endpoint(facts).bodies[0].prop

    def response(self, facts: OperationFacts, content: Content) -> PropertyProtocol:
        """Return the property of a response's body. If the response has no body, it allows any JSON."""
        responses = {each.status_code.pattern: each.prop for each in self._endpoint(facts).responses}
        return responses.get(content.status, ANY_ADDITIONAL_PROPERTY)

    def members(self, model: str) -> dict[str, PropertyProtocol]:
        """Return the members of a model by wire name, the required members first. A mapping and an enum have none."""
        found: dict[str, PropertyProtocol] = {}
        if model in self.models:
            parsed = self.models[model]
            for prop in (*(parsed.required_properties or ()), *(parsed.optional_properties or ())):
                _, wire = self._wire(model, prop)
                found[wire] = prop
        return found

    def value_of(self, mapping: ModelProperty) -> PropertyProtocol:
        """Return the members of a mapping."""
        return self.models[mapping.class_info.name].additional_properties or ANY_ADDITIONAL_PROPERTY

    def is_model(self, prop: PropertyProtocol) -> TypeGuard[ModelProperty]:
        """Return whether a property is an object with known members."""
        return isinstance(prop, ModelProperty) and prop.class_info.name in self.sources

    def lacking(self, prop: PropertyProtocol) -> Node:
        """Return the facts that the parse cannot have: known values, `duration`, `unix-time`, a discriminator."""
        return self._normalised.lacking.get(plain(prop.description), {})

    def is_unix_time(self, prop: PropertyProtocol) -> bool:
        """Return whether the contract states that a number is a time in seconds since 1970."""
        parts = alternatives(prop)
        return bool(parts) and all("is_time" in self.lacking(part) for part in parts)

    def below(self, prop: PropertyProtocol) -> Iterator[PropertyProtocol]:
        """Yield the alternatives of a property with their items and values, but not the members of models."""
        for part in alternatives(prop):
            yield part
            if isinstance(part, ListProperty):
                yield from self.below(part.inner_property)
            elif isinstance(part, ModelProperty) and not self.is_model(part):
                yield from self.below(self.value_of(part))

    def models_of(self, properties: Iterable[PropertyProtocol]) -> set[str]:
        """Return the names of all models in *properties*, and in the members of these models."""
        found: set[str] = set()
        waiting = list(properties)
        while waiting:
            for prop in self.below(waiting.pop()):
                if self.is_model(prop) and prop.class_info.name not in found:
                    found.add(prop.class_info.name)
                    waiting += self.members(prop.class_info.name).values()
        return found

    def _endpoint(self, facts: OperationFacts) -> Endpoint:
        return self._endpoints[PythonIdentifier(facts.arguments["id"], self.config.field_prefix)]

    def _wire(self, owner: str, prop: PropertyProtocol) -> tuple[str, str]:
        """Return location and name on the wire of a parameter or a member."""
        return self._normalised.wires[owner][plain(prop.name)]

    def _check_operation(self, operation_id: str, facts: OperationFacts) -> None:
        """Raise ContractError unless the generator has read all parameters, bodies and responses of an operation."""
        method, path = facts.arguments["method"], self._normalised.paths[operation_id]
        error = next((each for each in self._errors if f" {method} {path} " in str(each.header)), None)
        endpoint = self._endpoints.get(PythonIdentifier(operation_id, self.config.field_prefix))
        if error is None and endpoint is not None and endpoint.method == method.lower():
            declared = {(each["in"], each["name"]) for each in facts.parameters}
            bodies = len(facts.responses) + (facts.request is not None)
            is_complete = len(endpoint.bodies) + len(endpoint.responses) == bodies
            if is_complete and declared == self.parameters(facts).keys():
                return
        reason = described(error) if error else "not everything is read, or another operation has a similar operationId"
        raise ContractError(f"{facts.place}: {reason}; openapi-python-client leaves it out: write it in another way")


@attrs.frozen
class PythonTypes:
    """The Python types of the properties that the generator has read.

    Attributes:
        parse: The parse.
        package: The text before the name of a model in an expression.
    """

    parse: Parse
    package: str = ""

    def type(self, prop: PropertyProtocol, *, strict: bool) -> str:
        """Return the type of an argument if *strict*, otherwise of a response. It includes None if null is allowed."""
        written = self.not_null(prop, strict=strict)
        if is_nullable(prop) and written not in ("Any", "None"):
            return f"{written} | None"
        return written

    def not_null(self, prop: PropertyProtocol, *, strict: bool) -> str:
        """Return the type of a value that is not null."""
        found: list[str] = []
        for part in alternatives(prop):
            found += self._types(part, prop, strict=strict)
        lacking = self.parse.lacking(prop)
        if "by" in lacking and "base" not in lacking and not strict:
            # An unknown value of the discriminator is read as an OpenModel.
            found.append(OPEN)
        return " | ".join(dict.fromkeys(found)) or "None"

    def _types(self, part: PropertyProtocol, whole: PropertyProtocol, *, strict: bool) -> list[str]:
        """Return the types of *part*, which is one alternative of *whole*."""
        match part:
            case ListProperty():
                return [f"Sequence[{self.type(part.inner_property, strict=strict)}]"]
            case ModelProperty() if self.parse.is_model(part):
                return self._model_types(part.class_info.name, strict=strict)
            case ModelProperty():
                return [f"Mapping[str, {self.type(self.parse.value_of(part), strict=strict)}]"]
            case LiteralEnumProperty():
                known, bases = str(part.class_info.name), [part.value_type.__name__]
            case ConstProperty():
                values = constants(whole) or [part.value.raw_value]
                known, bases = literal(values), sorted({type(value).__name__ for value in values})
            case AnyProperty():
                known, bases = "Any", []
                if is_not_shown(part) and not strict:
                    known = OPEN
            case _:
                return self._text_types(part, whole, strict=strict)
        if strict:
            return [known]
        return [known, *bases]

    def _model_types(self, model: str, *, strict: bool) -> list[str]:
        """Return the types of an object: a model, and for an argument also a dict as type checkers check it."""
        if not strict:
            return [model]
        found = [model, self.parse.dicts[model]]
        if self.parse.models[model].additional_properties is not None:
            # Any other member is allowed, which no TypedDict can say before Python 3.15 (PEP 728).
            found.append(MAPPING)
        return found

    def _text_types(self, part: PropertyProtocol, whole: PropertyProtocol, *, strict: bool) -> list[str]:
        """Return the types of a text, a number or a boolean, which is one alternative of *whole*."""
        lacking = self.parse.lacking(part)
        if lacking.get("known"):
            return [literal(lacking["known"]), "str"]
        if "known" in lacking:
            # A duration.
            return ["timedelta", "str"] if strict else ["str"]
        written, reader, _ = kind(part)
        if strict:
            return [written, "str"] if reader else [written]
        if len(readers_of(alternatives(whole))) > 1:
            # A text that may have one of several formats is read as text.
            return ["str"]
        return [written]

    def names(self, prop: PropertyProtocol) -> set[tuple[str, str]]:
        """Return module and name of the models, the TypedDicts and the closed sets that a type may name."""
        found: set[tuple[str, str]] = set()
        for part in self.parse.below(prop):
            if isinstance(part, LiteralEnumProperty) or self.parse.is_model(part):
                module, name = str(part.class_info.module_name), str(part.class_info.name)
                found.add((module, name))
                if name in self.parse.dicts:
                    found.add((module, self.parse.dicts[name]))
        return found

    def read(self, prop: PropertyProtocol, source: str) -> str:
        """Return the expression that reads the JSON value *source*. Without a conversion, this is *source* itself."""
        lists: list[PropertyProtocol] = []
        models: list[str] = []
        others: list[PropertyProtocol] = []
        for part in alternatives(prop):
            if isinstance(part, ListProperty):
                lists.append(part.inner_property)
            elif self.parse.is_model(part):
                models.append(f"{self.package}{part.class_info.name}")
            else:
                others.append(part)
        is_only = not lists and not models
        expression = ""
        if others or is_only:
            expression = self._other(others, source, is_only=is_only)
        if models:
            expression = either(self._model(prop, models, source), source, "dict", expression)
        if lists:
            item = lists[0]
            if isinstance(prop, UnionProperty) and len(lists) > 1:
                item = attrs.evolve(prop, inner_properties=lists, description=None)
            expression = either(f"convert_list({source}, {self.reader(item)})", source, "list", expression)
        return expression

    def _model(self, prop: PropertyProtocol, models: Sequence[str], source: str) -> str:
        """Return the expression that reads an object as one of several models."""
        if len(models) == 1:
            return f"{models[0]}.from_value({source})"
        lacking = self.parse.lacking(prop)
        if "by" not in lacking:
            return f"one_of({source}, ({', '.join(models)}))"
        by = ", ".join(f"{value!r}: {self.package}{name}" for value, name in sorted(lacking["by"].items()))
        base = f", {self.package}{lacking['base']}" if "base" in lacking else ""
        return f"discriminated({source}, {lacking['key']!r}, {{{by}}}{base})"

    def _other(self, parts: Sequence[PropertyProtocol], source: str, *, is_only: bool) -> str:
        """Return the expression that reads a value, if it is neither an array nor a model."""
        if len(parts) == 1 and isinstance(parts[0], ModelProperty):
            reader = self.reader(self.parse.value_of(parts[0]))
            return f"to_json({source})" if reader == "to_json" else f"convert_mapping({source}, {reader})"
        if any(map(is_not_shown, parts)):
            return f"open_value({source})"
        readers = readers_of(parts)
        if len(readers) == 1:
            return f"{readers.pop()}({source})"
        is_plain = not any(isinstance(each, AnyProperty | ModelProperty) for each in parts)
        if is_only and is_plain:
            return source
        return f"to_json({source})"

    def reader(self, prop: PropertyProtocol) -> str:
        """Return the function that reads an item or a whole response. It also reads null, if null is allowed."""
        parts, expression = alternatives(prop), self.read(prop, "value")
        if parts and all(map(self.parse.is_model, parts)) and not is_nullable(prop):
            first = f"{self.package}{parts[0].get_base_type_string().as_unembedded_code()}.from_item"
            if len(parts) == 1:
                return first
            return f"lambda value: {expression} or {first}(value)"
        if expression == "value":
            return "to_json"
        function = expression.removesuffix("(value)")
        if "(" in function:
            return f"lambda value: {expression}"
        return function


def either(read: str, source: str, python_type: str, otherwise: str) -> str:
    """Return the expression that reads a value of one type; *otherwise* is that for other types, or empty."""
    if not otherwise:
        return read
    return f"{read} if {source}.__class__ is {python_type} else {otherwise}"


def alternatives(prop: PropertyProtocol) -> list[PropertyProtocol]:
    """Return the alternatives of a value, without null."""
    if isinstance(prop, NoneProperty):
        return []
    if not isinstance(prop, UnionProperty):
        return [prop]
    found: list[PropertyProtocol] = []
    for each in prop.inner_properties:
        found += alternatives(each)
    return found


def is_nullable(prop: PropertyProtocol) -> bool:
    """Return whether a value may be null."""
    if isinstance(prop, UnionProperty):
        return any(isinstance(each, NoneProperty) for each in prop.inner_properties)
    return isinstance(prop, NoneProperty)


def is_file(prop: PropertyProtocol) -> bool:
    """Return whether a value is a file."""
    return any(type(each).__name__ == "FileProperty" for each in alternatives(prop))


def is_not_shown(prop: PropertyProtocol) -> bool:
    """Return whether a value is an item of an array that the description does not show."""
    return plain(prop.description) == str(NOT_SHOWN["description"])


def kind(prop: PropertyProtocol) -> tuple[str, str, str]:
    """Return the type of a response, the function that reads it from JSON, and the JSON type."""
    match prop:
        case LiteralEnumProperty():
            value = next(iter(prop.values))
        case ConstProperty():
            value = prop.value.raw_value
        case _:
            return KINDS.get(type(prop).__name__, ("Any", "", ""))
    return type(value).__name__, "", json_type(value)


def readers_of(parts: Iterable[PropertyProtocol]) -> set[str]:
    """Return the functions that read texts with a format from JSON."""
    return {kind(each)[1] for each in parts} - {""}


def constants(prop: PropertyProtocol) -> tuple[Any, ...]:
    """Return the constants that a value must be one of; empty if other values are possible."""
    found: list[Any] = []
    for each in alternatives(prop):
        if not isinstance(each, ConstProperty):
            return ()
        found.append(each.value.raw_value)
    return tuple(found)


def literal(values: Iterable[Any]) -> str:
    """Return the `Literal` type of some values."""
    return f"Literal[{', '.join(map(repr, values))}]"


def json_types(prop: PropertyProtocol) -> list[str]:
    """Return the JSON types of a value, as messages name them."""
    found = {kind(each)[2] for each in alternatives(prop)}
    if is_nullable(prop):
        found.add("null")
    return sorted(found)


def described(error: ParseError) -> str:
    """Return what the generator says about something that it cannot read, on one line."""
    return " ".join((error.detail or error.header or "").split())


def plain(text: object) -> str:
    """Return a text of the parse as a plain `str`. The generator wraps its texts, because they are not trusted."""
    return str(text.get_untrusted_value()) if isinstance(text, UntrustedString) else ""
