"""Read what an operation takes, returns and requires, for the templates. Refuse operations that the SDK cannot send."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import attrs

from codegen.contract.content import (
    BYTES,
    FILES,
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
# What to write instead of a parameter that the SDK cannot send.
AS_TEXT = "declare it as `type: string` without a style, and pass the text that the server reads"
# What the SDK cannot write, by location.
CANNOT_HOLD = {"query": set[str](), "path": {"array", "object"}, "header": {"object"}}
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
    kinds: set[str] = set()
    for alternative in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
        kinds |= kinds_of(document, document.flatten(alternative))
    if kinds:
        return kinds
    kinds = {*types_of(schema)}
    if not kinds:
        kinds = {"object"} if schema.get("properties") else {""}
    if "string" in kinds:
        kinds.remove("string")
        kinds.add(FORMATS.get(format_of(schema), "string"))
    if None in schema.get("enum", ()):
        kinds.add("null")
    return kinds


def types_of(schema: Node) -> list[str]:
    """Return the types that a schema names; empty if the schema names no type."""
    types: str | list[str] = schema.get("type", [])
    if isinstance(types, str):
        return [types]
    return types


def format_of(schema: Node) -> str:
    """Return the format of a text. The format of a file is `binary`, also if the schema has only its media type."""
    kind = kind_of_media_type(schema.get("contentMediaType", "text/plain"))
    if kind == BYTES and "contentEncoding" not in schema:
        return "binary"
    return str(schema.get("format", ""))


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
    if parameter["in"] != "body":
        refuse_parameter(document, parameter, others, schema)
    facts = {
        "name": parameter["name"],
        "location": parameter["in"],
        "kind": kind,
        "required": parameter.get("required", False),
        "nullable": "null" in kinds,
        "minimum": schema.get("minimum"),
        "maximum": schema.get("maximum"),
        "wildcard": parameter.get("x-wildcard", False),
        "prefix": parameter.get("x-id-prefix"),
        "adds_prefix": parameter.get("x-adds-prefix", False),
    }
    return {key: value for key, value in facts.items() if value not in (None, False, "") or key == "name"}


def refuse_parameter(document: Document, parameter: Node, kinds: Collection[str], schema: Node) -> None:
    """Refuse a parameter that the SDK cannot write as declared.

    The SDK writes plain values, and arrays and objects in the style that OpenAPI takes for granted: a query repeats the
    name of an array, and has each member of an object as a parameter of its own.

    Args:
        document: The contract.
        parameter: The resolved parameter.
        kinds: The kinds of its values.
        schema: Its merged schema.

    Raises:
        ContractError: The SDK cannot write it.
    """
    name, location = parameter["name"], parameter["in"]
    subject = f"the {location} parameter {name}"
    if location == "header" and OWN_HEADERS.fullmatch(name):
        raise ContractError(f"{subject} is set by the SDK or the HTTP library; remove it")
    if location == "header" and not re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name, re.ASCII):
        raise ContractError(f"{subject} has a character that no such name may have; rename it")
    if parameter.get("allowReserved"):
        raise ContractError(f"{subject} has allowReserved, which the SDK cannot send; leave it out")
    if "content" in parameter:
        raise ContractError(f"{subject} has `content`, which the SDK cannot send; {AS_TEXT}")
    usual = DEFAULT_STYLES[location]
    style = parameter.get("style", usual)
    if style == "deepObject":
        way_out = f"make each member a parameter of its own, such as `{name}[member]`"
        raise ContractError(f"{subject} has style: {style}, which the SDK cannot send; {way_out}")
    if style != usual:
        raise ContractError(f"{subject} has style: {style}, which the SDK cannot send; {AS_TEXT}")
    compound = {*kinds} & {"array", "object"}
    if location == "query" and (compound or "" in kinds) and not parameter.get("explode", True):
        raise ContractError(f"{subject} has explode: false, which the SDK cannot send; {AS_TEXT}")
    if refused := compound & CANNOT_HOLD[location]:
        text = f"{subject} is an {min(refused)}, which the SDK cannot send in a {location}"
        raise ContractError(f"{text}; {AS_TEXT}")
    if compound:
        refuse_nested(document, subject, schema)


def refuse_nested(document: Document, subject: str, schema: Node) -> None:
    """Refuse an array or an object whose members are arrays or objects.

    Raises:
        ContractError: A member is one, which OpenAPI cannot write.
    """
    members: Node = {**schema.get("properties", {})}
    for keyword in ("additionalProperties", "items"):
        if keyword in schema:
            members[keyword] = schema[keyword]
    for member, written in members.items():
        if kinds_of(document, document.flatten(written)) & {"array", "object"}:
            text = f"the member {member} of {subject} is an array or an object, which OpenAPI cannot write there"
            raise ContractError(f"{text}; make it a parameter of its own")


@attrs.frozen
class Pagination:
    """The names that a paginated list uses.

    Attributes:
        items: The member of the response that has the items.
        end_cursor: The member that has the cursor of the next page.
        has_next_page: The member that says whether there is a next page; None if a cursor already says so.
        total: The member that has the total count; None if there is no such member.
        after: The query parameter that takes the cursor.
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
        self._document = document
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
        self.catalogued = [self._facts_of(argument) for argument in arguments]
        self.pagination = pagination(document, self)
        self.documented: dict[tuple[str, str], Node] = {}
        for argument in arguments:
            schema = document.flatten(schema_of(argument))
            self.documented[argument["in"], argument["name"]] = {**schema, **argument}
        self.arguments = self._catalogue_entry()

    def _facts_of(self, argument: Node) -> Node:
        """Return the literal arguments of a `Parameter`; an error names the place of the parameter."""
        try:
            return parameter_facts(self._document, argument)
        except ContractError as error:
            raise ContractError(f"{self._place_of(argument)}: {error}") from None

    def _place_of(self, argument: Node) -> str:
        """Return the JSON pointer of a parameter, or of the component that it refers to."""
        for place, above in ((self.place, self.node), (self.place.rpartition("/")[0], self._item)):
            for index, node in enumerate(above.get("parameters", ())):
                parameter = self._document.resolve(node)
                if (parameter["in"], parameter["name"]) == (argument["in"], argument["name"]):
                    return str(node.get("$ref", f"{place}/parameters/{index}"))
        return self.place

    def _catalogue_entry(self) -> Node:
        """Return the literal arguments of the catalogue entry."""
        node, request, pages = self.node, self.request, self.pagination
        credentials: list[str] = []
        for entry in node.get("security", ()):
            credentials += entry
        kinds = {content.kind for content in self.successes}
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
            "credentials": tuple(credentials),
            "paginated": pages is not None,
            "cursor": pages.after if pages is not None and pages.after != "after" else None,
            "deprecated": node.get("deprecated", False),
            "beta": node.get("x-stability") == "beta",
            "inferred": node.get("x-inferred"),
            "media_type": request.media_type if request is not None else None,
            "optional_body": request is not None and not request.required,
            "accept": ", ".join(self._accepted()),
            "streamed": self.method != "HEAD" and BYTES in kinds,
            "successor": node.get("x-successor"),
            "job": job_verb(node, self.name),
            "shared_list": node.get("x-wait", {}).get("list", ""),
            "states": node.get("x-wait", {}).get("states"),
        }

    def _accepted(self) -> Iterable[str]:
        """Return the media types of the successes; empty if the response is always JSON."""
        accepted: dict[str, None] = {}
        for content in self.successes:
            if content.kind not in (JSON, NOTHING):
                accepted[content.media_type] = None
        has_json = any(content.kind == JSON for content in self.successes)
        if accepted and has_json:
            return ["application/json", *accepted]
        return accepted


