"""What the templates of the facade need to know of an operation: arguments, answer and docstring of its method."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from openapi_python_client.parser.bodies import Body
from openapi_python_client.parser.openapi import Endpoint, EndpointCollection
from openapi_python_client.parser.properties.file import FileProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.model_property import ModelProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol as Property
from openapi_python_client.parser.responses import BYTES_SOURCE, JSON_SOURCE, NONE_SOURCE

from codegen.contract.document import Contract, ContractError, OperationFacts
from codegen.contract.naming import python_name
from codegen.render import properties
from codegen.render.docstrings import docstring, gap_lines, plain, section, sentence

# Names that a method of the facade uses itself.
TAKEN = frozenset({"self", "options", "body", "extra_body", "OPERATION", "decode"})

CREDENTIALS = {
    "serviceUser": "service user",
    "personalAccessToken": "personal access token",
    "enterpriseAdminApiKey": "personal API key of an enterprise administrator",
}


@dataclass(frozen=True)
class Argument:
    """One argument of a method, as it is written in the signature."""

    wire: str
    name: str
    type: str
    default: str | None
    doc: str

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")


class Method:
    """One operation as a method of its resource."""

    def __init__(self, endpoint: Endpoint, contract: Contract) -> None:
        self.facts: OperationFacts = contract.operation(endpoint.method, plain(endpoint.path))
        refuse_unsupported(endpoint, self.facts)
        self.module = str(endpoint.name)
        path = [self._argument(prop, "path") for prop in endpoint.path_parameters]
        # The scope object has bound the organization's id already.
        bound = 1 if self.facts.name.scope == "organization" else 0
        self.bound, self.positional = path[:bound], path[bound:]
        self.query = [self._argument(prop, "query") for prop in endpoint.query_parameters]

        body = endpoint.bodies[0].prop if endpoint.bodies else None
        shown = properties.model_fields(body) if body is not None and properties.is_model(body) else []
        is_form = bool(endpoint.bodies) and endpoint.bodies[0].body_type == "files"
        files = [prop for prop in shown if is_form and isinstance(prop, FileProperty)]
        self.files = [self._argument(prop, "body") for prop in files]
        self.body = [self._argument(prop, "body") for prop in shown if prop not in files]
        self.whole_body = self._whole_body(body) if body is not None and not shown else None
        # A form is never shown whole; JSON is partly shown where the contract says so.
        partly = is_form or (isinstance(body, ModelProperty) and body.data.additionalProperties is True)
        self.extra_body = EXTRA_BODY if shown and partly else None

        answer = success(endpoint)
        self.paginated = bool(self.facts.arguments["paginated"])
        self.streamed = bool(self.facts.arguments["streamed"])
        items = items_of(answer) if self.paginated else None
        self.answer, self.decode = self._answer(answer)
        self.returns = f"Pager[{properties.value_type(items.inner_property, strict=False)}]" if items else self.answer
        if self.streamed:
            self.returns = "Download"
        self.decode_imports = sorted(properties.models_of(answer)) if answer else []
        named = [
            *endpoint.path_parameters,
            *endpoint.query_parameters,
            *shown,
            *(each for each in (answer, items) if each),
        ]
        self.imports = sorted(
            {pair for prop in named for pair in properties.models_of(prop) | properties.enums_of(prop)}
        )
        self.doc = self._docstring(endpoint)

    @property
    def keywords(self) -> list[Argument]:
        """Everything that is given by keyword, the required ones first."""
        given = [*self.query, *self.files, *self.body, *(each for each in (self.whole_body, self.extra_body) if each)]
        return sorted(given, key=lambda argument: argument.default is not None)

    def _argument(self, prop: Property, location: str) -> Argument:
        wire = plain(prop.name)
        written = properties.argument_type(prop)
        default = None
        if location == "query" and not prop.required:
            # A query has no null: None is "not given".
            written = "QueryValue" if written == "Any" else written.removesuffix(" | None")
            written, default = f"{written} | None", "None"
        elif location == "body" and not prop.required:
            written, default = (written if written == "Any" else f"{written} | Unset"), "UNSET"
        return Argument(
            wire,
            python_name(wire, TAKEN),
            written,
            default,
            sentence(self.facts.documented.get(wire, {}).get("description")),
        )

    def _whole_body(self, prop: Property) -> Argument:
        doc = "The request payload, which the description does not show."
        if prop.required:
            return Argument("", "body", properties.MAPPING, None, doc)
        return Argument("", "body", f"{properties.MAPPING} | None", "None", doc)

    def _answer(self, prop: Property | None) -> tuple[str, str]:
        if prop is not None and properties.is_model(prop):
            name = prop.class_info.name
            return name, f"{name}.decode(payload)"
        if isinstance(prop, ListProperty):
            inner = properties.converter(prop.inner_property) or "to_json"
            return properties.value_type(prop, strict=False), f"array(payload, {inner})"
        if (
            prop is None
            or isinstance(prop, ModelProperty | FileProperty)
            or properties.value_type(prop, strict=False) == "Any"
        ):
            return properties.MAPPING, "anything(payload)"
        return properties.value_type(prop, strict=False), properties.read(prop, "payload")

    def _docstring(self, endpoint: Endpoint) -> str:
        facts = self.facts.arguments
        kinds = ", ".join(CREDENTIALS.get(kind, kind) for kind in facts["credentials"]) or "not shown"
        level = f" ({facts['level']} level)" if facts["level"] else " (level not shown)"
        permission = f"`{facts['permission']}`{level}" if facts["permission"] else "not shown"
        successor = f" in favor of `{facts['successor']}`" if facts["successor"] else ""
        status = f"Deprecated{successor}. " if facts["deprecated"] else ""
        status += "Beta. " if facts["beta"] else ""
        status += f"Inferred: {sentence(facts['inferred'])}" if facts["inferred"] else ""
        documented = [*self.positional, *self.keywords]
        return docstring(
            sentence(endpoint.summary) or f"{facts['method']} {facts['path']}.",
            sentence(endpoint.description),
            status.strip(),
            f"Permission: {permission}. Credential: {kinds}.",
            f"`{facts['method']} {facts['path']}`",
            section(
                "Arguments",
                [f"{argument.name}: {argument.doc}" if argument.doc else argument.name for argument in documented],
            ),
            section("Rules", [f"{rule['id']}: {rule['text']}" for rule in self.facts.rules]),
            section("Not shown", gap_lines(self.facts.gaps)),
        )


EXTRA_BODY = Argument(
    "",
    "extra_body",
    f"{properties.MAPPING} | None",
    "None",
    "Members of the payload that the description does not name.",
)


def refuse_unsupported(endpoint: Endpoint, facts: OperationFacts) -> None:
    """Raise ContractError for what the templates would drop in silence."""
    unsupported = [f"the {plain(prop.name)} header" for prop in endpoint.header_parameters]
    unsupported += [f"the {plain(prop.name)} cookie" for prop in endpoint.cookie_parameters]
    unsupported += [f"a body of {plain(body.content_type)}" for body in endpoint.bodies if not is_supported(body)]
    unsupported += ["more than one kind of body"] if len(endpoint.bodies) > 1 else []
    answer = [response for response in endpoint.responses.patterns if str(response.status_code.pattern).startswith("2")]
    unsupported += [
        "an answer that is no JSON"
        for response in answer
        if response.source not in (BYTES_SOURCE, JSON_SOURCE, NONE_SOURCE)
    ]
    if unsupported:
        raise ContractError(f"{facts.arguments['id']}: the templates do not support {', '.join(unsupported)}")


def is_supported(body: Body) -> bool:
    """Whether a request body can be written: JSON, or a form whose parts are known."""
    return body.body_type == "json" or (body.body_type == "files" and properties.is_model(body.prop))


def success(endpoint: Endpoint) -> Property | None:
    """What a success answers with: that of the first 2xx response that has a body."""
    for response in endpoint.responses.patterns:
        if response.status_code.range and 200 <= response.status_code.range[0] < 300 and response.source != NONE_SOURCE:
            return response.prop
    return None


def items_of(page: Any) -> ListProperty:
    """The property `items` of a page."""
    return next(prop for prop in properties.model_fields(page) if prop.name == "items")  # type: ignore[return-value]  # so the contract says


def describe(collections: Iterable[EndpointCollection], contract: Contract) -> list[Method]:
    """Every operation as a method, in order of name."""
    methods = [Method(endpoint, contract) for collection in collections for endpoint in collection.endpoints]
    return sorted(methods, key=lambda method: method.facts.name)


def by_resource(methods: Iterable[Method]) -> dict[str, dict[str, list[Method]]]:
    """The methods of each resource of each scope."""
    found: dict[str, dict[str, list[Method]]] = {"organization": {}, "enterprise": {}}
    for method in methods:
        found[method.facts.name.scope].setdefault(method.facts.name.resource, []).append(method)
    return found
