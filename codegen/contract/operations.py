"""Read what an operation takes, returns and requires, for the templates. Refuse operations that the SDK cannot send."""

from __future__ import annotations

import re

import attrs

from codegen.contract.content import (
    BYTES,
    FILES,
    FORM,
    JSON,
    NOTHING,
    Content,
    kind_of_media_type,
    request_content,
    success_contents,
)
from codegen.contract.document import Document
from codegen.contract.naming import Name, name_operation
from codegen.contract.source import ContractError, Node, instead, quote
from codegen.render.runtime.contract import Endpoint, schema_of

FORMATS = {"date-time": "date-time", "date": "date", "uuid": "uuid", "duration": "duration", "binary": "file"}
DEFAULT_STYLES = {"query": "form", "path": "simple", "header": "simple"}
# How the SDK writes arrays, by location, style and explode. An empty text is the usual way in the location.
ARRAYS = {
    ("query", "form", True): "",
    ("query", "form", False): "comma",
    ("query", "spaceDelimited", False): "space",
    ("query", "pipeDelimited", False): "pipe",
    **{(location, "simple", explode): "" for location in ("path", "header") for explode in (False, True)},
}
OBJECTS = {
    ("query", "form", True): "members",
    ("query", "form", False): "comma",
    ("query", "deepObject", True): "deep",
}
WRITTEN = {"array": ARRAYS, "object": OBJECTS, "": OBJECTS | ARRAYS}
# The SDK and the HTTP library set these headers themselves. They take the values from `security`, the media types, the
# body and the connection.
OWN_HEADERS = re.compile(
    "(?i)authorization|accept|content-type|host|content-length|accept-encoding|content-encoding|connection|expect"
    "|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*"
)
# The members of a page, as in the part "Paginated list envelope" of the API's description.
ENVELOPE = ("items", "end_cursor", "has_next_page", "total")
# The members that each page of a list must have. The other members of ENVELOPE may be absent.
NEEDED = ("items", "end_cursor")


def kinds_of(document: Document, schema: Node) -> set[str]:
    """Return the kinds of the values of a merged schema, including `null`. An empty text stands for any kind."""
    alternatives = [document.flatten(each) for key in ("oneOf", "anyOf") for each in schema.get(key, ())]
    if alternatives:
        return {kind for each in alternatives for kind in kinds_of(document, each)}
    found = {*types_of(schema)} or {"object" if schema.get("properties") else ""}
    if "string" in found:
        found = found - {"string"} | {FORMATS.get(format_of(schema), "string")}
    return found | {"null"} if None in schema.get("enum", ()) else found


def types_of(schema: Node) -> list[str]:
    """Return the types that a schema names; empty if the schema names no type."""
    found: str | list[str] = schema.get("type", [])
    return [found] if isinstance(found, str) else found


def format_of(schema: Node) -> str:
    """Return the format of a text. The format of a file is `binary`, also if the schema has only its media type."""
    kind = kind_of_media_type(schema.get("contentMediaType", "text/plain"))
    return "binary" if kind == BYTES and "contentEncoding" not in schema else schema.get("format", "")


def parameter_facts(document: Document, parameter: Node) -> Node:
    """Return the literal arguments of a `Parameter`, without the arguments that are equal to their defaults.

    Args:
        document: The contract.
        parameter: The resolved parameter, or a member of a body in the same form.

    Raises:
        ContractError: The SDK cannot write the parameter as declared.
    """
    schema = document.flatten(schema_of(parameter))
    kinds = kinds_of(document, schema)
    others = kinds - {"null"}
    kind = "" if len(others) > 1 else next(iter(others), "null")
    if not parameter["name"] and not kind and (not schema or {"type", "oneOf", "anyOf", "enum"} & schema.keys()):
        # The contract shows this body: it is a bare value of several kinds, or of any kind.
        kind = "any"
    facts = {
        "name": parameter["name"],
        "location": parameter["in"],
        "kind": kind,
        "style": "" if parameter["in"] == "body" else parameter_style(document, parameter, kind, schema),
        "required": parameter.get("required", False),
        "nullable": "null" in kinds,
        "minimum": schema.get("minimum"),
        "maximum": schema.get("maximum"),
        "wildcard": parameter.get("x-wildcard", False),
        "prefix": parameter.get("x-id-prefix"),
        "adds_prefix": parameter.get("x-adds-prefix", False),
    }
    return {key: value for key, value in facts.items() if value not in (None, False, "") or key == "name"}


