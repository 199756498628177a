"""A service that uses the SDK: it lists running work, and requests reviews for its callers.

Run it with `uvicorn --app-dir examples --factory service:make_app`; its tests are in test_service.py.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
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


def make_app(make_platform: Callable[[], AgentPlatform] = AgentPlatform) -> Starlette:
    """Return the service. While it runs, it has a client of the platform open.

    Args:
        make_platform: Makes the client; by default from AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_TOKEN and
            AGENT_PLATFORM_ORG_ID.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with make_platform() as platform:
            app.state.platform = platform
            yield

    return Starlette(routes=[Route("/work", work), Route("/reviews", review, methods=["POST"])], lifespan=lifespan)
