# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..encoding import UNSET, Unset
from ..model import Model, missing
from .role_type import RoleType


class Role(Model):
    """A named set of permissions."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "role_id": "role_id",
        "role_name": "role_name",
        "role_type": "role_type",
    }
    _required: ClassVar[frozenset[str]] = frozenset({"role_id", "role_name", "role_type"})

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            role_id: str | None | Unset = UNSET,
            role_name: str | None | Unset = UNSET,
            role_type: RoleType | str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def role_id(self) -> str:
        """Id of the role."""
        value: str | None = self._data.get("role_id")
        if value is None:
            raise missing(self, "role_id")
        return value

    @property
    def role_name(self) -> str:
        """Name of the role."""
        value: str | None = self._data.get("role_name")
        if value is None:
            raise missing(self, "role_name")
        return value

    @property
    def role_type(self) -> RoleType | str:
        """Type of the role."""
        value: RoleType | str | None = self._data.get("role_type")
        if value is None:
            raise missing(self, "role_type")
        return value
