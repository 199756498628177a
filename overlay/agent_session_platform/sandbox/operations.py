"""Operations as tests name them: by name or id, and told when there is none of that name."""

from __future__ import annotations

from .._api import Operation
from ..catalogue import Catalogue
from .problems import nearest


class UnknownOperationError(KeyError):
    """There is no operation of that name; the message has the one that may have been meant."""

    def __str__(self) -> str:
        # A KeyError would show its message as a string in quotes.
        return str(self.args[0])


def operation_named(name: str) -> Operation:
    """The operation that is given by its name or its id; raises UnknownOperationError."""
    try:
        return Catalogue()[name]
    except KeyError:
        known = [operation.name for operation in Catalogue()]
        way_out = nearest(name, known) or "; agent_session_platform.operations lists them"
        raise UnknownOperationError(f"there is no operation {name!r}{way_out}") from None
