"""What the API's description does not show is an assumption of the sandbox, or it says why it decides nothing."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, Gap, NotFoundError, ProblemError, UnprocessableContentError
from agent_session_platform.catalogue import Catalogue
from agent_session_platform.sandbox import Call, RefusedError, Reply, Sandbox
from agent_session_platform.sandbox.assumptions import conventions, open_gap
from agent_session_platform.sandbox.assumptions.conventions import by_convention, operations_with_gaps
from agent_session_platform.sandbox.resources import HANDLERS
from agent_session_platform_api.gaps import GAPS

CALL = re.compile(r"\b(?:sandbox|Sandbox)\.?(?P<method>[a-z_.]*)\((?P<arguments>[^)]*)")
OPERATION = re.compile(r"'(?P<name>[a-z_]+\.[a-z_]+\.[a-z_]+)'")


def test_every_gap_is_assumed_or_undecided_and_none_is_both(sandbox: Sandbox) -> None:
    told = [*(each.gap for each in sandbox.assumptions), *(each.gap for each in sandbox.undecided)]
    gaps = {gap.id for gap in GAPS}
    assert gaps - {*told} == set(), "add them to ASSUMPTIONS of their resource, or to assumptions/open_gap.py"
    assert {*told} - gaps == set()
    assert [gap for gap, times in Counter(told).items() if times > 1] == []


def test_of_a_gap_that_the_contract_has_closed_nothing_is_told(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make changes` names what still speaks of it."""
    closed = {sandbox.assumptions[0].gap, sandbox.undecided[0].gap}
    for module in (conventions, open_gap):
        monkeypatch.setattr(module, "load_gaps", lambda: tuple(gap for gap in GAPS if gap.id not in closed))
    told = {each.gap for each in (*sandbox.assumptions, *sandbox.undecided)}
    assert told == {gap.id for gap in GAPS} - closed


