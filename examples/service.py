"""A service that uses the SDK: it lists running work, and requests reviews for its callers.

Run it with `uvicorn --app-dir examples --factory service:from_environment`; its tests are in test_service.py.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from agent_session_platform import AgentPlatform, BadRequestError, RateLimitedError, UnprocessableContentError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


async def work(request: Request) -> JSONResponse:
    """Return the titles of the sessions that are not archived."""
    platform: AgentPlatform = request.app.state.platform
    sessions = platform.organization().sessions.list(first=200)
    return JSONResponse([session.title async for session in sessions if not session.is_archived])


async def review(request: Request) -> JSONResponse:
    """Request a review of the pull request in the body."""
    platform: AgentPlatform = request.app.state.platform
    try:
        created = await platform.enterprise.reviews.create(pr_url=(await request.json())["pr_url"])
    except (BadRequestError, UnprocessableContentError) as error:
        return JSONResponse({"error": str(error.detail)}, 400)
    except RateLimitedError as error:
        return JSONResponse({"error": "busy"}, 503, {"Retry-After": str(int(error.retry_after or 60))})
    return JSONResponse({"status": created.status, "number": created.pr_number}, 202)


def make_app(platform: AgentPlatform) -> Starlette:
    """Return the service; it opens and closes the client of the platform."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with platform:
            yield

    app = Starlette(routes=[Route("/work", work), Route("/reviews", review, methods=["POST"])], lifespan=lifespan)
    app.state.platform = platform
    return app


def from_environment() -> Starlette:
    """Return the service; its client reads AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_TOKEN and AGENT_PLATFORM_ORG_ID."""
    return make_app(AgentPlatform())
