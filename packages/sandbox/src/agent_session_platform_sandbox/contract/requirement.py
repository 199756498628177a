"""The credential that an operation requires."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs
from agent_session_platform.request.credentials import KIND_NAMES

from ..problems import suggestion

ENTERPRISE: Final = "enterprise"
ORGANIZATION: Final = "organization"
LEVELS: Final = (ENTERPRISE, ORGANIZATION)


def check_known(what: str, value: str, known: Iterable[str]) -> None:
    """Raise ValueError if *value* is not one of the known ones; *what* names it in the message."""
    if value not in known:
        hint = suggestion(value, known) or f"; known: {', '.join(known)}"
        raise ValueError(f"{what}: there is no {value!r}{hint}")


def is_kind(instance: object, attribute: object, value: str) -> None:
    """Validate the kind of a credential."""
    check_known("kind", value, KIND_NAMES)


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
