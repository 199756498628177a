"""The credential that an operation requires."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs
from agent_session_platform.contract import Endpoint, load

from ..problems import suggestion

ENTERPRISE: Final = "enterprise"
ORGANIZATION: Final = "organization"
KINDS: Final = tuple(load().credential_kinds)
SHOWN_LEVELS: Final = [each.node.get("x-permission-level", ORGANIZATION) for each in load().endpoints.values()]
LEVELS: Final = tuple(dict.fromkeys([ENTERPRISE, ORGANIZATION, *SHOWN_LEVELS]))


def check_known(what: str, value: str, known: Iterable[str]) -> None:
    """Raise ValueError if *value* is not one of the known ones; *what* names it in the message."""
    if value not in known:
        hint = suggestion(value, known) or f"; known: {', '.join(known)}"
        raise ValueError(f"{what}: there is no {value!r}{hint}")


def is_kind(instance: object, attribute: object, value: str) -> None:
    """Validate the kind of a credential."""
    check_known("kind", value, KINDS)


def is_level(instance: object, attribute: object, value: str) -> None:
    """Validate a permission level."""
    check_known("level", value, LEVELS)


@attrs.frozen
class Requirement:
    """The credential that an operation requires.

    Attributes:
        kinds: Accepted kinds of credentials; empty accepts any.
        permissions: Permissions that must all be held; may be empty.
        level: `enterprise` or `organization`.
    """

    kinds: tuple[str, ...] = attrs.field(validator=attrs.validators.deep_iterable(is_kind))
    permissions: tuple[str, ...]
    level: str = attrs.field(validator=is_level)

    @classmethod
    def of(cls, endpoint: Endpoint) -> Requirement:
        """Return the requirement in the contract; if it has no level, use that of the path."""
        security: list[dict[str, list[str]]] = endpoint.node.get("security", [])
        scope = ENTERPRISE if ENTERPRISE in endpoint.path.split("/") else ORGANIZATION
        return cls(
            kinds=tuple(kind for entry in security for kind in entry),
            permissions=tuple(dict.fromkeys(name for entry in security for names in entry.values() for name in names)),
            level=endpoint.node.get("x-permission-level", scope),
        )
