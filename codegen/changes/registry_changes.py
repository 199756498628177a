"""Compare the gaps and the rules of two contracts, by id."""

from __future__ import annotations

import attrs

from codegen.changes.change import Change
from codegen.contract import Contract, rules_below
from codegen.render.docstrings import observation
from codegen.render.overview import one_line, readable_place


@attrs.frozen
class RegistryChanges:
    """The new, removed and changed entries of a registry, each with its text, and the entries with a new id.

    Attributes:
        observed: The gaps that are closed by observation and were not, each with the numbers.
    """

    opened: dict[str, str]
    closed: dict[str, str]
    reworded: dict[str, str]
    renamed: dict[str, str]
    observed: dict[str, str] = attrs.field(factory=dict)

    def __bool__(self) -> bool:
        return bool(self.opened or self.closed or self.reworded or self.renamed or self.observed)


def gap_changes(old: Contract, new: Contract) -> RegistryChanges:
    """Compare the gaps, each by its text and its place."""

    def texts(contract: Contract) -> dict[str, str]:
        places = {gap["id"]: readable_place(gap["place"]).removeprefix("paths/") for gap in contract.gaps()}
        return {gap["id"]: f"{one_line(gap['what']).rstrip('.')} ({places[gap['id']]})" for gap in contract.gaps()}

    before = {gap["id"]: gap["closed"] for gap in old.gaps()}
    observed = {
        gap["id"]: f"{one_line(gap['what']).rstrip('.')} ({observation(gap['closed'])})"
        for gap in new.gaps()
        if gap["closed"] and before.get(gap["id"]) != gap["closed"]
    }
    return attrs.evolve(compare(texts(old), texts(new)), observed=observed)


def rule_changes(old: Contract, new: Contract) -> RegistryChanges:
    """Compare the rules by their texts."""

    def texts(contract: Contract) -> dict[str, str]:
        return {rule["id"]: one_line(rule["text"]) for rule in rules_below(contract.document) if "text" in rule}

    return compare(texts(old), texts(new))


def compare(before: dict[str, str], after: dict[str, str]) -> RegistryChanges:
    """Compare two registries; an entry with a new id and the text of a removed one is renamed."""
    opened = {each: after[each] for each in after if each not in before}
    closed = {each: before[each] for each in before if each not in after}
    renamed = {old: new for old, text in closed.items() for new, same in opened.items() if same == text}
    return RegistryChanges(
        {each: text for each, text in opened.items() if each not in renamed.values()},
        {each: text for each, text in closed.items() if each not in renamed},
        {each: after[each] for each in after if each in before and before[each] != after[each]},
        renamed,
    )


def changelog_changes(gaps: RegistryChanges, rules: RegistryChanges) -> list[Change]:
    """Return the entries of the changelog: closed gaps, and changes of rules."""
    found = [Change("Changed", f"Closed the gap `{each}`: {what}.") for each, what in gaps.closed.items()]
    found += [Change("Added", f"Rule `{each}`: {text}") for each, text in rules.opened.items()]
    found += [Change("Changed", f"Rule `{each}`: {text}") for each, text in rules.reworded.items()]
    return found + [Change("Removed", f"Rule `{each}`: {text}") for each, text in rules.closed.items()]
