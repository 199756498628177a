"""Refusals: the error that handlers raise to refuse a request, and suggestions for misspelled names."""

from __future__ import annotations

from .refused import RefusedError, invalid
from .suggestions import suggestion

__all__ = ("RefusedError", "invalid", "suggestion")
