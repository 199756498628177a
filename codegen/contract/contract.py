"""The contract: the document, and what its operations take, return and require, as the templates need it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import attrs

from codegen.contract.checks import check
from codegen.contract.checks.operations import ENVELOPE, NEEDED
from codegen.contract.content import (
    BYTES,
    FILES,
    FORM,
    JSON,
    LINES,
    NOTHING,
    Content,
    kind_of_media_type,
    request_content,
    success_contents,
)
from codegen.contract.naming import Name, name_operation
from codegen.contract.source import COMPONENT, ContractError, Node, Source, child, gaps_below, parts, rules_below

ANNOTATIONS = frozenset({"description", "title", "example", "examples", "deprecated", "readOnly", "writeOnly"})
"""Keywords that say something about a schema, and nothing about its values."""

# Keywords of a part that do not hold for the whole.
OWN = ANNOTATIONS | {"discriminator", "$defs"}
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
PLACEHOLDER = re.compile(r"\{[^{}/]+\}")


def flatten(schema: Any, resolve: Callable[[Any], Any], seen: tuple[int, ...] = ()) -> Node:
    """Return the schema with its reference followed and its `allOf` merged; a part that contains itself is left out.

    Of two parts that describe the same member, both hold. The alternatives of a schema that has members of its own only
    add members that need not be there.
    """
    schema = resolve(schema)
    if not isinstance(schema, dict) or id(schema.get("allOf")) in seen:
        return {}
    seen = (*seen, id(schema["allOf"])) if "allOf" in schema else seen
    merged: Node = {key: value for key, value in schema.items() if key != "allOf"}
    for part in reversed(schema.get("allOf", ())):
        merged = join(flatten(part, resolve, seen), merged)
    alternatives = [each for key in ("oneOf", "anyOf") for each in merged.get(key, ())]
    if "properties" in merged and alternatives:
        for each in alternatives:
            added = flatten(each, resolve, seen).get("properties", {})
            merged["properties"] = {**added, **merged["properties"]}
        merged = {key: value for key, value in merged.items() if key not in ("oneOf", "anyOf")}
    return merged


def join(part: Node, whole: Node) -> Node:
    """Return the schema for which both hold; the keywords of *whole* win."""
    joined = {**{key: value for key, value in part.items() if key not in OWN}, **whole}
    properties = dict(part.get("properties", {}))
    for name, schema in whole.get("properties", {}).items():
        properties[name] = {"allOf": [properties[name], schema]} if name in properties else schema
    if properties:
        joined["properties"] = properties
    if required := [*part.get("required", ()), *whole.get("required", ())]:
        joined["required"] = list(dict.fromkeys(required))
    return joined


class Document:
    """The document at *path*.

    Args:
        path: The file.
        source: What to read instead of the file, such as the contract with an Overlay applied.

    Raises:
        ContractError: Something in it is wrong; the message has one line for each finding, with its place.

    Attributes:
        path: The file.
        source: Its text, with the line of each place.
        document: The whole document.
        schemas: The component schemas.
        rules: The rules by id; one that holds for several operations has its text at one of them.
    """

    def __init__(self, path: Path, source: Source | None = None) -> None:
        self.path = path
        self.source = Source(path) if source is None else source
        if found := check(self.source):
            raise self.source.error(found)
        self.document: Node = self.source.document
        self.schemas: Node = self.document.get("components", {}).get("schemas", {})
        self.rules = {rule["id"]: rule for rule in rules_below(self.document) if "text" in rule}

    def routes(self) -> Iterator[tuple[str, str, Node]]:
        """Yield path, method and path item of every operation."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item

    def pointed(self, reference: str) -> Any:
        """Return the node that a local `$ref` points to."""
        target: Any = self.document
        for key in parts(unquote(reference)):
            target = target[int(key) if isinstance(target, list) else key]
        return target

    def resolve(self, node: Any) -> Any:
        """Follow a local `$ref`; its siblings override the target, as in OpenAPI 3.1."""
        while isinstance(node, dict) and "$ref" in node:
            siblings = {key: value for key, value in node.items() if key != "$ref"}
            target = self.resolve(self.pointed(node["$ref"]))
            node = {**target, **siblings} if isinstance(target, dict) else target
        return node

    def parameters(self, method: str, item: Node) -> list[Node]:
        """Return the resolved parameters of an operation; its own override those of the path."""
        found = [*item.get("parameters", ()), *item[method].get("parameters", ())]
        return list({(each["name"], each["in"]): each for each in map(self.resolve, found)}.values())

    def gaps(self) -> list[Node]:
        """Return all gaps of the document with their places."""
        return list(gaps_below(self.document, "#"))

    def flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed and its `allOf` merged."""
        return flatten(schema, self.resolve)

    def property_schema(self, schema: Node, name: str) -> Node:
        """Return the schema of one member of an object, merged; empty if there is none."""
        return self.flatten(self.flatten(schema).get("properties", {}).get(name, {}))

    def subtypes(self, reference: str) -> list[str]:
        """Return the references of the components that extend one with a discriminator, by `allOf`."""
        if not reference.startswith(COMPONENT):
            return []
        base = self.resolve(self.schemas.get(reference.removeprefix(COMPONENT), {}))
        if "discriminator" not in base or "properties" not in base:
            return []
        return [
            f"{COMPONENT}{name}"
            for name, schema in self.schemas.items()
            if any(part.get("$ref") == reference for part in schema.get("allOf", ()))
        ]


FORMATS = {"date-time": "date-time", "date": "date", "uuid": "uuid", "duration": "duration", "binary": "file"}

DEFAULT_STYLES = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}

# How the SDK writes arrays and objects, by location, style and explode; "" is its default in that location.
STYLES = {
    ("query", "form", True): "",
    ("query", "form", False): "comma",
    ("query", "spaceDelimited", False): "space",
    ("query", "pipeDelimited", False): "pipe",
    ("query", "deepObject", True): "deep",
    ("cookie", "form", False): "",
    ("path", "simple", False): "",
    ("header", "simple", False): "",
}


def parameter_facts(contract: Document, parameter: Node) -> Node:
    """Return the literal arguments of a `Parameter`, without those that are its defaults.

    Args:
        contract: The contract.
        parameter: The resolved parameter, or a member of a body in the same form.

    Raises:
        ContractError: It is written in a way that the SDK does not support.
    """
    schema = contract.flatten(value_schema(parameter))
    kind, nullable = kind_of(contract, schema)
    if not parameter["name"] and not kind and (not schema or {"type", "oneOf", "anyOf", "enum"} & schema.keys()):
        # Several kinds, or `{}`: unlike a body that is not shown, it may be a bare value.
        kind = "any"
    facts = {
        "name": parameter["name"],
        "location": parameter["in"],
        "kind": kind,
        "style": parameter_style(parameter, kind, contract, schema),
        "required": parameter.get("required", False),
        "nullable": nullable,
        "minimum": finite(schema.get("minimum")),
        "maximum": finite(schema.get("maximum")),
        "wildcard": parameter.get("x-wildcard", False),
        "prefix": parameter.get("x-id-prefix"),
        "adds_prefix": parameter.get("x-adds-prefix", False),
    }
    return {key: value for key, value in facts.items() if value not in (None, False, "") or key == "name"}


def value_schema(parameter: Node) -> Node:
    """Return the schema of a parameter's values, not resolved."""
    media: Node = next(iter(parameter.get("content", {}).values()), parameter)
    schema: Node = media.get("schema", {})
    return schema


