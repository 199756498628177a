"""Tracebacks that show where an error came from, and none of what was sent: error reporters send local variables."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from traceback import walk_tb
from types import FrameType
from typing import cast

from ._api import PACKAGE, AgentPlatformError

# Ours, which may be below another one, and the HTTP libraries: an error of an application passes through their frames,
# which hold the credential.
LIBRARIES = ("httpx", "httpcore", "h11", "h2", "hpack", "socksio", "httpx2", "httpcore2", "aiohttp", "attr")
PACKAGES = (__name__.rpartition(".")[0], PACKAGE, *LIBRARIES)
PREFIXES = tuple(f"{package}." for package in PACKAGES)


def clear_locals(error: BaseException) -> None:
    """Clear the local variables of frames that an error has left, of its causes and of its contexts, too.

    The frames of the caller keep theirs, and so do frames that are still running: these delete theirs themselves.
    """
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        each = pending.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, AgentPlatformError) and each.__suppress_context__:
            # No traceback prints it, but it may quote what was sent: a UnicodeEncodeError has the whole text.
            each.__context__ = None
        for frame, _ in walk_tb(each.__traceback__):
            if is_cleared(frame):
                with suppress(RuntimeError):
                    frame.clear()
        pending += each.__cause__, each.__context__
        if isinstance(each, BaseExceptionGroup):
            pending += cast("BaseExceptionGroup[BaseException]", each).exceptions


def is_cleared(frame: FrameType) -> bool:
    """Return whether the local variables of a frame are not the caller's."""
    return f"{frame.f_globals.get('__name__')}.".startswith(PREFIXES)


async def with_cleared_locals(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Iterate over the body of a response; an error in it shows no local variables."""
    try:
        async for chunk in chunks:
            yield chunk
    except BaseException as error:
        clear_locals(error)
        raise
