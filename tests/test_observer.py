"""What an observer gets of a response."""

from __future__ import annotations

import subprocess
import sys

import pytest
from agent_session_platform import NotFoundError
from agent_session_platform.observer import ObservedExchange
from agent_session_platform_sandbox import Sandbox

PROGRAM = """
import asyncio, sys
from agent_session_platform_sandbox import Sandbox
async def main():
    async with Sandbox().client() as platform:
        await platform.enterprise.roles.list()
asyncio.run(main())
print(sorted(name for name in sys.modules if ".observe" in name))
"""


class Notes:
    """An observer that keeps what it gets."""

    def __init__(self) -> None:
        self.seen: list[ObservedExchange] = []
        self.saved = 0

    def see(self, exchange: ObservedExchange, /) -> None:
        self.seen.append(exchange)

    def save(self) -> None:
        self.saved += 1


async def test_it_is_notified_of_successes_and_errors(sandbox: Sandbox) -> None:
    notes = Notes()
    async with sandbox.client(observe=notes) as platform:
        await platform.enterprise.roles.list()
        with pytest.raises(NotFoundError):
            await platform.organization("org-acme").sessions.get("assistant-missing")
    assert [(str(each.operation), each.status) for each in notes.seen] == [
        ("enterprise.roles.list", 200),
        ("organization.sessions.get", 404),
    ]


async def test_it_is_notified_of_every_attempt(sandbox: Sandbox) -> None:
    notes = Notes()
    sandbox.faults.add("enterprise.roles.list", status=503, times=1)
    async with sandbox.client(observe=notes) as platform:
        await platform.enterprise.roles.list()
    assert [each.status for each in notes.seen] == [503, 200]


async def test_it_gets_the_names_of_what_was_sent_and_no_values(sandbox: Sandbox) -> None:
    notes = Notes()
    async with sandbox.client(observe=notes) as platform:
        await platform.organization("org-acme").sessions.list(first=7, origins=["api"]).first_page()
    [exchange] = notes.seen
    assert (set(exchange.query), exchange.cursor, exchange.credential) == ({"first", "origins"}, None, "serviceUser")
    assert b"content-type" in exchange.headers
    assert repr(exchange) == "<ObservedExchange organization.sessions.list 200>"


async def test_it_is_asked_to_save_when_the_client_is_closed(sandbox: Sandbox) -> None:
    notes = Notes()
    async with sandbox.client(observe=notes) as platform:
        await platform.enterprise.roles.list()
        assert notes.saved == 0
    assert notes.saved == 1


def test_without_one_nothing_of_it_is_imported() -> None:
    found = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
