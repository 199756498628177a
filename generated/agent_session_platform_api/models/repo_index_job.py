# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Literal

from ..decoding import parse_datetime
from ..encoding import UNSET, Unset
from ..model import Model


class RepoIndexJob(Model):
    """A job that indexes a repository.

    Not shown by the API's description: repo-index-job-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "commit": "commit",
        "created_at": "created_at",
        "job_id": "job_id",
        "status": "status",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            commit: str | None | Unset = UNSET,
            created_at: datetime | None | Unset = UNSET,
            job_id: str | None | Unset = UNSET,
            status: Literal["failed"] | str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def commit(self) -> str | None:
        """The commit that the job is about."""
        value: str | None = self._data.get("commit")
        return value

    @property
    def created_at(self) -> datetime | None:
        """When the job was created."""
        value: datetime | None = parse_datetime(self._data.get("created_at"))
        return value

    @property
    def job_id(self) -> str | None:
        """Id of the job."""
        value: str | None = self._data.get("job_id")
        return value

    @property
    def status(self) -> Literal["failed"] | str | None:
        """Status of the job; `failed` appears as a value.

        Not shown by the API's description: repo-index-job-status-values.
        """
        value: Literal["failed"] | str | None = self._data.get("status")
        return value