def permissions(node: Node) -> set[str]:
    """Return the permissions that an operation names."""
    found: set[str] = set()
    for entry in node.get("security", ()):
        for names in entry.values():
            found |= {*names}
    return found


def item_members(document: Document, operation: OperationFacts) -> Node:
    """Return the members of an item of a list; empty if the contract does not show them."""
    name = "items"
    if operation.pagination is not None:
        name = operation.pagination.items
    items = document.flatten(shown_members(document, operation).get(name, {})).get("items", {})
    members: Node = document.flatten(items).get("properties", {})
    return members


def job_verb(node: Node, name: Name) -> str:
    """Return the verb of the method that polls an operation, such as `wait`; empty if there is no such method."""
    if "x-follow" in node:
        return f"follow{name.verb.removeprefix('list')}"
    if "x-wait" in node:
        return f"wait{name.verb.removeprefix('get')}"
    return ""


def body_members(document: Document, request: Content | None) -> list[Node]:
    """Return the members of the request body that a caller may set, in the form of parameters."""
    members: list[Node] = []
    # If other components extend this one, the body may be any of them. So it is passed as a whole.
    if request is None or request.kind not in (JSON, FILES) or document.subtypes(request.schema.get("$ref", "")):
        return members
    schema = document.flatten(request.schema)
    objects = [example for example in schema.get("examples", ()) if isinstance(example, dict)]
    for name, node in schema.get("properties", {}).items():
        if document.flatten(node).get("readOnly"):
            continue
        # No member is required if the body may be left out.
        required = request.required and name in schema.get("required", ())
        member = {"name": name, "in": "body", "schema": node, "required": required}
        if objects and name in objects[0]:
            member["example"] = objects[0][name]
        members.append(member)
    return members


