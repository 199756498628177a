"""The state of a sandbox: records, organizations, users and accounts, runs of records, and the script of a test."""

from .accounts import Account, authorize, check_organization
from .records import Organization, Record, User, alive, find
from .script import Finish, Script, SentMessage, Turn, Turns, check_fields, list_turns
from .state import SINCE, RecurringRuns, State
from .synchronized import synchronized

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
