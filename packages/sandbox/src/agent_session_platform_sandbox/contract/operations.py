"""Operations by their name or id."""

from __future__ import annotations

from agent_session_platform import Catalogue, Operation

from ..problems import UnknownNameError, suggestion


class UnknownOperationError(UnknownNameError):
    """There is no operation of that name. The message suggests the closest one."""


def operation_named(name: str) -> Operation:
    """Return the operation with this name or id.

    Raises:
        UnknownOperationError: There is no such operation.
    """
    try:
        return Catalogue()[name]
    except KeyError:
        known = [operation.name for operation in Catalogue()]
        hint = suggestion(name, known) or "; agent_session_platform.operations lists them"
        raise UnknownOperationError(f"there is no operation {name!r}{hint}") from None
