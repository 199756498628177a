"""Routes: the path, the required credential, the parameters and the bodies of each operation of the contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import quote

import attrs
from agent_session_platform import Catalogue, Operation
from agent_session_platform.contract import PLACEHOLDER, Endpoint, Node, schema_of

from ..problems import UnknownNameError, suggestion
from .content import Content, Kind, Parameter, read_contents, read_parameters
from .requirement import Requirement
from .schemas import OBJECT, SandboxContract, Shape, load_contract


class UnknownOperationError(UnknownNameError):
    """There is no operation of that name. The message suggests the closest one."""


@attrs.frozen
class ResponseForm:
    """The form of the responses with one status.

    Attributes:
        contents: The media types; empty if the response has no body.
        headers: The required headers.
    """

    contents: tuple[Content, ...]
    headers: Mapping[str, Shape]


@attrs.frozen(kw_only=True)
class Route:
    """One operation as the sandbox serves it.

    Attributes:
        endpoint: The operation in the contract.
        pattern: The path as starlette writes it, with numbers for the path parameters, whose names may be any text.
        path_names: The names of the path parameters, in the order of the path.
        parameters: The parameters by location and name.
        body: The media types of the request body; empty if it has none.
        success: The status of a success: the first in the contract, one like `201` before `2XX`.
        responses: The responses by status, such as `200`, `2XX` and `default`.
        is_secret: True if the whole request is a secret.
        pagination: The names that the list has in place of the usual ones (`x-pagination`).
        validation_form: True if failures of validation have the form of schedules.
        with_code: True if problem details have an `error_code`.
    """

    endpoint: Endpoint
    operation_id: str
    method: str
    path: str
    pattern: str
    path_names: tuple[str, ...]
    requirement: Requirement
    parameters: Mapping[str, Mapping[str, Parameter]]
    body: tuple[Content, ...]
    body_required: bool
    success: int
    responses: Mapping[str, ResponseForm]
    is_secret: bool
    pagination: Mapping[str, str] | None
    validation_form: bool
    with_code: bool

    @property
    def contents(self) -> tuple[Content, ...]:
        """The media types of a success; empty if it has no body."""
        form = self.response(self.success)
        return form.contents if form else ()

    @property
    def takes_object(self) -> bool:
        """True if the body is an object, or there is none."""
        types = [each.shape.types for each in self.body if each.kind in (Kind.JSON, Kind.FORM, Kind.MULTIPART)]
        return not self.body or any(not each or (OBJECT in each and "null" not in each) for each in types)

    def response(self, status: int) -> ResponseForm | None:
        """Return the form of the response with a status; None if the contract has none."""
        key = self.endpoint.declared(status)
        return None if key is None else self.responses[key]


def routes(contract: SandboxContract) -> Iterator[Route]:
    """Yield a route for every operation of the contract."""
    return (_route(contract, endpoint) for endpoint in contract.endpoints.values())


@cache
def load_routes() -> tuple[Route, ...]:
    """Return the routes of the contract, made once."""
    return tuple(routes(load_contract()))


def operation_named(name: str) -> Operation:
    """Return the operation with this name or id.

    Raises:
        UnknownOperationError: There is no such operation.
    """
    try:
        return Catalogue()[name]
    except KeyError:
        known = [operation.name for operation in Catalogue()]
        hint = suggestion(name, known) or "; agent_session_platform.operations lists them"
        raise UnknownOperationError(f"there is no operation {name!r}{hint}") from None


@cache
def request_shape(operation_id: str) -> Shape:
    """Return the shape of an operation's request body; it is secret if the whole operation has `x-secret`."""
    contract = load_contract()
    endpoint = contract.endpoints[operation_id]
    if "x-secret" in endpoint.node:
        return Shape(contract, {"x-secret": True})
    schemas = [schema_of(media) for media in endpoint.request_body.get("content", {}).values()]
    return Shape(contract, schemas[0] if len(schemas) == 1 else {"anyOf": schemas} if schemas else {})


def _route(contract: SandboxContract, endpoint: Endpoint) -> Route:
    node, responses = endpoint.node, endpoint.responses
    # A status that an Overlay adds stands behind the class that it is one of.
    exact_first = sorted(responses, key=lambda status: status.endswith("XX"))
    status = next((status for first in "23" for status in exact_first if status.startswith(first)), "200")
    failure = next((responses[each] for each in ("default", "4XX", "422") if each in responses), Node())
    problem: Node = failure.get("content", {}).get("application/problem+json", {})
    return Route(
        endpoint=endpoint,
        operation_id=endpoint.id,
        method=endpoint.method,
        path=endpoint.path,
        pattern=_pattern(endpoint.path, {each["name"] for each in endpoint.parameters if each.get("x-wildcard")}),
        path_names=tuple(PLACEHOLDER.findall(endpoint.path)),
        requirement=Requirement.of(endpoint),
        parameters=read_parameters(contract, endpoint),
        body=read_contents(contract, endpoint.request_body),
        body_required=endpoint.request_body.get("required", False),
        success=int(status.replace("XX", "00")),
        responses={status: _response(contract, response) for status, response in responses.items()},
        is_secret="x-secret" in node,
        pagination=node.get("x-pagination"),
        validation_form="application/json" in failure.get("content", {}),
        with_code="error_code" in contract.flatten(schema_of(problem)).get("properties", {}),
    )


def _pattern(path: str, wildcards: set[str]) -> str:
    """Return the path as starlette writes it: a wildcard matches several segments."""
    for index, name in enumerate(PLACEHOLDER.findall(path)):
        path = path.replace(f"{{{name}}}", f"{{p{index}{':path' if name in wildcards else ''}}}")
    # As the path of a request is written, see `http.paths`.
    return quote(path, safe="/{}:%!$&'()*+;=@,")


def _response(contract: SandboxContract, node: Node) -> ResponseForm:
    headers = {name: contract.resolve(header) for name, header in node.get("headers", {}).items()}
    required = {name: Shape(contract, schema_of(each)) for name, each in headers.items() if each.get("required")}
    return ResponseForm(read_contents(contract, node), required)
