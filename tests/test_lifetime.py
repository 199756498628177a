"""A client belongs to one event loop, and is closed once."""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import sys
import warnings

import pytest
from agent_platform import AgentPlatform, ClientClosedError, ConfigurationError, EventLoopError
from agent_platform.sandbox import Sandbox


async def test_use_after_close_is_told(sandbox: Sandbox) -> None:
    platform = sandbox.client()
    await platform.aclose()
    with pytest.raises(ClientClosedError, match="the client is closed; make a new AgentPlatform"):
        await platform.enterprise.blueprints.list()
    with pytest.raises(ClientClosedError):
        await platform.organization().sessions.list().first_page()
    with pytest.raises(ClientClosedError):
        async with platform:
            pass


async def test_closing_twice_does_nothing(sandbox: Sandbox) -> None:
    async with sandbox.client() as platform:
        await platform.enterprise.blueprints.list()
    await platform.aclose()
    assert "closed" in repr(platform)


def test_use_from_another_event_loop_is_told(sandbox: Sandbox) -> None:
    platform = sandbox.client()
    asyncio.run(_list(platform))
    with pytest.raises(EventLoopError, match="make one AgentPlatform for each event loop"):
        asyncio.run(_list(platform))
    asyncio.run(platform.aclose())


async def _list(platform: AgentPlatform) -> None:
    await platform.enterprise.blueprints.list()


def test_both_are_configuration_errors_and_runtime_errors() -> None:
    for error in (ClientClosedError, EventLoopError):
        assert issubclass(error, ConfigurationError)
        assert issubclass(error, RuntimeError)


def test_a_client_that_was_made_before_the_loop_works_in_it(sandbox: Sandbox) -> None:
    platform = sandbox.client()

    async def use() -> None:
        async with platform:
            await _list(platform)

    asyncio.run(use())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="Python warns of a fork where threads may run")
def test_a_client_that_was_made_before_a_fork_works_behind_it(sandbox: Sandbox) -> None:
    platform = sandbox.client()
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(_list(platform))
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_client_cannot_be_pickled(sandbox: Sandbox) -> None:
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(sandbox.client())


def test_a_transport_and_an_httpx_client_exclude_each_other(sandbox: Sandbox) -> None:
    with pytest.raises(ConfigurationError, match="pass transport or http_client, not both"):
        sandbox.client(http_client=object())


async def test_the_aiohttp_transport_works(sandbox: Sandbox, address: str) -> None:
    sandbox.add_blueprint()
    async with AgentPlatform(address, sandbox.token, transport="aiohttp") as platform:
        assert len((await platform.enterprise.blueprints.list()).data or ()) == 1


async def test_the_aiohttp_transport_names_its_extra(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx_aiohttp", None)
    platform = AgentPlatform(address, "svc_x", transport="aiohttp")
    with pytest.raises(ConfigurationError, match=r"pip install 'agent-platform\[aiohttp\]'"):
        await platform.enterprise.blueprints.list()


async def test_a_client_that_is_never_closed_is_told_of(address: str, sandbox: Sandbox) -> None:
    dropped = [AgentPlatform(address, sandbox.token)]
    await _list(dropped[0])
    pipeline = dropped[0]._sender.open()
    with pytest.warns(ResourceWarning, match="an AgentPlatform was never closed; use `async with`"):
        dropped.clear()
    await pipeline.aclose()


async def test_a_transport_of_the_users_own_is_theirs_to_close(sandbox: Sandbox) -> None:
    dropped = [sandbox.client()]
    await _list(dropped[0])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dropped.clear()
        gc.collect()
    assert [warning for warning in caught if issubclass(warning.category, ResourceWarning)] == []
