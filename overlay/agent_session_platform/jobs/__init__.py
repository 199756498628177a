"""Jobs that users of the API have again and again, each in a module, on the public surface of the package only."""

from __future__ import annotations

from .permission_facts import UnknownPermission
from .permissions import RequiredPermissions, permissions_for
from .program import Finding, ProgramUse, Undecided, read_program

__all__ = (
    "Finding",
    "ProgramUse",
    "RequiredPermissions",
    "Undecided",
    "UnknownPermission",
    "permissions_for",
    "read_program",
)
