"""Collect the facts about an operation for `asp show`."""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from typing import Any, Final
from urllib.parse import quote

from agent_session_platform import Operation, Parameter
from agent_session_platform.contract import PLACEHOLDER

from .call.command import example_of, quoted
from .call.parameters import Bound, bind
from .connect import method_of
from .contract import OperationContract
from .profiles import unused_client

WIDEST: Final = 100
NARROWEST: Final = 40
EXAMPLE: Final = re.compile(r"^ *Example:\n((?: .*\n|\n)+?)(?=\n *\S[^\n]*:\n|\Z)", re.MULTILINE)
# Facts that are attributes of `Operation`.
FACTS: Final = ("permission", "level", "credentials", "paginated", "deprecated", "successor", "beta", "inferred")


# The words by which the text names facts about a parameter.
WORDS: Final = {"values": "one of", "known_values": "known:", "minimum": "at least", "maximum": "at most"}


def sheet_of(operation: Operation) -> dict[str, Any]:
    """Return the facts about an operation, as plain JSON types."""
    contract = OperationContract(operation)
    bound = bind(operation, contract)
    open_gaps = [each for each in operation.gaps if each.closed is None]
    return {
        "operation": operation.name,
        "id": operation.id,
        "summary": operation.summary,
        "description": " ".join(contract.description.split()),
        "request": f"{operation.method} {operation.path}",
        **{name: getattr(operation, name) for name in FACTS},
        # The kinds of credential are inferred where a gap says that the description does not show them.
        "credentials_inferred": any("kinds of credential" in each.what for each in open_gaps),
        "parameters": [_parameter(each, contract) for each in operation.parameters],
        "rules": [{"id": each.id, "text": each.text} for each in operation.rules],
        "gaps": [{"id": each.id, "what": each.what} for each in open_gaps],
        "shell": example_of(operation, bound),
        "python": python_example(operation),
        "curl": curl_example(operation, bound, contract),
    }


def _parameter(parameter: Parameter, contract: OperationContract) -> dict[str, Any]:
    facts = contract.facts(parameter.name, parameter.location)
    found = {
        "name": parameter.name or "body",
        "in": parameter.location,
        "type": parameter.kind or None,
        "required": parameter.required,
        # In a query, null means that the parameter is left out.
        "nullable": (parameter.nullable and parameter.location == "body") or None,
        "values": [*facts.values] or None,
        "known_values": [*facts.known] or None,
        "minimum": parameter.minimum,
        "maximum": parameter.maximum,
        "default": facts.default,
        "description": " ".join(facts.description.split()),
    }
    return {name: value for name, value in found.items() if value is not None}


def python_example(operation: Operation) -> str:
    """Return the example from the docstring of the method."""
    method = method_of(unused_client(), operation)
    found = EXAMPLE.search(f"{textwrap.dedent(method.__doc__ or '')}\n")
    scope = "organization = platform.organization()\n" if operation.scope == "organization" else ""
    return scope + (textwrap.dedent(found[1]).strip() if found else "")


def curl_example(operation: Operation, bound: list[Bound], contract: OperationContract) -> str:
    """Return a command line of curl. It reads the credential and the organization from the environment."""
    path = operation.path
    for each in bound:
        if each.parameter.location == "path" and each.facts.example is not None:
            path = path.replace(f"{{{each.parameter.name}}}", quote(str(each.facts.example), safe="/"))
    if operation.scope == "organization":
        path = PLACEHOLDER.sub("$AGENT_PLATFORM_ORG_ID", path, count=1)
    words = [
        f'curl -X {operation.method} "$AGENT_PLATFORM_BASE_URL{path}"',
        '-H "Authorization: Bearer $AGENT_PLATFORM_TOKEN"',
    ]
    if (operation.media_type or "").startswith("multipart/"):
        words += [f"-F {each.name}=@FILE" for each in operation.parameters if each.kind == "file"]
    elif operation.media_type and (operation.optional_body is False or contract.body_example is not None):
        members = [each for each in bound if each.parameter.location == "body" and each.parameter.required]
        body = contract.body_example or {each.parameter.name: each.example for each in members}
        words += [f"-H 'Content-Type: {operation.media_type}'", f"-d {quoted(body)}"]
    return " \\\n  ".join(words)


def text_of(sheet: dict[str, Any]) -> str:
    """Return the facts as text for a person."""
    level = f"{sheet['level']} level" if sheet["level"] else "level not shown"
    inferred = " (inferred: the description does not show the kinds)" if sheet["credentials_inferred"] else ""
    marks = ", ".join(name for name in ("deprecated", "beta", "paginated") if sheet[name])
    facts = {
        "Request:": sheet["request"],
        "Permission:": f"{sheet['permission']}, {level}" if sheet["permission"] else "not shown",
        "Credentials:": (", ".join(sheet["credentials"]) or "not shown") + inferred,
        "Successor:": sheet["successor"],
        "Inferred:": sheet["inferred"],
        "Null:": null_example(sheet),
    }
    sections = {
        "Parameters": [_parameter_text(**each) for each in sheet["parameters"]],
        "Rules": [f"{each['id']}: {each['text']}" for each in sheet["rules"]],
        "Not shown by the API's description": [f"{each['id']}: {each['what']}" for each in sheet["gaps"]],
    }
    lines = [sheet["operation"] + (f"  ({marks})" if marks else "")]
    lines += [*_wrapped(f"{sheet['summary']} {sheet['description']}"), ""]
    lines += [f"{name:14}{text}" for name, text in facts.items() if text]
    for title, entries in sections.items():
        shown = [line for entry in entries for line in _wrapped(entry)]
        lines += ["", f"{title}:", *shown] if shown else []
    for name in ("shell", "python", "curl"):
        lines += ["", f"{name.capitalize()}:", textwrap.indent(sheet[name], "  ")]
    return "\n".join(lines)


def null_example(sheet: dict[str, Any]) -> str:
    """Return how to send null, which no option can, for a member that accepts it; empty if there is none."""
    name = next((each["name"] for each in sheet["parameters"] if each.get("nullable")), None)
    return f"--body {quoted({name: None})}" if name is not None and name != "body" else ""


def _parameter_text(*, name: str, type: str = "type not shown", required: bool, description: str, **more: Any) -> str:
    kind = f"{type} or null" if more.pop("nullable", False) else type
    notes = [more.pop("in"), kind, *(["required"] if required else [])]
    for fact, value in more.items():
        text = ", ".join(map(str, value)) if fact.endswith("values") else json.dumps(value)
        notes.append(f"{WORDS.get(fact, fact)} {text}")
    return f"{name} ({', '.join(notes)}): {description}"


def _wrapped(text: str) -> list[str]:
    width = max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 0)).columns))
    return textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="      ", break_long_words=False)
