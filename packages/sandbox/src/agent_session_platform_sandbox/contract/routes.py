"""Routes: the path, the required credential, the parameters and the bodies of each operation of the contract."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import quote

import attrs

from .content import Content, Kind, read_contents
from .document import Contract, Node, load_contract
from .parameters import Parameter, read_parameters
from .requirement import ENTERPRISE, ORGANIZATION, Requirement
from .shape import Shape

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


@attrs.frozen
class ResponseForm:
    """The form of the responses with one status.

    Attributes:
        contents: The media types; empty if the response has no body.
        headers: The required headers.
    """

    contents: tuple[Content, ...] = ()
    headers: Mapping[str, Shape] = attrs.field(factory=lambda: dict[str, Shape]())


@attrs.frozen(kw_only=True)
class Route:
    """One operation as the sandbox serves it.

    Attributes:
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
        return not self.body or any(not each or ("object" in each and "null" not in each) for each in types)

    def response(self, status: int) -> ResponseForm | None:
        """Return the form of the response with a status; None if the contract has none."""
        for key in (str(status), f"{status // 100}XX", "default"):
            if key in self.responses:
                return self.responses[key]
        return None


def routes(contract: Contract) -> Iterator[Route]:
    """Yield a route for every operation of the contract."""
    for path, node in contract.document["paths"].items():
        item = contract.resolve(node)
        for method in METHODS:
            if method in item:
                yield _route(contract, path, method, item)


@cache
def load_routes() -> tuple[Route, ...]:
    """Return the routes of the contract, made once."""
    return tuple(routes(load_contract()))


def _route(contract: Contract, path: str, method: str, item: Node) -> Route:
    node: Node = item[method]
    parameters = [contract.resolve(each) for each in [*item.get("parameters", ()), *node.get("parameters", ())]]
    request_body = contract.resolve(node.get("requestBody", {}))
    responses = {str(status): contract.resolve(response) for status, response in node["responses"].items()}
    # A status that an Overlay adds stands behind the class that it is one of.
    exact_first = sorted(responses, key=lambda status: status.endswith("XX"))
    status = next((status for first in "23" for status in exact_first if status.startswith(first)), "200")
    failure = next((responses[each] for each in ("default", "4XX", "422") if each in responses), Node())
    problem: Node = failure.get("content", {}).get("application/problem+json", {}).get("schema", {})
    return Route(
        operation_id=node["operationId"],
        method=method.upper(),
        path=path,
        pattern=_pattern(path, {each["name"] for each in parameters if each.get("x-wildcard")}),
        path_names=tuple(PLACEHOLDER.findall(path)),
        requirement=_requirement(path, node),
        parameters=read_parameters(contract, parameters),
        body=read_contents(contract, request_body),
        body_required=request_body.get("required", False),
        success=int(status.replace("XX", "00")),
        responses={status: _response(contract, response) for status, response in responses.items()},
        is_secret="x-secret" in node,
        pagination=node.get("x-pagination"),
        validation_form="application/json" in failure.get("content", {}),
        with_code="error_code" in contract.flatten(problem).get("properties", {}),
    )


def _pattern(path: str, wildcards: set[str]) -> str:
    """Return the path as starlette writes it: a wildcard matches several segments."""
    for index, name in enumerate(PLACEHOLDER.findall(path)):
        path = path.replace(f"{{{name}}}", f"{{p{index}{':path' if name in wildcards else ''}}}")
    # As the path of a request is written, see `http.paths`.
    return quote(path, safe="/{}:%!$&'()*+;=@,")


def _requirement(path: str, node: Node) -> Requirement:
    """Return the requirement in the contract; if it has no level, use that of the path."""
    security: list[dict[str, list[str]]] = node.get("security", [])
    scope = ENTERPRISE if ENTERPRISE in path.split("/") else ORGANIZATION
    return Requirement(
        kinds=tuple(kind for entry in security for kind in entry),
        permissions=tuple(dict.fromkeys(name for entry in security for names in entry.values() for name in names)),
        level=node.get("x-permission-level", scope),
    )


def _response(contract: Contract, node: Node) -> ResponseForm:
    headers = {name: contract.resolve(header) for name, header in node.get("headers", {}).items()}
    required = {name: Shape(contract, each.get("schema", {})) for name, each in headers.items() if each.get("required")}
    return ResponseForm(read_contents(contract, node), required)
