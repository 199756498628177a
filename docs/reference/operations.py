"""Write the pages of the operations, one for each resource of a scope, and their index."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any, Final

import griffe
from agent_session_platform import Operation, operations
from agent_session_platform_cli.sheet import INFERRED, credentials_are_inferred, sheet_of

from docs.reference.docstrings import markdown_of, summary_of
from docs.reference.markdown import anchor, bullets, code, document, fence, link, one_line, table
from docs.reference.payloads import Payload, payloads
from docs.reference.signatures import signature_of
from docs.reference.source import found_at, source_line
from docs.reference.themes import OPERATIONS, linker

FOLDER: Final = OPERATIONS.rpartition("/")[0]
GAPS: Final = "reference/gaps.md"
LANGUAGES: Final = (("python", "python", "Python"), ("shell", "sh", "Shell"), ("curl", "sh", "curl"))
NOTHING: Final = "It needs something that no operation adds, and of which the contract has no example."
NOT_SHOWN: Final = "The API's description does not show it."
ASSUMED: Final = (
    "The responses on this page come from the [sandbox](../sandbox.md). What the API's description does not show of a "
    "response is an assumption of the sandbox: the platform may respond with something else. In the examples "
    "`platform` is an open client, `payload` a mapping of yours, and `$AGENT_PLATFORM_...` are the variables of "
    "[Settings](../settings.md)."
)


def pages() -> dict[str, str]:
    """Return the page of each resource, and the index."""
    responses = payloads()
    return {OPERATIONS: index()} | {
        f"{FOLDER}/{name}.md": resource_page(name, found, responses) for name, found in by_resource().items()
    }


def by_resource() -> dict[str, list[Operation]]:
    """Return the operations by scope and resource, such as `organization.sessions`; the organization first."""
    found: dict[str, list[Operation]] = defaultdict(list)
    for each in sorted(operations, key=lambda each: (each.scope != "organization", each.name)):
        found[each.name.rpartition(".")[0]].append(each)
    return dict(found)


def place_of(operation: Operation) -> str:
    """Return the page and the anchor of an operation."""
    return f"{FOLDER}/{operation.name.rpartition('.')[0]}.md#{anchor(operation.name)}"


def operation_link(operation: Operation, page: str) -> str:
    """Return the name of an operation as a link to its place."""
    return link(operation.name, place_of(operation), page)


def index() -> str:
    """Return the page with all operations."""
    blocks = [
        "# Operations",
        f"The SDK knows {len(operations)} operations. Each is a method of a resource of one of two scopes: "
        "`platform.organization()` and `platform.enterprise`. A permission without a level is one whose level the "
        "API's description does not show.",
    ]
    for name, found in by_resource().items():
        rows = ((operation_link(each, OPERATIONS), one_line(each.summary), permission_of(each)) for each in found)
        blocks += [f"## {name}", table(("Operation", "What it does", "Permission"), rows)]
    return document(*blocks)


def permission_of(operation: Operation) -> str:
    """Return the permission of an operation with its level."""
    level = f" ({operation.level})" if operation.level else ""
    return f"{code(operation.permission)}{level}" if operation.permission else "not shown"


def resource_page(name: str, found: list[Operation], responses: dict[str, Payload]) -> str:
    """Return the page of a resource."""
    scope, _, resource = name.partition(".")
    page = f"{FOLDER}/{name}.md"
    rows = ((operation_link(each, page), one_line(each.summary)) for each in found)
    method = "platform.organization()" if scope == "organization" else "platform.enterprise"
    return document(
        f"# {name}",
        f"The methods of {code(f'{method}.{resource}')}. All operations: {link('Operations', OPERATIONS, page)}.",
        table(("Operation", "What it does"), rows),
        ASSUMED,
        *(operation_text(each, responses[each.name], page) for each in found),
        *(job_text(each, page) for each in found if each.job),
    )


def operation_text(operation: Operation, response: Payload, page: str) -> str:
    """Return the text about an operation."""
    sheet = sheet_of(operation)
    method = method_of(operation, operation.verb)
    return document(
        f"## {operation.name}",
        one_line(f"{sheet['summary']} {sheet['description']}"),
        marks_text(operation, page),
        facts_text(operation),
        fence(signature_of(method, operation.verb)) if method else "",
        parameters_text(sheet["parameters"]),
        _identified("Rules", [(each["id"], each["text"]) for each in sheet["rules"]]),
        *(document(f"**{title}**", fence(sheet[key], language)) for key, language, title in LANGUAGES),
        response_text(response),
        _identified(
            f"Not shown by the API's description ({link('gaps', GAPS, page)})",
            [(each["id"], each["what"]) for each in sheet["gaps"]],
        ),
        source_line(method, page) if method else "",
    )


def marks_text(operation: Operation, page: str) -> str:
    """Return what is special about an operation: deprecated, beta, inferred."""
    lines: list[str] = []
    if operation.deprecated:
        successor = operation.successor or ""
        instead = f"; use {operation_link(operations[successor], page)}" if successor in operations else ""
        lines.append(f"**Deprecated**{instead}.")
    if operation.beta:
        lines.append("**Beta**: it may change without notice.")
    if operation.inferred:
        lines.append(f"**Inferred**: the API's description implies this operation. {one_line(operation.inferred)}")
    return "\n\n".join(lines)


def facts_text(operation: Operation) -> str:
    """Return the request and what it needs."""
    permission = "not shown"
    if operation.permission:
        permission = f"{code(operation.permission)}, level: {operation.level or 'not shown'}"
    kinds = ", ".join(map(code, operation.credentials)) or "not shown"
    return bullets(
        [
            f"Request: {code(f'{operation.method} {operation.path}')}",
            f"Permission: {permission}",
            f"Credentials: {kinds}{INFERRED if credentials_are_inferred(operation) else ''}",
            *(["Paginated: iterate over it, see [Pager](../lists-and-files.md#pager)"] if operation.paginated else []),
        ]
    )


def parameters_text(parameters: list[dict[str, Any]]) -> str:
    """Return the table of the parameters of an operation."""
    rows = [(code(each["name"]), _kind(each), _meaning(each)) for each in parameters]
    return document("**Parameters**", table(("Name", "Kind", "Meaning"), rows)) if rows else ""


def _kind(parameter: dict[str, Any]) -> str:
    words = [parameter["in"], parameter.get("type", "type not shown"), *(["required"] if parameter["required"] else [])]
    bounds = (("at least", "minimum"), ("at most", "maximum"))
    return ", ".join([*words, *(f"{word} {parameter[name]:g}" for word, name in bounds if name in parameter)])


def _meaning(parameter: dict[str, Any]) -> str:
    notes = [one_line(parameter["description"])]
    for word, name in (("One of", "values"), ("Known values:", "known_values")):
        notes += [f"{word} {', '.join(code(str(each)) for each in parameter[name])}."] if name in parameter else []
    notes += [f"Default: {code(json.dumps(parameter['default']))}."] if "default" in parameter else []
    return " ".join(filter(None, notes))


def response_text(response: Payload) -> str:
    """Return a response of the sandbox."""
    language = "json" if response.media_type.endswith("json") else "text"
    kind = f", {code(response.media_type)}" if response.media_type else ""
    refused = f". {NOTHING}" if response.status >= 400 else ""
    return document(
        f"**Response of the sandbox**: status {response.status}{kind}{refused}",
        fence(response.text, language) if response.text else "",
    )


def job_text(operation: Operation, page: str) -> str:
    """Return the text about the method that polls an operation: `wait` or `follow_messages`."""
    method = method_of(operation, operation.job)
    if method is None:
        return ""
    name = f"{operation.name.rpartition('.')[0]}.{operation.job}"
    return document(
        f"## {name}",
        f"{summary_of(method)} It polls {operation_link(operation, page)}.",
        fence(signature_of(method, operation.job)),
        markdown_of(method, linker(page)).partition("\n\n")[2],
        source_line(method, page),
    )


def method_of(operation: Operation, verb: str) -> griffe.Function | None:
    """Return the method of the facade as it is written; None if it is of no scope."""
    cls = f"{operation.scope.capitalize()}{''.join(map(str.capitalize, operation.resource.split('_')))}"
    found = found_at(f"agent_session_platform_api.api.{operation.resource}.{cls}.{verb}")
    return found if isinstance(found, griffe.Function) else None


def _identified(title: str, entries: list[tuple[str, str]]) -> str:
    return (
        document(f"**{title}**", bullets(f"{code(name)}: {one_line(text)}" for name, text in entries))
        if entries
        else ""
    )
