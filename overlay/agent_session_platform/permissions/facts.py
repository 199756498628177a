"""Facts about the permission of an operation: what the contract shows of it, and what it does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import attrs

from .._api import Gap, Operation, Rule
from ..catalogue import Catalogue

# The ends of the ids of gaps about the permission of an operation, its level, or the credentials.
PERMISSION_ENDINGS = ("-permission", "-level")
CREDENTIAL_ENDINGS = (*PERMISSION_ENDINGS, "-credential")
# Such a gap says that the kinds of credential are not shown either.
KINDS = "kinds of credential"
# The names in the text of a rule, such as `create_as_user_id`.
QUOTED = re.compile(r"`(\w+)`")


@attrs.frozen
class UnknownPermission:
    """The permission of an operation of which something is not shown.

    Attributes:
        permission: Its name; None if that is not shown.
        level: `organization` or `enterprise`; None if that is not shown.
        gaps: The gaps of the contract that say so, with id and text; empty where it has none for this operation.
    """

    permission: str | None
    level: str | None
    gaps: tuple[Gap, ...]

    def __str__(self) -> str:
        shown = [self.permission, self.level and f"{self.level} level"]
        known = f"{' at '.join(filter(None, shown))} is known, " if any(shown) else ""
        missing = " and ".join(
            what for what, value in (("permission", self.permission), ("level", self.level)) if value is None
        )
        reasons = "; ".join(f"{gap.id}: {gap.what}" for gap in self.gaps) or "the contract has no gap for it"
        return f"{known}{missing} not shown ({reasons})"


def unknown_permission(operation: Operation) -> UnknownPermission | None:
    """Return what is known of a permission of which something is not shown; None if all is."""
    if operation.permission is not None and operation.level is not None:
        return None
    return UnknownPermission(operation.permission, operation.level, tuple(_gaps(operation, PERMISSION_ENDINGS)))


def credential_gaps(operation: Operation) -> tuple[Gap, ...]:
    """Return the gaps which say that the kinds of credential of an operation are not shown."""
    return tuple(gap for gap in _gaps(operation, CREDENTIAL_ENDINGS) if KINDS in gap.what)


def _gaps(operation: Operation, endings: tuple[str, ...]) -> Iterator[Gap]:
    return (gap for gap in operation.gaps if gap.id.endswith(endings))


def permission_rules(operation: Operation) -> Iterator[Rule]:
    """Yield the rules of an operation that name a permission, and those that they refer to by a parameter."""
    parameters = {each.name for each in operation.parameters}
    for rule in operation.rules:
        if _names_permission(rule):
            yield rule
        elif shared := parameters.intersection(QUOTED.findall(rule.text)):
            elsewhere = [other for other in _permission_rules() if shared.intersection(QUOTED.findall(other.text))]
            yield from (rule, *elsewhere) if elsewhere else ()


def _names_permission(rule: Rule) -> bool:
    return not _permission_names().isdisjoint(re.findall(r"\w+", rule.text)) or "permission" in rule.text


@cache
def _permission_names() -> frozenset[str]:
    return frozenset(each.permission for each in Catalogue() if each.permission)


@cache
def _permission_rules() -> tuple[Rule, ...]:
    return tuple({rule.id: rule for each in Catalogue() for rule in each.rules if _names_permission(rule)}.values())