def kind_of(contract: Document, schema: Node) -> tuple[str, bool]:
    """Return the kind of the values of a merged schema, empty if there are several, and whether null is one."""
    alternatives = [contract.flatten(each) for key in ("oneOf", "anyOf") for each in schema.get(key, ())]
    if alternatives:
        found = [kind_of(contract, each) for each in alternatives]
        kinds = {kind for kind, _ in found if kind != "null"}
        return (kinds.pop() if len(kinds) == 1 else ""), any(kind == "null" or nullable for kind, nullable in found)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else list(types)
    nullable = "null" in types or None in schema.get("enum", ())
    others = [each for each in types if each != "null"]
    if len(others) != 1:
        only_null = nullable and types and not others
        return ("null" if only_null else "object" if schema.get("properties") and not others else ""), nullable
    kind = others[0]
    return (FORMATS.get(schema.get("format", ""), kind) if kind == "string" else kind), nullable


def parameter_style(parameter: Node, kind: str, contract: Document, schema: Node) -> str:
    """Return how arrays and objects of a parameter are written; empty for the way that is usual in its location.

    Raises:
        ContractError: The SDK cannot write them as declared.
    """
    name, location = parameter["name"], parameter["in"]
    if location == "body":
        return ""
    if parameter.get("allowReserved"):
        raise ContractError(f"the parameter {name} has allowReserved, which the SDK cannot send; leave it out")
    if content := parameter.get("content"):
        media_type = next(iter(content))
        if kind_of_media_type(media_type) != JSON:
            raise ContractError(f"the parameter {name} has a content of {media_type}; only JSON can be sent")
        return "json"
    style = parameter.get("style", DEFAULT_STYLES[location])
    explode = parameter.get("explode", style in ("form", "deepObject"))
    if kind not in ("array", "object", ""):
        # Style and explode matter only for arrays and objects.
        if style in ("form", "simple"):
            return ""
        raise ContractError(f"the parameter {name} has the style {style}, which is for arrays and objects only")
    if location in ("cookie", "header", "path") and style in ("form", "simple") and kind == "array":
        if location == "cookie" and explode:
            raise ContractError(f"the cookie {name} is an array that is exploded; write `explode: false`")
        return ""
    if location != "query" and kind == "object":
        raise ContractError(f"the {location} parameter {name} is an object; the SDK can send one in a query or a body")
    written = STYLES.get((location, style, explode))
    if kind == "object" and written == "":
        return "members"
    if written is None and kind == "" and style == DEFAULT_STYLES[location]:
        return ""
    if written is None or (written == "deep" and kind == "array"):
        how = f"style: {style}, explode: {str(explode).lower()}"
        raise ContractError(f"the {location} parameter {name} has {how}, which the SDK cannot send for its values")
    nested = [key for key, each in schema.get("properties", {}).items() if is_nested(contract, each)]
    if kind == "object" and written != "json" and nested:
        raise ContractError(
            f"the member {nested[0]} of the parameter {name} is an array or an object, which OpenAPI cannot write in a "
            "query; make it a parameter of its own"
        )
    if kind == "object" and written in ("space", "pipe"):
        raise ContractError(f"the parameter {name} is an object with the style {style}, which is for arrays")
    return written


def is_nested(contract: Document, schema: Node) -> bool:
    """Return whether a member of an object is an array or an object itself."""
    return kind_of(contract, contract.flatten(schema))[0] in ("array", "object")


def finite(bound: float | None) -> float | None:
    """Return a bound, or None for one that is beyond all numbers."""
    return bound if bound is not None and abs(bound) != float("inf") else None


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