def pagination(document: Document, operation: OperationFacts) -> Pagination | None:
    """Return the pagination of an operation; None if the operation is not paginated.

    Raises:
        ContractError: A name in `x-pagination` is wrong, or the cursor is a member of the request body.
    """
    fields = shown_members(document, operation)
    takers = {parameter["name"] for parameter in operation.parameters if parameter["in"] == "query"}
    if "x-pagination" in operation.node:
        return named_pagination(document, operation, fields, takers)
    if not fields.keys() >= {*ENVELOPE} or not is_list(document, fields["items"]):
        return None
    if "after" in takers:
        return Pagination()
    if any(member["name"] == "after" for member in operation.members):
        text = "the cursor `after` is a member of the request body, and the SDK sends cursors in the query"
        way_out = "leave `has_next_page` out of the response: the method then returns one page, and takes `after=`"
        raise ContractError(f"{operation.place}/requestBody: {text}; {way_out}")
    return None


def named_pagination(document: Document, operation: OperationFacts, fields: Node, takers: set[str]) -> Pagination:
    """Return the pagination of an operation with `x-pagination`.

    Args:
        document: The contract.
        operation: The operation.
        fields: The members of a page.
        takers: The query parameters, one of which takes the cursor.

    Raises:
        ContractError: A name is not there, or the cursor is a member of the request body.
    """
    written = operation.node["x-pagination"]
    names: dict[str, Any] = dict.fromkeys((*ENVELOPE, "after"))
    usual = fields.keys() & names.keys() | {*NEEDED, "after"}
    names |= {entry: entry for entry in usual} | written
    lists = [name for name, schema in fields.items() if is_list(document, schema)]
    known_names = {"after": takers, "items": lists}
    in_body = {member["name"] for member in operation.members}
    for entry in names.keys() & {*written, *NEEDED, "after"}:
        name, known = names[entry], known_names.get(entry, fields)
        if name in known:
            continue
        text = f"{quote(name)} is not an argument or a member of the response"
        way_out = instead(name, known, "correct it")
        if entry == "after" and name in in_body:
            text = f"the cursor {quote(name)} is a member of the request body, and the SDK sends cursors in the query"
            way_out = "remove x-pagination: the method then returns one page, and takes the cursor as a keyword"
        raise ContractError(f"{operation.place}/x-pagination/{entry}: {text}; {way_out}")
    return Pagination(**names)


def is_list(document: Document, schema: Node) -> bool:
    """Return whether a value is an array. Null may stand for an empty array."""
    return kinds_of(document, document.flatten(schema)) - {"null"} == {"array"}


def shown_members(document: Document, operation: OperationFacts) -> Node:
    """Return the members of the first success of an operation; empty if the contract does not show them."""
    if not operation.successes or operation.successes[0].kind != JSON:
        return {}
    schema = document.flatten(operation.successes[0].schema)
    members: Node = schema.get("properties", {})
    return members


def refuse_unsupported(document: Document, node: Node) -> None:
    """Raise ContractError if an operation takes several permissions, or anything but a bearer token."""
    if len(permissions(node)) > 1:
        names = " and ".join(sorted(permissions(node)))
        raise ContractError(f"the operation names several permissions, {names}; list one in every entry of `security`")
    schemes = document.components.get("securitySchemes", {})
    kinds: set[str] = set()
    for entry in node.get("security", ()):
        kinds |= {*entry}
    for kind in kinds:
        if kind not in schemes:
            raise ContractError(f"the credential {kind} is not declared; add it to `#/components/securitySchemes`")
        scheme = document.resolve(schemes[kind])
        if scheme["type"] not in ("oauth2", "openIdConnect") and scheme.get("scheme", "").lower() != "bearer":
            text = f"the credential {kind} is of the type {scheme['type']}; the SDK sends bearer tokens"
            raise ContractError(f"{text}: declare it as `type: http, scheme: bearer`")
