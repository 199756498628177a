"""A FastAPI service that uses the SDK: it lists and starts work, and requests reviews for its callers.

Run it with `uvicorn --app-dir examples --factory service:make_app`; its tests are in test_service.py.
"""

import math
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Annotated

from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    BadRequestError,
    ConfigurationError,
    ConflictError,
    CredentialUnavailableError,
    DecodeError,
    InvalidArgumentError,
    NotFoundError,
    RateLimitedError,
    ServerError,
    TransportError,
    UnprocessableContentError,
)
from agent_session_platform.models import Review, Session
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

MAYBE_DONE = "this may have been done: look before you repeat it"

router = APIRouter()


def get_platform(request: Request) -> AgentPlatform:
    platform: AgentPlatform = request.app.state.platform
    return platform


Platform = Annotated[AgentPlatform, Depends(get_platform)]


class Work(BaseModel):
    prompt: str


class PullRequest(BaseModel):
    pr_url: str


@router.get("/work")
async def list_work(platform: Platform) -> list[Session]:
    """Return the sessions that are not archived."""
    sessions = platform.organization().sessions.list(first=200)
    return [session async for session in sessions if not session.is_archived]


@router.post("/work", status_code=201)
async def start_work(work: Work, platform: Platform) -> Session:
    """Start a session."""
    return await platform.organization().sessions.create(prompt=work.prompt)


@router.get("/work/{session_id}")
async def get_work(session_id: str, platform: Platform) -> Session:
    """Return one session."""
    return await platform.organization().sessions.get(session_id)


@router.post("/reviews", status_code=202)
async def request_review(pull_request: PullRequest, platform: Platform) -> Review:
    """Request a review of a pull request."""
    return await platform.enterprise.reviews.create(pr_url=pull_request.pr_url)


async def respond_to_error(request: Request, error: Exception) -> Response:
    """Turn an error of the platform into this service's response."""
    match error:
        case AgentPlatformError() if error.outcome_unknown:
            return JSONResponse({"error": MAYBE_DONE}, 504)
        case BadRequestError() | NotFoundError() | ConflictError() | UnprocessableContentError():
            return JSONResponse({"error": error.detail}, error.status)
        case InvalidArgumentError() if not isinstance(error, ConfigurationError):
            return JSONResponse({"error": str(error)}, 400)
        case RateLimitedError():
            return JSONResponse({"error": "busy"}, 503, {"Retry-After": str(math.ceil(error.retry_after or 60))})
        case CredentialUnavailableError():
            return JSONResponse({"error": "there is no credential at the moment"}, 503)
        case ServerError() | DecodeError() | TransportError():
            return JSONResponse({"error": "the platform does not respond"}, 502)
        case _:  # a wrong token, a missing permission: for the log of this service, not for its callers
            raise error


def make_app(make_platform: Callable[[], AgentPlatform] = AgentPlatform) -> FastAPI:
    """Return the service. While it runs, it has a client of the platform open.

    Args:
        make_platform: Makes the client; by default from AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_TOKEN and
            AGENT_PLATFORM_ORG_ID.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with make_platform() as platform:
            app.state.platform = platform
            yield

    app = FastAPI(lifespan=lifespan)
    app.include_router(router)
    app.add_exception_handler(AgentPlatformError, respond_to_error)
    return app
