# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from ..encoding import UNSET, Unset
from ..model import Model


class SessionSecurityProfile(Model):
    """The security profile of a session.

    Not shown by the API's description: session-security-profile-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "selection": "selection",
        "profile_id": "profile_id",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            selection: Literal["inherit"] | str | None | Unset = UNSET,
            profile_id: str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def selection(self) -> Literal["inherit"] | str | None:
        """Selection of the security profile; `inherit` appears as a value.

        Not shown by the API's description: session-security-profile-selection-values.
        """
        value: Literal["inherit"] | str | None = self._data.get("selection")
        return value

    @property
    def profile_id(self) -> str | None:
        """Id of a security profile; its relation to `selection` is not shown."""
        value: str | None = self._data.get("profile_id")
        return value
