"""Compare the models of two contracts, and the closed sets of values that have a name."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.changes.change import Change
from codegen.changes.operation_changes import value_changes
from codegen.changes.schema_summary import ANYTHING, SchemaSummary, fields, limit_changes, summarize
from codegen.contract import Contract, Node


def model_changes(old: Contract, new: Contract) -> list[Change]:
    """Return all changes of the models and of the closed sets."""
    before, after = models(old), models(new)
    bodies = [new.resolve(item[method].get("requestBody", {})) for _, method, item in new.routes()]
    arguments = new.reachable([bodies, [new.parameters(method, item) for _, method, item in new.routes()]])
    found = [Change("Added", f"The model `{name}`.") for name in after.keys() - before.keys()]
    found += [Change("Removed", f"The model `{name}`.", breaking=True) for name in before.keys() - after.keys()]
    for name in sorted(before.keys() & after.keys()):
        was, now = summarize(old, before[name]), summarize(new, after[name])
        changes = [*value_changes(was, now, is_argument=name in arguments)]
        if now.deprecated and not was.deprecated:
            changes.append(Change("Deprecated", "the model"))
        found += [change.about(f"`{name}`") for change in changes]
        was_fields, now_fields = fields(old, before[name]), fields(new, after[name])
        for field in was_fields.keys() | now_fields.keys():
            found += field_changes(f"`{name}.{field}`", was_fields.get(field), now_fields.get(field))
    return found


def models(contract: Contract) -> dict[str, Node]:
    """Return the schemas that have a name in the package: those of responses with fields, and closed sets."""
    unwanted = contract.body_schemas()
    return {
        name: schema
        for name, schema in contract.schemas.items()
        if name not in unwanted and (fields(contract, schema) or "enum" in schema)
    }


def field_changes(subject: str, was: SchemaSummary | None, now: SchemaSummary | None) -> Iterator[Change]:
    """Yield the changes of one attribute of a model."""
    if now is None:
        yield Change("Removed", f"{subject}.", breaking=True)
    elif was is None:
        yield Change("Added", f"{subject} ({now}).")
    else:
        if was.types != now.types:
            yield Change("Changed", f"{subject} is {now}, was {was}.", breaking=ANYTHING not in was.types)
        if may_be_none(was) != may_be_none(now) and ANYTHING not in was.types | now.types:
            text = "may be None" if may_be_none(now) else "is always present"
            yield Change("Changed", f"{subject} {text}.", breaking=may_be_none(now))
        for change in (*value_changes(was, now, is_argument=False), *limit_changes(was, now, is_argument=False)):
            yield change.about(subject)
        if now.deprecated and not was.deprecated:
            yield Change("Deprecated", f"{subject}.")


def may_be_none(field: SchemaSummary) -> bool:
    """Return whether the attribute may be None: it is not required, or null is allowed."""
    return field.nullable or not field.required