def parameter_style(document: Document, parameter: Node, kind: str, schema: Node) -> str:
    """Return how arrays and objects of a parameter are written; empty for the usual way in its location.

    Raises:
        ContractError: The SDK cannot write the parameter as declared.
    """
    name, location = parameter["name"], parameter["in"]
    if location == "header" and OWN_HEADERS.fullmatch(name):
        raise ContractError(f"the header parameter {name} is set by the SDK or the HTTP library; remove it")
    if location == "header" and not re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name, re.ASCII):
        raise ContractError(f"the header parameter {name} has a character that no such name may have; rename it")
    if parameter.get("allowReserved"):
        raise ContractError(f"the parameter {name} has allowReserved, which the SDK cannot send; leave it out")
    if content := parameter.get("content"):
        media_type = next(iter(content))
        if kind_of_media_type(media_type) != JSON:
            raise ContractError(f"the parameter {name} has a content of {media_type}; only JSON can be sent")
        return "json"
    style = parameter.get("style", DEFAULT_STYLES[location])
    explode = parameter.get("explode", style in ("form", "deepObject"))
    # Style and explode matter only for arrays and objects.
    usual = "" if style == DEFAULT_STYLES[location] and kind not in ("array", "object") else None
    written = WRITTEN.get(kind, {}).get((location, style, explode), usual)
    if written is None:
        how = f"style: {style}, explode: {str(explode).lower()}"
        text = f"the {location} parameter {name} has {how}, which the SDK cannot send for its values"
        raise ContractError(f"{text}; write `style: {DEFAULT_STYLES[location]}` and plain values")
    rest = {key: schema[key] for key in ("additionalProperties", "items") if key in schema}
    for member, each in {**schema.get("properties", {}), **rest}.items() if kind in ("array", "object") else ():
        if kinds_of(document, document.flatten(each)) & {"array", "object"}:
            text = f"the member {member} of the parameter {name} is an array or an object, which OpenAPI cannot write"
            raise ContractError(f"{text} in a {location}; make it a parameter of its own")
    return written


@attrs.frozen
class Pagination:
    """The names that a paginated list uses.

    Attributes:
        items: The member of the response that has the items.
        end_cursor: The member that has the cursor of the next page.
        has_next_page: The member that says whether there is a next page; None if a cursor already says so.
        total: The member that has the total count; None if there is no such member.
        after: The parameter, or the member of the request body, that takes the cursor.
    """

    items: str = "items"
    end_cursor: str = "end_cursor"
    has_next_page: str | None = "has_next_page"
    total: str | None = "total"
    after: str = "after"


class OperationFacts(Endpoint):
    """One operation as the templates need it.

    Args:
        document: The contract.
        path: The path of the operation in the contract.
        method: The HTTP method, in small letters.

    Raises:
        ContractError: The SDK cannot send or read the operation as declared.

    Attributes:
        name: The name of the operation's method in the facade.
        arguments: The literal arguments of its catalogue entry.
        catalogued: The literal arguments of each `Parameter`.
        request: The request body; None if the operation has no body.
        members: The members of the request body that are arguments of their own, in the form of parameters.
        successes: The content of each success.
        pagination: The names of a paginated list; None for any other operation.
        documented: Schema and description of each argument, by location and wire name.
    """

    def __init__(self, document: Document, path: str, method: str) -> None:
        super().__init__(document, path, method)
        self.name: Name = name_operation(path, self.node["tags"][0], self.id, method)
        refuse_unsupported(document, self.node)
        self.request = request_content(self.node, self.place, document.resolve)
        self.successes = list(success_contents(self.node, self.place, document.resolve))
        if not self.successes:
            raise ContractError("no success is declared; write its status, or `2XX` where that is not shown")
        self.members = body_members(document, self.request)
        arguments = [*self.parameters, *self.members]
        if self.request is not None and not self.members and self.request.kind == JSON:
            whole = {"schema": self.request.schema, "required": self.request.required}
            arguments.append({"name": "", "in": "body", **whole})
        self.catalogued = [parameter_facts(document, each) for each in arguments]
        self.pagination = pagination(document, self)
        self.documented: dict[tuple[str, str], Node] = {
            (each["in"], each["name"]): {**document.flatten(schema_of(each)), **each} for each in arguments
        }
        self.arguments = self._catalogue_entry()

    def _catalogue_entry(self) -> Node:
        """Return the literal arguments of the catalogue entry."""
        node, request, pages = self.node, self.request, self.pagination
        security = node.get("security", ())
        accepted = dict.fromkeys(each.media_type for each in self.successes if each.kind not in (JSON, NOTHING))
        if accepted and any(each.kind == JSON for each in self.successes):
            accepted = {"application/json": None, **accepted}
        return {
            "id": self.id,
            "method": self.method,
            "path": self.path,
            "scope": self.name.scope,
            "resource": self.name.resource,
            "verb": self.name.verb,
            "summary": node.get("summary", ""),
            "permission": next(iter(permissions(node)), None),
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
            "streamed": self.method != "HEAD" and any(each.kind == BYTES for each in self.successes),
            "successor": node.get("x-successor"),
            "job": job_verb(node, self.name),
            "shared_list": node.get("x-wait", {}).get("list", ""),
        }


