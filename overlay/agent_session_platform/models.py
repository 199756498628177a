"""The models of the API: read-only views of what the server sent, with an attribute for each known field.

A model is imported when it is first used. `Session(session_id="assistant-1")` makes a model for a test.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._api import PACKAGE

if TYPE_CHECKING:
    from agent_session_platform_api.models import *  # noqa: F403  # the one place where names are passed on as they are


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{PACKAGE}.models"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(import_module(f"{PACKAGE}.models").__all__)
