"""Time: the sandbox's clock, the scheduler of future runs, and the occurrences of cron expressions and RRULEs."""

from .clock import START, Clock, TooManyRunsError, check_time, parse_datetime
from .cron import cron_occurrences
from .recurrence import rrule_occurrences
from .scheduler import Plan

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
