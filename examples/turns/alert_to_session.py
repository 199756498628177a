"""A web hook of a monitor: each alert becomes a session, and its answer goes to the people on call."""

from collections.abc import Awaitable, Callable

from agent_session_platform import AgentPlatform
from agent_session_platform_jobs import ask
from deployment import STATES
from fastapi import BackgroundTasks, FastAPI


def make_app(platform: AgentPlatform, notify: Callable[[str], Awaitable[None]]) -> FastAPI:
    app = FastAPI()

    async def investigate(alert: str) -> None:
        turn = await ask(platform.organization().sessions, f"Find the cause: {alert}", states=STATES, timeout=1800)
        await notify(f"{alert}: {turn.text or turn.reason} ({turn.session_id})")

    @app.post("/alerts", status_code=202)
    async def receive(alert: str, background: BackgroundTasks) -> None:
        background.add_task(investigate, alert)

    return app
