"""Time: the clock, which does planned runs, and the occurrences of cron expressions and RRULEs."""

from .clock import START, Clock, Plan, TooManyRunsError, check_time, parse_datetime
from .recurrence import cron_occurrences, rrule_occurrences

__all__ = (
    "START",
    "Clock",
    "Plan",
    "TooManyRunsError",
    "check_time",
    "cron_occurrences",
    "parse_datetime",
    "rrule_occurrences",
)
