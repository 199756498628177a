"""Overlay documents: applied to the contract, and what they contradict, repeat or make wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from enum import Enum
from functools import reduce
from pathlib import Path
from typing import Any

import attrs
from jsonpath import JSONPathEnvironment, JSONPathError
from jsonschema import Draft202012Validator

from codegen.contract import PROSE, ContractError, Finding, Node, Source, child, gaps_below, instead, parts, quote

Place = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""


class Absent(Enum):
    """The type of ABSENT."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT
"""The value at a place where a document has none; null is a value."""


@attrs.frozen
class Difference:
    """A place at which two documents have different values.

    Attributes:
        place: The place.
        before: The value in the first document, or ABSENT.
        after: The value in the second one, or ABSENT.
    """

    place: Place
    before: Any
    after: Any


def differences(before: Any, after: Any, place: Place = ()) -> Iterator[Difference]:
    """Yield the differences between two values, as deep as both are objects; a list is compared as a set.

    Args:
        before: The first value.
        after: The second one.
        place: The place of both.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from differences(before.get(key, ABSENT), after.get(key, ABSENT), (*place, key))
    elif isinstance(before, list) and isinstance(after, list):
        old, new = ([json_text(entry) for entry in entries] for entries in (before, after))
        yield from (Difference((*place, i), before[i], ABSENT) for i, text in enumerate(old) if text not in new)
        yield from (Difference((*place, i), ABSENT, after[i]) for i, text in enumerate(new) if text not in old)
    elif json_text(before) != json_text(after):
        yield Difference(place, before, after)


def json_text(value: Any) -> str:
    """Return a value as JSON, to compare it: in Python `True` equals 1."""
    return json.dumps(value, sort_keys=True, default=repr)


EFFECTS = ("update", "copy", "remove")
# Without the extensions of the library, which other tools would refuse.
ENVIRONMENT = JSONPathEnvironment(strict=True)
# The text of an Overlay may come from anywhere: a regular expression may take forever, and so may many wildcards.
for function in ("match", "search"):
    del ENVIRONMENT.function_extensions[function]
LONGEST, MOST_DESCENTS, MOST_WILDCARDS = 1000, 2, 10
GAP_ID = re.compile(r"""@(?:\.id|\[['"]id['"]\])\s*==\s*['"]([^'"]+)['"]""")

EVIDENCE = "x-observed"
# Below these an update replaces what is there without a contradiction: no fact about the API is written there.
LABELS = ("info", "servers")
NO_FACTS = PROSE | {"example", "examples", "closed", EVIDENCE}
# Lists in which an entry stands once. What stands in a list of CLOSED alone is allowed.
SETS = frozenset({"enum", "required", "tags", "type", "x-known-values", "x-vendor-word"})
CLOSED = frozenset({"enum", "required", "type"})


def mapping(required: Iterable[str], properties: Node) -> Node:
    """Return the schema of a mapping that has these members, and extensions."""
    return {
        "type": "object",
        "description": f"write a mapping with {' and '.join(f'`{name}`' for name in required)}",
        "required": [*required],
        "properties": properties,
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }


TEXT = {"type": "string", "pattern": r"\S", "description": "write a text, in quotes"}
VERSION = {**TEXT, "pattern": r"^1\.[01]\.\d+$", "description": "write `overlay: 1.0.0` or `overlay: 1.1.0`"}
FLAG = {"type": "boolean", "description": "write `true` or `false`"}
ACTION = mapping(
    ["target"],
    {**dict.fromkeys(("target", "description", "copy", "x-contradicts"), TEXT), "update": {}, "remove": FLAG},
)
ACTIONS = {"type": "array", "minItems": 1, "items": ACTION, "description": "write a list with at least one action"}
INFO = mapping(["title", "version"], dict.fromkeys(("title", "version", "description"), TEXT))
SCHEMA = Draft202012Validator(
    mapping(["overlay", "info", "actions"], {"overlay": VERSION, "info": INFO, "extends": TEXT, "actions": ACTIONS})
)


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
    value: Any
    contradicts: str


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
        found = [*self.source.findings, *schema_findings(document)] or [*action_findings(document)]
        if found:
            raise self.source.error(found)
        self.changes_primitives = not document["overlay"].startswith("1.0.")
        self.actions = [
            Action(f"#/actions/{index}", node["target"], *effects_of(node)[0], node.get("x-contradicts", ""))
            for index, node in enumerate(document["actions"])
        ]


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


def effects_of(node: Node) -> list[tuple[str, Any]]:
    """Return the effects that an action has, each with its value."""
    return [(name, node[name]) for name in EFFECTS if node.get(name, False) is not False]


def schema_findings(document: Any) -> Iterator[Finding]:
    """Yield what does not have the form of an Overlay document."""
    for error in SCHEMA.iter_errors(document):
        place = pointer(error.absolute_path)
        if error.validator == "required":
            yield Finding(place, f"{error.message.replace(chr(39), '`')}; add it")
        elif error.validator == "additionalProperties":
            known = error.schema["properties"]
            unknown = [name for name in error.instance if name not in known and not name.startswith("x-")]
            for name in unknown:
                yield Finding(child(place, name), f"{quote(name)} is unknown; {instead(name, known, 'remove it')}")
        else:
            yield Finding(place, f"it is {quote(error.instance)}; {error.schema['description']}")


def action_findings(document: Node) -> Iterator[Finding]:
    """Yield what is wrong with the actions of a document that has the form of one."""
    for index, node in enumerate(document["actions"]):
        place, effects = f"#/actions/{index}", [name for name, _ in effects_of(node)]
        for name in ("target", "copy"):
            if name in node and (why := mistake(node[name])):
                yield Finding(f"{place}/{name}", f"{quote(node[name])} is no JSONPath that can be used: {why}")
        if len(effects) != 1:
            does = f"does {' and '.join(effects)}" if effects else "does nothing"
            yield Finding(place, f"the action {does}; write one of `update`, `copy` and `remove: true`")
        elif effects == ["copy"] and document["overlay"].startswith("1.0."):
            yield Finding(f"{place}/copy", "`copy` needs Overlay 1.1; write `overlay: 1.1.0` at the top, or `update`")


def mistake(target: str) -> str | None:
    """Return why a text is no JSONPath that can be used, and what to write; None if it is one."""
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
    """The contract with Overlays applied: what is wrong in it is reported at the action that caused it.

    Attributes:
        base: The contract without them.
        origins: Where each place that an action wrote is written: the document, and the pointer there.
    """

    def __init__(self, base: Source) -> None:
        self.name, self.findings, self.misread = base.name, [], []
        self.base = base
        self.document = deepcopy(base.document)
        self.origins: dict[tuple[str, ...], tuple[Source, str]] = {}

    def put(self, place: Place, value: Any) -> None:
        """Replace the value at a place."""
        if place:
            at(self.document, place[:-1])[place[-1]] = value
        else:
            self.document = value

    def origin(self, place: Iterable[object]) -> tuple[Source, str] | None:
        """Return where an action wrote what is at a place; None if the contract states it."""
        keys = tuple(map(str, place))
        for length in range(len(keys), -1, -1):
            if keys[:length] in self.origins:
                source, written = self.origins[keys[:length]]
                # What was copied is written elsewhere.
                return source, written if written.endswith("/copy") else reduce(child, keys[length:], written)
        return None

    def describe(self, finding: Finding) -> str:
        """Return a finding in one line, with the file in which it is to be corrected."""
        found = self.origin(parts(finding.place))
        if found is not None:
            source, place = found
            return f"{source.name}:{source.line(place)}: {place}: makes {finding.place} wrong: {finding.text}"
        # The contract was in order before, so that an action on another place is the cause.
        way_out = "an action of the Overlay makes it wrong: correct the action, or add one that corrects this line"
        return f"{self.base.describe(finding)} ({way_out})"

    def line(self, place: str) -> int:
        """Return the line of a JSON pointer, in the file that it comes from."""
        found = self.origin(parts(place))
        return self.base.line(place) if found is None else found[0].line(found[1])


@attrs.frozen
class Applied:
    """The contract with Overlays applied.

    Attributes:
        source: The contract, as a source of its own; its text is JSON, which is YAML as well.
        notices: What a person should know, one line each: actions that are no longer needed, that match nothing, that
            remove or replace what the contract or another Overlay states.
    """

    source: AppliedSource
    notices: list[str]


def apply_overlays(base: Source, overlays: Iterable[OverlayDocument]) -> Applied:
    """Apply Overlay documents in order; the result is not yet checked as a contract.

    Args:
        base: The contract.
        overlays: The documents; a later one may replace what an earlier one wrote, with a notice.

    Returns:
        The new contract, and the notices.

    Raises:
        ContractError: An action does not fit what it selects, contradicts the contract without a reason, or names a
            kind of credential again.
    """
    applied = Applied(AppliedSource(base), [])
    for overlay in overlays:
        application = Application(applied, overlay, [])
        for action in overlay.actions:
            application.apply(action)
        if application.findings:
            raise overlay.source.error(application.findings)
    applied.source.text = json.dumps(applied.source.document, indent=2, ensure_ascii=False) + "\n"
    return applied


@attrs.frozen
class Application:
    """The application of one Overlay document, and what is found to be wrong on the way."""

    applied: Applied
    overlay: OverlayDocument
    findings: list[Finding]

    @property
    def document(self) -> Any:
        """The contract as it is by now."""
        return self.applied.source.document

    def apply(self, action: Action) -> None:
        """Apply one action; one that does not fit is found, and changes nothing."""
        places = select(action.target, self.document)
        if not places:
            self._notice(f"{action.place}/target", self._why_nothing(action))
        elif action.effect == "remove":
            self._remove(action, places)
        elif action.effect == "update":
            for place in places:
                self._update(action, place, action.value)
        elif len(sources := select(action.value, self.document)) == 1:
            value = deepcopy(at(self.document, sources[0]))
            for place in places:
                self._update(action, place, value)
        else:
            self._find(f"{action.place}/copy", f"it selects {len(sources)} places, and must select one; correct it")

    def _why_nothing(self, action: Action) -> str:
        """Return why an action changes nothing: its gap is gone or elsewhere, or its target selects nothing."""
        there = {gap["id"]: gap["place"] for gap in gaps_below(self.applied.source.base.document, "#")}
        for gap in GAP_ID.findall(action.target) if "x-not-shown" in action.target else ():
            if gap in there:
                return f"matches nothing: the gap `{gap}` is at {there[gap]}; correct `target`"
            way_out = instead(gap, there, "it states the fact now")
            return f"no longer needed: the contract has no gap `{gap}`; remove the action ({way_out})"
        return "matches nothing, so the action changes nothing; correct `target`, or remove the action"

    def _remove(self, action: Action, places: list[Place]) -> None:
        """Remove nodes; what the contract states goes with a notice, and the last operation not at all."""
        document = deepcopy(self.document)
        # Deeper ones and later members first, so that the places of the others stay right.
        for place in sorted(places, reverse=True):
            if place:
                del at(document, place[:-1])[place[-1]]
            else:
                document = {}
        if self.document.get("paths") and not document.get("paths"):
            text = "it removes all paths, so that nothing is left to generate; select fewer"
            self._find(f"{action.place}/target", text)
            return
        if stated := [place for place in places if self.applied.source.origin(place) is None]:
            more = f" and {len(stated) - 1} more" if len(stated) > 1 else ""
            why = f" on purpose: {action.contradicts}" if action.contradicts else ""
            self._notice(
                f"{action.place}/target",
                f"removes what the contract states, at {self._stated_at(stated[0])}{more}{why}",
            )
        self.applied.source.document = document

    def _update(self, action: Action, place: Place, value: Any) -> None:
        """Merge a value into the node at one place, unless the contract states it already."""
        written = f"{action.place}/{action.effect}"
        node = at(self.document, place)
        if not isinstance(node, dict | list) and not self.overlay.changes_primitives:
            text = f"it selects {quote(node)}, which Overlay 1.0 cannot change; select the object around it, or write"
            self._find(f"{action.place}/target", f"{text} `overlay: 1.1.0`")
            return
        if not isinstance(node, list) and (
            isinstance(value, list) or isinstance(node, dict) != isinstance(value, dict)
        ):
            self._find(written, f"it is {quote(value)}, and `target` selects {quote(node)}; make them the same kind")
            return
        origins: dict[Place, str] = {}
        merged = merge(node, value, place, written, origins)
        found = [each for each in differences(node, merged, place) if EVIDENCE not in each.place]
        if has_evidence(value):
            # Its prose is about what was observed, and states no fact.
            found = [each for each in found if each.place[-1] not in PROSE]
        if not found and not (isinstance(value, dict) and value.keys() == {EVIDENCE}):
            where = self._stated_at(place)
            self._notice(action.place, f"no longer needed: it is stated already, at {where}; remove the action")
            return
        is_fitting = True
        for each in found:
            here = written if action.effect == "copy" else origins[each.place]
            if repeated := self._repeated_credential(each):
                self._find(here, repeated)
                is_fitting = False
            elif stated := replaced_fact(each, self.document):
                is_fitting &= self._contradicts(action, here, stated, each.after)
        if is_fitting:
            self.applied.source.put(place, merged)
            for changed, origin in origins.items():
                here = written if action.effect == "copy" else origin
                self.applied.source.origins[tuple(map(str, changed))] = (self.overlay.source, here)

    def _contradicts(self, action: Action, here: str, stated: Place, value: Any) -> bool:
        """Report that a value replaces another one, and return whether it may."""
        name = f"`{stated[-1]}`" if stated else "the document"
        before = f"{name} is {quote(at(self.document, stated))} at {self._stated_at(stated)}"
        text = f"{before}, but here it is {quote(value)}"
        origin = self.applied.source.origin(stated)
        if origin is None and not action.contradicts:
            way_out = "correct the action, or write `x-contradicts: why` beside its `target`"
            self._find(here, f"contradicts the contract: {text}; {way_out}")
            return False
        if origin is None:
            self._notice(here, f"contradicts the contract on purpose: {text}: {action.contradicts}")
        elif origin[0] is not self.overlay.source:
            self._notice(here, f"contradicts another Overlay: {text}, which holds")
        return True

    def _repeated_credential(self, found: Difference) -> str | None:
        """Return what to write instead of a second entry of `security` for a kind: it would read as a choice."""
        if found.place[-2:-1] != ("security",) or not isinstance(found.after, dict):
            return None
        place = found.place[:-1]
        entries = [entry for entry in at(self.document, place) if isinstance(entry, dict)]
        for kind, permissions in found.after.items():
            if any(kind in entry for entry in entries):
                target = "$" + "".join(f"['{key}']" for key in place) + f"[?@['{kind}']]['{kind}']"
                instead_of_it = f"instead of this one write `target: {target}` and `update: {json.dumps(permissions)}`"
                return f"{quote(kind)} has an entry already; {instead_of_it if permissions else 'remove this one'}"
        return None

    def _stated_at(self, place: Place) -> str:
        """Return the place and the line of what an action is about."""
        found = self.applied.source.origin(place)
        source, where = (self.applied.source.base, pointer(place)) if found is None else found
        return f"{where} ({source.name}:{source.line(where)})"

    def _find(self, place: str, text: str) -> None:
        self.findings.append(Finding(place, text))

    def _notice(self, place: str, text: str) -> None:
        self.applied.notices.append(self.overlay.source.describe(Finding(place, text)))


def replaced_fact(found: Difference, document: Any) -> Place | None:
    """Return the place of the fact that a difference replaces: a value, or a closed list to which it adds an entry."""
    place = found.place
    if place and (place[0] in LABELS or NO_FACTS.intersection(map(str, place))):
        return None
    if found.before is not ABSENT:
        return place
    if not isinstance(place[-1], int) or place[-2] not in CLOSED:
        return None
    # A gap may say that the list is not shown as a whole, as `...-required-fields` does.
    gaps = at(document, place[:-2]).get("x-not-shown")
    is_open = isinstance(gaps, list) and any(f"-{place[-2]}" in str(gap) for gap in gaps)
    return None if is_open else place[:-1]


def merge(node: Any, update: Any, place: Place, written: str, origins: dict[Place, str]) -> Any:
    """Return a node with an update: objects are merged, lists are appended to, and anything else is replaced.

    Args:
        node: The node, which stays as it is.
        update: The update.
        place: The place of the node.
        written: The JSON pointer of the update in its Overlay.
        origins: The pointers of all that is new or replaced, which are added.
    """
    if isinstance(node, dict) and isinstance(update, dict):
        merged = dict(node)
        for key, member in update.items():
            here = (*place, key), child(written, key)
            merged[key] = merge(node.get(key, ABSENT), member, *here, origins)
        return merged
    if isinstance(node, list):
        is_list = isinstance(update, list)
        added = [
            (child(written, i) if is_list else written, entry)
            for i, entry in enumerate(update if is_list else [update])
        ]
        if place and place[-1] in SETS:
            added = [(origin, entry) for origin, entry in added if entry not in node]
        for position, (origin, _) in enumerate(added, len(node)):
            origins[(*place, position)] = origin
        return [*node, *(deepcopy(entry) for _, entry in added)]
    origins[place] = written
    return deepcopy(update)


def select(target: str, document: Any) -> list[Place]:
    """Return the places that a JSONPath selects, each once."""
    return list(dict.fromkeys(match.parts for match in ENVIRONMENT.finditer(target, document)))


def at(document: Any, place: Place) -> Any:
    """Return the value at a place."""
    return reduce(lambda node, key: node[key], place, document)


def has_evidence(value: Any) -> bool:
    """Return whether an update says how often it was observed."""
    return f'"{EVIDENCE}":' in json.dumps(value)


def pointer(place: Iterable[object]) -> str:
    """Return a place as a JSON pointer."""
    return reduce(child, place, "#")
