"""The jobs that people build around the API, each in a few lines; opt-in, and built on the public surface only.

Waiting for an object and following a list are methods of the facade: `organization.sessions.wait(...)` and
`organization.sessions.follow_messages(...)`.
"""

from __future__ import annotations

from .interface import Follower, Observation, Outcome
from .list_changes import Change, changes
from .list_export import Exported, export

__all__ = ("Change", "Exported", "Follower", "Observation", "Outcome", "changes", "export")
