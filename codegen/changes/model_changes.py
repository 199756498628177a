"""Compare the models of two contracts, and the closed sets of values that have a name."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.changes.change import Change
from codegen.changes.json_types import ANYTHING
from codegen.changes.schema_summary import SchemaSummary, limit_changes, value_changes
from codegen.changes.surface import Surface
from codegen.render.normalise import NamedSchema


def model_changes(old: Surface, new: Surface) -> list[Change]:
    """Return all changes of the models and of the closed sets."""
    before, after = old.named, new.named
    found = [Change("Added", f"The model `{name}`.") for name in after.keys() - before.keys()]
    found += [Change("Removed", f"The model `{name}`.", breaking=True) for name in before.keys() - after.keys()]
    for name in sorted(before.keys() & after.keys()):
        was, now = before[name], after[name]
        is_argument, is_response = name in new.in_arguments, name in new.in_responses
        changes = [*value_changes(values(was), values(now), is_argument=is_argument)]
        if now.schema.get("deprecated") and not was.schema.get("deprecated"):
            changes.append(Change("Deprecated", "the model"))
        found += [change.about(f"`{name}`") for change in changes]
        was_fields, now_fields = old.fields(name), new.fields(name)
        for field in was_fields.keys() | now_fields.keys():
            pair = was_fields.get(field), now_fields.get(field)
            found += field_changes(f"`{name}.{field}`", *pair, is_argument=is_argument, is_response=is_response)
    return found


def values(named: NamedSchema) -> SchemaSummary:
    """Summarize the values of a closed set; a model has none."""
    shown = sorted(str(each) for each in named.schema.get("enum", ()) if each is not None)
    return SchemaSummary(frozenset(), values=tuple(shown))


def field_changes(
    subject: str, was: SchemaSummary | None, now: SchemaSummary | None, *, is_argument: bool, is_response: bool
) -> Iterator[Change]:
    """Yield the changes of one attribute of a model.

    Args:
        subject: The attribute.
        was: Its value before; None if it is new.
        now: Its value after; None if it is gone.
        is_argument: True if callers pass the model.
        is_response: True if callers read the model.
    """
    if now is None:
        yield Change("Removed", f"{subject}.", breaking=True)
        return
    is_new_duty = is_argument and now.required
    if was is None:
        yield Change("Added", f"{subject} ({now}{', required' if is_new_duty else ''}).", breaking=is_new_duty)
        return
    if was.types != now.types:
        breaking = (is_response and not now.reads_like(was)) or (is_argument and not now.accepts(was))
        yield Change("Changed", f"{subject} is {now}, was {was}.", breaking=breaking)
    if may_be_none(was) != may_be_none(now) and ANYTHING not in was.types | now.types:
        text = "may be None" if may_be_none(now) else "is always present"
        yield Change("Changed", f"{subject} {text}.", breaking=may_be_none(now) and is_response)
    if is_argument and was.required != now.required:
        yield Change("Changed", f"{subject} is {'required' if now.required else 'optional'}.", breaking=now.required)
    for change in (
        *value_changes(was, now, is_argument=is_argument),
        *limit_changes(was, now, is_argument=is_argument),
    ):
        yield change.about(subject)
    if now.deprecated and not was.deprecated:
        yield Change("Deprecated", f"{subject}.")


def may_be_none(field: SchemaSummary) -> bool:
    """Return whether the attribute may be None: it is not required, or null is allowed."""
    return field.nullable or not field.required
