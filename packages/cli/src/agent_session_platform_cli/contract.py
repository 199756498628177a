"""Read what commands show about an operation from the contract: descriptions, values, defaults, examples, columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
from agent_session_platform import Operation
from agent_session_platform.contract import Node, is_object, load, schema_of


@attrs.frozen
class Facts:
    """Facts about a parameter, or about a member of a body.

    Attributes:
        description: The description.
        values: All allowed values; empty if the contract does not list all of them.
        known: Some of the allowed values, if the contract does not list all of them.
        default: The value that the server assumes; None if the contract does not show it.
        items: The JSON type of the items of an array; empty if the contract does not show it.
        example: An example; None if the contract has no example.
    """

    description: str = ""
    values: tuple[Any, ...] = ()
    known: tuple[Any, ...] = ()
    default: Any = None
    items: str = ""
    example: Any = None


class OperationContract:
    """The part of the contract that is about one operation.

    Args:
        operation: The operation.

    Attributes:
        contract: The whole contract.
    """

    def __init__(self, operation: Operation) -> None:
        self.contract = load()
        self._operation = operation
        self._endpoint = self.contract.endpoints[operation.id]

    @property
    def description(self) -> str:
        """The description of the operation, which follows its summary."""
        return str(self._endpoint.node.get("description", ""))

    @property
    def turn(self) -> Node:
        """The members of the request that take the text and the schema of a turn, if a private build names them."""
        found: Node = self._endpoint.node.get("x-turn", {})
        return found

    def facts(self, name: str, location: str) -> Facts:
        """Return the facts about a parameter; the location of a member of the body is `body`."""
        schema = self._shown(self.schema(name, location))
        node = schema if location == "body" else self._endpoint.parameter(location, name)
        items = self._shown(schema.get("items", {}))
        examples = [example for each in (node, schema, items) for example in self.contract.examples(each)]
        if location == "body" and name and is_object(self.body_example):
            examples.append(self.body_example.get(name))
        return Facts(
            description=str(node.get("description") or schema.get("description") or ""),
            values=tuple(schema.get("enum") or items.get("enum", ())),
            known=tuple(schema.get("x-known-values") or items.get("x-known-values", ())),
            default=schema.get("default"),
            items=str(items.get("type", "")),
            example=next(iter(examples), None),
        )

    def schema(self, name: str, location: str) -> Any:
        """Return the JSON Schema of a parameter, or of a member of the body. It may have references.

        Args:
            name: The name on the wire; empty for the whole body.
            location: `path`, `query`, `header` or `body`.
        """
        if location != "body":
            return schema_of(self._endpoint.parameter(location, name))
        content: Node = self._endpoint.request_body.get("content", {})
        body: Any = content.get(self._operation.media_type or "", {}).get("schema", {})
        return self._shown(body).get("properties", {}).get(name, {}) if name else body

    @property
    def result(self) -> Any:
        """The JSON Schema of the response; empty if the contract does not show the response. It may have references."""
        for status, response in self._endpoint.responses.items():
            if status.startswith("2"):
                return response.get("content", {}).get("application/json", {}).get("schema", {})
        return {}

    @property
    def columns(self) -> Sequence[str]:
        """The members of an item that a table shows first; empty if the contract does not show the items."""
        result = self.contract.flatten(self.result)
        lists = [result, *map(self.contract.flatten, result.get("properties", {}).values())]
        items = [self.contract.flatten(each.get("items", {})) for each in lists]
        return next((each["x-columns"] for each in items if "x-columns" in each), ())

    @property
    def body_example(self) -> Any:
        """An example of the whole body; None if the contract has no such example."""
        return self.facts("", "body").example

    def _shown(self, schema: Any) -> Node:
        """Return a schema with its parts merged, and without `null` as an alternative."""
        flat = self.contract.flatten(schema)
        either = [self.contract.flatten(each) for name in ("oneOf", "anyOf") for each in flat.get(name, ())]
        either = [each for each in either if each.get("type") != "null"]
        return {**self._shown(either[0]), **flat} if len(either) == 1 else flat
