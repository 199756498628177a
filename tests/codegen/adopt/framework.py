"""A made-up deployment's document as a framework writes it: some 180 operations, of which the contract has a third."""

from __future__ import annotations

import re
from typing import Any

from codegen import ROOT
from codegen.contract.contract import Contract

Node = dict[str, Any]
WORD, PREFIX = "acme", "acme_"
# Resources that the contract does not have, by scope.
NEW = {
    "organizations/{org_id}": [
        "widgets",
        "webhooks",
        "environments",
        "budgets",
        "snapshots",
        "labels",
        "runners",
        "keys",
    ],
    "enterprise": ["regions", "invoices", "policies", "domains", "licenses", "connectors", "audiences", "templates"],
}
REF = "#/components/schemas/"


def operation_id(function: str, path: str, method: str) -> str:
    """Return an id as FastAPI makes it."""
    return f"{function}{re.sub(r'[^0-9a-zA-Z]', '_', path)}_{method}"


def json_of(schema: Node) -> Node:
    return {"application/json": {"schema": schema}}


def nullable(schema: Node) -> Node:
    return {"anyOf": [schema, {"type": "null"}]}


class Document:
    """The document, which grows with each operation."""

    def __init__(self) -> None:
        self.schemas: Node = {
            "ValidationError": {
                "properties": {
                    "loc": {
                        "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                        "type": "array",
                        "title": "Location",
                    },
                    "msg": {"type": "string", "title": "Message"},
                    "type": {"type": "string", "title": "Error Type"},
                },
                "type": "object",
                "required": ["loc", "msg", "type"],
                "title": "ValidationError",
            },
            "HTTPValidationError": {
                "properties": {
                    "detail": {"items": {"$ref": f"{REF}ValidationError"}, "type": "array", "title": "Detail"}
                },
                "type": "object",
                "title": "HTTPValidationError",
            },
        }
        self.paths: Node = {}

    def parameters(self, path: str) -> list[Node]:
        names = re.findall(r"{(\w+)}", path)
        return [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", "title": name.title()}}
            for name in names
        ]

    def add(self, method: str, path: str, function: str, tag: str, *, permission: str, **parts: Any) -> Node:
        operation: Node = {
            "tags": [tag],
            "summary": function.replace("_", " ").title(),
            "operationId": operation_id(function, path, method),
            "security": [{"HTTPBearer": []}],
        }
        if permission:
            operation["description"] = (
                f"{operation['summary']}.\n\nRequires the `{permission}` permission at the organization level."
            )
        parameters = [*self.parameters(path), *parts.pop("query", ())]
        if parameters:
            operation["parameters"] = parameters
        if "body" in parts:
            operation["requestBody"] = {"required": True, "content": json_of(parts["body"])}
        status, schema = parts.get("status", "200"), parts.get("returns")
        success: Node = {"description": "Successful Response"}
        if schema is not None:
            success["content"] = json_of(schema)
        operation["responses"] = {
            status: success,
            "422": {"description": "Validation Error", "content": json_of({"$ref": f"{REF}HTTPValidationError"})},
        }
        self.paths.setdefault(path, {})[method] = operation
        return operation

    def page(self, item: str) -> Node:
        name = f"Page_{item}_"
        self.schemas[name] = {
            "properties": {
                "items": {"items": {"$ref": f"{REF}{item}"}, "type": "array", "title": "Items"},
                "end_cursor": {**nullable({"type": "string"}), "title": "End Cursor"},
                "has_next_page": {"type": "boolean", "title": "Has Next Page", "default": False},
                "total": {**nullable({"type": "integer"}), "title": "Total"},
            },
            "type": "object",
            "required": ["items"],
            "title": f"Page[{item}]",
        }
        return {"$ref": f"{REF}{name}"}

    def record(self, item: str, id_name: str) -> Node:
        """Add the schemas of a resource."""
        self.schemas[f"{item}Status"] = {
            "type": "string",
            "enum": ["active", "paused", "gone"],
            "title": f"{item}Status",
        }
        self.schemas[f"{item}Response"] = {
            "properties": {
                id_name: {"type": "string", "title": id_name.title()},
                "name": {"type": "string", "title": "Name", "description": "Its name."},
                "status": {"$ref": f"{REF}{item}Status"},
                "note": {**nullable({"type": "string"}), "title": "Note"},
                "created_at": {"type": "string", "format": "date-time", "title": "Created At"},
                "owner": {"properties": {"user_id": {"type": "string"}}, "type": "object"},
            },
            "type": "object",
            "required": [id_name, "name", "status", "created_at"],
            "title": f"{item}Response",
        }
        self.schemas[f"{item}Create"] = {
            "properties": {
                "name": {"type": "string", "maxLength": 80, "minLength": 1, "title": "Name"},
                "kind": {"type": "string", "enum": ["small", "large"], "title": "Kind", "default": "small"},
                "note": {**nullable({"type": "string"}), "title": "Note"},
            },
            "type": "object",
            "required": ["name"],
            "title": f"{item}Create",
        }
        return {"$ref": f"{REF}{item}Response"}


