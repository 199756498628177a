"""Facts of the contract about the parameters of an operation, besides their type: meaning, values, default."""

from __future__ import annotations

from typing import Any, Final, cast

import attrs
from agent_session_platform import Catalogue, Operation

Node = dict[str, Any]

# A schema of one of these says something of all of it.
OF_ONE: Final = 1


@attrs.frozen
class Facts:
    """Facts about a parameter, or of a member of a body.

    Attributes:
        description: What it is.
        values: The values that it may have; empty where they are not closed, or not shown.
        known: Values that are known of an open set.
        default: What holds where it is left out; None if that is not shown.
        items: The JSON type of the items of an array; empty where there is none, or it is not shown.
        example: A value, to show; None where the contract has none.
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
        document: The contract, where it is at hand already; None: it is loaded.
    """

    def __init__(self, operation: Operation, document: Node | None = None) -> None:
        self._document: Node = Catalogue().contract() if document is None else document
        self._operation = operation
        self._item: Node = self.resolve(self._document["paths"].get(operation.path, {}))
        self._node: Node = self._item.get(operation.method.lower(), {})

    @property
    def description(self) -> str:
        """The description of the operation, beyond its summary."""
        return str(self._node.get("description", ""))

    def facts(self, name: str, location: str) -> Facts:
        """Return what is said of a parameter; of a member of the body its location is `body`."""
        node = self._member(name) if location == "body" else self._parameter(name, location)
        media: Node = next(iter(node.get("content", {}).values()), node)
        schema = node if location == "body" else self._flatten(media.get("schema", {}))
        items = self._flatten(schema.get("items", {}))
        closed = schema if schema.get("enum") else items
        known = schema if schema.get("x-known-values") else items
        kind: Any = items.get("type", "")
        examples = [*schema.get("examples", ()), *items.get("examples", ())]
        return Facts(
            description=str(node.get("description") or schema.get("description") or ""),
            values=tuple(closed.get("enum", ())),
            known=tuple(known.get("x-known-values", ())),
            default=schema.get("default"),
            items=kind if isinstance(kind, str) else "",
            example=node.get("example", examples[0] if examples else None),
        )

    def schema(self, name: str, location: str) -> Node:
        """Return the JSON Schema of a parameter, or of a member of the body, with its references.

        Args:
            name: The name on the wire; empty for the whole body.
            location: `path`, `query`, `header`, `cookie` or `body`.
        """
        if location == "body":
            return cast("Node", self._body().get("properties", {}).get(name, {})) if name else self._body_schema()
        node = self._parameter(name, location)
        media: Node = next(iter(node.get("content", {}).values()), node)
        return cast("Node", media.get("schema", {}))

    def resolve(self, node: Any) -> Node:
        """Return what a reference leads to, with what stands beside it; anything else as it is."""
        while isinstance(node, dict) and "$ref" in node:
            found = cast("Node", node)
            target: Any = self._document
            for part in str(found["$ref"]).removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = {**target, **{key: value for key, value in found.items() if key != "$ref"}}
        return cast("Node", node) if isinstance(node, dict) else {}

    @property
    def body_example(self) -> Any:
        """An example of the whole body; None where the contract has none."""
        examples = self._body().get("examples", ())
        return examples[0] if examples else None

    @property
    def takes_more_members(self) -> bool:
        """True if the body may have members that the contract does not name."""
        body = self._body()
        # The description shows no form with a file completely.
        is_form = (self._operation.media_type or "").startswith("multipart/")
        return is_form or body.get("additionalProperties", not body.get("properties")) is not False

    def _parameter(self, name: str, location: str) -> Node:
        for each in map(self.resolve, [*self._node.get("parameters", ()), *self._item.get("parameters", ())]):
            if (each.get("name"), each.get("in")) == (name, location):
                return each
        return {}

    def _body(self) -> Node:
        return self._flatten(self._body_schema())

    def _body_schema(self) -> Node:
        content: Node = self.resolve(self._node.get("requestBody", {})).get("content", {})
        media: Node = content.get(self._operation.media_type or "", {})
        return cast("Node", media.get("schema", {}))

    def _member(self, name: str) -> Node:
        body = self._body()
        return self._flatten(body.get("properties", {}).get(name, {})) if name else body

    def _flatten(self, schema: Any) -> Node:
        """Return a schema with its reference followed, and with what its parts say; null is no part."""
        found = self.resolve(schema)
        parts = [self._flatten(each) for each in found.get("allOf", ())]
        either = [self._flatten(each) for name in ("oneOf", "anyOf") for each in found.get(name, ())]
        either = [each for each in either if each.get("type") != "null"]
        merged: Node = {}
        for part in [*parts, *(either if len(either) == OF_ONE else ()), found]:
            properties: Node = {**merged.get("properties", {}), **part.get("properties", {})}
            merged |= part | ({"properties": properties} if properties else {})
        return merged
