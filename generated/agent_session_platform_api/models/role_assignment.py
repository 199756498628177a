# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..encoding import UNSET, Unset
from ..model import Model, missing


class RoleAssignment(Model):
    """A role that is assigned to a user."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "role": "role",
        "org_id": "org_id",
    }
    _required: ClassVar[frozenset[str]] = frozenset({"role"})

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            role: Role | None | Unset = UNSET,
            org_id: str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def role(self) -> Role:
        """The role that is assigned."""
        value: Role | None = Role.from_value(self._data.get("role"))
        if value is None:
            raise missing(self, "role")
        return value

    @property
    def org_id(self) -> str | None:
        """Id of an organization; whether the role holds only there, and what null stands for, is not shown."""
        value: str | None = self._data.get("org_id")
        return value


from .role import Role  # noqa: E402
