# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..decoding import convert_list
from ..model import Model
from ..unset import UNSET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..unset import Unset


class ValidationFailure(Model):
    """The body of a validation failure at schedule creation.

    Not shown by the API's description: schedule-validation-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "detail": "detail",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            detail: Sequence[ValidationIssue] | None | Unset = UNSET,
        ) -> None: ...

    @property
    def detail(self) -> Sequence[ValidationIssue] | None:
        """The validation failures, one entry each."""
        value: Sequence[ValidationIssue] | None = convert_list(self._data.get("detail"), ValidationIssue.from_item)
        return value


from .validation_issue import ValidationIssue  # noqa: E402
