"""The jobs that people build around the API, each in a few lines; opt-in, and built on the public surface only.

Waiting for an object and following a list are methods of the facade: `organization.sessions.wait(...)` and
`organization.sessions.follow_messages(...)`.
"""

from __future__ import annotations

from .changed import changed
from .interface import Follower, Observation, Outcome
from .list_changes import Change, changes
from .list_export import Exported, export
from .permission_facts import UnknownPermission
from .permissions import RequiredPermissions, permissions_for
from .program import Finding, ProgramUse, Undecided, read_program

__all__ = (
    "Change",
    "Exported",
    "Finding",
    "Follower",
    "Observation",
    "Outcome",
    "ProgramUse",
    "RequiredPermissions",
    "Undecided",
    "UnknownPermission",
    "changed",
    "changes",
    "export",
    "permissions_for",
    "read_program",
)
