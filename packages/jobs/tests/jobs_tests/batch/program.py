"""A program that a test kills: it creates, waits for and releases one session for each row.

`python -m jobs_tests.batch.program URL TOKEN STORE ROWS`; prints how many rows are in each state at its end.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter

from agent_session_platform import AgentPlatform, RetryPolicy
from agent_session_platform_jobs import NOT_SENT, Batch

from jobs_tests.batch.batches import arguments, finder, key, rows, waiter

PATIENT = RetryPolicy(deadline=3600)


async def main(base_url: str, token: str, store: str, number: int) -> None:
    # However long the machine takes: the test kills it, and nothing else ends it.
    async with AgentPlatform(base_url, token, organization="org-acme", timeout=3600, retry=PATIENT) as platform:
        org = platform.organization()
        batch = Batch(
            org.sessions.create,
            store=store,
            concurrency=4,
            wait=waiter(org),
            # The sandbox lists at once what it has carried out.
            find=finder(org, NOT_SENT),
            release=org.sessions.archive,
        )
        states: Counter[str] = Counter()
        async for item in batch.run(rows(number), key=key, arguments=arguments, until={"status": "running"}):
            states[(await batch.release(item)).state] += 1
        print(dict(states))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4], int(sys.argv[4])))
