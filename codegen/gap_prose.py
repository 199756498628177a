"""Take out of descriptions what is no longer true, because an Overlay closes the gap or states the fact.

A description says in a sentence, or in a clause at its end, what the API's description does not show: "Filter by name;
how it matches is not shown." The clause goes with its gap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

from codegen.contract.source import Node
from codegen.render.runtime.contract import child

SENTENCES = re.compile(r"(?<=[.!?])\s+")
# "..., whose fields are not shown" and "...; how it matches is not shown".
CLAUSE = re.compile(r"(;|,(?= (?:whose|how|what|where|which)\b)).*")
NOT_SHOWN = re.compile(r"\bnot shown\b|\b[Nn]either\b.*\bshown\b")
LONG_WORD = re.compile(r"[a-z]{5,}")
# These words are in every such text.
COMMON_WORDS = frozenset({"shown", "which", "whether", "their", "other"})
# A schema below one of these keys, or one of the keywords, states what the value is.
FACTS = frozenset({"schema", "content", "type", "enum", "const", "items", "format", "oneOf", "anyOf", "$ref"})


def drop_closed_prose(document: Any, written: Collection[str]) -> None:
    """Take the clauses about closed gaps out of a document, which is changed in place.

    Args:
        document: The contract with Overlays applied.
        written: The JSON pointers of what the Overlays wrote.
    """
    for node, place in described_nodes(document, "#"):
        if child(place, "description") in written:
            continue
        text = node["description"]
        kept = without_clauses(text, partial(is_closed, node=node, place=place, written=written))
        # Without any sentence left, an operation still has its summary.
        node["description"] = kept or node.get("summary") or text


def described_nodes(value: Any, place: str) -> Iterator[tuple[Node, str]]:
    """Yield the objects whose description says that something is not shown, each with its JSON pointer."""
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield from described_nodes(entry, child(place, index))
    if not isinstance(value, dict):
        return
    text = value.get("description")
    if isinstance(text, str) and NOT_SHOWN.search(text):
        yield value, place
    for key, member in value.items():
        yield from described_nodes(member, child(place, key))


def without_clauses(text: str, is_untrue: Callable[[str], bool]) -> str:
    """Return a text without the clauses, or whole sentences, that say that something is not shown.

    Args:
        text: The text.
        is_untrue: Returns whether such a clause is not true any more.
    """
    kept: list[str] = []
    for sentence in SENTENCES.split(text):
        found = CLAUSE.search(sentence)
        clause = found[0] if found is not None else sentence
        if not NOT_SHOWN.search(clause) or not is_untrue(clause):
            kept.append(sentence)
        elif clause != sentence:
            kept.append(f"{sentence.removesuffix(clause)}.")
    return " ".join(kept)


def is_closed(clause: str, node: Node, place: str, written: Collection[str]) -> bool:
    """Return whether the gap of a clause is closed: all gaps that it names, or the value that it describes."""
    words = words_of(clause)
    gaps = node.get("x-not-shown", [])
    named = [gap for gap in gaps if words & words_of(gap["what"])]
    if named:
        return all("closed" in gap for gap in named)
    below = [pointer.removeprefix(f"{place}/") for pointer in written if pointer.startswith(f"{place}/")]
    return any(pointer.partition("/")[0] in FACTS for pointer in below)


def words_of(text: str) -> set[str]:
    """Return the words that say what a text is about."""
    return {*LONG_WORD.findall(text.lower())} - COMMON_WORDS
