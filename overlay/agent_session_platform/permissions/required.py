"""The permissions that operations require, as far as the API's description shows them. Nothing is sent to find out."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from .._api import Gap, Operation, Rule
from ..catalogue import Catalogue, load_gaps
from ..errors import InvalidArgumentError
from ..text import format_value, truncate
from .facts import UnknownPermission, credential_gaps, permission_rules, unknown_permission

# What is not shown about the levels themselves.
LEVELS_GAP = "permission-levels"
# Longer names are not compared with the known ones: the time grows with the square of their length.
MAX_COMPARED = 200
NOTHING = "  none"


@attrs.frozen
class RequiredPermissions:
    """The permissions that some operations require, for a role that has no others.

    Attributes:
        operations: The operations, sorted by name.
        unmatched: Requests that no operation of the contract matches: what they require is not known.
        optional: More operations, which are called where the credential may and are not missed: many waits read the
            list together, and each reads for itself if that is refused. Their permissions are in no level.

    Example:
        required = permissions_for("organization.sessions.list", "enterprise.reviews.create")
        print(required.organization)  # {"ViewOrgSessions": ("organization.sessions.list",)}
        print(required)  # all of it, as a table
    """

    operations: tuple[Operation, ...]
    unmatched: tuple[str, ...] = ()
    optional: tuple[Operation, ...] = ()

    @property
    def organization(self) -> dict[str, tuple[str, ...]]:
        """The permissions to hold at organization level, each with the names of the operations that require it."""
        return self._at("organization")

    @property
    def enterprise(self) -> dict[str, tuple[str, ...]]:
        """The permissions to hold at enterprise level, each with the names of the operations that require it."""
        return self._at("enterprise")

    @property
    def unknown(self) -> dict[str, UnknownPermission]:
        """The operations whose permission or level is not shown, each with what is known and the gap."""
        return {each.name: unknown for each in self.operations if (unknown := unknown_permission(each))}

    @property
    def credentials(self) -> tuple[str, ...]:
        """The kinds of credential that all operations accept; empty if there is none, see `conflicts`.

        Where the kinds are not shown (`unknown_credentials`), the contract has `serviceUser`.
        """
        return tuple(kind for kind, refusing in self._refusing().items() if not refusing)

    @property
    def conflicts(self) -> dict[str, tuple[str, ...]]:
        """If no kind of credential is accepted by all: each kind, with the operations that do not accept it."""
        return {} if self.credentials else self._refusing()

    @property
    def unknown_credentials(self) -> dict[str, tuple[Gap, ...]]:
        """The operations for which the kinds of credential are not shown, each with the gap."""
        found = {each: credential_gaps(each) for each in self.operations}
        return {each.name: shown for each, shown in found.items() if shown or not each.credentials}

    @property
    def notes(self) -> dict[str, tuple[Rule, ...]]:
        """The operations with rules that name permissions, such as that of another user, each with these rules."""
        return {each.name: rules for each in self.operations if (rules := tuple(permission_rules(each)))}

    @property
    def beta(self) -> tuple[str, ...]:
        """The names of the operations that are beta."""
        return tuple(each.name for each in self.operations if each.beta)

    @property
    def inferred(self) -> dict[str, str]:
        """The operations that the description implies without stating them, each with the reason."""
        return {each.name: each.inferred for each in self.operations if each.inferred}

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The gaps about levels in general; empty if no permission is known with its level."""
        return tuple(gap for gap in load_gaps() if gap.id == LEVELS_GAP and (self.organization or self.enterprise))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON."""

        def gap_list(found: Iterable[Gap]) -> list[dict[str, Any]]:
            return [attrs.asdict(gap) for gap in found]

        return {
            "operations": [each.name for each in self.operations],
            "organization": _lists(self.organization),
            "enterprise": _lists(self.enterprise),
            "unknown": {
                name: {"permission": each.permission, "level": each.level, "gaps": gap_list(each.gaps)}
                for name, each in self.unknown.items()
            },
            "unmatched": [*self.unmatched],
            "optional": {each.name: {"permission": each.permission, "level": each.level} for each in self.optional},
            "credentials": [*self.credentials],
            "conflicts": _lists(self.conflicts),
            "unknown_credentials": {name: gap_list(each) for name, each in self.unknown_credentials.items()},
            "notes": {name: [attrs.asdict(rule) for rule in rules] for name, rules in self.notes.items()},
            "beta": [*self.beta],
            "inferred": self.inferred,
            "gaps": gap_list(self.gaps),
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for level, permissions in (("Organization", self.organization), ("Enterprise", self.enterprise)):
            yield f"{level} level:"
            yield from _rows({name: [self._mark(each) for each in found] for name, found in permissions.items()})
        yield "Unknown:"
        unknown = {self._mark(name): [str(each)] for name, each in self.unknown.items()}
        yield from _rows(unknown | {each: ["no operation of the contract matches"] for each in self.unmatched})
        if self.optional:
            yield "Optional (waits read the list together, and alone where they may not):"
            yield from _rows({each.name: [_requirement(each)] for each in self.optional})
        yield "Credentials that all of them accept:"
        yield f"  {', '.join(self.credentials)}" if self.credentials else NOTHING
        for kind, operations in self.conflicts.items():
            yield f"  {kind} is not accepted by {', '.join(operations)}"
        if self.unknown_credentials:
            names = ", ".join(self.unknown_credentials)
            yield f"  not shown, and inferred in the contract, for {names}"
        if self.notes or self.inferred or self.gaps:
            yield "Notes:"
            yield from (f"  {name}: {rule.id}: {rule.text}" for name, rules in self.notes.items() for rule in rules)
            yield from (f"  {name}: inferred: {reason}" for name, reason in self.inferred.items())
            yield from (f"  not shown ({gap.id}): {gap.what}" for gap in self.gaps)

    def _mark(self, name: str) -> str:
        marks = [mark for mark, names in (("beta", self.beta), ("inferred", self.inferred)) if name in names]
        return f"{name} ({', '.join(marks)})" if marks else name

    def _at(self, level: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for each in self.operations:
            if each.level == level and each.permission is not None:
                found[each.permission] = (*found.get(each.permission, ()), each.name)
        return dict(sorted(found.items()))

    def _refusing(self) -> dict[str, tuple[str, ...]]:
        """Return each kind of credential that some operation accepts, with the operations that do not accept it."""
        shown = [each for each in self.operations if each.credentials]
        kinds = dict.fromkeys(kind for each in shown for kind in each.credentials)
        return {kind: tuple(each.name for each in shown if kind not in each.credentials) for kind in kinds}


def permissions_for(*operations: str | Operation | Callable[..., Any]) -> RequiredPermissions:
    """Return the permissions that operations require. Nothing is sent.

    Args:
        operations: Each is a name (`"organization.sessions.list"`), an id, an `Operation`, or a method of a client
            (`org.sessions.list`), also `wait` or one that follows.

    Returns:
        The permissions by level. What the API's description does not show is in `unknown`, with its gap.

    Raises:
        InvalidArgumentError: There is no such operation; the message suggests the closest name.

    Example:
        print(permissions_for("organization.sessions.list", platform.enterprise.reviews.create))
    """
    resolved = [_resolve(each) for each in operations]
    jobs = [each for each, given in zip(resolved, operations, strict=True) if _is_job(given, each)]
    return required_permissions(resolved, (Catalogue()[each.shared_list] for each in jobs if each.shared_list))


def required_permissions(operations: Iterable[Operation], optional: Iterable[Operation]) -> RequiredPermissions:
    """Return the permissions that operations require, without the optional ones that are among them."""
    found = {each.name: each for each in operations}
    more = {each.name: each for each in optional if each.name not in found}
    return RequiredPermissions(
        tuple(found[name] for name in sorted(found)), optional=tuple(more[name] for name in sorted(more))
    )


def _is_job(given: object, operation: Operation) -> bool:
    return bool(operation.job) and getattr(given, "__name__", None) == operation.job


def _requirement(operation: Operation) -> str:
    unknown = unknown_permission(operation)
    return str(unknown) if unknown else f"{operation.permission} at {operation.level} level"


def _resolve(given: str | Operation | Callable[..., Any]) -> Operation:
    if isinstance(given, Operation):
        return given
    if not isinstance(given, str):
        return Catalogue().of(given)
    if given in Catalogue():
        return Catalogue()[given]
    names = [] if len(given) > MAX_COMPARED else [each.name for each in Catalogue()]
    close = difflib.get_close_matches(given, names, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else "agent_session_platform.operations lists them"
    raise InvalidArgumentError(f"there is no operation {truncate(format_value(given))}; {hint}")


def _rows(found: Mapping[str, Iterable[str]]) -> Iterator[str]:
    width = max(map(len, found), default=0)
    yield from (f"  {name:{width}}  {', '.join(texts)}" for name, texts in found.items())
    if not found:
        yield NOTHING


def _lists(found: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    return {name: [*values] for name, values in found.items()}
