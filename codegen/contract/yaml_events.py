"""Walk through the text of openapi.yaml event by event: also where it is not valid, and where it has anchors."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import yaml

from codegen.contract.nodes import child
from codegen.contract.word_places import LOADER


@attrs.define
class Level:
    """A mapping or a list in which the parser is.

    Attributes:
        place: Its JSON pointer.
        index: The index of the next member of a list; None in a mapping.
        member: The JSON pointer of its present member.
        key_next: In a mapping, the next node is a key.
    """

    place: str
    index: int | None
    member: str = "#"
    key_next: bool = True


def node_events(text: str) -> Iterator[tuple[str, yaml.NodeEvent]]:
    """Yield the node events of a text, keys included, each with its JSON pointer; stop where the text is no YAML."""
    levels = [Level("#", 0)]
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionEndEvent):
            levels.pop()
        if not isinstance(event, yaml.NodeEvent):
            continue
        top = levels[-1]
        if top.index is not None:
            top.member = child(top.place, top.index) if len(levels) > 1 else top.place
            top.index += 1
        elif top.key_next and isinstance(event, yaml.ScalarEvent):
            top.member = child(top.place, event.value)
        top.key_next = not top.key_next
        yield top.member, event
        if isinstance(event, yaml.CollectionStartEvent):
            levels.append(Level(top.member, None if isinstance(event, yaml.MappingStartEvent) else 0))
