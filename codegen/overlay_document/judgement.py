"""Compare an update with what the contract states: it is new, no longer needed, or a contradiction."""

from __future__ import annotations

import json

import attrs

from codegen.contract import PROSE, Source, child, quote
from codegen.overlay_document.targets import Place
from codegen.overlay_document.tree import Placed

EVIDENCE = "x-observed"
# Below these an update replaces what is there without a contradiction: no fact about the API is written there.
LABELS = ("info", "servers")
NO_FACTS = PROSE | {"example", "examples", "closed", EVIDENCE}
# Lists in which an entry stands once. What stands in a list of CLOSED alone is allowed.
SETS = frozenset({"enum", "required", "tags", "type", "x-known-values", "x-vendor-word"})
CLOSED = frozenset({"enum", "required", "type"})


@attrs.define
class Judgement:
    """The result of comparing an update with the contract.

    Attributes:
        base: The contract as it is without any Overlay.
        observed: The update has evidence, so that its prose states no fact.
        new: Something in it is not there yet.
        stated: The nodes that state something of it already.
        left_out: The entries of lists that are there already, and where.
        contradictions: The places in the Overlay, and what the contract states instead.
        replaced: The places in the Overlay, and what an Overlay before it states instead.
    """

    base: Source
    observed: bool
    new: bool = False
    stated: list[Placed] = attrs.field(factory=list)
    left_out: list[tuple[str, Placed]] = attrs.field(factory=list)
    contradictions: list[tuple[str, str]] = attrs.field(factory=list)
    replaced: list[tuple[str, str]] = attrs.field(factory=list)

    @property
    def unneeded(self) -> bool:
        """The contract states all of it."""
        return bool(self.stated) and not self.new

    def compare(self, update: Placed, node: Placed, place: Place, holder: Placed | None = None) -> None:
        """Compare an update with the node that it is merged into, and leave out what sets have already.

        Args:
            update: The update.
            node: The node.
            place: The place of the node.
            holder: The object of which the node is a member.
        """
        name = str(place[-1]) if place else ""
        if isinstance(update.content, dict) and isinstance(node.content, dict):
            for key, member in update.content.items():
                found = node.content.get(key)
                if key == EVIDENCE or (self.observed and key in PROSE):
                    continue
                if found is None:
                    self.new = True
                else:
                    self.compare(member, found, (*place, key), node)
        elif isinstance(node.content, list):
            self._entries(update, node, place, holder)
        elif same(update, node):
            self.stated.append(node)
        else:
            self.new = True
            if is_fact(place):
                what = f"`{name}`" if place else "the document"
                self._contradiction(update, node, place, f"{what} is {quote(node.plain())}")

    def _entries(self, update: Placed, node: Placed, place: Place, holder: Placed | None) -> None:
        assert isinstance(node.content, list)
        name = str(place[-1]) if place else ""
        added = update.content if isinstance(update.content, list) else [update]
        new: list[Placed] = []
        for entry in added:
            there = next((each for each in node.content if same(entry, each)), None)
            if there is None:
                new.append(entry)
                continue
            self.stated.append(there)
            if name in SETS:
                self.left_out.append((quote(entry.plain()), there))
        if not new:
            return
        self.new = True
        if name in SETS and isinstance(update.content, list):
            update.content = new
        if name in CLOSED and is_fact(place) and not is_gap(holder, name):
            self._contradiction(new[0], node, place, f"`{name}` is {quote(node.plain())}")

    def _contradiction(self, update: Placed, node: Placed, place: Place, what: str) -> None:
        # What an earlier action wrote is no fact of the contract.
        if node.source is self.base:
            text = f"{what} at {pointer(place)} ({node.written}), but here it is {quote(update.plain())}"
            self.contradictions.append((update.place, text))
        elif node.source is not update.source:
            text = f"{what} by another Overlay ({node.written}), but here it is {quote(update.plain())}, which holds"
            self.replaced.append((update.place, text))


def is_gap(holder: Placed | None, name: str) -> bool:
    """Return whether a gap of the object says that a list is not shown as a whole, as `...-required-fields` does."""
    found = holder.member("x-not-shown") if holder else None
    gaps = found.plain() if found is not None else None
    # An action before may have written anything there; the check of the contract reports it.
    return isinstance(gaps, list) and any(isinstance(gap, dict) and f"-{name}" in str(gap.get("id")) for gap in gaps)


def is_fact(place: Place) -> bool:
    """Return whether a value there is a fact about the API, and neither prose, an example nor a label."""
    return not place or (place[0] not in LABELS and not NO_FACTS.intersection(map(str, place)))


def same(one: Placed, other: Placed) -> bool:
    """Return whether two values are the same in JSON: `true` is not 1."""
    first, second = (json.dumps(each.plain(), sort_keys=True) for each in (one, other))
    return first == second


def pointer(place: Place) -> str:
    """Return a place as a JSON pointer."""
    found = "#"
    for key in place:
        found = child(found, key)
    return found
