"""Mutated responses, and calls that are cancelled at every point: nothing may leak, and no error be undocumented.

`python benchmarks/attacks.py [MUTATIONS] [CANCELLATIONS] [SEED]` runs on all transports, and exits non-zero when
something leaked, or when a call ended in anything but a result or an error of the SDK.
"""

from __future__ import annotations

import asyncio
import gzip
import pickle
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    LocalRateLimiter,
    Permit,
    RequestOptions,
    RetryPolicy,
)
from soak import LAST_PAGE, PAGE, Report, resources

from tests.fixtures import ONE_ATTEMPT
from tests.servers.fault_server import TOKEN, Connection, FaultServer, Request, fault_server
from tests.servers.scripts import HEAD, response

TRANSPORTS = ("httpx", "httpx2", "aiohttp")
CONNECTIONS = 4
FILE = ("11111111-1111-4111-8111-111111111111", "a.bin")
LONGEST_MESSAGE = 2_000
# A call is over after about so many steps of the event loop.
MOST_STEPS = 60
CHECKED_EVERY = 500

PROBLEM = {"title": "Invalid", "errors": [{"loc": ["body", "x"], "msg": "bad", "type": "value_error"}]}
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n10\r\n" + b'{"data": [1, 2]}' + b"\r\n0\r\n\r\n"
ANSWERS = [
    response(PAGE),
    response(LAST_PAGE),
    response({"data": []}),
    response({"status": "pending", "session_id": "assistant-1", "pull_requests": [{"pr_url": None}]}),
    response(PROBLEM, "422 Unprocessable Content", media_type="application/problem+json"),
    response({"title": "busy"}, "429 Too Many Requests", "Retry-After: 0", "Date: Sat, 21 Nov 2026 22:00:00 GMT"),
    response(b"<html>", "503 Unavailable", "Retry-After: Sat, 21 Nov 2026 22:00:00 GMT", media_type="text/html"),
    response(b"", "307 Elsewhere", "Location: https://elsewhere.example.com/a?signature=secret"),
    response(gzip.compress(b'{"data": [{"blueprint_id": "b"}]}', mtime=0), "200 OK", "Content-Encoding: gzip"),
    response(b"", "204 Nothing", media_type=None),
    CHUNKED,
]
PIECES = [
    b"\x00", b"\xff\xfe", b"\r\n", b"\r\n\r\n", b"{", b"]" * 200, b"[" * 2000, b"9" * 5000, b"1e999", b"NaN", b"null",
    b"\\ud800", b"\xed\xa0\x80", b'"', b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"HTTP/1.1 200 OK",
    b"Content-Encoding: gzip, gzip\r\n", b"Content-Type: text/plain; charset=utf-7\r\n", b"Location: //\r\n", b"-1",
    b"Retry-After: -1e9\r\n", TOKEN.encode(), b"0\r\n\r\n", b";", b"\xf0\x9f\x92\xa9",
]  # fmt: skip


class NeverClosed(LocalRateLimiter):
    """A rate limiter that no 429 closes: mutated ones would hold up the calls that follow."""

    def refused(self, permit: Permit, retry_after: float | None, *_: object) -> float:
        """Stay open."""
        return 0.0


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Change some bytes of a response: replaced, removed, repeated, inserted, or cut off."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        length = min(len(data) - at, chance.choice((1, 1, 2, 8, 64)))
        match chance.randrange(6):
            case 0:
                data = data[:at] + chance.randbytes(length) + data[at + length :]
            case 1:
                data = data[:at] + data[at + length :]
            case 2:
                data = data[: at + length] + data[at:]
            case 3:
                data = data[:at] + chance.choice(PIECES) + data[at:]
            case 4:
                data = data[:at] + chance.choice(PIECES) + data[at + length :]
            case _:
                data = data[:at] if chance.random() < 0.3 else data
    return data


def calls_of(platform: AgentPlatform) -> list[Callable[[], Awaitable[Any]]]:
    """Return the calls that are attacked: one of each way in which a response is read."""
    organization = platform.organization("org-acme")
    return [
        lambda: organization.sessions.get("assistant-1"),
        lambda: organization.sessions.list(first=2).collect(limit=45),
        lambda: platform.enterprise.blueprints.list(),
        lambda: platform.enterprise.reviews.create(pr_url="https://git.example.com/acme/shop/pull/7"),
        lambda: organization.attachments.download(*FILE).read(),
        lambda: organization.secrets.create(name="n", value="v"),
        lambda: platform.request("DELETE", "/v3/enterprise/anything"),
    ]


