"""The classes with the methods of each resource, such as `OrganizationSessions`, and the outcomes of their waits.

Use them in annotations: a client makes the resources, as `platform.organization("org-acme").sessions`. Each class is
imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._api import PACKAGE

if TYPE_CHECKING:
    from agent_session_platform_api.resources import *  # noqa: F403  # names are passed on as they are


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{PACKAGE}.resources"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(import_module(f"{PACKAGE}.resources").__all__)
