"""The facade: the settings that AgentPlatform accepts, and its scopes."""

from __future__ import annotations

import asyncio
import gc
import pickle
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    ConfigurationError,
    InvalidOrganizationError,
    LocalRateLimiter,
)
from agent_session_platform_sandbox import Sandbox

URL = "https://platform.example.com"
TOKEN = "svc_0123456789"


def test_a_missing_organization_is_an_error_when_it_is_needed() -> None:
    platform = AgentPlatform(URL, TOKEN)
    with pytest.raises(InvalidOrganizationError, match="no organization.*AGENT_PLATFORM_ORG_ID"):
        platform.organization()


def test_the_organization_of_the_client_is_the_default() -> None:
    assert AgentPlatform(URL, TOKEN, organization="org-acme").organization().org_id == "org-acme"
    assert AgentPlatform(URL, TOKEN, organization="org-acme").organization("org-b").org_id == "org-b"


async def test_a_rate_limiter_of_another_client_is_refused_before_anything_is_opened() -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    limiter = LocalRateLimiter()
    async with AgentPlatform(URL, TOKEN, transport="aiohttp", rate_limiter=limiter):
        other = AgentPlatform(URL, TOKEN, transport="aiohttp", rate_limiter=limiter)
        with pytest.raises(ConfigurationError, match="this one has a client"):
            await other.enterprise.blueprints.list()
        gc.collect()
    assert told == []


def test_a_rate_limiter_that_lacks_methods_is_refused_with_their_names(sandbox: Sandbox) -> None:
    """Such as one that was written for an older version."""

    class Older(LocalRateLimiter):
        shut = property()  # reading it raises an AttributeError

    limiter: Any = Older()
    del limiter.retry_quota
    with pytest.raises(ConfigurationError, match=r"Older, which lacks retry_quota, shut of the RateLimiter protocol"):
        sandbox.client(rate_limiter=limiter)


def test_a_client_cannot_be_pickled(sandbox: Sandbox) -> None:
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(sandbox.client())
