# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..encoding import UNSET, Unset
from ..model import Model


class SessionPullRequest(Model):
    """A pull request of a session.

    Not shown by the API's description: session-pull-request-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "pr_state": "pr_state",
        "pr_url": "pr_url",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            pr_state: str | None | Unset = UNSET,
            pr_url: str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def pr_state(self) -> str | None:
        """State of the pull request.

        Not shown by the API's description: session-pr-state-values.
        """
        value: str | None = self._data.get("pr_state")
        return value

    @property
    def pr_url(self) -> str | None:
        """URL of the pull request."""
        value: str | None = self._data.get("pr_url")
        return value
