"""The facts about an operation on one sheet, for `asp show`."""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from agent_session_platform import Operation, Parameter, permissions_for
from agent_session_platform.contract import PLACEHOLDER

from .call.command import example_of
from .call.parameters import bind
from .contract import Facts, OperationContract
from .unused_client import unused_client

WIDEST: Final = 100
NARROWEST: Final = 40
# Behind kinds of credential.
INFERRED: Final = " (inferred: the description does not show the kinds)"
# Values of the types that the contract shows no value of.
VALUES: Final[Mapping[str, Any]] = {
    "integer": 1,
    "number": 1,
    "boolean": True,
    "object": {},
    "date-time": "2026-01-31T09:00:00Z",
    "date": "2026-01-31",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
EXAMPLE: Final = re.compile(r"^ *Example:\n((?: .*\n|\n)+?)(?=\n *\S[^\n]*:\n|\Z)", re.MULTILINE)


def sheet_of(operation: Operation) -> dict[str, Any]:
    """Return the facts about an operation, as plain JSON types."""
    contract = OperationContract(operation)
    return {
        "operation": operation.name,
        "id": operation.id,
        "summary": operation.summary,
        "description": " ".join(contract.description.split()),
        "request": f"{operation.method} {operation.path}",
        "permission": operation.permission,
        "level": operation.level,
        "credentials": [*operation.credentials],
        "credentials_inferred": credentials_are_inferred(operation),
        "paginated": operation.paginated,
        "deprecated": operation.deprecated,
        "successor": operation.successor,
        "beta": operation.beta,
        "inferred": operation.inferred,
        "parameters": [_parameter(each, contract) for each in operation.parameters],
        "rules": [{"id": each.id, "text": each.text} for each in operation.rules],
        "gaps": [{"id": each.id, "what": each.what} for each in operation.gaps if each.closed is None],
        "shell": example_of(operation, bind(operation, contract), contract),
        "python": python_example(operation),
        "curl": curl_example(operation, contract),
    }


def credentials_are_inferred(operation: Operation) -> bool:
    """Return whether the contract has kinds of credential for an operation that the description does not show."""
    found = permissions_for(operation).unknown_credentials.get(operation.name, ())
    return bool(operation.credentials) and any(gap.closed is None for gap in found)


def _parameter(parameter: Parameter, contract: OperationContract) -> dict[str, Any]:
    facts = contract.facts(parameter.name, parameter.location)
    found = {
        "name": parameter.name or "body",
        "in": parameter.location,
        "type": parameter.kind or None,
        "required": parameter.required,
        "values": [*facts.values] or None,
        "known_values": [*facts.known] or None,
        "minimum": parameter.minimum,
        "maximum": parameter.maximum,
        "default": facts.default,
        "description": " ".join(facts.description.split()),
    }
    return {name: value for name, value in found.items() if value is not None}


def python_example(operation: Operation) -> str:
    """Return the example in the docstring of the method, for a client `platform`."""
    platform = unused_client()
    scope = platform.organization() if operation.scope == "organization" else platform.enterprise
    documented = getattr(getattr(scope, operation.resource), operation.verb).__doc__ or ""
    found = EXAMPLE.search(f"{textwrap.dedent(documented)}\n")
    code = textwrap.dedent(found[1]).strip() if found else ""
    scope_line = "organization = platform.organization()" if operation.scope == "organization" else ""
    return "\n".join(filter(None, [scope_line, code]))


def curl_example(operation: Operation, contract: OperationContract) -> str:
    """Return a command line of curl, which takes the credential and the organization from the environment."""

    def segment(found: re.Match[str]) -> str:
        if operation.scope == "organization" and found.start() == operation.path.index("{"):
            return "$AGENT_PLATFORM_ORG_ID"
        example = contract.facts(found[1], "path").example
        return quote(str(example), safe="/") if example is not None else found[0]

    path = PLACEHOLDER.sub(segment, operation.path)
    words = [
        f'curl -X {operation.method} "$AGENT_PLATFORM_BASE_URL{path}"',
        '-H "Authorization: Bearer $AGENT_PLATFORM_TOKEN"',
    ]
    if (operation.media_type or "").startswith("multipart/"):
        words += [f"-F {each.name}=@FILE" for each in operation.parameters if each.kind == "file"]
    elif operation.media_type and (operation.optional_body is False or contract.body_example is not None):
        example = contract.body_example if contract.body_example is not None else _required_members(operation, contract)
        body = json.dumps(example).replace("'", "'\\''")
        words += [f"-H 'Content-Type: {operation.media_type}'", f"-d '{body}'"]
    return " \\\n  ".join(words)


def _required_members(operation: Operation, contract: OperationContract) -> dict[str, Any]:
    """Return a body of the required members, each with a value that it may have."""
    members = (each for each in operation.parameters if each.location == "body" and each.name and each.required)
    return {each.name: _value_of(each, contract.facts(each.name, "body")) for each in members}


def _value_of(parameter: Parameter, facts: Facts) -> Any:
    if parameter.kind == "array":
        return [] if facts.example is None else facts.example
    shown = [facts.example, *facts.values, *facts.known, facts.default, parameter.minimum, parameter.maximum]
    value = next((each for each in shown if each is not None), VALUES.get(parameter.kind, "VALUE"))
    # The bounds of a whole number are floats.
    return int(value) if parameter.kind == "integer" and isinstance(value, float) else value


def text_of(sheet: dict[str, Any]) -> str:
    """Return a sheet as text for a person."""
    needs = sheet["permission"] or "not shown"
    kinds = ", ".join(sheet["credentials"]) or "not shown"
    level = f", {sheet['level']} level" if sheet["level"] else ", level not shown" if sheet["permission"] else ""
    marks = [name for name in ("deprecated", "beta", "paginated") if sheet[name]]
    lines = [
        f"{sheet['operation']}  ({', '.join(marks)})" if marks else sheet["operation"],
        *_wrapped(f"{sheet['summary']} {sheet['description']}", "  "),
        "",
        f"Request:      {sheet['request']}",
        f"Permission:   {needs}{level}",
        f"Credentials:  {kinds}{INFERRED if sheet['credentials_inferred'] else ''}",
        *([f"Successor:    {sheet['successor']}"] if sheet["successor"] else []),
        *(_wrapped(f"Inferred:     {sheet['inferred']}", "") if sheet["inferred"] else []),
    ]
    lines += _section("Parameters", map(_parameter_text, sheet["parameters"]))
    lines += _section("Rules", (f"{each['id']}: {each['text']}" for each in sheet["rules"]))
    lines += _section("Not shown by the API's description", (f"{each['id']}: {each['what']}" for each in sheet["gaps"]))
    for name in ("shell", "python", "curl"):
        lines += ["", f"{name.capitalize()}:", textwrap.indent(sheet[name], "  ")]
    return "\n".join(lines)


def _parameter_text(parameter: dict[str, Any]) -> str:
    notes = [parameter["in"], parameter.get("type", "type not shown"), *(["required"] if parameter["required"] else [])]
    notes += [f"one of {', '.join(map(str, parameter['values']))}"] if "values" in parameter else []
    notes += [f"known: {', '.join(map(str, parameter['known_values']))}"] if "known_values" in parameter else []
    notes += [
        f"{word} {parameter[name]:g}"
        for word, name in (("at least", "minimum"), ("at most", "maximum"))
        if name in parameter
    ]
    notes += [f"default {json.dumps(parameter['default'])}"] if "default" in parameter else []
    return f"{parameter['name']} ({', '.join(notes)}): {parameter['description']}"


def _section(title: str, entries: Iterable[str]) -> list[str]:
    lines = [line for entry in entries for line in _wrapped(entry, "  ")]
    return ["", f"{title}:", *lines] if lines else []


def _wrapped(text: str, indent: str) -> list[str]:
    width = max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 0)).columns))
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False)
