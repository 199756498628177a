# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ..decoding import convert_list
from ..encoding import UNSET, Unset
from ..model import Model, missing


class EnterpriseUser(Model):
    """A user of the enterprise."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "user_id": "user_id",
        "email": "email",
        "name": "name",
        "role_assignments": "role_assignments",
        "enterprise_joined_at": "enterprise_joined_at",
    }
    _required: ClassVar[frozenset[str]] = frozenset({"email", "name", "role_assignments", "user_id"})

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            user_id: str | None | Unset = UNSET,
            email: str | None | Unset = UNSET,
            name: str | None | Unset = UNSET,
            role_assignments: Sequence[RoleAssignment] | None | Unset = UNSET,
            enterprise_joined_at: int | None | Unset = UNSET,
        ) -> None: ...

    @property
    def user_id(self) -> str:
        """Id of the user."""
        value: str | None = self._data.get("user_id")
        if value is None:
            raise missing(self, "user_id")
        return value

    @property
    def email(self) -> str | None:
        """Email address of the user; what null stands for is not shown."""
        value: str | None = self._data.get("email")
        return value

    @property
    def name(self) -> str | None:
        """Name of the user; what null stands for is not shown."""
        value: str | None = self._data.get("name")
        return value

    @property
    def role_assignments(self) -> Sequence[RoleAssignment]:
        """The roles that are assigned to the user."""
        value: Sequence[RoleAssignment] | None = convert_list(
            self._data.get("role_assignments"), RoleAssignment.from_item
        )
        if value is None:
            raise missing(self, "role_assignments")
        return value

    @property
    def enterprise_joined_at(self) -> int | None:
        """When the user was added to the enterprise, as an integer timestamp; unit not shown.

        Not shown by the API's description: enterprise-joined-at-unit.
        """
        value: int | None = self._data.get("enterprise_joined_at")
        return value


from .role_assignment import RoleAssignment  # noqa: E402
