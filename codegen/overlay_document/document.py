"""Read an Overlay document, and check it before it is applied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from codegen.contract import ContractError, Finding, Node, Source, child, instead, quote
from codegen.overlay_document.targets import mistake

VERSION = re.compile(r"1\.([01])\.\d+")
ROOT_KEYS = ("overlay", "info", "extends", "actions")
INFO_KEYS = ("title", "version", "description")
ACTION_KEYS = ("target", "description", "update", "remove", "copy", "x-contradicts")
EFFECTS = ("update", "copy", "remove")


@attrs.frozen
class Action:
    """One action of an Overlay document.

    Attributes:
        place: Its JSON pointer in the document.
        target: The JSONPath of the nodes to change.
        effect: `update`, `copy` or `remove`.
        value: What to merge into each node; of a copy the JSONPath of the node to merge.
        contradicts: Why it may contradict the contract; empty where it may not.
    """

    place: str
    target: str
    effect: str
    value: Any = None
    contradicts: str = ""


class OverlayDocument:
    """The Overlay document at *path*.

    Args:
        path: The file, in YAML or JSON.
        text: What to read instead of the file's text, such as that text with another vendor's word.

    Attributes:
        path: The file.
        source: Its text, with the line of each place.
        changes_primitives: An action may replace a text, a number or a flag itself (from Overlay 1.1 on).
        actions: The actions, in order.

    Raises:
        ContractError: Something in it is wrong; the message has one line for each finding.
    """

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self.source = Source(path, text)
        document = self.source.document
        if found := [*self.source.findings, *root_findings(document)]:
            raise self.source.error(found)
        self.changes_primitives = minor(document) > 0
        self.actions = [read_action(node, f"#/actions/{index}") for index, node in enumerate(document["actions"])]


def read_overlays(paths: Iterable[Path]) -> list[OverlayDocument]:
    """Read Overlay documents, in the order in which they are applied.

    Raises:
        ContractError: One is wrong, or two have the same name, by which messages and copies distinguish them.
    """
    found: dict[str, OverlayDocument] = {}
    for path in paths:
        if path.name in found:
            raise ContractError(f"{path}: another Overlay has the name {path.name} too; rename one of them")
        found[path.name] = OverlayDocument(path)
    return list(found.values())


def read_action(node: Node, place: str) -> Action:
    """Return an action that was checked."""
    effect = next(each for each in EFFECTS if each in node and node[each] is not False)
    return Action(place, node["target"], effect, node[effect], node.get("x-contradicts", ""))


def minor(document: Node) -> int:
    """Return the second number of the version; -1 if there is no such version."""
    version = document.get("overlay")
    found = VERSION.fullmatch(version) if isinstance(version, str) else None
    return int(found[1]) if found else -1


def root_findings(document: Any) -> Iterator[Finding]:
    """Yield everything that is wrong in a document."""
    if not isinstance(document, dict):
        yield Finding(
            "#",
            "no Overlay document; it must be a mapping that begins with `overlay: 1.0.0`, and has `info` and `actions`",
        )
        return
    yield from unknown(document, "#", ROOT_KEYS)
    if minor(document) < 0:
        written = quote(document["overlay"]) if "overlay" in document else "missing"
        yield Finding("#/overlay", f"the version is {written}; write `overlay: 1.0.0` or `overlay: 1.1.0`")
    yield from wrong_text(document, "#", "extends")
    info = document.get("info")
    if isinstance(info, dict):
        yield from unknown(info, "#/info", INFO_KEYS)
        for name in ("title", "version"):
            yield from wrong_text(info, "#/info", name, required=True)
    else:
        yield Finding("#/info", "`info` must be a mapping; write `info: {title: ..., version: ...}`")
    actions = document.get("actions")
    if not isinstance(actions, list) or not actions:
        yield Finding("#/actions", "`actions` must be a list with at least one action; write `- target: ...` there")
        return
    for index, node in enumerate(actions):
        yield from action_findings(node, f"#/actions/{index}", minor(document))


def action_findings(node: Any, place: str, version: int) -> Iterator[Finding]:
    """Yield everything that is wrong with one action."""
    if not isinstance(node, dict):
        yield Finding(place, "an action must be a mapping; write `target: ...` and `update: ...`")
        return
    yield from unknown(node, place, ACTION_KEYS)
    yield from wrong_text(node, place, "target", required=True)
    for name in ("description", "copy", "x-contradicts"):
        yield from wrong_text(node, place, name)
    for name in ("target", "copy"):
        path = node.get(name)
        if isinstance(path, str) and path and (why := mistake(path)):
            yield Finding(f"{place}/{name}", f"{quote(path)} is no JSONPath (RFC 9535): {why}; correct it")
    if not isinstance(node.get("remove", False), bool):
        yield Finding(f"{place}/remove", f"`remove` must be `true` or `false`, not {quote(node['remove'])}; correct it")
        return
    effects = [each for each in EFFECTS if each in node and node[each] is not False]
    if not effects:
        yield Finding(place, "the action does nothing; add `update: ...` or `remove: true`")
    elif len(effects) > 1:
        both = " and ".join(f"`{each}`" for each in effects)
        yield Finding(place, f"the action has {both}, and only one has an effect; make two actions of it")
    if "copy" in effects and version == 0:
        yield Finding(f"{place}/copy", "`copy` needs Overlay 1.1; write `overlay: 1.1.0` at the top, or `update`")
    if node.get("target") == "$" and "remove" in effects:
        yield Finding(f"{place}/target", "the whole document cannot be removed; select what is to go")


def unknown(node: Node, place: str, known: tuple[str, ...]) -> Iterator[Finding]:
    """Yield the keys that an Overlay document does not have there; extensions are allowed."""
    for name in node:
        if name not in known and not name.startswith("x-"):
            yield Finding(child(place, name), f"{quote(name)} is unknown; {instead(name, known, 'remove it')}")


def wrong_text(node: Node, place: str, name: str, *, required: bool = False) -> Iterator[Finding]:
    """Yield the finding about a member that is to be a text, and not an empty one."""
    if name in node and (not isinstance(node[name], str) or not node[name].strip()):
        written = quote(node[name]) if node[name] or node[name] == 0 else "empty"
        way_out = "put it in quotes" if isinstance(node[name], int | float) else "write it, or remove it"
        yield Finding(f"{place}/{name}", f"`{name}` must be a text, not {written}; {way_out}")
    elif name not in node and required:
        yield Finding(place, f"`{name}` is missing; add it")
