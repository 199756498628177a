"""Describe an operation for the templates of the facade: the arguments of its method, and what it returns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
from openapi_python_client.parser.bodies import Body
from openapi_python_client.parser.openapi import Endpoint, EndpointCollection
from openapi_python_client.parser.properties.file import FileProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.model_property import ModelProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol as Property
from openapi_python_client.parser.responses import BYTES_SOURCE, JSON_SOURCE, NONE_SOURCE

from codegen.contract import Contract, ContractError, OperationFacts, python_name
from codegen.render import properties
from codegen.render.docstrings import plain

# Names that a method of the facade uses itself.
TAKEN = frozenset({"self", "options", "body", "extra_body", "OPERATION", "Request"})


@attrs.frozen
class Argument:
    """One argument of a method, as it is written in the signature."""

    wire: str
    name: str
    type: str
    default: str | None

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")


class Method:
    """One operation as a method of its resource."""

    def __init__(self, endpoint: Endpoint, contract: Contract) -> None:
        self.facts: OperationFacts = contract.operation(endpoint.method, plain(endpoint.path))
        refuse_unsupported(endpoint, self.facts)
        self.module = str(endpoint.name)
        self.summary, self.description = plain(endpoint.summary), plain(endpoint.description)
        path = [self._argument(prop, "path") for prop in endpoint.path_parameters]
        # The scope object knows the organization's id.
        bound = 1 if self.facts.name.scope == "organization" else 0
        self.bound, self.positional = path[:bound], path[bound:]
        self.query = [self._argument(prop, "query") for prop in endpoint.query_parameters]
        payload = self._set_body(endpoint)
        returned = self._set_response(endpoint)
        named = [*endpoint.path_parameters, *endpoint.query_parameters, *payload, *returned]
        self.imports = sorted(
            {pair for prop in named for pair in properties.models_of(prop) | properties.enums_of(prop)}
        )

    def _set_body(self, endpoint: Endpoint) -> list[Property]:
        """Describe the arguments of the request body, and return its properties."""
        body = endpoint.bodies[0].prop if endpoint.bodies else None
        shown = properties.model_fields(body) if body is not None and properties.is_model(body) else []
        is_form = bool(endpoint.bodies) and endpoint.bodies[0].body_type == "files"
        files = [prop for prop in shown if is_form and isinstance(prop, FileProperty)]
        self.files = [self._argument(prop, "body") for prop in files]
        self.body = [self._argument(prop, "body") for prop in shown if prop not in files]
        self.whole_body = self._whole_body(body) if body is not None and not shown else None
        # The description shows no form completely, and no JSON body that allows additional properties.
        partly = is_form or (isinstance(body, ModelProperty) and body.data.additionalProperties is True)
        self.extra_body = EXTRA_BODY if shown and partly else None
        return shown

    def _set_response(self, endpoint: Endpoint) -> list[Property]:
        """Describe the returned value, and return the properties that its type names."""
        response = success(endpoint)
        self.paginated = bool(self.facts.arguments["paginated"])
        self.streamed = bool(self.facts.arguments["streamed"])
        items = items_of(response) if self.paginated else None
        self.item = items.inner_property if items else None
        self.returns, self.decode = self._response(response)
        if self.item is not None:
            self.returns = f"Pager[{properties.value_type(self.item, strict=False)}]"
        if self.streamed:
            self.returns = "Download"
        self.decode_imports = sorted(properties.models_of(response)) if response else []
        return [each for each in (response, items) if each]

    @property
    def keywords(self) -> list[Argument]:
        """The keyword arguments, the required ones first."""
        found = [*self.query, *self.files, *self.body, *(each for each in (self.whole_body, self.extra_body) if each)]
        return sorted(found, key=lambda argument: argument.default is not None)

    def _argument(self, prop: Property, location: str) -> Argument:
        wire = plain(prop.name)
        written = properties.argument_type(prop)
        default = None
        if location == "query" and not prop.required:
            # A query parameter cannot be null: None omits it.
            written = "QueryValue" if written == "Any" else written.removesuffix(" | None")
            written, default = f"{written} | None", "None"
        elif location == "body" and not prop.required:
            written, default = (written if written == "Any" else f"{written} | Unset"), "UNSET"
        return Argument(wire, python_name(wire, TAKEN), written, default)

    def _whole_body(self, prop: Property) -> Argument:
        if prop.required:
            return Argument("", "body", properties.MAPPING, None)
        return Argument("", "body", f"{properties.MAPPING} | None", "None")

    def _response(self, prop: Property | None) -> tuple[str, str]:
        """Return the type of the response, and the function that decodes it."""
        if prop is not None and properties.is_model(prop):
            return prop.class_info.name, f"{prop.class_info.name}.decode"
        written = properties.MAPPING if prop is None else properties.value_type(prop, strict=False)
        if isinstance(prop, ListProperty):
            return written, f"lambda payload: decode_list(payload, {properties.item_converter(prop.inner_property)})"
        if prop is None or isinstance(prop, ModelProperty | FileProperty) or written == "Any":
            return properties.MAPPING, "decode_any"
        return written, f"lambda payload: {properties.read(prop, 'payload')}"


EXTRA_BODY = Argument("", "extra_body", f"{properties.MAPPING} | None", "None")


def refuse_unsupported(endpoint: Endpoint, facts: OperationFacts) -> None:
    """Raise ContractError for anything that the templates would ignore."""
    unsupported = [f"the {plain(prop.name)} header" for prop in endpoint.header_parameters]
    unsupported += [f"the {plain(prop.name)} cookie" for prop in endpoint.cookie_parameters]
    unsupported += [f"a body of {plain(body.content_type)}" for body in endpoint.bodies if not is_supported(body)]
    unsupported += ["more than one kind of body"] if len(endpoint.bodies) > 1 else []
    successes = [
        response for response in endpoint.responses.patterns if str(response.status_code.pattern).startswith("2")
    ]
    unsupported += [
        "a response that is not JSON"
        for response in successes
        if response.source not in (BYTES_SOURCE, JSON_SOURCE, NONE_SOURCE)
    ]
    if unsupported:
        raise ContractError(f"{facts.arguments['id']}: the templates do not support {', '.join(unsupported)}")


def is_supported(body: Body) -> bool:
    """Return whether the templates can write a request body: JSON, or a form with known parts."""
    return body.body_type == "json" or (body.body_type == "files" and properties.is_model(body.prop))


def success(endpoint: Endpoint) -> Property | None:
    """Return the property of the first 2xx response with a body."""
    for response in endpoint.responses.patterns:
        if response.status_code.range and 200 <= response.status_code.range[0] < 300 and response.source != NONE_SOURCE:
            return response.prop
    return None


def items_of(page: Any) -> ListProperty:
    """Return the property `items` of a page."""
    return next(prop for prop in properties.model_fields(page) if prop.name == "items")  # type: ignore[return-value]  # the contract declares an array


def describe(collections: Iterable[EndpointCollection], contract: Contract) -> list[Method]:
    """Return every operation as a method, in order of name."""
    methods = [Method(endpoint, contract) for collection in collections for endpoint in collection.endpoints]
    return sorted(methods, key=lambda method: method.facts.name)


def by_resource(methods: Iterable[Method]) -> dict[str, dict[str, list[Method]]]:
    """Return the methods of each resource of each scope."""
    found: dict[str, dict[str, list[Method]]] = {"organization": {}, "enterprise": {}}
    for method in methods:
        found[method.facts.name.scope].setdefault(method.facts.name.resource, []).append(method)
    return found
