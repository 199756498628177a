# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..encoding import UNSET, Unset
from ..model import Model, missing


class RepositoryIndexStatus(Model):
    """The indexing status of one repository."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "name": "name",
        "indexing_enabled": "indexing_enabled",
        "latest_index": "latest_index",
        "latest_completed_search_index_job": "latest_completed_search_index_job",
        "latest_completed_wiki_index_job": "latest_completed_wiki_index_job",
    }
    _required: ClassVar[frozenset[str]] = frozenset(
        {
            "indexing_enabled",
            "latest_completed_search_index_job",
            "latest_completed_wiki_index_job",
            "latest_index",
            "name",
        }
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
        value: str | None = self._data.get("name")
        if value is None:
            raise missing(self, "name")
        return value

    @property
    def indexing_enabled(self) -> bool:
        """Whether indexing of the repository is enabled."""
        value: bool | None = self._data.get("indexing_enabled")
        if value is None:
            raise missing(self, "indexing_enabled")
        return value

    @property
    def latest_index(self) -> RepoIndexJob:
        """The latest index job; whether it has completed is not shown.

        Not shown by the API's description: repo-index-job-required-fields, repo-index-job-status-values.
        """
        value: RepoIndexJob | None = RepoIndexJob.from_value(self._data.get("latest_index"))
        if value is None:
            raise missing(self, "latest_index")
        return value

    @property
    def latest_completed_search_index_job(self) -> RepoIndexJob:
        """The latest completed job of the search index.

        Not shown by the API's description: repo-index-job-required-fields, repo-index-job-status-values.
        """
        value: RepoIndexJob | None = RepoIndexJob.from_value(self._data.get("latest_completed_search_index_job"))
        if value is None:
            raise missing(self, "latest_completed_search_index_job")
        return value

    @property
    def latest_completed_wiki_index_job(self) -> RepoIndexJob:
        """The latest completed job of the wiki index.

        Not shown by the API's description: repo-index-job-required-fields, repo-index-job-status-values.
        """
        value: RepoIndexJob | None = RepoIndexJob.from_value(self._data.get("latest_completed_wiki_index_job"))
        if value is None:
            raise missing(self, "latest_completed_wiki_index_job")
        return value


from .repo_index_job import RepoIndexJob  # noqa: E402
