"""The costs of the sandbox: its start, a reset with many records, time that passes, and requests in process."""

from __future__ import annotations

import asyncio
import time
from statistics import median

import httpx
from agent_session_platform_sandbox import Sandbox, User

REQUESTS = 2000
RECORDS = 10_000
RESETS = 5
HOURS = 12


def start() -> float:
    """Return the seconds that a sandbox takes to start, without the imports."""
    Sandbox()
    begun = time.perf_counter()
    for _ in range(5):
        Sandbox()
    return (time.perf_counter() - begun) / 5


def reset() -> list[float]:
    """Return the seconds of some resets, each with many records of each kind."""
    sandbox = Sandbox()
    taken: list[float] = []
    for _ in range(RESETS):
        for number in range(RECORDS):
            sandbox.add_session(title=f"Session {number}")
            sandbox.add_user(User(f"user-{number}"))
            sandbox.add_organization(f"org-{number}")
            sandbox.add_credential(f"svc_{number}")
            sandbox.journal.add(sandbox.clock(), None, "GET", "/v3/enterprise/roles", "", b"{}", 200)
        begun = time.perf_counter()
        sandbox.reset()
        taken.append(time.perf_counter() - begun)
    return taken


def advance(automations: int) -> float:
    """Return the seconds of one run while time passes, with so many hourly automations."""
    sandbox = Sandbox()
    trigger = {"type": "schedule:recurring", "rrule": "FREQ=HOURLY"}
    for _ in range(automations):
        sandbox.add_automation(trigger=trigger, action={"type": "start_session", "prompt": "Triage"})
    begun = time.perf_counter()
    sandbox.clock.advance(hours=HOURS)
    taken = time.perf_counter() - begun
    assert len(sandbox.state.collection("sessions", "org-acme")) == HOURS * automations
    return taken / HOURS / automations


async def requests() -> float:
    """Return the requests per second of the application itself, without a client."""
    sandbox = Sandbox()
    session_id = sandbox.add_session(title="One")
    path = f"/v3/organizations/org-acme/sessions/{session_id}"
    headers = [(b"authorization", f"Bearer {sandbox.token}".encode()), (b"host", b"sandbox.invalid")]
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": headers, "http_version": "1.1", "scheme": "http", "server": ("sandbox.invalid", 80)}
    statuses: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(int(str(message["status"])))

    begun = time.perf_counter()
    for _ in range(REQUESTS):
        await sandbox.app(dict(scope), receive, send)  # type: ignore[arg-type]  # as a server would
    taken = time.perf_counter() - begun
    assert set(statuses) == {200}
    return REQUESTS / taken


async def requests_by_httpx() -> float:
    """Return the requests per second of a bare httpx client."""
    sandbox = Sandbox()
    sandbox.add_session(title="One")
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        begun = time.perf_counter()
        for _ in range(REQUESTS // 4):
            await client.get("/v3/organizations/org-acme/sessions/assistant-1")
        return REQUESTS / 4 / (time.perf_counter() - begun)


if __name__ == "__main__":
    print(f"a sandbox is made in            {1000 * start():8.1f} ms")
    print(f"a reset of {RECORDS} of each kind    {1000 * median(reset()):8.2f} ms")
    few, many = advance(50), advance(1000)
    print(f"a run of 50 hourly automations  {1_000_000 * few:8.0f} us")
    print(f"a run of 1000 of them           {1_000_000 * many:8.0f} us, {many / few:.1f} times as long")
    print(f"requests to the application     {asyncio.run(requests()):8.0f} a second")
    print(f"requests by a bare httpx client {asyncio.run(requests_by_httpx()):8.0f} a second")
