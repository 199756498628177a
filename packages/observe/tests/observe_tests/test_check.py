"""The check of a deployment only reads. A difference from the contract gives an exit code and a report."""

from __future__ import annotations

from typing import Any

from agent_session_platform import RetryPolicy
from agent_session_platform_observe import Check, check_deployment
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.handlers import Reply

from observe_tests.deployment import BETA, deployment


async def check(sandbox: Sandbox, organization: str | None = "org-acme") -> Check:
    connection: dict[str, Any] = {"base_url": sandbox.base_url, "transport": sandbox.transport()}
    return await check_deployment(organization, token=sandbox.token, retry=RetryPolicy.none(), **connection)


async def test_a_deployment_of_this_contract_is_only_read_and_has_no_contradiction(sandbox: Sandbox) -> None:
    sandbox.add_session()
    found = await check(sandbox)
    assert (found.report.contradictions, found.error) == ((), None)
    assert len(sandbox.journal) > 30
    assert {each.method for each in sandbox.journal} == {"GET"}


async def test_what_needs_an_id_is_called_with_one_of_a_list(sandbox: Sandbox) -> None:
    sandbox.add_session()
    found = await check(sandbox)
    assert found.called["organization.sessions.get"] == 200
    assert found.called["organization.sessions.list_messages"] == 200
    assert found.skipped["organization.schedules.get"] == "an id that its path needs is not known"


async def test_what_drifted_is_named(sandbox: Sandbox) -> None:
    sandbox.handle("enterprise.queue.get", lambda _: Reply({"status": "frozen"}))
    found = await check(sandbox)
    drift = "- #/components/schemas/QueueStatus: `frozen` came, and the contract closes the set: normal, elevated"
    assert found.to_markdown().startswith("## 1 contradiction with the contract\n")
    assert drift in found.to_markdown()


async def test_an_operation_that_is_gone_is_named() -> None:
    found = await check(deployment())
    assert [line.text for line in found.report.contradictions if line.kind == "gone"] == [
        f"GET {BETA} responds with 404, and needs no id"
    ]


async def test_a_status_is_kept_as_it_came_and_a_failure_is_no_refusal() -> None:
    sandbox = deployment()
    sandbox.faults.add("enterprise.queue.get", status=500)
    sandbox.faults.add("enterprise.members.list_users", status=403)
    found = await check(sandbox)
    assert found.called["enterprise.roles.list"] == 203
    lines = found.to_markdown().splitlines()
    [refused] = [line for line in lines if line.startswith("Refused by the server: ")]
    [failed] = [line for line in lines if line.startswith("Failed in the server: ")]
    assert "enterprise.members.list_users (403)" in refused
    assert failed == "Failed in the server: enterprise.queue.get (500)."


async def test_without_an_organization_the_enterprise_is_read(sandbox: Sandbox) -> None:
    found = await check(sandbox, None)
    assert found.called["enterprise.roles.list"] == 200
    assert "organization.sessions.list" in found.skipped
