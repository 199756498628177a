"""Checks of the software: the versions that run, and the extras that are installed."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from agent_session_platform import __version__
from agent_session_platform.network import is_installed

from ..exit_codes import USAGE
from ..registry import COMPANIONS, REQUIREMENTS, to_install
from .finding import Finding, ok, problem
from .setup import Setup

VERSIONS: Final = "versions"
EXTRAS: Final = "extras"

LIBRARIES: Final = ("httpx", "httpx2", "aiohttp", "truststore", "redis")


def check_versions() -> Finding:
    """Return the versions of what runs."""
    found: dict[str, str] = {"python": platform.python_version(), "agent-session-platform": __version__}
    found |= {name: each for name in LIBRARIES if (each := _version(name)) is not None}
    system = f"{platform.system()} {platform.machine()}"
    text = ", ".join(f"{name} {each}" for name, each in found.items())
    return ok(VERSIONS, f"{text}; {system}, {sys.implementation.name}.", **found, system=system)


def check_extras(setup: Setup | None) -> Finding:
    """Return the extras that are installed, and those that are missing.

    Args:
        setup: The settings; None where they could not be read.
    """
    modules = {name: [f"agent_session_platform_{name}"] for name in COMPANIONS}
    modules |= {name: [each.partition(">")[0] for each in listed] for name, listed in REQUIREMENTS.items()}
    installed = [name for name in modules if all(map(is_installed, modules[name]))]
    missing = [name for name in modules if name not in installed]
    facts = {"installed": installed, "missing": missing}
    transport = setup.values.get("transport") if setup is not None else None
    if transport in missing:
        return problem(
            EXTRAS,
            f"The transport {transport} needs the library of that name, which is not installed.",
            to_install(transport),
            USAGE,
            **facts,
        )
    text = f"Installed: {', '.join(installed) or 'none'}. Missing: {', '.join(missing) or 'none'}."
    if missing:
        text += f" Each is needed for its own purpose only; to install {missing[0]}: {to_install(missing[0])}"
    return ok(EXTRAS, text, **facts)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
