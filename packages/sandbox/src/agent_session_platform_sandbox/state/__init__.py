"""The state of a sandbox: records, organizations, users and accounts, runs of records, and the script of a test."""

from .script import Finish, Script, SentMessage, Turn, Turns, check_fields, list_turns
from .state import (
    SINCE,
    Account,
    Organization,
    Record,
    RecurringRuns,
    State,
    User,
    alive,
    authorize,
    check_organization,
    find,
    synchronized,
)

__all__ = (
    "SINCE",
    "Account",
    "Finish",
    "Organization",
    "Record",
    "RecurringRuns",
    "Script",
    "SentMessage",
    "State",
    "Turn",
    "Turns",
    "User",
    "alive",
    "authorize",
    "check_fields",
    "check_organization",
    "find",
    "list_turns",
    "synchronized",
)
