"""The contract: the document, and what its operations take, return and require, as the templates need it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from codegen.contract.checks.pagination import ENVELOPE, NEEDED
from codegen.contract.content import (
    BYTES,
    FILES,
    FORM,
    JSON,
    LINES,
    NOTHING,
    Content,
    request_content,
    success_contents,
)
from codegen.contract.document import PLACEHOLDER, Document
from codegen.contract.naming import Name, name_operation
from codegen.contract.nodes import ContractError, Node, child, gaps_below
from codegen.contract.parameters import parameter_facts, value_schema
from codegen.contract.source import Source


@attrs.frozen
class Members:
    """The members of a body that are arguments of their own; none if the body is one argument as a whole.

    Attributes:
        properties: The schema of each member, by its name.
        required: The names of those that must be given.
        example: The values of the schema's example.
    """

    properties: Node
    required: tuple[str, ...]
    example: Node


@attrs.frozen
class Pagination:
    """The names that a paginated list uses.

    Attributes:
        items: The member of the response that has the items.
        end_cursor: The member that has the cursor of the next page.
        has_next_page: The member that says whether there is one; None if there are more pages while there is a cursor.
        total: The member that has the total count; None if there is none.
        after: The parameter, or the member of the request body, that takes the cursor.
    """

    items: str = "items"
    end_cursor: str = "end_cursor"
    has_next_page: str | None = "has_next_page"
    total: str | None = "total"
    after: str = "after"


@attrs.frozen
class OperationFacts:
    """One operation as the templates need it.

    Attributes:
        name: The name of its method in the facade.
        place: The JSON pointer of the operation.
        arguments: The literal arguments of its catalogue entry.
        parameters: The literal arguments of each `Parameter`.
        parameter_nodes: The parameters, resolved, in the order of the signature.
        request: The request body; None if it has none.
        members: The members of the request body that are arguments of their own.
        responses: The content of each success.
        pagination: The names of a paginated list; None for any other operation.
        rules: The rules that hold for it.
        gaps: The gaps at or below it.
        documented: Schema and description of each argument, by location and wire name.
        legacy: The legacy path that it replaces.
        stated: The path that the API's description states, where a newer one took its place.
    """

    name: Name
    place: str
    arguments: Node
    parameters: list[Node]
    parameter_nodes: list[Node]
    request: Content | None
    members: Members
    responses: list[Content]
    pagination: Pagination | None
    rules: list[Node]
    gaps: list[Node]
    documented: dict[tuple[str, str], Node]
    legacy: str | None
    stated: str | None


def describe_operation(contract: Document, path: str, method: str, item: Node) -> OperationFacts:
    """Return the facts of one operation.

    Args:
        contract: The contract.
        path: The path of the operation.
        method: Its HTTP method, in small letters.
        item: Its path item.

    Raises:
        ContractError: It has a parameter or a body that cannot be sent.
    """
    node = item[method]
    place = child(child("#/paths", path), method)
    refuse_unsupported(contract, place, item, node)
    name = name_operation(path, node["tags"][0], node["operationId"], method)
    request = request_content(node, place, contract.resolve)
    responses = list(success_contents(node, place, contract.resolve))
    parameters = contract.parameters(method, item)
    members = body_members(contract, request)
    described = [parameter_facts(contract, each) for each in parameters]
    described += [
        parameter_facts(contract, {"name": key, "in": "body", "schema": schema, "required": key in members.required})
        for key, schema in members.properties.items()
    ]
    if request is not None and not members.properties and request.kind == JSON:
        whole = {"name": "", "in": "body", "schema": request.schema, "required": request.required}
        described.append(parameter_facts(contract, whole))
    pages = pagination(contract, node, parameters, members.properties, responses)
    return OperationFacts(
        name,
        place,
        catalogue_entry(node, path, method, name, request, responses, pages),
        described,
        parameters,
        request,
        members,
        responses,
        pages,
        [{**contract.rules.get(rule["id"], {}), **rule} for rule in node.get("x-rules", [])],
        list(gaps_below(node, place)),
        documented(contract, parameters, members, request),
        node.get("x-legacy"),
        node.get("x-stated-path"),
    )


def job_verb(node: Node, name: Name) -> str:
    """Return the verb of the method that polls an operation, `wait` or `follow_messages`; empty if none does."""
    if "x-follow" in node:
        return f"follow{name.verb.removeprefix('list')}"
    return f"wait{name.verb.removeprefix('get')}" if "x-wait" in node else ""


def body_members(contract: Document, request: Content | None) -> Members:
    """Return the members of the request body that a caller may set."""
    if request is None or request.kind not in (JSON, FORM, FILES):
        return Members({}, (), {})
    if contract.subtypes(request.schema.get("$ref", "")):
        # A whole body: one of the components that extend it.
        return Members({}, (), {})
    schema = contract.flatten(request.schema)
    properties = {
        name: node for name, node in schema.get("properties", {}).items() if not contract.flatten(node).get("readOnly")
    }
    # Without a body no member is required.
    required = tuple(schema.get("required", ())) if request.required else ()
    example: Any = next(iter(schema.get("examples", ())), {})
    return Members(properties, required, example if isinstance(example, dict) else {})


def documented(
    contract: Document, parameters: list[Node], members: Members, request: Content | None
) -> dict[tuple[str, str], Node]:
    """Return the merged schema of each argument, with its description and its example."""
    found = {(each["in"], each["name"]): {**contract.flatten(value_schema(each)), **each} for each in parameters}
    if request is not None and request.kind == JSON:
        found["body", ""] = contract.flatten(request.schema)
    for name, schema in members.properties.items():
        example = {"example": members.example[name]} if name in members.example else {}
        found["body", name] = {**contract.flatten(schema), **example}
    return found


def catalogue_entry(
    node: Node,
    path: str,
    method: str,
    name: Name,
    request: Content | None,
    responses: list[Content],
    pages: Pagination | None,
) -> Node:
    """Return the literal arguments of the catalogue entry.

    Args:
        node: The operation.
        path: Its path.
        method: Its HTTP method.
        name: The name of its method.
        request: The request body; None if it has none.
        responses: The content of each success.
        pages: The names of a paginated list; None for any other operation.
    """
    security = node.get("security", ())
    permissions = sorted({permission for entry in security for names in entry.values() for permission in names})
    accepted = dict.fromkeys(each.media_type for each in responses if each.kind not in (JSON, NOTHING))
    if accepted and any(each.kind == JSON for each in responses):
        accepted = {"application/json": None, **accepted}
    return {
        "id": node["operationId"],
        "method": method.upper(),
        "path": path,
        "scope": name.scope,
        "resource": name.resource,
        "verb": name.verb,
        "summary": node.get("summary", ""),
        "permission": permissions[0] if permissions else None,
        "level": node.get("x-permission-level"),
        "credentials": tuple(kind for entry in security for kind in entry),
        "paginated": pages is not None,
        "cursor": pages.after if pages is not None and pages.after != "after" else None,
        "deprecated": node.get("deprecated", False),
        "beta": node.get("x-stability") == "beta",
        "inferred": node.get("x-inferred"),
        "media_type": request.media_type if request is not None else None,
        "optional_body": request is not None and not request.required,
        "accept": ", ".join(accepted),
        "streamed": any(each.kind in (BYTES, LINES) for each in responses),
        "successor": node.get("x-successor"),
        "job": job_verb(node, name),
        "shared_list": node.get("x-wait", {}).get("list", ""),
    }


def pagination(
    contract: Document, node: Node, parameters: list[Node], members: Node, responses: list[Content]
) -> Pagination | None:
    """Return the pagination of an operation; None if it has none.

    Args:
        contract: The contract.
        node: The operation.
        parameters: Its parameters, resolved.
        members: The members of its request body.
        responses: The content of each success.
    """
    schema = contract.flatten(responses[0].schema) if responses and responses[0].kind == JSON else {}
    fields = schema.get("properties", {})
    if "x-pagination" in node:
        usual = fields.keys() | {*NEEDED, "after"}
        return Pagination(
            **{key: node["x-pagination"].get(key, key if key in usual else None) for key in (*ENVELOPE, "after")}
        )
    takers = {each["name"] for each in parameters if each["in"] == "query"} | members.keys()
    is_page = set(ENVELOPE) <= fields.keys() and contract.flatten(fields["items"]).get("type") == "array"
    return Pagination() if is_page and "after" in takers else None


def refuse_unsupported(contract: Document, place: str, item: Node, node: Node) -> None:
    """Raise ContractError if an operation has another address than the contract, or takes anything but a bearer token.

    Args:
        contract: The contract.
        place: The JSON pointer of the operation.
        item: The path item.
        node: The operation.
    """
    if "servers" in item or "servers" in node:
        raise ContractError("`servers` of an operation; the SDK sends every request to one address, so leave it out")
    for status in node["responses"]:
        if str(status).startswith("3"):
            raise ContractError(
                f"{place}/responses/{status}: the SDK follows no redirect, and raises an error for one: leave "
                "it out, or write the status of what the caller gets"
            )
    schemes: Node = contract.document["components"].get("securitySchemes", {})
    for entry in node.get("security", ()):
        if len(entry) > 1:
            kinds = " and ".join(entry)
            raise ContractError(
                f"`security` requires {kinds} together; the SDK sends one credential: one entry for each"
            )
        for kind in entry:
            scheme = contract.resolve(schemes.get(kind, {}))
            is_bearer = (
                scheme.get("type") in ("oauth2", "openIdConnect") or scheme.get("scheme", "").lower() == "bearer"
            )
            if scheme and not is_bearer:
                raise ContractError(
                    f"the credential {kind} is of the type {scheme['type']}; the SDK sends bearer tokens"
                )


class Contract(Document):
    """The contract at *path*.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Attributes:
        operations: The facts of each operation, by its id.

    Raises:
        ContractError: Something in it is wrong, or an operation cannot be sent or read by the SDK.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        super().__init__(path, source)
        self.operations: dict[str, OperationFacts] = {}
        self._routes: dict[tuple[str, str], OperationFacts] = {}
        for template, method, item in self.routes():
            try:
                facts = describe_operation(self, template, method, item)
            except ContractError as error:
                raise self.source.located(error, child(child("#/paths", template), method)) from error
            self.operations[item[method]["operationId"]] = facts
            self._routes[method, PLACEHOLDER.sub("{}", template)] = facts

    def operation(self, method: str, path: str) -> OperationFacts:
        """Return the operation of a route; the names of the path parameters do not matter."""
        return self._routes[method.lower(), PLACEHOLDER.sub("{}", path)]
