"""Four processes that share one limiter by a RedisRateLimiter: failures, waste, and time as a ratio to the shortest.

A real server with a real limiter, a real Redis, and real time: about a minute.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time

from agent_session_platform import AgentPlatform, RedisRateLimiter
from agent_session_platform_sandbox import RateLimit, Sandbox

from tests.servers.redis_server import SERVER, RedisServer

CALLS = 500
PROCESSES = 4
RATE, BURST = 50.0, 10
HINTS = {"none": None, "integer": "seconds", "fraction": "fraction"}


async def child(address: str, token: str, url: str, calls: int) -> None:
    """Make all calls of one process at once, as soon as a line on standard input lets them begin."""
    async with AgentPlatform(address, token, rate_limiter=RedisRateLimiter(url) if url else None) as platform:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        outcomes = await asyncio.gather(
            *(platform.enterprise.blueprints.list() for _ in range(calls)), return_exceptions=True
        )
    print(json.dumps(sum(isinstance(outcome, BaseException) for outcome in outcomes)))


def measure(url: str, hint: str | None) -> str:
    """Run once, and return the result as a line."""
    sandbox = Sandbox()
    sandbox.rate_limit = limit = RateLimit(RATE, BURST, retry_after=hint)
    with sandbox.serve() as address:
        command = [sys.executable, __file__, address, sandbox.token, url, str(CALLS // PROCESSES)]
        children = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(PROCESSES)
        ]
        for process in children:
            assert process.stdout is not None
            process.stdout.readline()
        begun = time.monotonic()
        for process in children:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        failed = sum(int(process.communicate()[0]) for process in children)
        taken = time.monotonic() - begun
    return f"{failed} failed, {100 * limit.refused / CALLS:4.1f} % wasted, {taken / ((CALLS - BURST) / RATE):.2f}"


def main() -> None:
    print(f"{CALLS} calls at once from {PROCESSES} processes, limiter of {RATE:g} a second and a burst of {BURST}:")
    server = RedisServer()
    server.start()
    try:
        for name, hint in HINTS.items():
            server.flush()
            print(f"  Retry-After: {name:9} RedisRateLimiter: {measure(server.url, hint)}", flush=True)
            print(f"  {'':22} LocalRateLimiter: {measure('', hint)}", flush=True)
    finally:
        server.close()


if __name__ == "__main__":
    if sys.argv[1:]:
        asyncio.run(child(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
    elif SERVER is None:
        print("there is no redis-server on this machine")
    else:
        main()
