# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..model import UNSET, Model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Unset


class AttachmentUpload(Model):
    """The form in which a file is sent; its parts are not shown."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "file": "file",
    }
    _required: ClassVar[frozenset[str]] = frozenset(["file"])

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            file: str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def file(self) -> str:
        """The file."""
        value: str = self._data.get("file")
        return value
