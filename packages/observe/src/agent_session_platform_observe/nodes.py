"""The nodes of an OpenAPI document, by their JSON pointers."""

from __future__ import annotations

from typing import Any, Final

from .json_values import is_array

Node = dict[str, Any]

REFERENCE: Final = "$ref"


class Nodes:
    """The nodes of a document.

    Args:
        root: The parsed document.
    """

    def __init__(self, root: Node) -> None:
        self.root = root

    def at(self, place: str) -> Any:
        """Return the node at a JSON pointer such as `#/components/schemas/Session`."""
        node: Any = self.root
        for part in place.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            node = node[int(name)] if is_array(node) else node[name]
        return node

    @staticmethod
    def child(place: str, key: object) -> str:
        """Return the JSON pointer of a member."""
        return f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"

    def resolved(self, place: str) -> str:
        """Return where the node at a JSON pointer is written: elsewhere if it is a reference."""
        while REFERENCE in (node := self.at(place)):
            place = node[REFERENCE]
        return place
