# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The outcomes of waits, each with its object under the name of its type."""

from __future__ import annotations

from .interface import Outcome
from .models.schedule import Schedule
from .models.session import Session

__all__ = (
    "SessionOutcome",
    "ScheduleOutcome",
)


class SessionOutcome(Outcome[Session]):
    """The end of a wait for a session."""

    __slots__ = ()

    @property
    def session(self) -> Session | None:
        """The session as it was read last; None if it was never read."""
        return self.last


class ScheduleOutcome(Outcome[Schedule]):
    """The end of a wait for a schedule."""

    __slots__ = ()

    @property
    def schedule(self) -> Schedule | None:
        """The schedule as it was read last; None if it was never read."""
        return self.last
