"""Apply Overlay documents to the contract, and report what they contradict, repeat or make wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from functools import reduce
from pathlib import Path
from typing import Any

import attrs
from jsonpath import JSONPathEnvironment, JSONPathError

from codegen.contract.example_values import fill_examples
from codegen.contract.source import ContractError, Finding, Node, Source, quote
from codegen.contract.structure import form_findings
from codegen.contract.vendor_word import PROSE
from codegen.gap_prose import drop_closed_prose
from codegen.render.runtime.contract import child

Place = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""

ABSENT = attrs.NOTHING
"""Stands for a missing value. None is not used for this, because None is the value null."""


def json_text(value: Any) -> str:
    """Return a value as JSON text. Compare texts instead of values, because `True` equals 1 in Python."""
    return json.dumps(value, sort_keys=True, default=repr)


# The extensions of this library are off, because other tools refuse them.
ENVIRONMENT = JSONPathEnvironment(strict=True)
# An Overlay may come from anybody. A regular expression may take forever, and so may many wildcards.
for function in ("match", "search"):
    del ENVIRONMENT.function_extensions[function]
LONGEST, MOST_DESCENTS, MOST_WILDCARDS = 1000, 2, 10

# So many notices of one kind have a line each; more would hide those that matter.
MOST_ALIKE = 3
UNNEEDED = "are no longer needed"
EVIDENCE = "x-observed"
# These parts have no facts about the API, so an update may replace anything below them.
LABELS = ("info", "servers")
NO_FACTS = PROSE | {"example", "examples", "closed", EVIDENCE}
# The keywords whose list is closed: other entries are not allowed.
CLOSED = frozenset({"enum", "required", "type"})


@attrs.frozen
class Action:
    """One action of an Overlay document.

    Attributes:
        source: The document.
        place: The JSON pointer of the action in the document.
        target: The JSONPath of the nodes to change.
        update: What to merge into each node; ABSENT to remove it.
        contradicts: The reason why the action may contradict the contract; empty if it may not.
    """

    source: Source
    place: str
    target: str
    update: Any
    contradicts: str


class OverlayDocument:
    """The Overlay document at *path*.

    Args:
        path: The file, in YAML or JSON.
        text: What to read instead of the file's text, such as that text with another vendor's word.

    Attributes:
        path: The file.
        source: The text of the file, with the line of each place.
        actions: The actions, in order.

    Raises:
        ContractError: Something in the document is wrong. The message has one line for each finding.
    """

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self.source = Source(path, text, has_aliases=True)
        document = self.source.document
        self.source.refuse([*self.source.findings, *form_findings(document, "overlay", {})])
        self.source.refuse(action_findings(document))
        self.actions: list[Action] = []
        for index, node in enumerate(document["actions"]):
            what = node["target"], node.get("update", ABSENT), node.get("x-contradicts", "")
            self.actions.append(Action(self.source, f"#/actions/{index}", *what))


def read_overlays(paths: Iterable[Path]) -> list[OverlayDocument]:
    """Read Overlay documents, in the order in which they are applied.

    Raises:
        ContractError: A document is wrong, or two documents have the same file name. Messages and copies need the names
            to distinguish them.
    """
    found: dict[str, OverlayDocument] = {}
    for path in paths:
        if path.name in found:
            raise ContractError(f"{path}: another Overlay has the name {path.name} too; rename one of them")
        found[path.name] = OverlayDocument(path)
    return list(found.values())


def action_findings(document: Node) -> Iterator[Finding]:
    """Yield the mistakes in the actions of an Overlay whose form is right."""
    for index, node in enumerate(document["actions"]):
        place, target = f"#/actions/{index}", node["target"]
        if why := mistake(target):
            yield Finding(f"{place}/target", f"{quote(target)} is not a usable JSONPath: {why}")
        if target == "$" and "update" not in node:
            yield Finding(f"{place}/target", "`$` would remove the whole document; name what to remove")
        if ("update" in node) == node.get("remove", False):
            yield Finding(place, "the action does nothing, or two things; write one of `update` and `remove: true`")


def mistake(target: str) -> str | None:
    """Return what is wrong with a JSONPath, and what to write; None if it can be used."""
    if not target.startswith("$"):
        return "it must begin with `$`, which is the whole document"
    if len(target) > LONGEST:
        return f"it has more than {LONGEST} characters; select an object above, or make several actions"
    if target.count("..") > MOST_DESCENTS or target.count("*") + target.count(",") > MOST_WILDCARDS:
        return f"it has more than {MOST_DESCENTS} `..`, or {MOST_WILDCARDS} wildcards and commas; name the members"
    try:
        ENVIRONMENT.compile(target)
    except (JSONPathError, RecursionError) as error:
        text = str(getattr(error, "message", "it is nested too deeply"))
        return f"{text}; compare with `==`" if "'match'" in text or "'search'" in text else f"{text}; see RFC 9535"
    return None


class AppliedSource(Source):
    """The contract with Overlays applied. A mistake in the result is reported at the action that caused it.

    The text of the result is JSON, which is also YAML. The result is not yet checked as a contract.

    Args:
        base: The contract.
        overlays: The documents, in order. A later document may replace what an earlier one wrote; this adds a notice.

    Raises:
        ContractError: An action does not fit what it selects, or contradicts the contract without a reason.

    Attributes:
        base: The contract without the Overlays.
        origins: The origin of each place that an action wrote: the Overlay, and the JSON pointer in that Overlay.
    """

    def __init__(self, base: Source, overlays: Iterable[OverlayDocument]) -> None:
        self.name, self.findings = base.name, list[Finding]()
        self.base = base
        self.document = deepcopy(base.document)
        self.origins: dict[str, tuple[Source, str]] = {}
        self._notices: list[str] = []
        self._alike: dict[str, list[str]] = {}
        for overlay in overlays:
            mistakes: list[Finding] = []
            for action in overlay.actions:
                mistakes += self._apply(action)
            overlay.source.refuse(mistakes)
        self._write_text()

    def complete(self) -> None:
        """Write what follows from the Overlays: members that examples must have now, and prose without closed gaps."""
        with suppress(RecursionError):
            # A schema that contains itself is refused by the check of the contract.
            fill_examples(self.document)
        drop_closed_prose(self.document, self.origins.keys())
        self._write_text()

    def _write_text(self) -> None:
        self.text = json.dumps(self.document, indent=2, ensure_ascii=False) + "\n"

    def report(self) -> list[str]:
        """Return lines about actions that a person should check.

        They match nothing, they remove or replace what the contract or another Overlay states, or they are no longer
        needed, because all that they write is stated already. Of many notices of one kind, there are only the first.
        """
        lines = list(self._notices)
        for kind, notices in self._alike.items():
            lines += notices[:MOST_ALIKE]
            more = len(notices) - MOST_ALIKE
            if more > 0:
                lines.append(f"... and {more} more actions that {kind}")
        return lines

    def origin(self, place: str) -> tuple[Source, str] | None:
        """Return where an action wrote the value at a place; None if the contract states the value."""
        above = place
        while above not in self.origins:
            if above == "#":
                return None
            above = above.rpartition("/")[0]
        source, written = self.origins[above]
        return source, written + place.removeprefix(above)

    def stated_at(self, place: str) -> str:
        """Return where a value is stated: the place, the file and the line."""
        source, written = self.origin(place) or (self.base, place)
        return f"{written} ({source.name}:{source.line(written)})"

    def describe(self, finding: Finding) -> str:
        """Return a finding in one line, with the file that must be corrected."""
        if found := self.origin(finding.place):
            source, place = found
            return f"{source.name}:{source.line(place)}: {place}: makes {finding.place} wrong: {finding.text}"
        # The contract was right before the Overlays, so an action on another place is the cause.
        way_out = "an action of the Overlay makes it wrong: correct the action, or add one that corrects this line"
        return f"{self.base.describe(finding)} ({way_out})"

    def _apply(self, action: Action) -> Iterator[Finding]:
        """Apply an action. If it does not fit a node, leave the node as it is, and yield the reason."""
        places = list(dict.fromkeys(match.parts for match in ENVIRONMENT.finditer(action.target, self.document)))
        if not places:
            text = "matches nothing: it is no longer needed, or `target` is wrong; correct or remove the action"
            self._note(action, f"{action.place}/target", text)
        elif action.update is ABSENT:
            self._remove(action, places)
        else:
            for place in places:
                yield from self._update(action, place)

    def _note(self, action: Action, place: str, text: str, kind: str = "") -> None:
        """Add a notice about a place in the document of an action; its kind says what many actions do."""
        notices = self._alike.setdefault(kind, []) if kind else self._notices
        notices.append(action.source.describe(Finding(place, text)))

    def _remove(self, action: Action, places: list[Place]) -> None:
        """Remove nodes. Add a notice if the contract itself states one of them."""
        stated = [place for place in map(pointer, places) if self.origin(place) is None]
        if stated:
            more = f" and {len(stated) - 1} more" if len(stated) > 1 else ""
            text = f"removes what the contract states, at {self.stated_at(stated[0])}{more}"
            kind = ""
            if action.contradicts:
                text += f" on purpose: {action.contradicts}"
                kind = on_purpose(action)
            self._note(action, f"{action.place}/target", text, kind)
        # Deeper and later nodes go first, so that the places of the other nodes stay right.
        for place in sorted(places, reverse=True):
            del value_at(self.document, place[:-1])[place[-1]]

    def _update(self, action: Action, place: Place) -> Iterator[Finding]:
        """Merge the update into the node at one place, unless the contract states it already."""
        node, value, written = value_at(self.document, place), action.update, f"{action.place}/update"
        if not isinstance(node, list) and (
            isinstance(value, list) or isinstance(node, dict) != isinstance(value, dict)
        ):
            text = f"it is {quote(value)}, and `target` selects {quote(node)}; make them the same kind"
            yield Finding(written, text)
            return
        found = list(edits(node, value, place, written))
        # The texts beside an `x-observed` only describe what was observed, and state no fact.
        no_facts = {EVIDENCE, *(PROSE if f'"{EVIDENCE}":' in json.dumps(value) else ())}
        facts = [each for each in found if EVIDENCE not in each.place and each.place[-1] not in no_facts]
        if not facts and not (isinstance(value, dict) and value.keys() == {EVIDENCE}):
            text = f"no longer needed: it is stated already, at {self.stated_at(pointer(place))}; remove the action"
            self._note(action, action.place, text, UNNEEDED)
            return
        refused = [finding for each in facts for finding in self._contradictions(action, each)]
        yield from refused
        for each in found if not refused else ():
            parent, key = value_at(self.document, each.place[:-1]), each.place[-1]
            if isinstance(parent, list) and key == len(parent):
                parent.append(None)
            parent[key] = deepcopy(each.after)
            self.origins[pointer(each.place)] = (action.source, each.written)

    def _contradictions(self, action: Action, found: Edit) -> Iterator[Finding]:
        """Yield a finding if a value contradicts the contract without a reason. Add a notice if there is a reason."""
        stated = replaced_fact(found, self.document)
        if stated is None:
            return
        before, place = quote(value_at(self.document, stated)), pointer(stated)
        text = f"`{stated[-1]}` is {before} at {self.stated_at(place)}, but here it is {quote(found.after)}"
        origin = self.origin(place)
        if origin is None and not action.contradicts:
            way_out = "correct the action, or write `x-contradicts: why` beside its `target`"
            yield Finding(found.written, f"contradicts the contract: {text}; {way_out}")
        elif origin is None:
            text = f"contradicts the contract on purpose: {text}: {action.contradicts}"
            self._note(action, found.written, text, on_purpose(action))
        elif origin[0] is not action.source:
            self._note(action, found.written, f"contradicts another Overlay: {text}, which is used")


def on_purpose(action: Action) -> str:
    """Return the kind of a notice about what an action changes for a reason."""
    return f"change what the contract states, on purpose: {action.contradicts}"


def replaced_fact(found: Edit, document: Any) -> Place | None:
    """Return the place of the fact that an edit replaces: a value, or a closed list to which it adds an entry."""
    place = found.place
    if place and (place[0] in LABELS or NO_FACTS.intersection(map(str, place))):
        return None
    if found.before is not ABSENT:
        return place
    if not isinstance(place[-1], int) or place[-2] not in CLOSED:
        return None
    # A gap such as `...-required-fields` says that the list is not complete.
    gaps = value_at(document, place[:-2]).get("x-not-shown")
    is_open = isinstance(gaps, list) and any(f"-{place[-2]}" in str(gap) for gap in gaps)
    return None if is_open else place[:-1]


@attrs.frozen
class Edit:
    """A value that an update changes.

    Attributes:
        place: The place of the value.
        before: The present value; ABSENT if there is none.
        after: The new value.
        written: The JSON pointer of the new value in the Overlay.
    """

    place: Place
    before: Any
    after: Any
    written: str


def edits(node: Any, update: Any, place: Place, written: str) -> Iterator[Edit]:
    """Yield what an update changes. Objects are merged, lists get the entries that they lack, and the rest is replaced.

    Args:
        node: The node.
        update: The update.
        place: The place of the node.
        written: The JSON pointer of the update in its Overlay.
    """
    if isinstance(node, dict) and isinstance(update, dict):
        for key, member in update.items():
            yield from edits(node.get(key, ABSENT), member, (*place, key), child(written, key))
    elif isinstance(node, list):
        known = [json_text(entry) for entry in node]
        for index, entry in enumerate(update if isinstance(update, list) else [update]):
            if json_text(entry) not in known:
                known.append(json_text(entry))
                source = child(written, index) if isinstance(update, list) else written
                yield Edit((*place, len(known) - 1), ABSENT, entry, source)
    elif json_text(node) != json_text(update):
        yield Edit(place, node, update, written)


def value_at(document: Any, place: Place) -> Any:
    """Return the value at a place."""
    return reduce(lambda node, key: node[key], place, document)


def pointer(place: Iterable[object]) -> str:
    """Return a place as a JSON pointer."""
    return reduce(child, place, "#")