PAGING = [
    {
        "name": "after",
        "in": "query",
        "required": False,
        "schema": {**nullable({"type": "string"}), "title": "After"},
    },
    {
        "name": "first",
        "in": "query",
        "required": False,
        "schema": {"type": "integer", "maximum": 200, "minimum": 1, "default": 100, "title": "First"},
    },
]
BODY = {"post", "put", "patch"}


def add_known(document: Document, most: int) -> None:
    """Add operations of the contract, with payloads of their own."""
    text = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    contract = Contract(ROOT / "openapi.yaml")
    assert "assistant" in text or WORD in text
    for facts in list(contract.operations.values())[:most]:
        path = facts.path.replace("{assistant_id}", "{session_id}").replace("assistant", WORD)
        tag = facts.node["tags"][0]
        item = "".join(word.capitalize() for word in tag.split()).removesuffix("s")
        id_name = f"{tag.replace(' ', '_').removesuffix('s')}_id"
        if f"{item}Response" not in document.schemas:
            document.record(item, id_name)
        permission = next(iter(next(iter(facts.node["security"][0].values()))), "") or f"Manage{item}"
        parts: Node = {"returns": {"$ref": f"{REF}{item}Response"}}
        if "list" in facts.name.verb:
            parts = {"returns": document.page(f"{item}Response"), "query": PAGING}
        if facts.method == "DELETE":
            parts = {"status": "204"}
        if facts.method.lower() in BODY:
            parts["body"] = {"$ref": f"{REF}{item}Create"}
        function = facts.id.replace("list_", "read_")
        document.add(facts.method.lower(), path, function, tag, permission=permission, **parts)


def add_new(document: Document) -> None:
    """Add operations that the contract does not have."""
    for scope, names in NEW.items():
        for plural in names:
            singular = f"{plural[:-3]}y" if plural.endswith("ies") else plural.removesuffix("s")
            item, id_name = singular.capitalize(), f"{singular}_id"
            shown = document.record(item, id_name)
            above = f"/v3/{scope}/{plural}"
            one = f"{above}/{{{id_name}}}"
            body = {"$ref": f"{REF}{item}Create"}
            right = f"Manage{item}s"
            add = document.add
            add(
                "get",
                above,
                f"read_{plural}",
                plural,
                permission=right,
                returns=document.page(f"{item}Response"),
                query=PAGING,
            )
            add("post", above, f"create_{singular}", plural, permission=right, returns=shown, body=body, status="201")
            add("get", one, f"read_{singular}", plural, permission=right, returns=shown)
            add("patch", one, f"update_{singular}", plural, permission=right, returns=shown, body=body)
            add("delete", one, f"delete_{singular}", plural, permission=right, status="204")
            add("post", f"{one}/archive", f"archive_{singular}", plural, permission=right, returns=shown)
            listed = {"type": "array", "items": shown}
            add("get", f"{one}/versions", f"list_{singular}_versions", plural, permission="", returns=listed)


def framework_document(known: int = 62) -> Node:
    """Return the document."""
    document = Document()
    add_known(document, known)
    add_new(document)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Acme", "version": "2026.11"},
        "paths": document.paths,
        "components": {
            "schemas": document.schemas,
            "securitySchemes": {"HTTPBearer": {"type": "http", "scheme": "bearer"}},
        },
    }
