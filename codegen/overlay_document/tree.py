"""The contract as a tree whose nodes know where they are written: in openapi.yaml, or in an action of an Overlay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import attrs

from codegen.contract import Source, child

Content: TypeAlias = "dict[str, Placed] | list[Placed] | str | int | float | bool | None"


@attrs.define
class Placed:
    """A node of a document.

    Attributes:
        content: Its members, or a value that has none.
        source: The text in which it is written.
        place: Its JSON pointer there.
    """

    content: Content
    source: Source
    place: str

    @classmethod
    def of(cls, value: Any, source: Source, place: str, *, copied: bool = False) -> Placed:
        """Return a value as a tree.

        Args:
            value: The value as JSON has it.
            source: The text in which it is written.
            place: Its JSON pointer there.
            copied: It is written elsewhere, so that all of it belongs to this place.
        """
        content: Content = value
        if isinstance(value, dict):
            content = {
                key: cls.of(member, source, place if copied else child(place, key), copied=copied)
                for key, member in value.items()
            }
        elif isinstance(value, list):
            content = [
                cls.of(member, source, place if copied else child(place, index), copied=copied)
                for index, member in enumerate(value)
            ]
        return cls(content, source, place)

    def plain(self) -> Any:
        """Return the value as JSON has it."""
        if isinstance(self.content, dict):
            return {key: member.plain() for key, member in self.content.items()}
        if isinstance(self.content, list):
            return [member.plain() for member in self.content]
        return self.content

    def member(self, key: str | int) -> Placed | None:
        """Return a member by its name or its index, which may be written as a text; None if there is none."""
        if isinstance(self.content, dict):
            return self.content.get(str(key))
        if isinstance(self.content, list) and str(key).isdecimal() and int(key) < len(self.content):
            return self.content[int(key)]
        return None

    def nearest(self, keys: Iterable[str | int]) -> Placed:
        """Return the node at a place; where nothing is there, the nearest one above it."""
        node = self
        for key in keys:
            found = node.member(key)
            if found is None:
                break
            node = found
        return node

    @property
    def written(self) -> str:
        """Where it is written: file and line."""
        return f"{self.source.name}:{self.source.line(self.place)}"
