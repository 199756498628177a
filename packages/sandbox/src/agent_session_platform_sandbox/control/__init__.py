"""Control: the sandbox's own HTTP API under /_sandbox, and the page at /."""

from .app import Control

__all__ = ("Control",)
