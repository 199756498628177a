"""A tool for each operation: its name, what it says of itself, and what a client may know before it is called."""

from __future__ import annotations

from typing import Final

from agent_session_platform import Operation
from mcp.types import Tool, ToolAnnotations

from ..contract import OperationContract
from .schemas import input_schema
from .selection import Selection, is_read

# Repeating these changes nothing more (RFC 9110, section 9.2.2).
REPEATABLE: Final = ("GET", "HEAD", "PUT", "DELETE")
# Verbs of the contract's names that add something, and take nothing away.
ADDING: Final = ("create", "append", "send")

# About 400 tokens: every description is read before the first call.
LONGEST: Final = 1_500


def tool_name(operation: Operation) -> str:
    """Return the name of an operation as clients accept it: letters, digits and underscores.

    Example:
        >>> from agent_session_platform import operations
        >>> tool_name(operations["organization.sessions.list"])
        'organization_sessions_list'
    """
    return operation.name.replace(".", "_")


def tools_of(selection: Selection, *, names_organization: bool) -> list[Tool]:
    """Return the tools of the operations that may be called.

    Args:
        selection: The operations.
        names_organization: True if the organization is an argument: where no setting names it.
    """
    found: list[Tool] = []
    for operation in selection:
        contract = OperationContract(operation)
        schema = input_schema(operation, contract, names_organization=names_organization)
        found.append(
            Tool(
                name=tool_name(operation),
                title=operation.name,
                description=description_of(operation, contract),
                input_schema=schema,
                annotations=annotations_of(operation),
            )
        )
    return found


def annotations_of(operation: Operation) -> ToolAnnotations:
    """Return the hints by which a client decides whether to ask a person first."""
    read = is_read(operation)
    adds = operation.method == "POST" and operation.verb.partition("_")[0] in ADDING
    return ToolAnnotations(
        title=operation.summary.rstrip(".") or operation.name,
        read_only_hint=read,
        destructive_hint=not (read or adds),
        idempotent_hint=operation.method in REPEATABLE,
    )


def description_of(operation: Operation, contract: OperationContract) -> str:
    """Return what a model reads of a tool: what it does and needs, its rules, and what is not known of it."""
    permission = operation.permission or "not shown"
    level = f" ({operation.level} level)" if operation.permission and operation.level else ""
    instead = f"; use {operation.successor} instead" if operation.successor else ""
    lines = [
        f"{operation.summary} {contract.description}",
        f"Deprecated{instead}." if operation.deprecated else "",
        f"One page at a time: pass its end_cursor as {operation.cursor} for the next, while has_next_page is true."
        if operation.paginated
        else "",
        f"Permission: {permission}{level}.",
        *(f"Rule: {each.text}" for each in operation.rules),
        *(f"Not shown: {each.what}" for each in operation.gaps if each.closed is None),
    ]
    text = "\n".join(" ".join(line.split()) for line in lines if line.strip())
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} ..."
