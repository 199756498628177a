"""Read the normalised contract with openapi-python-client, and join to its parse what that lacks.

The structure of operations and models, and the type of each value, are those of the generator's endpoints, models and
properties. They are looked up by operation, class and the name on the wire, and so is the schema with which each one
is joined: for known values, discriminators and durations, which the generator does not keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.errors import GeneratorError, ParseError
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import LiteralEnumProperty, ModelProperty
from openapi_python_client.parser.properties.const import ConstProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.strings import PythonIdentifier

from codegen import ROOT
from codegen.contract import Content, Contract, ContractError, Node, OperationFacts
from codegen.render.docstrings import plain
from codegen.render.normalise import RECURSIVE, NamedSchema, Normalised, referenced
from codegen.render.shapes import ListOf, MappingOf, Model, NamedValues, Open, Scalar, Shape, Values, one_of

# The kind of scalar of each property that is one, and the type of the schemas of which the generator makes it.
SCALARS = {
    "BooleanProperty": ("boolean", "boolean"),
    "DateProperty": ("date", "string"),
    "DateTimeProperty": ("date-time", "string"),
    "FileProperty": ("file", "string"),
    "FloatProperty": ("number", "number"),
    "IntProperty": ("integer", "integer"),
    "NoneProperty": ("null", "null"),
    "StringProperty": ("string", "string"),
    "UuidProperty": ("uuid", "string"),
}


class Parse:
    """The generator's parse of a contract.

    Attributes:
        config: The configuration of the generator.
        data: What the generator has read.
        models: Its models by the names of their classes, also those of objects without known members.
        sources: The schemas of the contract that have a class or a name.

    Raises:
        ContractError: The generator cannot read something, or has left something out.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._normalised = normalised = Normalised(contract)
        self.sources: dict[str, NamedSchema] = normalised.sources
        settings = ConfigFile.load_from_path(ROOT / "generator-config.yml")
        self.config = Config.from_sources(settings, MetaType.NONE, contract.path, "utf-8", True, None)
        self.config.content_type_overrides = normalised.media_types
        data = GeneratorData.from_dict(normalised.document, config=self.config)
        if isinstance(data, GeneratorError):
            raise ContractError(f"{data.header}: {data.detail}")
        self.data: GeneratorData = data
        self.models = {str(each.class_info.name): each for each in data.models}
        collections = data.endpoint_collections_by_tag.values()
        self._endpoints = {each.name: each for collection in collections for each in collection.endpoints}
        self._errors = [each for collection in collections for each in collection.parse_errors]
        for error in data.errors:
            raise ContractError(f"#/components/schemas: {described(error)}")
        for operation_id, facts in contract.operations.items():
            self._check_operation(operation_id, facts)
        for name in self.sources.keys() & self.models.keys():
            self._check_model(name)

    def parameters(self, facts: OperationFacts) -> dict[tuple[str, str], Shape]:
        """Return the shape of each parameter, by its location and its name on the wire."""
        operation_id = facts.arguments["id"]
        schemas = {
            (each["in"], each["name"]): each["schema"]
            for each in self._normalised.operations[operation_id]["parameters"]
        }
        found: dict[tuple[str, str], Shape] = {}
        for location, properties in by_location(self._endpoint(operation_id)).items():
            for prop in properties:
                wire = self._wire(f"{operation_id}/{location}", prop)
                found[location, wire] = self.shape(prop, schemas[location, plain(prop.name)])
        if name := self._normalised.headers.get(operation_id):
            for prop in properties_of(self.models[name]):
                node = self._normalised.components[name]["properties"][plain(prop.name)]
                found["header", self._wire(f"{operation_id}/header", prop)] = self.shape(prop, node)
        return found

    def body(self, facts: OperationFacts) -> Shape:
        """Return the shape of the request body of an operation that has one."""
        operation_id = facts.arguments["id"]
        [body] = self._endpoint(operation_id).bodies
        content = self._normalised.operations[operation_id]["requestBody"]["content"]
        return self.shape(body.prop, content[plain(body.content_type)]["schema"])

    def response(self, facts: OperationFacts, content: Content) -> Shape:
        """Return the shape of the response with a status; of one without a body that of any JSON."""
        operation_id = facts.arguments["id"]
        normal = self._normalised.operations[operation_id]["responses"].get(content.status, {}).get("content", {})
        patterns = self._endpoint(operation_id).responses
        prop = next((each.prop for each in patterns if each.status_code.pattern == content.status), None)
        media = next(iter(normal.values()), None)
        return self.shape(prop, media["schema"]) if prop is not None and media else Shape()

    def members(self, model: str) -> dict[str, Shape]:
        """Return the shape of each member of a model by its name on the wire, the required ones first."""
        node = self._normalised.components[model]["properties"]
        return {
            self._wire(model, prop): self.shape(prop, node[plain(prop.name)])
            for prop in properties_of(self.models[model])
        }

    def rest(self, model: str) -> Shape | None:
        """Return the shape of the members of a model that have no names; None if the contract declares none."""
        node = self._normalised.components[model].get("additionalProperties", False)
        prop = self.models[model].additional_properties
        return self.shape(prop, node) if prop is not None and node is not False else None

    def models_of(self, shapes: Iterable[Shape]) -> set[str]:
        """Return the names of all models in *shapes*, and in the members of these models."""
        found: set[str] = set()
        waiting = list(shapes)
        while waiting:
            for shape in waiting.pop().below():
                if isinstance(shape, Model) and shape.name not in found:
                    found.add(shape.name)
                    waiting += self.members(shape.name).values()
        return found

    def shape(self, prop: PropertyProtocol, node: Node) -> Shape:
        """Return the shape of a value.

        Args:
            prop: What the generator has read.
            node: The schema of which it did.

        Raises:
            ContractError: The generator reads the schema as something else.
        """
        name = referenced(node)
        node = self._normalised.components.get(name, node)
        kind, made_of = SCALARS.get(type(prop).__name__, ("", ""))
        match prop:
            case ModelProperty() if name in self.sources:
                return Model(str(prop.class_info.name), str(prop.class_info.module_name))
            case ModelProperty() if (rest := self.rest(name)) is not None:
                return MappingOf(rest)
            case LiteralEnumProperty() if "enum" in node:
                return NamedValues(tuple(node["enum"]), name=name, module=str(prop.class_info.module_name))
            case ListProperty() if node.get("type") == "array":
                item = self.shape(prop.inner_property, node["items"])
                return ListOf(Open() if not node["items"] else item)
            case UnionProperty() if len(node.get("oneOf", ())) == len(prop.inner_properties):
                pairs = zip(prop.inner_properties, node["oneOf"], strict=True)
                discriminator = node.get("discriminator", {})
                by = {value: referenced({"$ref": each}) for value, each in discriminator.get("mapping", {}).items()}
                base = discriminator.get("x-base", "")
                return one_of((self.shape(*each) for each in pairs), discriminator.get("propertyName", ""), by, base)
            case ConstProperty() if "const" in node:
                return Values((prop.value.raw_value,))
            case _ if kind == "string" and "x-known-values" in node:
                return Values(tuple(node["x-known-values"]), closed=False)
            case _ if kind == "string" and node.get("format") == "duration":
                return Scalar("duration")
            case _ if type(prop).__name__ == "AnyProperty" and node in ({}, RECURSIVE):
                return Shape()
            case _ if kind and node.get("type") == made_of:
                return Scalar(kind)
        if isinstance(prop, UnionProperty):
            raise ContractError(f"the generator takes two alternatives for one; write one for both: {node['oneOf']}")
        raise ContractError(f"the generator reads {node} as {type(prop).__name__}; write it in another way")

    def _endpoint(self, operation_id: str) -> Endpoint:
        """Return an operation as the generator has read it."""
        return self._endpoints[PythonIdentifier(operation_id, self.config.field_prefix)]

    def _wire(self, owner: str, prop: PropertyProtocol) -> str:
        """Return the name on the wire of a parameter or a member."""
        name = plain(prop.name)
        return self._normalised.wires.get((owner, name), name)

    def _check_operation(self, operation_id: str, facts: OperationFacts) -> None:
        """Raise ContractError unless the generator has read all parameters, bodies and responses of an operation."""
        route = f" {facts.arguments['method']} {self._normalised.paths[operation_id]} "
        mine = [each for each in self._errors if route in str(each.header)]
        declared = {(each["in"], each["name"]) for each in facts.parameter_nodes}
        responses = self._contract.pointed(facts.place)["responses"]
        endpoint = self._endpoints.get(PythonIdentifier(operation_id, self.config.field_prefix))
        if mine or endpoint is None or endpoint.method != facts.arguments["method"].lower():
            reason = described(mine[0]) if mine else "another operation has a similar operationId"
        elif declared != self.parameters(facts).keys():
            reason = "not all parameters are read"
        elif len(endpoint.bodies) != (facts.request is not None) or len(endpoint.responses) != len(responses):
            reason = "not all bodies are read"
        else:
            return
        raise ContractError(f"{facts.place}: {reason}; openapi-python-client leaves it out: write it in another way")

    def _check_model(self, name: str) -> None:
        """Raise ContractError unless the generator has read all properties of a model."""
        source = self.sources[name]
        try:
            missing = source.schema["properties"].keys() - self.members(name).keys()
        except ContractError as error:
            raise ContractError(f"{source.place}: {error}") from error
        if missing:
            raise ContractError(f"{source.place}: the generator leaves out {', '.join(sorted(missing))}; rename it")


def described(error: ParseError) -> str:
    """Return what the generator says about something that it cannot read, on one line."""
    return " ".join((error.detail or error.header or "").split())


def by_location(endpoint: Endpoint) -> Mapping[str, Sequence[PropertyProtocol]]:
    """Return the parameters of an operation by their location."""
    return {
        "path": endpoint.path_parameters,
        "query": endpoint.query_parameters,
        "header": endpoint.header_parameters,
        "cookie": endpoint.cookie_parameters,
    }


def properties_of(model: ModelProperty) -> Iterator[PropertyProtocol]:
    """Yield the properties of a model, the required ones first."""
    yield from model.required_properties or ()
    yield from model.optional_properties or ()
