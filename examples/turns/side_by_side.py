"""The same task for many repositories, a few at a time: the turns share their polls."""

import asyncio
from collections.abc import Iterable

from agent_session_platform import OrganizationScope
from agent_session_platform_jobs import ask
from deployment import STATES


async def upgrade(org: OrganizationScope, repositories: Iterable[str], at_once: int = 10) -> dict[str, str]:
    places = asyncio.Semaphore(at_once)

    async def upgrade_one(repository: str) -> str:
        async with places:
            turn = await ask(org.sessions, f"Upgrade {repository} to Python 3.13.", states=STATES)
            return f"{turn.reason}: {turn.text}"

    names = list(repositories)
    outcomes = await asyncio.gather(*(upgrade_one(name) for name in names))
    return dict(zip(names, outcomes, strict=True))
