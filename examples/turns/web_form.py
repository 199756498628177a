"""A form in a web page: it waits for a short while, and else shows where the session goes on."""

from typing import Annotated

from agent_session_platform import AgentPlatform
from agent_session_platform_jobs import ask
from deployment import STATES
from fastapi import FastAPI, Form
from fastapi.responses import PlainTextResponse


def make_app(platform: AgentPlatform) -> FastAPI:
    app = FastAPI()

    @app.post("/ask", response_class=PlainTextResponse)
    async def answer(question: Annotated[str, Form()]) -> str:
        turn = await ask(platform.organization().sessions, question, states=STATES, timeout=50, every=2)
        if turn.reason in ("done", "waiting"):
            return turn.text
        return f"Not yet: see {turn.session.url if turn.session else turn.session_id}"

    return app