@pytest.mark.parametrize("ending", conventions.FIELD_ENDINGS)
def test_a_field_that_is_new_in_the_contract_brings_its_assumption(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    new = Gap(f"session-mood{ending}", "#/components/schemas/Session/properties/mood", "Whatever it is.")
    monkeypatch.setattr(conventions, "load_gaps", lambda: (*GAPS, new))
    [told] = [each for each in sandbox.assumptions if each.gap == new.id]
    assert told.assumed.startswith("A value that was added is returned")


def test_everything_undecided_says_why(sandbox: Sandbox) -> None:
    assert [each for each in sandbox.undecided if not each.why.endswith(".")] == []


def test_every_assumption_says_how_to_change_it_by_something_that_is_there(sandbox: Sandbox) -> None:
    for assumption in sandbox.assumptions:
        named = CALL.findall(assumption.change) + re.findall(r"sandbox\.(rate_limit)( )=", assumption.change)
        assert named, assumption
        for method, _ in named:
            thing: Any = sandbox
            for part in filter(None, method.split(".")):
                thing = getattr(thing, part)


def test_a_change_names_the_operation_that_the_gap_is_about(sandbox: Sandbox) -> None:
    about = {gap: operation.name for gap, operation in operations_with_gaps()}
    for assumption in sandbox.assumptions:
        assert {*OPERATION.findall(assumption.change)} <= {about.get(assumption.gap)}
        if assumption.gap in about:
            assert "(operation" not in assumption.change


@pytest.mark.parametrize(
    ("gap", "assumed"),
    [
        ("secret-of-the-future-level", "ManageOrgSecrets at organization level, of a service-user credential and no"),
        (
            "secret-of-the-future-permission",
            "Any permission of a service-user credential is enough, at organization level",
        ),
        ("secret-of-the-future-errors", "As `error-status-mapping` says, and no other."),
        ("secret-of-the-future-path", "The operation exists: GET /v3/organizations/{org_id}/secrets."),
        ("secret-of-the-future-parameters", "Parameters that the contract does not have are refused with 422."),
        ("secret-of-the-future-response", "200 with what was kept"),
        ("secret-of-the-future-request", "Any object"),
    ],
)
def test_an_operation_that_is_new_in_the_contract_brings_its_assumptions(gap: str, assumed: str) -> None:
    new = replace(Catalogue()["organization.secrets.list"], id="list_organization_secrets_of_the_future")
    told = by_convention(gap, new, HANDLERS)
    assert told is not None
    assert told.assumed.startswith(assumed)


@pytest.mark.parametrize("gap", ["secret-list-response", "secret-create-request", "secret-kind-values"])
def test_what_a_family_does_it_has_to_tell_itself(gap: str) -> None:
    assert by_convention(gap, Catalogue()["organization.secrets.list"], HANDLERS) is None


async def test_a_parameter_that_is_not_shown_can_be_let_through(sandbox: Sandbox, platform: AgentPlatform) -> None:
    asked = {"start": "2026-01-01", "org_ids": "org-acme"}
    with pytest.raises(UnprocessableContentError, match=r"query.start: unknown query parameter"):
        await platform.request("GET", "/v3/enterprise/metrics/active-users", query=asked)
    sandbox.accept("enterprise.metrics.get_active_users", "start")
    assert await platform.request("GET", "/v3/enterprise/metrics/active-users", query=asked) == {"unique_users": 0}

    def answer(call: Call) -> Reply:
        return Reply(call.query)

    sandbox.handle("enterprise.metrics.get_active_users", answer)
    told = await platform.request("GET", "/v3/enterprise/metrics/active-users", query=asked)
    assert told == {"start": "2026-01-01", "org_ids": ["org-acme"]}


async def test_archive_can_be_let_through_in_the_enterprise(sandbox: Sandbox, platform: AgentPlatform) -> None:
    session_id = sandbox.add_session()
    sandbox.accept("enterprise.sessions.terminate", "archive")
    ended = await platform.request("DELETE", f"/v3/enterprise/sessions/{session_id}", query={"archive": True})
    assert ended["is_archived"] is True


async def test_an_operation_that_is_only_inferred_can_be_refused(sandbox: Sandbox, org: Any) -> None:
    def refuse(call: Call) -> Reply:
        raise RefusedError(404, "there is no such operation")

    sandbox.handle("organization.playbooks.list", refuse)
    with pytest.raises(NotFoundError, match="there is no such operation"):
        await org.playbooks.list()


async def test_another_status_can_be_answered_with(sandbox: Sandbox, org: Any) -> None:
    sandbox.faults.add("organization.playbooks.get", status=410)
    with pytest.raises(ProblemError) as caught:
        await org.playbooks.get("playbook-1")
    assert caught.value.status == 410


ACME, NOWHERE = "/v3/organizations/org-acme/schedules", "/v3/organizations/org-nowhere/schedules"


@pytest.mark.parametrize(
    ("method", "path", "token", "body", "content_type", "status"),
    [
        ("PUT", f"{NOWHERE}?frist=1", "svc_of_nobody", "{", "text/plain", 405),
        ("GET", "/v3/nothing?frist=1", "svc_of_nobody", "{", "text/plain", 404),
        ("POST", f"{NOWHERE}?frist=1", "svc_of_nobody", "{", "text/plain", 401),
        ("POST", f"{NOWHERE}?frist=1", Sandbox.viewer_token, "{", "text/plain", 403),
        ("POST", f"{NOWHERE}?frist=1", Sandbox.token, "{", "text/plain", 404),
        ("POST", f"{ACME}?frist=1", Sandbox.token, "{", "text/plain", 422),
        ("POST", ACME, Sandbox.token, "{", "text/plain", 415),
        ("POST", ACME, Sandbox.token, "{", "application/json", 400),
        ("GET", ACME, Sandbox.token, "{", "application/json", 400),
        ("POST", ACME, Sandbox.token, "{}", "application/json", 422),
        ("PATCH", f"{ACME}/schedule-9", Sandbox.token, "{}", "application/json", 404),
    ],
)
async def test_of_several_reasons_to_refuse_the_first_is_told(
    sandbox: Sandbox, method: str, path: str, token: str, body: str, content_type: str, status: int
) -> None:
    """As is assumed of error-status-mapping."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": content_type}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        assert (await client.request(method, path, content=body.encode())).status_code == status
