"""Check of the organization: that one is set, and that the platform knows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent_session_platform import ConfigurationError

from ..exit_codes import DENIED, NOT_FOUND, USAGE
from ..unused_client import unused_client
from .finding import Finding, not_tried, ok, problem, warning
from .reads import ORGANIZATION as PARAMETER
from .reads import Read, placeholders
from .setup import Setup

ORGANIZATION: Final = "organization"


def check_setting(setup: Setup) -> Finding | None:
    """Return what is wrong with the setting; None if it can be an organization."""
    if setup.organization is None:
        return warning(
            ORGANIZATION,
            "No organization is set: operations of the organization scope need one.",
            "Set AGENT_PLATFORM_ORG_ID to an id that starts with 'org-', or use --organization or a profile.",
        )
    try:
        unused_client(organization=setup.organization)
    except ConfigurationError as error:
        place = setup.place("organization")
        text = f"The organization from {place} cannot be one: {error}."
        return problem(ORGANIZATION, text, f"Correct {place}.", USAGE)
    return None


def judge_organization(reads: Sequence[Read], setup: Setup) -> Finding:
    """Return whether the platform knows the organization.

    Args:
        reads: What was read.
        setup: The settings, with an organization that can be one.
    """
    within = [each for each in reads if PARAMETER in placeholders(each.operation) and each.status is not None]
    named = f"The organization {setup.organization}, from {setup.place('organization')},"
    if not within:
        return not_tried(ORGANIZATION, "no read of the organization scope could be sent with this credential")
    if any(each.succeeded for each in within):
        return ok(ORGANIZATION, f"{named} is known.", set=True)
    statuses = {each.status for each in within}
    place = setup.place("organization")
    if 404 in statuses and statuses <= {403, 404}:
        text = f"{named} is not known to the platform, or not for this credential (404)."
        remedy = f"Compare {place} with the id in the settings of the platform; check that the token is for it."
        return problem(ORGANIZATION, text, remedy, NOT_FOUND, set=True)
    if statuses == {403}:
        text = (
            f"{named} refuses every read (403): it is another one than that of the credential, or its role there has "
            "no permission."
        )
        remedy = f"Check the id in {place}, and the role that the service user has in this organization."
        return problem(ORGANIZATION, text, remedy, DENIED, set=True)
    listed = ", ".join(sorted(map(str, statuses)))
    text = f"Whether {named} is known cannot be told: its reads got {listed}."
    return warning(ORGANIZATION, text, "Run this again later.", set=True)
