"""Fields: the members that tests give to records. What would only be stored in silence is refused, as operations do."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import Node

from .validation import FLAG, MAX_VALUES, TEXT, Shape, failures_of, load_contract, parse_json

# A member that a deployment shows may have any name. One that is at least this similar to a known member (by `difflib`)
# counts as a typing error: `titel` is 0.8.
ALIKE: Final = 0.8

OBJECT: Final[Node] = {"type": "object"}
NUMBER: Final[Node] = {"type": "number"}
INTEGER: Final[Node] = {"type": "integer"}
ID: Final[Node] = {"type": "string", "minLength": 1}
# These members of a session are in other records, too, so only the sandbox sets them.
IDS_OF_A_SESSION: Final = ("session_id", "org_id")


@attrs.frozen
class RecordFields:
    """What is known of the members of one kind of record.

    Attributes:
        what: Name of the record in messages, with its article.
        schema: Name of the contract's schema of the record; None if the contract shows none. It does not say which
            members may be null, so null is accepted.
        own: Schemas of the members that the sandbox itself reads.
        fixed: Members that only the sandbox sets.
    """

    what: str
    schema: str | None = None
    own: Mapping[str, Node] = attrs.field(factory=lambda: dict[str, Node](), hash=False)
    fixed: tuple[str, ...] = ()

    def check(self, fields: object) -> dict[str, Any]:
        """Return a copy of the members.

        Raises:
            InvalidArgumentError: The members are not JSON, or one of them is set by the sandbox, of another type than
                the contract says, or most probably misspelled.
        """
        copied = self._copy(fields)
        known = _shapes(self)
        for name, value in copied.items():
            if name in self.fixed:
                raise InvalidArgumentError(f"{name} is set by the sandbox; leave it out")
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1, cutoff=ALIKE)
                if close:
                    raise InvalidArgumentError(f"{self.what} has no {name!r}; did you mean {close[0]!r}?")
            elif value is not None or name in self.own:
                for place, message, _ in failures_of(known[name], value, [name]):
                    raise InvalidArgumentError(f"{'.'.join(place)} of {self.what}: {message}")
        return copied

    def _copy(self, fields: object) -> dict[str, Any]:
        try:
            # Not every text of JSON is one for other programs: a NaN would end each response that shows it.
            text = json.dumps({**fields}, allow_nan=False)  # type: ignore[dict-item]  # anything may be given
            copied: dict[str, Any] = parse_json(text, max_values=MAX_VALUES)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgumentError(
                f"the fields of {self.what} must be a mapping of names to JSON: {error}"
            ) from None
        return copied


@cache
def _shapes(of: RecordFields) -> dict[str, Shape]:
    """Return the shapes of the known members of a record."""
    contract = load_contract()
    shapes: dict[str, Shape] = {}
    if of.schema is not None:
        shapes |= Shape(contract, {"$ref": f"#/components/schemas/{of.schema}"}).members
    return shapes | {name: Shape(contract, schema) for name, schema in of.own.items()}


SESSION: Final = RecordFields("a session", "Session", fixed=IDS_OF_A_SESSION)
MESSAGE: Final = RecordFields("a message", "SessionMessage", fixed=IDS_OF_A_SESSION)
USER: Final = RecordFields(
    "a user",
    "EnterpriseUser",
    own={"role_assignments": {"type": "array", "items": OBJECT}},
    fixed=("user_id", "email", "name"),
)
HYPERVISOR: Final = RecordFields(
    "a hypervisor", own={"hypervisor_id": ID, "status": TEXT, "utilization_percentage": NUMBER}
)
VIOLATION: Final = RecordFields("a guardrail violation", own={"violation_id": ID, "created_at": INTEGER})
BLUEPRINT: Final = RecordFields("a blueprint", "Blueprint", own={"blueprint_id": ID})
REPOSITORY: Final = RecordFields("a repository", "RepositoryIndexStatus")
AUTOMATION: Final = RecordFields(
    "an automation",
    own={
        "automation_id": ID,
        "enabled": FLAG,
        "name": TEXT,
        "trigger": OBJECT,
        "action": OBJECT,
        "created_at": TEXT,
        "updated_at": TEXT,
    },
)
SEARCH: Final = RecordFields("a search", own={"search_id": ID, "user_id": TEXT, "created_at": INTEGER})
GIT_PERMISSION: Final = RecordFields("a git permission", own={"git_permission_id": ID, "read_only": FLAG})
GIT_REPOSITORY: Final = RecordFields("a git repository", fixed=("connection_id", "name"))
USAGE: Final = RecordFields("a response of usage")
ROLE_ASSIGNMENT: Final = RecordFields("a role assignment", own={"role": OBJECT, "org_id": {"type": ["string", "null"]}})


def text_set(name: str, values: object) -> frozenset[str]:
    """Return the texts of an argument that takes several.

    Args:
        name: Name of the argument, for the message.
        values: The argument. A single text is refused, because its letters would be taken.

    Raises:
        InvalidArgumentError: The argument is not an iterable of text.
    """
    if isinstance(values, str):
        raise InvalidArgumentError(f"{name} must be a set of text, such as {{{values!r}}}, not {values!r}")
    if not isinstance(values, Iterable):
        raise InvalidArgumentError(f"{name} must be a set of text, not {values!r}")
    texts = [*values]  # pyright: ignore[reportUnknownVariableType]  # anything may be given
    for text in texts:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(text, str):
            raise InvalidArgumentError(f"{name} must be a set of text, but it has {text!r}")
    return frozenset(texts)  # pyright: ignore[reportUnknownArgumentType]
