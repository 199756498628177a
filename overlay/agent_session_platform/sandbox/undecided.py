"""The gaps that the sandbox decides nothing about: what they leave open never comes from it by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Undecided:
    """A fact that is not shown and not assumed either: the id of the gap, and why nothing is decided."""

    gap: str
    why: str


REASONS: Final[dict[str, tuple[str, ...]]] = {
    "The sandbox sends none; what was added with one gives it back.": (
        "session-category-values",
        "session-is-advanced-type",
        "session-pr-state-values",
        "session-pull-request-required-fields",
        "session-security-profile-required-fields",
        "session-security-profile-selection-values",
        "session-status-detail-values",
    ),
    "No answer has it: what is deleted is shown nowhere.": ("blueprint-deleted-state",),
    "There are none, and nothing is called that would send them.": ("events",),
    "No legacy path is served.": ("organization-messages-legacy", "session-message-legacy"),
    "The contract encodes it so, and SDK and sandbox follow.": ("session-list-origins-encoding",),
}
"""The gaps by the reason."""

UNDECIDED: Final = tuple(Undecided(gap, why) for why, gaps in REASONS.items() for gap in gaps)
