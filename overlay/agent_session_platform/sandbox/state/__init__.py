"""The state of a sandbox: records, organizations, users and accounts, and the runs that some records have."""

from .accounts import Account, authorize, check_organization
from .records import Organization, Record, User, alive, find
from .state import SINCE, RecurringRuns, State
from .synchronized import synchronized

__all__ = (
    "SINCE",
    "Account",
    "Organization",
    "Record",
    "RecurringRuns",
    "State",
    "User",
    "alive",
    "authorize",
    "check_organization",
    "find",
    "synchronized",
)
