"""Open gaps: facts that the description does not show and the sandbox does not assume."""

from __future__ import annotations

from typing import Final

import attrs
from agent_session_platform import gaps as all_gaps


@attrs.frozen
class OpenGap:
    """A gap of the description that the sandbox leaves open.

    Attributes:
        gap: Id of the gap.
        why: Why nothing is assumed.
    """

    gap: str
    why: str


# The ids of the gaps by the reason.
REASONS: Final[dict[str, tuple[str, ...]]] = {
    "The sandbox sends none by itself; a value that was added is returned.": (
        "session-category-values",
        "session-is-advanced-type",
        "session-pr-state-values",
        "session-pull-request-required-fields",
        "session-security-profile-required-fields",
        "session-security-profile-selection-values",
        "session-status-detail-values",
    ),
    "No response has it, because deleted records are never shown.": ("blueprint-deleted-state",),
    "The sandbox sends none.": ("events",),
    "No legacy path is served.": ("organization-messages-legacy", "session-message-legacy"),
    "The contract encodes it so, and SDK and sandbox follow.": ("session-list-origins-encoding",),
}

OPEN_GAPS: Final = tuple(OpenGap(gap, why) for why, gaps in REASONS.items() for gap in gaps)


def list_open_gaps() -> tuple[OpenGap, ...]:
    """Return the open gaps, without those that the contract has closed."""
    gaps = {gap.id for gap in all_gaps if not gap.closed}
    return tuple(each for each in OPEN_GAPS if each.gap in gaps)
