# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..decoding import convert_list
from ..encoding import to_json
from ..model import Model, missing
from ..unset import UNSET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..unset import Unset


class ProblemWithCode(Model):
    """A problem detail that includes an error code."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "title": "title",
        "status": "status",
        "type": "type",
        "detail": "detail",
        "instance": "instance",
        "errors": "errors",
        "error_code": "error_code",
    }
    _required: ClassVar[frozenset[str]] = frozenset({"status", "title"})

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            title: str | None | Unset = UNSET,
            status: int | None | Unset = UNSET,
            type: str | None | Unset = UNSET,
            detail: str | None | Unset = UNSET,
            instance: str | None | Unset = UNSET,
            errors: Sequence[Mapping[str, Any]] | None | Unset = UNSET,
            error_code: str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def title(self) -> str:
        """Short summary of the problem type."""
        value: str | None = self._data.get("title")
        if value is None:
            raise missing(self, "title")
        return value

    @property
    def status(self) -> int:
        """HTTP status code."""
        value: int | None = self._data.get("status")
        if value is None:
            raise missing(self, "status")
        return value

    @property
    def type(self) -> str | None:
        """URI reference of the problem type."""
        value: str | None = self._data.get("type", "about:blank")
        return value

    @property
    def detail(self) -> str | None:
        """Human-readable explanation for this occurrence."""
        value: str | None = self._data.get("detail")
        return value

    @property
    def instance(self) -> str | None:
        """The request path."""
        value: str | None = self._data.get("instance")
        return value

    @property
    def errors(self) -> Sequence[Mapping[str, Any]] | None:
        """Field-level validation failures; only on 422."""
        value: Sequence[Mapping[str, Any]] | None = convert_list(self._data.get("errors"), to_json)
        return value

    @property
    def error_code(self) -> str | None:
        """Code of the error, present on the error bodies of the organization session list and the blueprint
        endpoints.

        Not shown by the API's description: error-code-values.
        """
        value: str | None = self._data.get("error_code")
        return value
