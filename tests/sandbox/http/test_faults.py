"""Scripted faults, in process and over TCP."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    ConnectionFailedError,
    DecodeError,
    OutcomeUnknownError,
    RateLimitedError,
    RetryPolicy,
    ServerError,
)
from agent_session_platform.sandbox import Sandbox
from agent_session_platform.sandbox.contract import UnknownOperationError
from agent_session_platform.sandbox.http.faults import Fault

PR = "https://git.example.com/acme/shop/pull/7"
LIST = "enterprise.blueprints.list"


@pytest.fixture(params=["in process", "tcp"])
async def either(request: pytest.FixtureRequest, sandbox: Sandbox) -> Any:
    """A client without retries, in process and over a socket."""
    settings: dict[str, Any] = {"organization": "org-acme", "retry": RetryPolicy.none()}
    if request.param == "in process":
        async with sandbox.client(retry=RetryPolicy.none()) as platform:
            yield platform
        return
    with sandbox.serve() as address:
        async with AgentPlatform(address, sandbox.token, **settings) as platform:
            yield platform


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"status": 503}, ServerError, "503 Service Unavailable"),
        ({"status": 429, "retry_after": 90}, RateLimitedError, "429"),
        ({"status": 500, "body": {"detail": "the disk is full"}}, ServerError, "the disk is full"),
        ({"drop": True}, ConnectionFailedError, "the exchange broke off"),
        ({"truncate": True}, ConnectionFailedError, "the exchange broke off"),
        ({"html": True}, DecodeError, "text/html where JSON should have come"),
        ({"html": True, "status": 502}, ServerError, "502"),
        ({"html": True, "status": 429, "retry_after": 90}, RateLimitedError, "429"),
    ],
)
async def test_a_fault_is_met_once(
    sandbox: Sandbox, either: AgentPlatform, settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    sandbox.faults.add(LIST, **settings)
    with pytest.raises(error, match=message):
        await either.enterprise.blueprints.list()
    assert (await either.enterprise.blueprints.list()).data == []


async def test_a_write_whose_connection_is_dropped_has_an_unknown_outcome(
    sandbox: Sandbox, either: AgentPlatform
) -> None:
    sandbox.faults.add("enterprise.reviews.create", drop=True)
    with pytest.raises(OutcomeUnknownError):
        await either.enterprise.reviews.create(pr_url=PR)
    assert sandbox.journal[0].status is None


async def test_only_requests_of_its_operation_meet_a_fault(sandbox: Sandbox, platform: AgentPlatform) -> None:
    fault = sandbox.faults.add("enterprise.reviews.create", status=503)
    await platform.enterprise.blueprints.list()
    assert (fault.met, sandbox.faults.unused) == (0, [fault])


async def test_every_nth_request_meets_a_fault(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=503, times=None, every=3)
    async with sandbox.client(retry=RetryPolicy.none()) as platform:
        failed = []
        for number in range(1, 8):
            try:
                await platform.enterprise.blueprints.list()
            except ServerError:
                failed.append(number)
    assert failed == [3, 6]


async def test_the_client_retries_faults(sandbox: Sandbox, platform: AgentPlatform) -> None:
    fault = sandbox.faults.add(LIST, status=503, times=2)
    await platform.enterprise.blueprints.list()
    assert (fault.met, sandbox.faults.unused) == (2, [])


async def test_a_latency_only_delays_the_response(sandbox: Sandbox, platform: AgentPlatform) -> None:
    sandbox.faults.add(LIST, latency=0.001)
    assert (await platform.enterprise.blueprints.list()).data == []
    assert sandbox.faults.unused == []


def test_a_fault_of_an_unknown_operation_is_refused(sandbox: Sandbox) -> None:
    message = "there is no operation 'enterprise.blueprint.list'; did you mean 'enterprise.blueprints.list'?"
    for name in (sandbox.faults.add, sandbox.journal.of, sandbox.journal.expect):
        with pytest.raises(UnknownOperationError, match=f"^{re.escape(message)}$"):
            name("enterprise.blueprint.list")


async def test_a_page_of_a_proxy_names_its_status(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=502, html=True)
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        page = await client.get("/v3/enterprise/snapshot-setup/blueprints")
    assert (page.status_code, page.headers["Content-Type"]) == (502, "text/html")
    assert "<title>502 Bad Gateway</title>" in page.text


async def test_a_head_request_meets_the_fault_of_its_operation(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=503)
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        assert (await client.head("/v3/enterprise/snapshot-setup/blueprints")).status_code == 503
    assert sandbox.journal[0].operation == LIST


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"status": 503, "drop": True},
        {"drop": True, "truncate": True},
        {"drop": True, "html": True},
        {"status": 500, "truncate": True},
        {"status": 200},
        {"status": True},
        {"status": 503.0},
        {"status": "503"},
        {"status": 0},
        {"drop": "yes"},
        {"drop": True, "every": 0},
        {"drop": True, "every": 1.5},
        {"drop": True, "times": 0},
        {"drop": True, "times": True},
        {"latency": float("nan")},
        {"latency": float("inf")},
        {"latency": -1},
        {"latency": "1"},
        {"retry_after": 5},
        {"drop": True, "retry_after": 5},
        {"html": True, "retry_after": 5},
        {"status": 429, "retry_after": "1\r\nX: y"},
        {"status": 429, "retry_after": True},
        {"status": 429, "retry_after": "später"},
        {"body": {"detail": "x"}},
        {"truncate": True, "body": {}},
        {"status": 503, "html": True, "body": {"detail": "x"}},
        {"status": 503, "body": ["x"]},
        {"status": 503, "body": {"at": object()}},
        {"status": 503, "body": {"at": float("nan")}},
    ],
)
def test_an_invalid_fault_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be|must have|has one of|needs a status"):
        Fault(**settings)


async def test_a_status_without_a_phrase_can_be_a_fault(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=520)
    async with sandbox.client(retry=RetryPolicy.none()) as platform:
        with pytest.raises(ServerError, match="520 Unknown status"):
            await platform.enterprise.blueprints.list()
