"""HTTP: the ASGI application of the API, scripted faults, the rate limit, and the transports that reach it."""

from .app import ApplicationContext, make_app
from .middleware import Fault, Faults, JournalAndFaults
from .requests import MAX_BODY, BufferedRequest, check_origin
from .responses import RateLimit, json_response, problem_response

__all__ = (
    "MAX_BODY",
    "ApplicationContext",
    "BufferedRequest",
    "Fault",
    "Faults",
    "JournalAndFaults",
    "RateLimit",
    "check_origin",
    "json_response",
    "make_app",
    "problem_response",
)
