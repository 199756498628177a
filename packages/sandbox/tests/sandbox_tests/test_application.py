"""A sandbox: independent of any other, and with changed handlers, parameters, requirements and strictness."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, RetryPolicy, errors
from agent_session_platform_sandbox import Call, RefusedError, Reply, Sandbox
from agent_session_platform_sandbox.clock import START

from sandbox_tests.plain_http import PR
from sandbox_tests.timeline import schedule


async def test_two_sandboxes_show_the_same_bytes() -> None:
    async def story() -> list[Any]:
        sandbox = Sandbox()
        async with sandbox.client() as platform:
            await schedule(platform.organization())
            sandbox.clock.advance(hours=3)
            return [session.to_dict() async for session in platform.organization().sessions.list()]

    assert await story() == await story()


@pytest.mark.parametrize("transport", ["aiohttp", "httpx2", "httpx"])
def test_a_transport_by_name_needs_a_port(sandbox: Sandbox, transport: str) -> None:
    with pytest.raises(errors.ConfigurationError, match=f"transport='{transport}' needs a port: pass base_url="):
        sandbox.client(transport=transport)


async def test_an_unknown_parameter_can_be_accepted(sandbox: Sandbox, platform: AgentPlatform) -> None:
    query = {"start": "2026-01-01", "org_ids": "org-acme"}
    with pytest.raises(errors.UnprocessableContentError, match=r"query.start: unknown query parameter"):
        await platform.request("GET", "/v3/enterprise/metrics/active-users", query=query)
    sandbox.accept("enterprise.metrics.get_active_users", "start")
    assert await platform.request("GET", "/v3/enterprise/metrics/active-users", query=query) == {"unique_users": 0}
    sandbox.handle("enterprise.metrics.get_active_users", lambda call: Reply(call.query))
    result = await platform.request("GET", "/v3/enterprise/metrics/active-users", query=query)
    assert result == {"start": "2026-01-01", "org_ids": ["org-acme"]}


async def test_what_an_operation_does_can_be_changed(sandbox: Sandbox, platform: AgentPlatform) -> None:
    def handler(call: Call) -> Any:
        if call.body["pr_url"] != PR:
            raise RefusedError(409, "it is under review")
        return Reply({"status": "running", "pr_number": 7})

    sandbox.handle("enterprise.reviews.create", handler)
    assert (await platform.enterprise.reviews.create(pr_url=PR)).status == "running"
    with pytest.raises(errors.ConflictError, match="it is under review"):
        await platform.enterprise.reviews.create(pr_url=f"{PR}/x")
    with pytest.raises(KeyError):
        sandbox.handle("enterprise.reviews.creat", handler)


async def test_a_handler_must_return_a_reply(sandbox: Sandbox, platform: AgentPlatform) -> None:
    def handler(call: Call) -> Any:
        return {}

    sandbox.handle("enterprise.roles.list", handler)
    with pytest.raises(TypeError, match="the handler of list_enterprise_roles must return a Reply, not dict"):
        await platform.enterprise.roles.list()


def test_a_misspelled_attribute_is_an_error(sandbox: Sandbox) -> None:
    for name in ("script", "rate_limt"):
        with pytest.raises(AttributeError, match=name):
            setattr(sandbox, name, None)


async def test_a_reset_restores_the_beginning(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create()
    sandbox.faults.add(status=503)
    sandbox.clock.advance(days=3)
    sandbox.session_capacity, sandbox.capacity_retry_after = 5, 30
    sandbox.reset()
    assert await org.sessions.list().collect() == []
    assert (sandbox.clock(), sandbox.faults.unused, len(sandbox.journal)) == (START, [], 1)
    assert (sandbox.session_capacity, sandbox.capacity_retry_after) == (None, None)


async def test_an_operation_can_require_something_else(sandbox: Sandbox) -> None:
    sandbox.require("enterprise.sessions.list", permissions={"ViewAccountSessions"}, kinds=["personalAccessToken"])
    async with sandbox.client(retry=RetryPolicy.none()) as platform:
        with pytest.raises(errors.PermissionDeniedError, match="only personalAccessToken"):
            await platform.enterprise.sessions.list().first_page()
    token = sandbox.add_credential("pat-mine", kind="personalAccessToken", permissions={"ViewAccountSessions"})
    async with sandbox.client(token, preflight=False) as platform:
        assert await platform.enterprise.sessions.list().collect() == []


async def test_a_requirement_that_is_not_named_stays_as_it_is(sandbox: Sandbox) -> None:
    sandbox.require("enterprise.reviews.create", level="organization")
    bound = sandbox.add_credential("svc_acme", permissions={"UseReviewManual"}, organizations={"org-acme"})
    async with sandbox.client(bound) as platform:
        assert (await platform.enterprise.reviews.create(pr_url=PR)).status == "pending"
    async with sandbox.client(sandbox.viewer_token) as platform:
        with pytest.raises(errors.PermissionDeniedError, match="lacks UseReviewManual"):
            await platform.enterprise.reviews.create(pr_url=PR)


async def test_without_strictness_any_credential_and_none_may_do_everything() -> None:
    sandbox = Sandbox(strict=False)
    sandbox.add_role("role-1", {"ManageBilling"})
    bound = sandbox.add_credential("svc_globex", permissions=(), organizations={"org-globex"})
    session_id = sandbox.add_session("org-acme")
    for token in ("svc_of_nobody", sandbox.viewer_token, "anything", bound, sandbox.admin_key):
        async with sandbox.client(token, preflight=False) as platform:
            enterprise: Any = platform.enterprise
            assert (await enterprise.reviews.create(pr_url=PR)).status == "pending"
            assert [each.session_id async for each in enterprise.sessions.list()] == [session_id]
            assert await platform.organization().sessions.get(session_id) == await enterprise.sessions.get(session_id)
            assert len((await enterprise.organizations.list())["items"]) == 2
            assert "token" in await enterprise.service_users.create(name="n", role_id="role-1")
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        assert (await client.get("/v3/enterprise/roles")).status_code == 200


async def test_without_strictness_anybody_impersonates_anybody_and_invalid_requests_are_refused() -> None:
    sandbox = Sandbox(strict=False)
    async with sandbox.client(sandbox.viewer_token) as platform:
        assert (await platform.organization().sessions.create(create_as_user_id="user-1")).user_id == "user-1"
        with pytest.raises(errors.UnprocessableContentError):
            await platform.enterprise.reviews.create(pr_url="no URL")


async def test_without_strictness_a_handler_sees_the_kind_of_the_credential() -> None:
    sandbox = Sandbox(strict=False)
    sandbox.handle("enterprise.roles.list", lambda call: Reply({"kind": call.account.kind}))
    async with sandbox.client(sandbox.personal_token, preflight=False) as platform:
        assert await platform.enterprise.roles.list() == {"kind": "personalAccessToken"}


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("session_capacity", [-1, 1.5, True, "5"]),
        ("capacity_retry_after", [-1, float("nan"), float("inf"), True, "5"]),
    ],
)
def test_an_invalid_capacity_is_refused(sandbox: Sandbox, setting: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ValueError, match=setting):
            setattr(sandbox, setting, value)
