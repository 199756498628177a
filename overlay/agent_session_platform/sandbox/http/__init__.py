"""HTTP: the ASGI application of the API, scripted faults, the rate limit, and the transports that reach it."""

from .app import make_app
from .context import ApplicationContext
from .faults import Fault, Faults
from .middleware import JournalAndFaults
from .rate_limit import RateLimit
from .responses import json_response, problem_response

__all__ = (
    "ApplicationContext",
    "Fault",
    "Faults",
    "JournalAndFaults",
    "RateLimit",
    "json_response",
    "make_app",
    "problem_response",
)
