"""Tests of sync_client.py, with the fixtures of the sandbox."""

import asyncio
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

import pytest
from agent_session_platform import NotFoundError
from agent_session_platform_sandbox import Sandbox
from sync_client import SyncClient


@pytest.fixture
def client(agent_platform_sandbox: Sandbox) -> Generator[SyncClient]:
    sync = SyncClient(agent_platform_sandbox.client())
    yield sync
    sync.close()


def test_a_call_returns_its_result_to_any_thread(client: SyncClient) -> None:
    sessions = client.platform.organization().sessions

    def create(number: int) -> str:
        return client.run(sessions.create(assistant_mode="fast", prompt=f"Task {number}")).session_id

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(create, range(8)))) == 8


def test_a_list_is_iterated_over_all_its_pages(client: SyncClient, agent_platform_sandbox: Sandbox) -> None:
    for number in range(5):
        agent_platform_sandbox.add_session(title=f"Task {number}")
    listed = client.iterate(client.platform.organization().sessions.list(first=2))
    assert sorted(str(session.title) for session in listed) == [f"Task {number}" for number in range(5)]


def test_an_error_of_a_call_is_raised_in_the_thread_that_waits(client: SyncClient) -> None:
    with pytest.raises(NotFoundError):
        client.run(client.platform.organization().sessions.get("assistant-missing"))


def test_a_call_that_takes_too_long_is_cancelled(client: SyncClient) -> None:
    cancelled: list[bool] = []

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(True)

    with pytest.raises(TimeoutError):
        client.run(hang(), timeout=0.05)
    client.run(asyncio.sleep(0))
    assert cancelled == [True]
