# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from ..encoding import UNSET, Unset
from ..model import Model, missing


class Blueprint(Model):
    """A snapshot blueprint.

    Not shown by the API's description: blueprint-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "blueprint_id": "blueprint_id",
        "created_at": "created_at",
        "updated_at": "updated_at",
        "repo_name": "repo_name",
        "type": "type",
        "build_on_default_branch_commit": "build_on_default_branch_commit",
        "report_check_runs": "report_check_runs",
        "source": "source",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            blueprint_id: str | None | Unset = UNSET,
            created_at: int | None | Unset = UNSET,
            updated_at: int | None | Unset = UNSET,
            repo_name: str | None | Unset = UNSET,
            type: Literal["enterprise"] | str | None | Unset = UNSET,
            build_on_default_branch_commit: bool | None | Unset = UNSET,
            report_check_runs: bool | None | Unset = UNSET,
            source: Literal["git"] | str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def blueprint_id(self) -> str:
        """Id of the blueprint."""
        value: str | None = self._data.get("blueprint_id")
        if value is None:
            raise missing(self, "blueprint_id")
        return value

    @property
    def created_at(self) -> int | None:
        """When the blueprint was created, as an integer timestamp; unit not shown.

        Not shown by the API's description: blueprint-created-at-unit.
        """
        value: int | None = self._data.get("created_at")
        return value

    @property
    def updated_at(self) -> int | None:
        """When the blueprint was last updated, as an integer timestamp; unit not shown.

        Not shown by the API's description: blueprint-updated-at-unit.
        """
        value: int | None = self._data.get("updated_at")
        return value

    @property
    def repo_name(self) -> str | None:
        """Name of a repository; its relation to the blueprint is not shown."""
        value: str | None = self._data.get("repo_name")
        return value

    @property
    def type(self) -> Literal["enterprise"] | str | None:
        """Type of the blueprint; `enterprise` appears as a value.

        Not shown by the API's description: blueprint-type-values.
        """
        value: Literal["enterprise"] | str | None = self._data.get("type")
        return value

    @property
    def build_on_default_branch_commit(self) -> bool | None:
        """Whether a commit on the default branch leads to a build, as the name says."""
        value: bool | None = self._data.get("build_on_default_branch_commit")
        return value

    @property
    def report_check_runs(self) -> bool | None:
        """Whether check runs are reported, as the name says."""
        value: bool | None = self._data.get("report_check_runs")
        return value

    @property
    def source(self) -> Literal["git"] | str | None:
        """Source of the blueprint; `git` appears as a value.

        Not shown by the API's description: blueprint-source-values.
        """
        value: Literal["git"] | str | None = self._data.get("source")
        return value