class Attack:
    """What was tried on one transport, and what went wrong."""

    def __init__(self, transport: str, seed: int) -> None:
        self.transport = None if transport == "httpx" else transport
        self.chance = random.Random(seed)
        self.report = Report()
        self.before = resources()
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: self.report.leaks.append(f"the event loop reports {context.get('message')}")
        )

    def client(self, server: FaultServer, **settings: Any) -> AgentPlatform:
        """Make a client that gives up soon."""
        settings = {"max_connections": CONNECTIONS, "timeout": 0.5, **settings}
        return server.client(self.transport, rate_limiter=NeverClosed(), **settings)

    async def judge(self, call: Awaitable[Any]) -> None:
        """Await a call; note an outcome that is not documented."""
        self.report.calls += 1
        try:
            await call
            self.report.outcomes["good"] += 1
        except AgentPlatformError as error:
            self.report.outcomes[type(error).__name__] += 1
            shown = f"{error}{error!r}"
            if TOKEN in shown or len(str(error)) > LONGEST_MESSAGE:
                self.report.leaks.append(f"a message that shows too much: {shown[:200]!r}")
            if str(pickle.loads(pickle.dumps(error))) != str(error):
                self.report.leaks.append(f"an error changes in a pickle: {type(error).__name__}")
        except asyncio.CancelledError:
            self.report.outcomes["cancelled"] += 1
        except Exception as error:
            self.report.leaks.append(f"not documented: {error!r:.200}")

    async def at_rest(self, platform: AgentPlatform, server: FaultServer) -> None:
        """Check that ten plain calls succeed, and that neither permit nor connection is held."""
        # The server may close a connection that the library kept in the very moment of the first of them.
        patient = RequestOptions(retry=RetryPolicy())
        for _ in range(10):
            await platform.enterprise.blueprints.list(options=patient)
        async with asyncio.timeout(20):
            while platform.rate_limiter.stats().in_flight or len(server.opened) > CONNECTIONS:
                await asyncio.sleep(0.001)
        server.requests.clear()

    async def end(self, server: FaultServer) -> Report:
        """Check that the closed client has left nothing behind."""
        async with asyncio.timeout(20):
            while server.opened:
                await asyncio.sleep(0.001)
        for what, count in resources().items():
            self.report.expect(what, count, self.before[what] + (what == "descriptors"))
        return self.report


async def mutations(number: int, transport: str, seed: int) -> Report:
    """Answer calls with mutated responses, each on a connection that is closed after it or kept."""
    attack = Attack(transport, seed)
    chance = attack.chance
    on = True

    async def script(request: Request, connection: Connection) -> None:
        if on:
            await connection.send(mutate(chance.choice(ANSWERS), chance))
            connection.close()
        else:
            await connection.send(response({"data": []}))

    async with fault_server(script) as server:
        async with attack.client(server, retry=ONE_ATTEMPT) as platform:
            calls = calls_of(platform)
            for done in range(0, number, CHECKED_EVERY):
                on = True
                for _ in range(min(CHECKED_EVERY, number - done)):
                    await attack.judge(chance.choice(calls)())
                on = False
                await attack.at_rest(platform, server)
        return await attack.end(server)


async def cancellations(number: int, transport: str, seed: int) -> Report:
    """Cancel calls after each number of steps of the event loop, two at a time, with faults and without."""
    attack = Attack(transport, seed)
    chance = attack.chance
    on = True

    async def script(request: Request, connection: Connection) -> None:
        fault = chance.random() if on else 1.0
        good = response(LAST_PAGE if "after" in request.query else PAGE) if on else response({"data": []})
        if fault < 0.05:
            connection.reset()
        elif fault < 0.1:
            await connection.send(response({}, "503 X", "Retry-After: 0"))
        elif fault < 0.2:
            half = chance.randrange(len(good))
            await connection.send(good[:half])
            await asyncio.sleep(0.001)
            await connection.send(good[half:])
        else:
            await connection.send(good)

    async with fault_server(script) as server:
        steps = 0
        while attack.report.calls < number:
            # A new client connects anew: cancellation while connecting is a point, too.
            async with attack.client(server) as platform:
                calls = calls_of(platform)
                on = True
                for _ in range(min(CHECKED_EVERY, number - attack.report.calls)):
                    steps = steps % MOST_STEPS + 1
                    task = asyncio.ensure_future(attack.judge(chance.choice(calls)()))
                    for _ in range(steps):
                        await asyncio.sleep(0)
                    task.cancel()
                    if steps % 2:
                        await asyncio.wait((task,))
                on = False
                await attack.at_rest(platform, server)
        return await attack.end(server)


def main(mutated: str = "100000", cancelled: str = "20000", seed: str = "1") -> int:
    leaks = 0
    for attack, number in ((mutations, int(mutated)), (cancellations, int(cancelled))):
        for transport in TRANSPORTS:
            report = asyncio.run(attack(number, transport, int(seed)))
            print(f"{attack.__name__}, {transport}: {report.calls} calls:", dict(report.outcomes.most_common()))
            print("\n".join(f"{count} x {what}" for what, count in Counter(report.leaks).items()) or "nothing leaked")
            leaks += len(report.leaks)
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
