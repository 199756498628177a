"""A nightly job of a CI system: the exit code says what came of it."""

import asyncio
import sys

from agent_session_platform import AgentPlatform
from agent_session_platform_jobs import ask
from deployment import STATES


async def main() -> int:
    async with AgentPlatform() as platform:
        sessions = platform.organization().sessions
        turn = await ask(sessions, "Update the dependencies.", states=STATES, stalled_after=1800, timeout=3 * 3600)
        print(turn.reason, turn.session and turn.session.url)
        print(turn.text)
        return 0 if turn.reason == "done" else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
