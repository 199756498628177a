"""Read the normalised contract with openapi-python-client, and join to its parse what that lacks.

The structure of operations and models, and the type of each value, are those of the generator's endpoints, models and
properties; `python_types` writes them in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard

from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.errors import GeneratorError, ParseError
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.model_property import ANY_ADDITIONAL_PROPERTY
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.schema.untrusted_string import UntrustedString
from openapi_python_client.strings import PythonIdentifier

from codegen import ROOT
from codegen.contract import Content, Contract, ContractError, Node, OperationFacts
from codegen.render.normalise import Normalised, identifier


class Parse:
    """The generator's parse of a contract.

    Attributes:
        config: The configuration of the generator.
        data: What the generator has read.
        models: Its models by the names of their classes, also those of objects without known members.
        sources: The schemas of the contract that have a class or a name, with their `allOf` merged.
        places: The JSON pointers of those.

    Raises:
        ContractError: The generator cannot read something, or has left something out.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._normalised = normalised = Normalised(contract)
        self.sources, self.places = normalised.sources, normalised.places
        settings = ConfigFile.load_from_path(ROOT / "generator-config.yml")
        self.config = Config.from_sources(settings, MetaType.NONE, contract.path, "utf-8", True, None)
        # It leaves out the body of a media type that it does not know.
        self.config.content_type_overrides = dict.fromkeys(normalised.media_types, "application/json")
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
        for name, schema in self.sources.items():
            if missing := schema.get("properties", {}).keys() - self.members(name).keys():
                names = ", ".join(sorted(missing))
                raise ContractError(f"{self.places[name]}: the generator leaves out {names}; rename it")

    def parameters(self, facts: OperationFacts) -> dict[tuple[str, str], PropertyProtocol]:
        """Return the parameters by location and name on the wire."""
        operation_id = facts.arguments["id"]
        found = self._endpoint(facts).iter_all_parameters()
        return {self._wire(f"{operation_id}/{location}", prop): prop for location, prop in found}

    def body(self, facts: OperationFacts) -> PropertyProtocol:
        """Return the request body of an operation that has one."""
        return self._endpoint(facts).bodies[0].prop

    def response(self, facts: OperationFacts, content: Content) -> PropertyProtocol:
        """Return the response with a status; of one without a body that of any JSON."""
        responses = self._endpoint(facts).responses
        found = (each.prop for each in responses if each.status_code.pattern == content.status)
        return next(found, ANY_ADDITIONAL_PROPERTY)

    def members(self, model: str) -> dict[str, PropertyProtocol]:
        """Return the members of a model by name on the wire, the required ones first; none of a mapping or an enum."""
        found = self.models.get(model)
        properties = [*(found.required_properties or ()), *(found.optional_properties or ())] if found else []
        return {self._wire(model, prop)[1]: prop for prop in properties}

    def rest(self, model: str) -> PropertyProtocol | None:
        """Return the members of a model that have no names; None if the contract declares none."""
        return self.models[model].additional_properties

    def value_of(self, mapping: ModelProperty) -> PropertyProtocol:
        """Return the members of a mapping."""
        return self.rest(mapping.class_info.name) or ANY_ADDITIONAL_PROPERTY

    def is_model(self, prop: PropertyProtocol) -> TypeGuard[ModelProperty]:
        """Return whether a property is an object with known members."""
        return isinstance(prop, ModelProperty) and prop.class_info.name in self.sources

    def lacking(self, prop: PropertyProtocol) -> Node:
        """Return what the parse lacks of a property: known values, `duration`, a discriminator; empty if nothing."""
        return self._normalised.lacking.get(plain(prop.description), {})

    def below(self, prop: PropertyProtocol) -> Iterator[PropertyProtocol]:
        """Yield a property and all that it is made of; the members of a model are not."""
        yield prop
        inner: list[PropertyProtocol] = []
        match prop:
            case UnionProperty():
                inner = prop.inner_properties
            case ListProperty():
                inner = [prop.inner_property]
            case ModelProperty() if not self.is_model(prop):
                inner = [self.value_of(prop)]
        for each in inner:
            yield from self.below(each)

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
        return self._normalised.wires[owner][identifier(plain(prop.name))]

    def _check_operation(self, operation_id: str, facts: OperationFacts) -> None:
        """Raise ContractError unless the generator has read all parameters, bodies and responses of an operation."""
        method = facts.arguments["method"]
        route = f" {method} {facts.arguments['path']} "
        endpoint = self._endpoints.get(PythonIdentifier(operation_id, self.config.field_prefix))
        if error := next((each for each in self._errors if route in str(each.header)), None):
            reason = described(error)
        elif endpoint is None or endpoint.method != method.lower():
            reason = "another operation has a similar operationId"
        elif {(each["in"], each["name"]) for each in facts.parameter_nodes} != self.parameters(facts).keys():
            reason = "not all parameters are read"
        else:
            responses = self._contract.pointed(facts.place)["responses"]
            if (len(endpoint.bodies), len(endpoint.responses)) == (facts.request is not None, len(responses)):
                return
            reason = "not all bodies are read"
        raise ContractError(f"{facts.place}: {reason}; openapi-python-client leaves it out: write it in another way")


def described(error: ParseError) -> str:
    """Return what the generator says about something that it cannot read, on one line."""
    return " ".join((error.detail or error.header or "").split())


def plain(text: object) -> str:
    """Return a text of the parse as str; the generator wraps it as untrusted."""
    return str(text.get_untrusted_value()) if isinstance(text, UntrustedString) else ""
