"""The operations for an assistant: which it may call, how it finds one, and what it reads of it before it calls it."""

from __future__ import annotations

import re
from typing import Any, Final

import attrs
from agent_session_platform import Catalogue, InvalidArgumentError, Operation, Parameter
from agent_session_platform.contract import Contract, Node, is_array, is_object

from ..contract import OperationContract
from ..lookup import names, nearest, operations_with
from ..sheet import sheet_of

# The methods that change nothing (RFC 9110, section 9.2.1).
READS: Final = ("GET", "HEAD")
# How many items a page has where the assistant names no number: it reads all that it gets.
PAGE: Final = 20
# How many operations are found at most.
MOST: Final = 30

# What `asp show` has as well.
DESCRIBED: Final = (
    *("summary", "description", "permission", "level", "credentials", "deprecated", "successor", "rules", "gaps"),
)


def is_read(operation: Operation) -> bool:
    """Return True if an operation changes nothing."""
    return operation.method in READS


@attrs.frozen
class Selection:
    """The operations that an assistant may call.

    Files are left out: an assistant has no use of bytes, and an upload would read any file of this machine for it.

    Attributes:
        allow: Names of writes, such as `organization.sessions.create`; `*` at the end stands for any rest.
        only: Words: a read is left out if it has none of them, as `asp operations WORD` finds them. Empty: all reads.

    Raises:
        InvalidArgumentError: A name or a word fits no operation.
    """

    allow: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        """Refuse names and words of nothing: a mistyped one would go unnoticed."""
        for pattern in self.allow:
            if not any(_fits(name, pattern) for name in names()):
                raise InvalidArgumentError(
                    f"--allow {pattern[:80]!r} is no operation{nearest(pattern, names())}; `asp operations` lists all"
                )
        for word in self.only:
            if not any(operations_with(word)):
                raise InvalidArgumentError(f"--only {word[:80]!r} fits no operation; `asp operations` lists all")

    def refusal(self, operation: Operation) -> str | None:
        """Return why an operation may not be called, and what to do; None if it may."""
        if operation.streamed or any(each.kind == "file" for each in operation.parameters):
            return f"{operation} is about a file, and files are no tools; a person can run: asp call {operation}"
        if is_read(operation):
            if not self.only or any(operation in operations_with(word) for word in self.only):
                return None
            return f"{operation} is left out; whoever starts this server can add: --only {operation}"
        if any(_fits(operation.name, pattern) for pattern in self.allow):
            return None
        return (
            f"{operation} changes something, and this server may not call it; whoever starts it can allow it: "
            f"asp mcp --allow {operation}"
        )


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1]))


def find(selection: Selection, words: str) -> dict[str, Any]:
    """Return the operations that have some of the words, those with most of them first.

    Args:
        selection: The operations that may be called.
        words: The words, as a person would say them; none for all operations.
    """
    wanted = _stems(words)
    ranked: list[tuple[int, int, bool, str]] = []
    for operation in Catalogue():
        name = _stems(f"{operation.name} {operation.id}")
        text = _stems(f"{operation.path} {operation.permission} {operation.summary}")
        # What stands in the name says more, above all if little else does.
        rank = 2 * len(wanted & name) + len(wanted & text)
        if rank or not wanted:
            ranked.append((-rank, len(name), operation.scope != "organization", operation.name))
    limit = MOST if wanted else len(ranked)
    found = [_row(Catalogue()[name], selection) for *_, name in sorted(ranked)[:limit]]
    return {"operations": found, "more": len(ranked) - len(found)}


def _stems(text: str) -> set[str]:
    """Return the beginnings of the words of a text: `sessions`, `Session` and `session's` are one."""
    return {word[:5].lower() for word in re.findall(r"[A-Z]?[a-z]+", text) if len(word) > 2}


def _row(operation: Operation, selection: Selection) -> dict[str, Any]:
    return {
        "operation": operation.name,
        "call_with": _tool_of(operation, selection) or "nothing: describe_operation says why",
        "permission": operation.permission,
        "summary": operation.summary,
    }


def _tool_of(operation: Operation, selection: Selection) -> str | None:
    """Return the tool that calls an operation; None if it may not be called."""
    return None if selection.refusal(operation) else "read" if is_read(operation) else "write"


def describe(selection: Selection, operation: Operation) -> dict[str, Any]:
    """Return what an assistant needs to know of an operation before it calls it.

    Args:
        selection: The operations that may be called.
        operation: The operation.
    """
    contract = OperationContract(operation)
    sheet = sheet_of(operation)
    facts = {
        "operation": operation.name,
        "call_with": _tool_of(operation, selection) or f"nothing: {selection.refusal(operation)}",
        **{name: sheet[name] for name in DESCRIBED},
        "arguments": _input_schema(operation, contract),
        "result": _output_schema(operation, contract.contract),
    }
    return {name: value for name, value in facts.items() if value}


def parameters_of(operation: Operation) -> dict[str, Parameter]:
    """Return the parameters by the names of the arguments: not the organization, which a setting names."""
    found = {each.argument_name or "body": each for each in operation.parameters}
    if operation.scope == "organization":
        del found[next(name for name, each in found.items() if each.location == "path")]
    return found


def _input_schema(operation: Operation, contract: OperationContract) -> Node:
    properties: Node = {}
    required: list[str] = []
    for name, parameter in parameters_of(operation).items():
        facts = contract.facts(parameter.name, parameter.location)
        schema = _inlined(contract.schema(parameter.name, parameter.location), contract.contract)
        notes = [facts.description or str(schema.get("description", ""))]
        notes += [f"Known values: {', '.join(map(str, facts.known))}."] if facts.known else []
        notes += [f"It begins with {parameter.prefix}."] if parameter.prefix else []
        properties[name] = schema | {"description": " ".join(" ".join(notes).split())}
        if operation.paginated and parameter.name == "first":
            properties[name]["default"] = PAGE
        # Of a body that is not shown, each member may be an argument instead.
        if parameter.required and not (name == "body" and operation.takes_members):
            required.append(name)
    more = {"description": "A member of the body that the contract does not name, such as `prompt` or `message`."}
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": more if operation.takes_members else False,
    }


def _output_schema(operation: Operation, contract: Contract) -> Any:
    for status, response in contract.endpoints[operation.id].responses.items():
        schema: Any = response.get("content", {}).get("application/json", {}).get("schema")
        if status.startswith("2") and schema:
            return _inlined(schema, contract)
    return None


def _inlined(schema: Any, contract: Contract, within: frozenset[str] = frozenset()) -> Any:
    """Return a schema without references; what contains itself, by those that lead here, is any value there."""
    if is_array(schema):
        return [_inlined(part, contract, within) for part in schema]
    if not is_object(schema):
        return " ".join(schema.split()) if isinstance(schema, str) else schema
    reference = str(schema.get("$ref", ""))
    if reference in within:
        return {}
    inner = within | {reference} if reference else within
    # Keywords of our own, and examples, would cost tokens. A property may be called like one of them.
    parts = contract.resolve(schema).items()
    kept = {name: part for name, part in parts if not name.startswith(("x-", "example")) and name != "properties"}
    inlined = {name: _inlined(part, contract, inner) for name, part in kept.items()}
    if properties := contract.resolve(schema).get("properties"):
        inlined["properties"] = {name: _inlined(part, contract, inner) for name, part in properties.items()}
    return inlined
