"""Waiting for an object, through the client and against the sandbox."""

from __future__ import annotations

import asyncio
import pytest
from agent_session_platform.sandbox import Sandbox
from tests.jobs.waiting import GET, change, in_virtual_time


def test_a_wait_ends_when_the_field_has_one_of_the_values(sandbox: Sandbox) -> None:
    session_id = sandbox.add_session(status="working")
    outcome = in_virtual_time(
        sandbox,
        lambda org: org.sessions.wait(session_id, until={"status": {"ready", "failed"}}),
        {100.0: lambda: change(sandbox, session_id, status="ready")},
    )
    assert (outcome.reason, outcome.session and outcome.session.status) == ("matched", "ready")
    assert 100.0 <= outcome.elapsed <= 166.0
