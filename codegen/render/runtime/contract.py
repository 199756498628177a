"""The contract: the OpenAPI document that this package was generated from, with the gaps and the rules in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, cast

import attrs


@attrs.frozen
class Observed:
    """The evidence for a fact that a deployment has shown and the API's description does not show.

    Attributes:
        answers: The number of responses that showed it, at least 1.
        first: The date of the first one, as `2026-11-02`.
        last: The date of the last one.
    """

    answers: int
    first: str
    last: str


@attrs.frozen
class Gap:
    """A fact that the API's description does not show.

    Attributes:
        id: The id that documents and tests cite.
        place: The place in the contract, as a JSON pointer.
        what: What is not shown.
        closed: The observation by which an Overlay closed it in this build: the contract of the build has the fact;
            None: it is open.
    """

    id: str
    place: str
    what: str
    closed: Observed | None = None


@attrs.frozen
class Rule:
    """A behaviour that the API's description states: the id that documents and tests cite, and the text."""

    id: str
    text: str


def load() -> dict[str, Any]:
    """Parse the OpenAPI document; each call returns a new copy."""
    package = files(__name__.rpartition(".")[0])
    document: dict[str, Any] = json.loads(package.joinpath("contract.json").read_text(encoding="utf-8"))
    return document


@cache
def gaps() -> tuple[Gap, ...]:
    """Return every fact that the API's description does not show, in the order of the document."""
    return tuple(
        Gap(each["id"], place, each["what"], Observed(**each["closed"]) if each.get("closed") else None)
        for place, node in _below(_document(), "#")
        for each in node.get("x-not-shown", ())
    )


@cache
def rules_and_gaps() -> dict[str, tuple[tuple[Rule, ...], tuple[Gap, ...]]]:
    """Return the rules of each operation, and the gaps at or below it, by its id."""
    stated: list[dict[str, str]] = [rule for _, node in _below(_document(), "#") for rule in node.get("x-rules", ())]
    # A rule that holds for several operations has its text at one of them.
    texts = {rule["id"]: rule["text"] for rule in stated if "text" in rule}
    found: dict[str, tuple[tuple[Rule, ...], tuple[Gap, ...]]] = {}
    for path, item in _document()["paths"].items():
        for method, node in item.items():
            if "operationId" in node:
                place = f"{_child(_child('#/paths', path), method)}/"
                cited: list[dict[str, str]] = node.get("x-rules", [])
                rules = tuple(Rule(each["id"], texts[each["id"]]) for each in cited)
                found[node["operationId"]] = rules, tuple(gap for gap in gaps() if f"{gap.place}/".startswith(place))
    return found


@cache
def _document() -> dict[str, Any]:
    return load()


def _below(node: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each mapping at or below a node, with its JSON pointer; examples are payloads, and not part of it."""
    children: Iterable[tuple[Any, Any]] = ()
    if isinstance(node, dict):
        mapping = cast("dict[str, Any]", node)
        yield place, mapping
        children = mapping.items()
    elif isinstance(node, list):
        children = enumerate(cast("Sequence[Any]", node))
    for key, child in children:
        if key not in ("example", "examples"):
            yield from _below(child, _child(place, key))


def _child(place: str, key: object) -> str:
    return f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"
