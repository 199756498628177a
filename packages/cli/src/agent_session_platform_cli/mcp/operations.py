"""Find and describe operations for an assistant, and decide which operations it may call."""

from __future__ import annotations

import re
from typing import Any, Final

import attrs
from agent_session_platform import Catalogue, InvalidArgumentError, Operation, Parameter
from agent_session_platform.contract import Contract, Node, is_array, is_object

from ..contract import OperationContract
from ..lookup import names, nearest
from ..sheet import sheet_of

# The page size if the assistant does not choose it.
PAGE: Final = 20
# The greatest number of operations that a search returns.
MOST: Final = 30

# The facts that are taken from `asp show` unchanged.
DESCRIBED: Final = (
    *("summary", "description", "permission", "level", "credentials", "deprecated", "successor", "rules", "gaps"),
)


def is_read(operation: Operation) -> bool:
    """Return True if an operation changes nothing (RFC 9110, section 9.2.1)."""
    return operation.method in ("GET", "HEAD")


@attrs.frozen
class Selection:
    """The operations that an assistant may call.

    Uploads and downloads are never allowed: an upload could read any file of this machine.

    Attributes:
        allow: Names of writes, such as `organization.sessions.create`. A `*` at the end stands for any text.

    Raises:
        InvalidArgumentError: No operation has such a name, or it transfers a file.
    """

    allow: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        """Raise an error for an unknown name, because nobody would notice a typing error."""
        for pattern in self.allow:
            named = [Catalogue()[name] for name in names() if _fits(name, pattern)]
            if not named:
                raise InvalidArgumentError(
                    f"--allow {pattern[:80]!r} is no operation{nearest(pattern, names())}; `asp operations` lists all"
                )
            if all(transfers_file(each) for each in named):
                raise InvalidArgumentError(f"--allow {pattern}: {_refused_file(named[0])}")

    def refusal(self, operation: Operation) -> str | None:
        """Return the reason why an operation may not be called, and what to do; None if it is allowed."""
        if transfers_file(operation):
            return _refused_file(operation)
        if is_read(operation) or any(_fits(operation.name, pattern) for pattern in self.allow):
            return None
        return (
            f"{operation} changes something, and is not allowed; the person who starts this server can allow it: "
            f"asp mcp --allow {operation}"
        )


def transfers_file(operation: Operation) -> bool:
    """Return whether an operation is an upload or a download."""
    return operation.streamed or any(each.kind == "file" for each in operation.parameters)


def _refused_file(operation: Operation) -> str:
    return f"{operation} transfers a file, which is not allowed here; a person can run: asp call {operation}"


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1]))


def find(selection: Selection, words: str) -> dict[str, Any]:
    """Return the operations that match some words, the best matches first.

    Args:
        selection: The allowed operations.
        words: The words; an empty text finds all operations.
    """
    wanted = _stems(words)
    ranked: list[tuple[int, int, bool, str]] = []
    for operation in Catalogue():
        name = _stems(f"{operation.name} {operation.id}")
        text = _stems(f"{operation.path} {operation.permission} {operation.summary}")
        # A word in the name counts twice. Among equal matches, the shorter name comes first.
        rank = 2 * len(wanted & name) + len(wanted & text)
        if rank or not wanted:
            ranked.append((-rank, len(name), operation.scope != "organization", operation.name))
    limit = MOST if wanted else len(ranked)
    found = [_row(Catalogue()[name], selection) for *_, name in sorted(ranked)[:limit]]
    return {"operations": found, "more": len(ranked) - len(found)}


def _stems(text: str) -> set[str]:
    """Return the first letters of each word, so that `sessions` and `Session` are equal."""
    return {word[:5].lower() for word in re.findall(r"[A-Z]?[a-z]+", text) if len(word) > 2}


def _row(operation: Operation, selection: Selection) -> dict[str, Any]:
    return {
        "operation": operation.name,
        "call_with": _tool_of(operation, selection) or "nothing: describe_operation says why",
        "permission": operation.permission,
        "summary": operation.summary,
    }


def _tool_of(operation: Operation, selection: Selection) -> str | None:
    """Return the tool that calls an operation; None if the operation is not allowed."""
    return None if selection.refusal(operation) else "read" if is_read(operation) else "write"


def describe(selection: Selection, operation: Operation) -> dict[str, Any]:
    """Return the facts that an assistant needs to call an operation.

    Args:
        selection: The allowed operations.
        operation: The operation.
    """
    contract = OperationContract(operation)
    sheet = sheet_of(operation)
    facts = {
        "operation": operation.name,
        "call_with": _tool_of(operation, selection) or f"nothing: {selection.refusal(operation)}",
        **{name: sheet[name] for name in DESCRIBED},
        "arguments": _input_schema(operation, contract),
        "result": _inlined(contract.result, contract.contract),
    }
    return {name: value for name, value in facts.items() if value}


def parameters_of(operation: Operation) -> dict[str, Parameter]:
    """Return the parameters by argument name, without the organization, which comes from a setting."""
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
        # Members of the body may be arguments instead of a whole body.
        if parameter.required and not (name == "body" and operation.takes_members):
            required.append(name)
    more = {"description": "A member of the body that the contract does not name, such as `prompt` or `message`."}
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": more if operation.takes_members else False,
    }


def _inlined(schema: Any, contract: Contract, within: frozenset[str] = frozenset()) -> Any:
    """Return a schema in which each reference is replaced by the schema that it refers to.

    Inside a schema that contains itself, the inner reference is replaced by a schema that allows any value.
    """
    if is_array(schema):
        return [_inlined(part, contract, within) for part in schema]
    if not is_object(schema):
        return " ".join(schema.split()) if isinstance(schema, str) else schema
    reference = str(schema.get("$ref", ""))
    if reference in within:
        return {}
    inner = within | {reference} if reference else within
    # Extensions and examples would cost tokens. A property with the name of such a keyword is kept.
    parts = contract.resolve(schema).items()
    kept = {name: part for name, part in parts if not name.startswith(("x-", "example")) and name != "properties"}
    inlined = {name: _inlined(part, contract, inner) for name, part in kept.items()}
    if properties := contract.resolve(schema).get("properties"):
        inlined["properties"] = {name: _inlined(part, contract, inner) for name, part in properties.items()}
    return inlined
