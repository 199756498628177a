"""A task in a terminal: the assistant may ask back."""

import asyncio
from collections.abc import Callable

from agent_session_platform import AgentPlatform
from agent_session_platform_jobs import ask
from deployment import STATES


async def main(read: Callable[[str], str] = input) -> str:
    async with AgentPlatform() as platform:
        turn = await ask(platform.organization().sessions, read("Task: "), states=STATES)
        while turn.reason == "waiting":
            turn = await turn.reply(await asyncio.to_thread(read, f"{turn.text}\n> "))
        return f"{turn.reason}: {turn.text}"


if __name__ == "__main__":
    print(asyncio.run(main()))
