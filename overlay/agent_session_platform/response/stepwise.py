"""Parse a large body in steps, between which the event loop runs: nothing else can run while `json` parses."""

from __future__ import annotations

import asyncio
import codecs
import gc
import json
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager, nullcontext
from typing import Any

from .bounds import ValueCounter
from .stepwise_parser import StepwiseParser
from .text_window import STEP

# The garbage collector takes some milliseconds to go through so many containers.
MANY_CONTAINERS = 50_000

# So many members are freed in a step; each may have been a window.
FREED = 1000


async def parse_stepwise(content: bytes) -> Any:
    """Parse as `parse_json` does, and let the event loop run every few milliseconds.

    Raises:
        ValueError: The body is not JSON, has too many values, or a name or a number of more than STEP bytes.
        RecursionError: It is nested too deeply.
    """
    encoding = json.detect_encoding(content)
    utf8: bytes | bytearray = content
    if encoding != "utf-8":
        utf8 = bytearray()
        async for piece in decode_pieces(content, encoding, "surrogatepass"):
            utf8 += piece.encode("utf-8", "surrogatepass")
    parser = StepwiseParser(utf8)
    steps = parser.document()
    may_pause = gc.isenabled() and not gc.get_freeze_count()
    try:
        while True:
            with collector_paused(parser.counter) if may_pause else nullcontext():
                next(steps)
            await asyncio.sleep(0)
    except StopIteration as done:
        return done.value
    except (ValueError, RecursionError):
        await drop(parser.opened)
        raise


@contextmanager
def collector_paused(counter: ValueCounter) -> Generator[None]:
    """Keep the cyclic garbage collector from a value that grows.

    It would go through all of a large value again and again, for up to a quarter of a second, and find no garbage. So
    the new objects become old ones, which are looked at when many others have become old.
    """
    gc.disable()
    try:
        yield
    finally:
        if counter.containers > MANY_CONTAINERS:
            gc.freeze()
            gc.unfreeze()
        gc.enable()


async def drop(containers: list[Any]) -> None:
    """Free containers and all that is in them in steps, because that of millions takes a tenth of a second."""
    left = FREED
    while containers:
        container = containers[-1]
        if not container:
            containers.pop()
            continue
        member = container.pop() if container.__class__ is list else container.popitem()[1]
        if member.__class__ in (list, dict):
            containers.append(member)
        left -= 1
        if not left:
            left = FREED
            await asyncio.sleep(0)


async def decode_pieces(content: bytes, charset: str, errors: str) -> AsyncIterator[str]:
    """Decode a text piece by piece; the event loop runs after each."""
    decoder = codecs.getincrementaldecoder(charset)(errors)
    for place in range(0, len(content), STEP):
        yield decoder.decode(content[place : place + STEP], final=place + STEP >= len(content))
        await asyncio.sleep(0)
