"""A tour of the SDK: list and create sessions, send a message, request a review, create a schedule, and two errors.

Address, credential and organization come from AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_TOKEN and AGENT_PLATFORM_ORG_ID.
`make demo` sets them to those of a new sandbox.
"""

import asyncio
import os
import warnings
from collections import Counter

from agent_session_platform import AgentPlatform, BadRequestError, PermissionDeniedError, RetryEvent, RetryPolicy

# Schedules are deprecated in favor of automations, whose payloads the API does not describe: the SDK warns.
warnings.filterwarnings("ignore", "organization.schedules.create is deprecated", DeprecationWarning)


async def main() -> None:
    retries: list[RetryEvent] = []

    async with AgentPlatform(retry=RetryPolicy(on_retry=retries.append)) as platform:
        org = platform.organization()

        print("All sessions, page by page:")
        origins: Counter[str | None] = Counter()
        pager = org.sessions.list(first=50)
        async for session in pager:
            origins[session.origin] += 1
        print(f"  {origins.total()} of {pager.total}; by origin: {dict(origins)}")
        print(f"  responses with 429, after which the client waited and tried again: {len(retries)}")

        print("A new session:")
        session = await org.sessions.create(assistant_mode="fast", prompt="Fix the flaky test")
        print(f"  {session.session_id} is {session.status}")
        await org.sessions.send_message(session.session_id, message="Start with test_login")
        async for message in platform.enterprise.sessions.list_messages(session.session_id):
            print(f"  {message.source}: {message.message}")

        print("A review:")
        review = await platform.enterprise.reviews.create(pr_url="https://git.example.com/acme/shop/pull/7")
        print(f"  {review.repo_path} #{review.pr_number} is {review.status}")

        print("A schedule (deprecated in favor of automations, but described in full):")
        schedule = await org.schedules.create(name="Triage", prompt="Triage new issues", frequency="0 9 * * 1-5")
        print(f"  {schedule.name!r} runs {schedule.frequency!r}, on {schedule.platform or 'the default platform'}")

        print("The error for an unknown platform:")
        try:
            await org.schedules.create(name="Triage", prompt="...", frequency="0 9 * * 1-5", platform="BeOS")
        except BadRequestError as error:
            print(f"  {type(error).__name__}: {error}")

    if viewer_token := os.environ.get("AGENT_PLATFORM_VIEWER_TOKEN"):
        print("The error for a missing permission:")
        async with AgentPlatform(token=viewer_token) as viewer:
            try:
                await viewer.enterprise.reviews.create(pr_url="https://git.example.com/acme/shop/pull/7")
            except PermissionDeniedError as error:
                print(f"  {type(error).__name__}: {error}")
                print(f"  the credential needs {error.permission}, at {error.level} level")


if __name__ == "__main__":
    asyncio.run(main())
