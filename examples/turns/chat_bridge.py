"""A bridge to a chat: each thread is a session, and each message of the assistant is posted as it comes."""

from collections.abc import Awaitable, Callable

from agent_session_platform import OrganizationScope
from agent_session_platform.models import SessionMessage
from agent_session_platform_jobs import ask
from deployment import STATES


class Bridge:
    def __init__(self, org: OrganizationScope, post: Callable[[str, str], Awaitable[None]]) -> None:
        self.org = org
        self.post = post
        self.threads: dict[str, str] = {}

    async def receive(self, thread: str, text: str) -> None:
        async def forward(message: SessionMessage) -> None:
            await self.post(thread, message.message or "")

        session_id = self.threads.get(thread)
        turn = await ask(self.org.sessions, text, session_id=session_id, states=STATES, on_message=forward)
        if turn.session_id is not None:
            self.threads[thread] = turn.session_id
