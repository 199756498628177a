# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from ..decoding import parse_datetime
from ..encoding import UNSET, Unset
from ..model import Model
from .review_status import ReviewStatus


class Review(Model):
    """The result of triggering a review.

    Not shown by the API's description: review-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "commit_sha": "commit_sha",
        "created_at": "created_at",
        "pr_number": "pr_number",
        "repo_path": "repo_path",
        "status": "status",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            commit_sha: str | None | Unset = UNSET,
            created_at: datetime | None | Unset = UNSET,
            pr_number: int | None | Unset = UNSET,
            repo_path: str | None | Unset = UNSET,
            status: ReviewStatus | str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def commit_sha(self) -> str | None:
        """Commit of the pull-request head that will be reviewed."""
        value: str | None = self._data.get("commit_sha")
        return value

    @property
    def created_at(self) -> datetime | None:
        """When the review was accepted."""
        value: datetime | None = parse_datetime(self._data.get("created_at"))
        return value

    @property
    def pr_number(self) -> int | None:
        """Pull/merge request number."""
        value: int | None = self._data.get("pr_number")
        return value

    @property
    def repo_path(self) -> str | None:
        """Normalized repository path prefixed by the repository host, of the form <repo_host>/<owner>/<repo>."""
        value: str | None = self._data.get("repo_path")
        return value

    @property
    def status(self) -> ReviewStatus | str | None:
        """State of the review; a newly accepted one is `pending`.

        Not shown by the API's description: review-transitions.
        """
        value: ReviewStatus | str | None = self._data.get("status")
        return value
