"""Jobs that users of the API have again and again, each in a module, on the public surface of the package only."""

from __future__ import annotations

from .permissions import RequiredPermissions, UnknownPermission, permissions_for

__all__ = ("RequiredPermissions", "UnknownPermission", "permissions_for")
