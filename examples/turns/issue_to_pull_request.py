"""Turn an issue into a pull request: `python issue_to_pull_request.py TITLE < BODY`."""

import asyncio
import sys

from agent_session_platform import AgentPlatform
from agent_session_platform_jobs import ask
from deployment import STATES


async def main(title: str, body: str) -> list[str | None]:
    async with AgentPlatform() as platform:
        sessions = platform.organization().sessions
        turn = await ask(sessions, f"Open a pull request for this issue.\n\n{title}\n\n{body}", states=STATES)
        if turn.reason != "done":
            raise SystemExit(f"{turn.session_id}: {turn.reason}. {turn.text}")
        return [pull_request.pr_url for pull_request in turn.pull_requests]


if __name__ == "__main__":
    print(*asyncio.run(main(sys.argv[1], sys.stdin.read())), sep="\n")
