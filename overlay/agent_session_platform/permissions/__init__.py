"""The permissions that operations require, as far as the API's description shows them."""

from .facts import UnknownPermission
from .required import RequiredPermissions, permissions_for

__all__ = ("RequiredPermissions", "UnknownPermission", "permissions_for")
