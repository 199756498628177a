"""Checks of this machine's software: versions, extras, and the Redis that processes share a rate limit in."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Final
from urllib.parse import urlsplit

from agent_session_platform import ConfigurationError, RedisRateLimiter, __version__

from ..errors import USAGE
from ..group import COMPANIONS, REQUIREMENTS, to_install
from .finding import Finding, not_tried, ok, problem, warning
from .setup import Setup

VERSIONS: Final = "versions"
EXTRAS: Final = "extras"

LIBRARIES: Final = ("httpx", "httpx2", "aiohttp", "truststore", "redis")

REDIS: Final = "Redis"
VARIABLES: Final = ("AGENT_PLATFORM_REDIS", "REDIS_URL")
SECONDS: Final = 3.0

ALONE: Final = "Until then a RedisRateLimiter limits each process by itself."


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
    installed = [name for name in modules if all(map(_is_installed, modules[name]))]
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


async def check_redis() -> Finding:
    """Ping the Redis that the environment names; nothing is written to it."""
    variable = next(filter(os.environ.get, VARIABLES), None)
    if variable is None:
        return not_tried(REDIS, f"neither {' nor '.join(VARIABLES)} is set")
    url = os.environ[variable]
    try:
        RedisRateLimiter(url)
    except ConfigurationError as error:
        return warning(REDIS, f"{variable} cannot be used: {error}.", f"Correct {variable}.", source=variable)
    # Imported here: without the extra, the limiter says so.
    from redis.asyncio import Redis

    client = Redis.from_url(url)  # pyright: ignore[reportUnknownMemberType]  # of redis-py
    named = f"The Redis at {_place(url)}, which {variable} names,"
    try:
        async with asyncio.timeout(SECONDS):
            await client.ping()  # pyright: ignore[reportUnknownMemberType]  # of redis-py
    except Exception as error:
        # Its message may have a password.
        text = f"{named} cannot be used ({type(error).__name__})."
        return warning(REDIS, text, f"Start it, or correct address and password in {variable}. {ALONE}")
    finally:
        with suppress(Exception):
            await client.aclose()
    return ok(REDIS, f"{named} responds; whether it runs scripts was not tried.", source=variable)


def _place(url: str) -> str:
    """Return host and port of a URL: it may have a password."""
    return urlsplit(url).netloc.rpartition("@")[2] or "a socket"


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:
        # The way of Python to say that its import is refused.
        return False
