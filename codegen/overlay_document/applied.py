"""Apply Overlay documents to the contract, and report which of their actions have no effect any more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from codegen.contract import Finding, Source, gaps_below, parts, quote
from codegen.overlay_document.action import ActionError, merge, primitive_findings, remove
from codegen.overlay_document.credentials import repeated_kinds
from codegen.overlay_document.document import Action, OverlayDocument
from codegen.overlay_document.judgement import EVIDENCE, Judgement, pointer
from codegen.overlay_document.targets import Place, misspelt, named_gaps, places
from codegen.overlay_document.text import rewrite
from codegen.overlay_document.tree import Placed


class AppliedSource(Source):
    """The contract with Overlays applied: what is wrong in it is reported at the action that caused it."""

    def __init__(self, base: Source, tree: Placed) -> None:
        self._base = base
        self._tree = tree
        self.name = base.name
        self.findings = []
        self.document = tree.plain()
        self.text = rewrite(base.text, self.document)

    def describe(self, finding: Finding) -> str:
        """Return a finding in one line, with the file in which it is to be corrected."""
        node = self._tree.nearest(parts(finding.place))
        if node.source is self._base:
            # The contract was in order before, so that an action on another place is the cause.
            way_out = "an action of the Overlay makes it wrong: correct the action, or add one that corrects this line"
            return f"{node.written}: {finding.place}: {finding.text} ({way_out})"
        return f"{node.written}: {node.place}: makes {finding.place} wrong: {finding.text}"

    def line(self, place: str) -> int:
        """Return the line of a JSON pointer, in the file that its node comes from."""
        node = self._tree.nearest(parts(place))
        return node.source.line(node.place)


@attrs.frozen
class Applied:
    """The contract with Overlays applied.

    Attributes:
        source: The contract, as a source of its own.
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
    tree = Placed.of(base.document, base, "#")
    notices: list[str] = []
    for overlay in overlays:
        application = Application(tree, base, overlay)
        for action in overlay.actions:
            application.apply(action)
        if application.findings:
            raise overlay.source.error(application.findings)
        notices += application.notices
    source = AppliedSource(base, tree)
    if found := list(repeated_kinds(tree, base)):
        raise source.error(found)
    return Applied(source, notices)


@attrs.frozen
class Application:
    """The application of one Overlay document to the tree, and what is found on the way."""

    tree: Placed
    base: Source
    overlay: OverlayDocument
    findings: list[Finding] = attrs.field(factory=list)
    notices: list[str] = attrs.field(factory=list)

    def apply(self, action: Action) -> None:
        """Apply one action; what does not fit is found, and changes nothing."""
        document = self.tree.plain()
        selected = places(action.target, document)
        if not selected:
            self._nothing(action)
        elif action.effect == "remove":
            self._remove(action, selected)
        elif (value := self._value(action, document, selected)) is not None:
            for place in selected:
                self._update(action, place, value[0])

    def _nothing(self, action: Action) -> None:
        """Tell why an action changes nothing; a gap whose id is misspelt is found, because it would stay open."""
        there = {gap["id"]: gap["place"] for gap in gaps_below(self.base.document, "#")}
        place = f"{action.place}/target"
        for gap in named_gaps(action.target):
            if gap not in there and (meant := misspelt(gap, there)):
                text = f"the contract has no gap {quote(gap)}; did you mean {quote(meant)}?"
                self.findings.append(Finding(place, f"{text} If not, remove the action: that fact is stated now"))
                return
        self._notice(place, nothing(action, there))

    def _remove(self, action: Action, selected: list[Place]) -> None:
        """Remove nodes; what the contract states goes with a notice, and the last operation not at all."""
        removed = [(self.tree.nearest(place), pointer(place)) for place in selected]
        had_paths = has_paths(self.tree)
        remove(self.tree, selected)
        if had_paths and not has_paths(self.tree):
            text = "it removes all paths, so that nothing is left to generate; select fewer"
            self.findings.append(Finding(f"{action.place}/target", text))
        elif stated := [(node, where) for node, where in removed if node.source is self.base]:
            node, where = stated[0]
            more = f" and {len(stated) - 1} more" if len(stated) > 1 else ""
            why = f" on purpose: {action.contradicts}" if action.contradicts else ""
            text = f"removes what the contract states, at {where} ({node.written}){more}{why}"
            self._notice(f"{action.place}/target", text)

    def _value(self, action: Action, document: Any, selected: list[Place]) -> tuple[Any] | None:
        """Return what an action merges; None if that is found to be wrong."""
        found: list[Finding] = []
        if not self.overlay.changes_primitives:
            found += primitive_findings([self.tree.nearest(place) for place in selected], action.place)
        value = action.value
        if action.effect == "copy":
            sources = places(action.value, document)
            if len(sources) == 1:
                value = self.tree.nearest(sources[0]).plain()
            else:
                text = f"`copy` selects {len(sources)} places, and must select one; correct it"
                found.append(Finding(f"{action.place}/copy", text))
        self.findings.extend(found)
        return None if found else (value,)

    def _update(self, action: Action, place: Place, value: Any) -> None:
        """Merge a value into the node at one place, unless the contract states it already."""
        is_copy = action.effect == "copy"
        update = Placed.of(value, self.overlay.source, f"{action.place}/{action.effect}", copied=is_copy)
        node = self.tree.nearest(place)
        judgement = Judgement(self.base, has_evidence(value))
        judgement.compare(update, node, place, self.tree.nearest(place[:-1]))
        if judgement.unneeded:
            where = f"it is stated at {pointer(place)} already ({judgement.stated[0].written})"
            self._notice(action.place, f"no longer needed: {where}; remove the action")
            return
        for entry, there in judgement.left_out:
            self._notice(update.place, f"{entry} is no longer needed: it stands there already ({there.written})")
        for where, text in judgement.replaced:
            self._notice(where, f"contradicts another Overlay: {text}")
        for where, text in judgement.contradictions:
            if action.contradicts:
                self._notice(where, f"contradicts the contract on purpose: {text}: {action.contradicts}")
            else:
                way_out = "correct the action, or write `x-contradicts: why` beside its `target`"
                self.findings.append(Finding(where, f"contradicts the contract: {text}; {way_out}"))
        if not judgement.contradictions or action.contradicts:
            try:
                merge(node, update)
            except ActionError as error:
                self.findings.append(Finding(update.place, str(error)))

    def _notice(self, place: str, text: str) -> None:
        self.notices.append(self.overlay.source.describe(Finding(place, text)))


def nothing(action: Action, there: Mapping[str, str]) -> str:
    """Return why an action changes nothing: its gap is gone or elsewhere, or its target selects nothing.

    Args:
        action: The action.
        there: The place of each gap of the contract, by its id.
    """
    for gap in named_gaps(action.target):
        if gap in there:
            return f"matches nothing: the gap `{gap}` is at {there[gap]}; correct `target`"
        why = f"the contract has no gap `{gap}` any more, because it states the fact now"
        return f"no longer needed: {why}; remove the action"
    return "matches nothing, so the action changes nothing; correct `target`, or remove the action"


def has_paths(tree: Placed) -> bool:
    """Return whether a contract has any path."""
    paths = tree.member("paths")
    return paths is not None and bool(paths.content)


def has_evidence(value: Any) -> bool:
    """Return whether an update says how often it was observed."""
    if isinstance(value, dict):
        return EVIDENCE in value or any(map(has_evidence, value.values()))
    return isinstance(value, list) and any(map(has_evidence, value))