def permissions(node: Node) -> set[str]:
    """Return the permissions that an operation names."""
    return {name for entry in node.get("security", ()) for names in entry.values() for name in names}


def item_members(document: Document, operation: OperationFacts) -> Node:
    """Return the members of an item of a list; empty if the contract does not show them."""
    name = operation.pagination.items if operation.pagination is not None else "items"
    items = document.flatten(shown_members(document, operation).get(name, {})).get("items", {})
    members: Node = document.flatten(items).get("properties", {})
    return members


def job_verb(node: Node, name: Name) -> str:
    """Return the verb of the method that polls an operation, such as `wait`; empty if there is no such method."""
    if "x-follow" in node:
        return f"follow{name.verb.removeprefix('list')}"
    return f"wait{name.verb.removeprefix('get')}" if "x-wait" in node else ""


def body_members(document: Document, request: Content | None) -> list[Node]:
    """Return the members of the request body that a caller may set, in the form of parameters."""
    found: list[Node] = []
    # If other components extend this one, the body may be any of them. So it is passed as a whole.
    if request is None or request.kind not in (JSON, FORM, FILES) or document.subtypes(request.schema.get("$ref", "")):
        return found
    schema = document.flatten(request.schema)
    example = next((each for each in schema.get("examples", ()) if isinstance(each, dict)), {})
    for name, node in schema.get("properties", {}).items():
        # No member is required if the body may be left out.
        member = {"schema": node, "required": request.required and name in schema.get("required", ())}
        if name in example:
            member["example"] = example[name]
        if not document.flatten(node).get("readOnly"):
            found.append({"name": name, "in": "body", **member})
    return found


def pagination(document: Document, operation: OperationFacts) -> Pagination | None:
    """Return the pagination of an operation; None if the operation is not paginated."""
    fields = shown_members(document, operation)
    takers = {each["name"] for each in [*operation.parameters, *operation.members] if each["in"] in ("query", "body")}
    if "x-pagination" in operation.node:
        written, usual = operation.node["x-pagination"], fields.keys() | {*NEEDED, "after"}
        names = {each: written.get(each, each if each in usual else None) for each in (*ENVELOPE, "after")}
        lists = [name for name, schema in fields.items() if is_list(document, schema)]
        known_names = {"after": takers, "items": lists}
        for entry in names.keys() & {*written, *NEEDED, "after"}:
            known = known_names.get(entry, fields)
            if names[entry] not in known:
                text = f"{quote(names[entry])} is not an argument or a member of the response"
                way_out = instead(names[entry], known, "correct it")
                raise ContractError(f"{operation.place}/x-pagination/{entry}: {text}; {way_out}")
        return Pagination(**names)
    is_page = fields.keys() >= {*ENVELOPE} and is_list(document, fields["items"])
    return Pagination() if is_page and "after" in takers else None


def is_list(document: Document, schema: Node) -> bool:
    """Return whether a value is an array. Null may stand for an empty array."""
    return kinds_of(document, document.flatten(schema)) - {"null"} == {"array"}


def shown_members(document: Document, operation: OperationFacts) -> Node:
    """Return the members of the first success of an operation; empty if the contract does not show them."""
    content = next(iter(operation.successes), None)
    schema = document.flatten(content.schema) if content is not None and content.kind == JSON else {}
    members: Node = schema.get("properties", {})
    return members


def refuse_unsupported(document: Document, node: Node) -> None:
    """Raise ContractError if an operation takes several permissions, or anything but a bearer token."""
    if len(permissions(node)) > 1:
        names = " and ".join(sorted(permissions(node)))
        raise ContractError(f"the operation names several permissions, {names}; list one in every entry of `security`")
    schemes = document.components.get("securitySchemes", {})
    for kind in {kind for entry in node.get("security", ()) for kind in entry}:
        if kind not in schemes:
            raise ContractError(f"the credential {kind} is not declared; add it to `#/components/securitySchemes`")
        scheme = document.resolve(schemes[kind])
        if scheme["type"] not in ("oauth2", "openIdConnect") and scheme.get("scheme", "").lower() != "bearer":
            text = f"the credential {kind} is of the type {scheme['type']}; the SDK sends bearer tokens"
            raise ContractError(f"{text}: declare it as `type: http, scheme: bearer`")
