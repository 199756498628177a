"""Refusals: the error that handlers raise to refuse a request, and errors about unknown names."""

from .refused import RefusedError, invalid
from .suggestions import UnknownNameError, suggestion

__all__ = ("RefusedError", "UnknownNameError", "invalid", "suggestion")
