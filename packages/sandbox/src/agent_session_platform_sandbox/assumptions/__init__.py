"""Assumptions: the behaviour of the sandbox where the API's description is silent, and the gaps that it leaves open.

Assumptions about one resource are in its module in `resources`; those about many operations are here.
"""

from .assumption import ACCEPT, HANDLE, Assumption, Assumptions, parse_assumptions
from .conventions import list_assumptions
from .general import GENERAL
from .open_gap import OpenGap, list_open_gaps

__all__ = (
    "ACCEPT",
    "GENERAL",
    "HANDLE",
    "Assumption",
    "Assumptions",
    "OpenGap",
    "list_assumptions",
    "list_open_gaps",
    "parse_assumptions",
)
