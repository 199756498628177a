# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..model import UNSET, Model

if TYPE_CHECKING:
    from ..model import Unset


class RepositoryIndexStatus(Model):
    """The indexing status of one repository."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = (
        "name",
        "indexing_enabled",
        "latest_index",
        "latest_completed_search_index_job",
        "latest_completed_wiki_index_job",
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str | None | Unset = UNSET,
            indexing_enabled: bool | None | Unset = UNSET,
            latest_index: RepoIndexJob | None | Unset = UNSET,
            latest_completed_search_index_job: RepoIndexJob | None | Unset = UNSET,
            latest_completed_wiki_index_job: RepoIndexJob | None | Unset = UNSET,
        ) -> None: ...

    @property
    def name(self) -> str:
        """Name of the repository."""
        value: str = self._data.get("name")
        return value

    @property
    def indexing_enabled(self) -> bool:
        """Whether indexing of the repository is enabled."""
        value: bool = self._data.get("indexing_enabled")
        return value

    @property
    def latest_index(self) -> RepoIndexJob:
        """A job that indexes a repository.

        Not shown by the API's description:
            repo-index-job-required-fields: Which fields are always present.
            repo-index-job-status-values: Values beyond `failed`.
        """
        value: RepoIndexJob = RepoIndexJob.view(self._data.get("latest_index"))
        return value

    @property
    def latest_completed_search_index_job(self) -> RepoIndexJob:
        """A job that indexes a repository.

        Not shown by the API's description:
            repo-index-job-required-fields: Which fields are always present.
            repo-index-job-status-values: Values beyond `failed`.
        """
        value: RepoIndexJob = RepoIndexJob.view(self._data.get("latest_completed_search_index_job"))
        return value

    @property
    def latest_completed_wiki_index_job(self) -> RepoIndexJob:
        """A job that indexes a repository.

        Not shown by the API's description:
            repo-index-job-required-fields: Which fields are always present.
            repo-index-job-status-values: Values beyond `failed`.
        """
        value: RepoIndexJob = RepoIndexJob.view(self._data.get("latest_completed_wiki_index_job"))
        return value


from .repo_index_job import RepoIndexJob  # noqa: E402
