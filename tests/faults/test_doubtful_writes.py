"""Every error of a write that may have been carried out says so in one way, and reads the state."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, DecodeError, OutcomeUnknownError, RetryPolicy, ServerError

from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import Script, fault_server
from tests.servers.scripts import response, silence, then_reset

PAGE = response({"items": [], "end_cursor": None, "has_next_page": False})
BUSY = response(b"", "503 Service Unavailable")
DOUBTFUL: list[tuple[Script, type[AgentPlatformError]]] = [
    (BUSY, ServerError),
    (response(b"<html>", media_type="text/html"), DecodeError),
    (then_reset(), OutcomeUnknownError),
    (silence, OutcomeUnknownError),
]


@all_transports
@pytest.mark.parametrize(("script", "error"), DOUBTFUL, ids=["503", "HTML", "reset", "deadline"])
async def test_it_says_so_and_reads_the_state(transport: Any, script: Script, error: type[AgentPlatformError]) -> None:
    retry = RetryPolicy(deadline=0.2) if script is silence else RetryPolicy()
    async with fault_server(script, PAGE) as server, server.client(transport, retry=retry) as platform:
        with pytest.raises(error, match=r"may have been carried out .* before you repeat it$") as caught:
            await platform.organization().sessions.create(assistant_mode="fast")
        failed: Any = caught.value
        assert failed.outcome_unknown
        assert (await failed.read()).items == []
    assert [request.method for request in server.requests] == ["POST", "GET"]


async def test_that_of_a_read_does_not() -> None:
    async with fault_server(BUSY) as server, server.client(retry=ONE_ATTEMPT) as platform:
        with pytest.raises(ServerError) as caught:
            await platform.organization().sessions.list().first_page()
    assert not caught.value.outcome_unknown
