"""The store of a batch belongs to one server, one organization and one method."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError
from agent_session_platform_jobs import Batch
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import rows, run

CREATE = "organization.sessions.create(org_id='org-acme')"


async def test_a_store_of_another_server_is_refused_and_both_are_named(org: Any, sandbox: Sandbox, store: Path) -> None:
    await run(Batch(org.sessions.create, store=store), rows(1))
    before = sandbox.journal.last
    wanted = f"belongs to {CREATE} at {sandbox.base_url}, and this batch creates with {CREATE} at https://other.test"
    async with sandbox.client(base_url="https://other.test", transport=sandbox.transport()) as other:
        with pytest.raises(InvalidArgumentError, match=re.escape(wanted)):
            await run(Batch(other.organization("org-acme").sessions.create, store=store), rows(1))
    assert sandbox.journal.last == before


async def test_a_store_of_another_organization_is_refused(platform: AgentPlatform, org: Any, store: Path) -> None:
    await run(Batch(org.sessions.create, store=store), rows(1))
    batch = Batch(platform.organization("org-globex").sessions.create, store=store)
    with pytest.raises(InvalidArgumentError, match=re.escape("create(org_id='org-globex') at ")):
        await run(batch, rows(1))


async def test_a_store_that_was_refused_is_closed(platform: AgentPlatform, org: Any, store: Path) -> None:
    first = await run(Batch(org.sessions.create, store=store), rows(1))
    with pytest.raises(InvalidArgumentError, match="use another store"):
        await Batch(platform.organization("org-globex").sessions.create, store=store).unknown()
    assert await run(Batch(org.sessions.create, store=store), rows(1)) == first


async def test_with_a_function_of_the_caller_nothing_is_compared(org: Any, store: Path) -> None:
    first = await run(Batch(org.sessions.create, store=store), rows(1))

    async def create(**arguments: Any) -> Any:
        return await org.sessions.create(**arguments)

    assert await run(Batch(create, store=store, id="session_id"), rows(1)) == first
