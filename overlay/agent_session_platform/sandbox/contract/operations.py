"""Operations by their name or id."""

from __future__ import annotations

from ..._api import Operation
from ...catalogue import Catalogue
from ..problems import suggestion


class UnknownOperationError(KeyError):
    """There is no operation of that name. The message suggests the closest one."""

    def __str__(self) -> str:
        # KeyError would show the message as a quoted string.
        return str(self.args[0])


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
