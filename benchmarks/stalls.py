"""The longest time for which a body stops the event loop, and the memory that it takes: SECURITY.md states the worst.

`python stalls.py [--transport httpx|httpx2|aiohttp] [--strict] [CASE...]` serves each body on loopback, from a process
of its own, to a client in another one. With `--strict` a stop of more than LIMIT seconds is a failure.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import gzip
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from agent_session_platform import AgentPlatform, AgentPlatformError, RetryPolicy
from agent_session_platform._api import Operation, Request, decode_text
from shapes import session, written

# What SECURITY.md states, with room for a slower machine.
LIMIT = 20.0
MIB = 1024 * 1024
# The default of max_body, with room for what is around a body.
SIZE = 16 * MIB - 1024


def fill(member: bytes, size: int = SIZE, opening: bytes = b"[", closing: bytes = b"]") -> bytes:
    """An array of equal members."""
    return opening + b",".join([member] * ((size - len(opening) - len(closing)) // (len(member) + 1))) + closing


def sessions(size: int) -> bytes:
    """A page of sessions."""
    each = len(written(session(0))) + 1
    listed = b",".join(written(session(number)) for number in range(size // each))
    return PAGE + listed + b"]}"


def names(count: int) -> bytes:
    """An object with so many members."""
    return b"{" + b",".join(b'"%07d":%d' % (number, number) for number in range(count)) + b"}"


PAGE = b'{"end_cursor":null,"has_next_page":false,"items":['
CHUNKED = ("Transfer-Encoding: chunked",)
GZIP = ("Content-Encoding: gzip",)
TEXT = ("Content-Type: text/plain; charset=utf-8",)
NOTHING = gzip.compress(b"")

# What is called, the status, the body, and header lines.
CASES: dict[str, tuple[str, int, Callable[[], bytes], tuple[str, ...]]] = {
    "honest page of 200 sessions": ("list", 200, lambda: sessions(200 * 900), ()),
    "honest 16 MiB of sessions": ("list", 200, lambda: sessions(SIZE - MIB), ()),
    "honest 16 MiB, compressed": ("list", 200, lambda: gzip.compress(sessions(SIZE - MIB), 6), GZIP),
    "one string": ("get", 200, lambda: b'"' + b"x" * SIZE + b'"', ()),
    "one string of escapes": ("get", 200, lambda: b'"' + b"\\n" * (SIZE // 2) + b'"', ()),
    "one string with one emoji": ("get", 200, lambda: b'"' + b"x" * SIZE + "\U0001f600".encode() + b'"', ()),
    "one number of digits": ("get", 200, lambda: b"9" * SIZE, ()),
    "one fraction": ("get", 200, lambda: b"[0." + b"9" * (SIZE - 4) + b"]", ()),
    "numbers of 4,000 digits": ("get", 200, lambda: fill(b"9" * 4000), ()),
    "small numbers": ("get", 200, lambda: fill(b"1"), ()),
    "slow numbers": ("get", 200, lambda: fill(b"1e-320"), ()),
    "texts": ("get", 200, lambda: fill(b'"ab"'), ()),
    "names": ("get", 200, lambda: names(SIZE // 20), ()),
    "empty arrays": ("get", 200, lambda: fill(b"[]"), ()),
    "empty objects": ("get", 200, lambda: fill(b"{}"), ()),
    "objects in objects": ("get", 200, lambda: fill(b'{"a":{}}'), ()),
    "arrays nested 90 deep": ("get", 200, lambda: fill(b"[" * 90 + b"]" * 90), ()),
    "objects nested 90 deep": ("get", 200, lambda: fill(b'{"":' * 90 + b"0" + b"}" * 90), ()),
    "nested without end": ("get", 200, lambda: b"[" * SIZE, ()),
    "invalid at the very end": ("list", 200, lambda: fill(b"[]")[:-1], ()),
    "items that are empty": ("list", 200, lambda: PAGE + fill(b"{}", SIZE - 100)[1:] + b"}", ()),
    "items that are numbers": ("list", 200, lambda: PAGE + fill(b"0", SIZE - 100)[1:] + b"}", ()),
    "text with one emoji": ("text", 200, lambda: b"x" * SIZE + "\U0001f600".encode(), TEXT),
    "lines": ("lines", 200, lambda: b'{"a":1}\n' * (SIZE // 8), ()),
    "empty lines": ("lines", 200, lambda: b"\n" * SIZE, ()),
    "byte by byte": ("get", 200, lambda: b"1\r\n \r\n" * 300_000 + b"2\r\n[]\r\n0\r\n\r\n", CHUNKED),
    "zeros, compressed": ("get", 200, lambda: gzip.compress(bytes(SIZE)), GZIP),
    "members that are empty": ("get", 200, lambda: NOTHING * 100_000, GZIP),
    "error of empty arrays": ("get", 400, lambda: fill(b"[]"), ()),
    "error of 64 KiB of names": ("get", 500, lambda: fill(b'"a":"b"', 65_536, b"{", b"}"), ()),
    "error of a megabyte of HTML": ("get", 403, lambda: b"<p>&amp;" * (MIB // 8), ("Content-Type: text/html",)),
    "error with the token": ("get", 422, lambda: fill(b'"svc_stalls_0123456789"', 65_536), ()),
    "4,000 headers": ("get", 200, lambda: b"[]", tuple(f"X-{number}: y" for number in range(4000))),
    "2,000 interim responses": ("get", 102, lambda: b"[]", ()),
}


async def serve(name: str) -> None:
    """Serve one body, and print the port."""
    _, status, make, fields = CASES[name]
    body = make()
    head = b"HTTP/1.1 100 Continue\r\n\r\n" * 2000 if status == 102 else b""
    head += f"HTTP/1.1 {200 if status == 102 else status} X\r\n".encode()
    if not any(field.startswith("Content-Type") for field in fields):
        head += b"Content-Type: application/json\r\n"
    if fields != CHUNKED:
        head += b"Content-Length: %d\r\n" % len(body)
    head += "".join(f"{field}\r\n" for field in fields).encode() + b"\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head + body)
            await writer.drain()
            await reader.read()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def call(platform: AgentPlatform, kind: str) -> tuple[str, Any]:
    """Make the call, and return how it ended and what came of it."""
    operation = Operation(
        id="x", method="GET", path="/v3/x", scope="", resource="x", verb="x", streamed=kind == "lines"
    )
    try:
        if kind == "list":
            found = await platform.organization("org-acme").sessions.list().collect()
            return f"{len(found):,} items", found
        client: Any = getattr(platform, "_client")  # noqa: B009  # no operation of the contract has text or lines
        if kind == "lines":
            stream = client.stream(Request(operation, lambda value: value, {}, {}))
            return f"{sum([1 async for _ in stream]):,} lines", None
        if kind == "text":
            text = await client.send(Request(operation, decode_text, {}, {}))
            return f"{len(text):,} characters", text
        value = await platform.request("GET", "/v3/x")
        # An empty body is decoded as None.
        return f"{type(value).__name__} of {len(value or ()):,}", value
    except AgentPlatformError as error:
        return f"{type(error).__name__} {str(error).split(' with ', 1)[-1][:60]}", error


async def measure(name: str, transport: str, port: int) -> dict[str, Any]:
    """Make the call beside a task that notices when the loop stops.

    A stop is measured as CPU time, so that other processes do not count.
    """
    longest = 0.0
    url = f"http://127.0.0.1:{port}"
    chosen: Any = None if transport == "httpx" else transport
    async with AgentPlatform(url, "svc_stalls_0123456789", transport=chosen, retry=RetryPolicy.none()) as platform:

        async def beat() -> None:
            nonlocal longest
            last = time.thread_time()
            while True:
                await asyncio.sleep(0.001)
                now = time.thread_time()
                longest, last = max(longest, now - last), now

        # What the first call imports is no stop of a body.
        await call(AgentPlatform("http://127.0.0.1:9", "svc_x", retry=RetryPolicy.none()), "list")
        gc.collect()
        beating = asyncio.create_task(beat())
        await asyncio.sleep(0.05)
        longest = 0.0
        started = time.perf_counter()
        outcome, value = await call(platform, CASES[name][0])
        seconds = time.perf_counter() - started
        await asyncio.sleep(0.05)
        beating.cancel()
        # Freeing it is the caller's.
        del value
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"stall": longest, "seconds": seconds, "peak": peak, "outcome": outcome}


def run(name: str, transport: str) -> dict[str, Any]:
    """Measure one case in processes of its own."""
    with subprocess.Popen([sys.executable, __file__, "--serve", name], stdout=subprocess.PIPE, text=True) as server:
        try:
            port = server.stdout.readline().strip() if server.stdout else ""
            command = [sys.executable, __file__, "--measure", name, transport, port]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            found: dict[str, Any] = json.loads(done.stdout)
            return found
        finally:
            server.terminate()


def main(arguments: argparse.Namespace) -> int:
    """Print a line for each case, and return the exit status."""
    over = 0
    print(f"{'body':<44}{'stall ms':>9}{'seconds':>9}{'peak MiB':>9}  outcome")
    for name in arguments.cases or CASES:
        found = run(name, arguments.transport)
        over += found["stall"] > LIMIT
        mark = " !" if found["stall"] > LIMIT else "  "
        figures = f"{1000 * found['stall']:9.0f}{found['seconds']:9.2f}{found['peak']:9.0f}"
        print(f"{name:<44}{figures}{mark}{found['outcome']}", flush=True)
    return 1 if over and arguments.strict else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(serve(sys.argv[2]))
    elif sys.argv[1:2] == ["--measure"]:
        print(json.dumps(asyncio.run(measure(sys.argv[2], sys.argv[3], int(sys.argv[4])))))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--transport", default="httpx", choices=["httpx", "httpx2", "aiohttp"])
        parser.add_argument("--strict", action="store_true")
        parser.add_argument("cases", nargs="*")
        sys.exit(main(parser.parse_args()))
