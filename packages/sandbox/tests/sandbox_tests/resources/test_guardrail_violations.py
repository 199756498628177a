"""Guardrail violations."""

from __future__ import annotations

from typing import Any

from agent_session_platform_sandbox import Sandbox


async def test_violations_are_filtered_by_session_and_guardrail(sandbox: Sandbox, enterprise: Any) -> None:
    first = sandbox.add_guardrail_violation("org-acme", "assistant-1", "guardrail-1")
    second = sandbox.add_guardrail_violation("org-globex", "assistant-2", "guardrail-1")
    violations = enterprise.guardrail_violations

    async def found(**filters: str) -> list[str]:
        return [each["violation_id"] async for each in violations.list(first=1, **filters)]

    assert await found() == [first, second]
    assert await found(session_id="assistant-2") == [second]
    assert await found(guardrail_id="guardrail-1", session_id="assistant-1") == [first]
    assert await found(guardrail_id="guardrail-2") == []


async def test_violations_of_another_organization_are_not_listed(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_guardrail_violation("org-acme", "assistant-1", "guardrail-1")
    own = sandbox.add_guardrail_violation("org-globex", "assistant-2", "guardrail-1")
    pager = enterprise.guardrail_violations.list_of_organization("org-globex")
    assert [each["violation_id"] async for each in pager] == [own]
