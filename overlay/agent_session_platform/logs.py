"""Logging that the environment switches on."""

from __future__ import annotations

import logging
from typing import TextIO

from .errors import ConfigurationError
from .text import format_value

LEVELS = ("debug", "info", "warning", "error")
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class FallbackHandler(logging.StreamHandler[TextIO]):
    """A handler that writes to stderr for as long as the program has no handler of its own."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; see `logging.Handler`."""
        if not logging.getLogger().handlers:
            super().emit(record)


def switch_on(given: str) -> None:
    """Log to the handlers of the program or, where it has none, to stderr.

    Args:
        given: The value of AGENT_PLATFORM_LOG, a level; nothing is logged if it is blank.

    Raises:
        ConfigurationError: The value is no level.
    """
    level = given.strip().lower()
    if not level:
        return
    if level not in LEVELS:
        raise ConfigurationError(f"AGENT_PLATFORM_LOG must be one of {', '.join(LEVELS)}, not {format_value(level)}")
    logger = logging.getLogger("agent_session_platform")
    logger.setLevel(level.upper())
    if not logger.hasHandlers():
        handler = FallbackHandler()
        handler.setFormatter(logging.Formatter(FORMAT))
        logger.addHandler(handler)
