"""What changed between two contracts in the models, and in what is known: rules and gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codegen.changes.change import Change
from codegen.changes.differences import value_differences
from codegen.contract.document import Contract, Node, references_below, rules_below
from codegen.contract.shapes import ANYTHING, Shape, fields, shape
from codegen.render.overview import one_line, readable_place


def model_differences(old: Contract, new: Contract) -> list[Change]:
    """All changes of the models and of the closed sets of values that have a name."""
    before, after = models(old), models(new)
    asked = requested(new)
    found = [Change("Added", f"The model `{name}`.") for name in after.keys() - before.keys()]
    found += [Change("Removed", f"The model `{name}`.", breaking=True) for name in before.keys() - after.keys()]
    for name in sorted(before.keys() & after.keys()):
        changes = [*field_differences(fields(old, before[name]), fields(new, after[name]))]
        was, now = shape(old, before[name]), shape(new, after[name])
        changes += [
            (part, text, breaks) for part, text, breaks in value_differences("", was, now, strict=name in asked)
        ]
        if now.deprecated and not was.deprecated:
            changes.append(("Deprecated", "deprecated", False))
        found += [Change(part, f"{subject(name, text)}.", breaks) for part, text, breaks in changes]
    return found


def subject(model: str, text: str) -> str:
    """The text with its model before it, a field as `Session.title`."""
    if text.startswith("."):
        field, blank, rest = text.partition(" ")
        return f"`{model}{field.rstrip(':')}`{':' if field.endswith(':') else ''}{blank}{rest}"
    return f"`{model}`{text}" if text.startswith((":", " ")) else f"`{model}`: {text}"


def models(contract: Contract) -> dict[str, Node]:
    """The schemas that have a name in the package: those of answers that have fields, and closed sets."""
    unwanted = contract.body_schemas()
    return {
        name: schema
        for name, schema in contract.document["components"]["schemas"].items()
        if name not in unwanted and (fields(contract, schema) or "enum" in schema)
    }


def requested(contract: Contract) -> set[str]:
    """The names of the schemas that a caller gives values of."""
    schemas = contract.document["components"]["schemas"]
    reached: set[str] = set()
    for _, method, item in contract.routes():
        given = [*item.get("parameters", ()), *item[method].get("parameters", ()), item[method].get("requestBody", {})]
        reached |= {name for each in given for name in references_below(contract.resolve(each))}
    while more := {each for name in reached for each in references_below(schemas[name])} - reached:
        reached |= more
    return reached


def field_differences(before: dict[str, Shape], after: dict[str, Shape]) -> Iterator[tuple[Any, str, bool]]:
    """What a caller reads. An attribute may be None when it is not required or null is allowed."""
    for name in before.keys() - after.keys():
        yield "Removed", f".{name}", True
    for name in after.keys() - before.keys():
        yield "Added", f".{name} ({after[name]})", False
    for name in before.keys() & after.keys():
        was, now = before[name], after[name]
        if was.types != now.types:
            yield "Changed", f".{name} is {now}, was {was}", ANYTHING not in was.types
        if may_be_none(was) != may_be_none(now) and ANYTHING not in was.types | now.types:
            yield "Changed", f".{name} {'may be None' if may_be_none(now) else 'is always there'}", may_be_none(now)
        yield from value_differences(f".{name}", was, now, strict=False)
        if now.deprecated and not was.deprecated:
            yield "Deprecated", f".{name}", False


def may_be_none(field: Shape) -> bool:
    """Whether reading the attribute may give None."""
    return field.nullable or not field.required


@dataclass(frozen=True)
class Known:
    """What became known and what became unknown: gaps and rules by their ids, each with its text or its new id."""

    opened: dict[str, str]
    closed: dict[str, str]
    reworded: dict[str, str]
    renamed: dict[str, str]

    def __bool__(self) -> bool:
        return bool(self.opened or self.closed or self.reworded or self.renamed)


def gap_differences(old: Contract, new: Contract) -> Known:
    """Gaps that are new, that are gone, and whose text or place is another."""
    return compared(
        *(
            {
                gap[
                    "id"
                ]: f"{one_line(gap['what']).rstrip('.')} ({readable_place(gap['place']).removeprefix('paths/')})"
                for gap in each.gaps()
            }
            for each in (old, new)
        )
    )


def rule_differences(old: Contract, new: Contract) -> Known:
    """Rules that are new, that are gone, and whose text is another."""
    return compared(
        *(
            {rule["id"]: one_line(rule["text"]) for rule in rules_below(each.document) if "text" in rule}
            for each in (old, new)
        )
    )


def compared(before: dict[str, str], after: dict[str, str]) -> Known:
    """What is new, gone and another in a registry; what has the text of one that is gone has only another id."""
    opened = {each: after[each] for each in after if each not in before}
    closed = {each: before[each] for each in before if each not in after}
    renamed = {old: new for old, text in closed.items() for new, same in opened.items() if same == text}
    return Known(
        {each: text for each, text in opened.items() if each not in renamed.values()},
        {each: text for each, text in closed.items() if each not in renamed},
        {each: after[each] for each in after if each in before and before[each] != after[each]},
        renamed,
    )


def known_changes(gaps: Known, rules: Known) -> list[Change]:
    """What a changelog tells of them: what is known now, and the rules."""
    found = [
        Change("Changed", f"Known now, so `{each}` is no gap any more: {what}.") for each, what in gaps.closed.items()
    ]
    found += [Change("Added", f"Rule `{each}`: {text}") for each, text in rules.opened.items()]
    found += [Change("Changed", f"Rule `{each}`: {text}") for each, text in rules.reworded.items()]
    return found + [Change("Removed", f"Rule `{each}`: {text}") for each, text in rules.closed.items()]
