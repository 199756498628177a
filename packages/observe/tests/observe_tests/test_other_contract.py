"""For a deployment of another contract, only its facts are proposed, and its contradictions are reported."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatformError, operations
from agent_session_platform_observe import Observations, make_report, propose_overlay, read_observations
from agent_session_platform_observe.contract import Document
from agent_session_platform_sandbox import Sandbox

from codegen.contract.contract import Contract
from codegen.contract.source import Source
from codegen.overlay_document import AppliedSource, read_overlays
from observe_tests.deployment import BETA, observing, traffic
from tests.fixtures import ROOT

ORG = "$['paths']['/v3/organizations/{org_id}"
ENTERPRISE = "$['paths']['/v3/enterprise"
SCHEMAS = "$['components']['schemas']"
SESSION = f"{SCHEMAS}['Session']"
SHOWN, PROBLEM = ({"$ref": f"#/components/schemas/{name}"} for name in ("Session", "Problem"))
NOTE = {
    "body": {"type": "string"},
    "note_id": {"type": "string"},
    "pinned": {},
    "written_at": {"type": "string", "format": "date-time"},
}


def response(status: int, schema: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {str(status): {"content": {media_type: {"schema": schema}}}}


# Where the deployment differs from the contract, as far as the traffic shows the difference.
FACTS: list[tuple[str, Any]] = [
    (f"{ORG}/sessions']['get']", {"parameters": [{"name": "updated_after", "in": "query", "schema": {}}]}),
    (f"{ORG}/sessions/{{assistant_id}}']['get']['responses']", response(200, SHOWN)),
    (f"{ORG}/sessions/{{assistant_id}}']['get']['responses']", response(410, PROBLEM, "application/problem+json")),
    (
        f"{ORG}/knowledge/notes']['get']['responses']",
        response(200, {"type": "array", "items": {"$ref": "#/components/schemas/KnowledgeNote"}}),
    ),
    (f"{ENTERPRISE}/members/users']['get']['responses']", response(418, PROBLEM)),
    (
        f"{ENTERPRISE}/roles']['get']['responses']",
        response(203, {"$ref": "#/components/schemas/RoleList"}),
    ),
    (f"$['paths']['{BETA}']['get']['responses']", response(404, PROBLEM, "application/problem+json")),
    (f"{ORG}/sessions']['post']['responses']", response(201, SHOWN)),
    (SESSION, {"properties": {"priority": {"type": "integer"}}}),
    (SESSION, {"required": ["created_at", "is_advanced", "org_id", "priority", "session_id", "status", "title"]}),
    (f"{SESSION}['properties']['created_at']", {"format": "unix-milliseconds"}),
    (f"{SESSION}['properties']['is_advanced']", {"type": "boolean"}),
    (f"{SESSION}['properties']['status']", {"x-known-values": ["blocked", "finished", "working"]}),
    (f"{SCHEMAS}['EnterpriseUser']['properties']['email']", {"type": ["integer"]}),
    (f"{SCHEMAS}['RoleType']", {"enum": ["auditor"]}),
    (f"{SCHEMAS}['SessionCreate']", {"properties": {"prompt": {"type": "string"}}}),
    (SCHEMAS, {"KnowledgeNote": {"type": "object", "properties": NOTE}}),
    (SCHEMAS, {"RoleList": {"type": "object", "properties": {"items": {"type": "array", "items": {}}}}}),
]


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what the traffic showed."""
    return asyncio.run(traffic(tmp_path_factory.mktemp("observed") / "observed.json"))


def applied(text: str, directory: Path) -> Contract:
    """Apply a proposal to the contract, and check the result as a contract."""
    path = directory / "observed.overlay.yaml"
    path.write_text(text, encoding="utf-8")
    found = AppliedSource(Source(ROOT / "openapi.yaml"), read_overlays([path]))
    notices = found.report()
    assert all(" on purpose: " in notice for notice in notices), notices
    return Contract(ROOT / "openapi.yaml", found)


def components(text: str) -> dict[str, Any]:
    """Return the schemas that a proposal adds to the contract's components."""
    found: dict[str, Any] = {}
    for action in json.loads(text)["actions"]:
        if action["target"] == SCHEMAS:
            found |= action["update"]
    return found


def without_evidence(node: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in node.items() if key not in ("x-observed", "description")}


async def test_the_proposal_has_exactly_the_facts_that_were_exercised(observed: dict[str, Any]) -> None:
    actions = json.loads(propose_overlay(observed), object_hook=without_evidence)["actions"]
    found = [(each["target"], each["update"]) for each in actions if "update" in each]
    assert [fact for fact in found if "x-not-shown" not in fact[0]] == FACTS


async def test_what_the_deployment_does_not_have_is_removed(observed: dict[str, Any]) -> None:
    assert {each["target"] for each in json.loads(propose_overlay(observed))["actions"] if "remove" in each} == {
        f"{SCHEMAS}['EnterpriseUser']['required'][?(@=='name')]",
        f"{ORG}/knowledge/notes']['get']['responses']['2XX']",
        f"{ORG}/sessions']['post']['responses']['2XX']",
        f"{ORG}/sessions/{{assistant_id}}']['get']['responses']['2XX']",
        f"{ENTERPRISE}/roles']['get']['responses']['2XX']",
    }


async def test_the_proposal_closes_the_gaps_that_were_exercised(observed: dict[str, Any], tmp_path: Path) -> None:
    gaps = applied(propose_overlay(observed), tmp_path).gaps
    assert {gap.id: gap.closed.answers for gap in gaps if gap.closed} == {
        "session-create-response": 25,
        "session-get-response": 1,
        "knowledge-note-list-method": 1,
        "knowledge-note-list-response": 1,
        "role-list-response": 1,
        "session-required-fields": 56,
        "session-status-values": 56,
        "session-created-at-unit": 56,
        "session-is-advanced-type": 56,
    }


async def test_the_same_observations_give_the_same_proposal(observed: dict[str, Any], tmp_path: Path) -> None:
    again = await traffic(tmp_path / "again.json")
    assert propose_overlay(again) == propose_overlay(observed)


async def test_what_contradicts_the_contract_says_so(observed: dict[str, Any]) -> None:
    actions = json.loads(propose_overlay(observed))["actions"]
    marked = [action["x-contradicts"] for action in actions if "x-contradicts" in action]
    assert "`auditor` came, and the contract closes the set: enterprise, org" in marked
    assert all("x-contradicts" in action for action in actions if "remove" in action)


async def test_the_report_names_each_contradiction(observed: dict[str, Any]) -> None:
    report = make_report(observed)
    assert {(line.kind, line.subject.rpartition("/")[2], line.times, line.total) for line in report.contradictions} == {
        ("missing", "required", 1, 4),
        ("type", "email", 1, 4),
        ("value", "RoleType", 1, 4),
        ("status", "responses", 1, 1),
    }


async def test_the_report_names_the_operations_that_were_not_seen(observed: dict[str, Any]) -> None:
    report = make_report(observed)
    assert len(report.unseen_operations) == report.operations - 7
    assert "organization.sessions.terminate" in report.unseen_operations
    assert "organization.sessions.list" in {line.subject for line in report.additions}
    assert [each.id for each in operations if f" {each.id}" in str(report)] == []


async def test_fewer_objects_than_asked_for_require_nothing(observed: dict[str, Any], tmp_path: Path) -> None:
    found = applied(propose_overlay(observed, at_least=57), tmp_path)
    assert "required" not in found.schemas["Session"]
    assert "session-required-fields" not in {gap.id for gap in found.gaps if gap.closed}


async def test_what_was_applied_is_proposed_no_more(observed: dict[str, Any], tmp_path: Path) -> None:
    document = Document(applied(propose_overlay(observed), tmp_path).document)
    assert propose_overlay(observed, document=document) == ""
    assert make_report(observed, document).contradictions == ()


@pytest.mark.parametrize(
    ("status", "media_type"), [(200, "text/html"), (304, "application/json"), (200, "application/octet-stream")]
)
async def test_a_response_that_the_sdk_cannot_read_is_not_proposed(path: Path, status: int, media_type: str) -> None:
    came = httpx.Response(status, content=b"<p>", headers={"Content-Type": media_type})
    async with observing(Sandbox(), Observations(path), lambda request: came) as platform:
        with pytest.raises(AgentPlatformError):
            await platform.organization().knowledge_notes.list()
    assert propose_overlay(read_observations([path])) == ""


async def test_a_page_that_was_shown_in_part_is_replaced_by_the_one_that_came(path: Path, tmp_path: Path) -> None:
    came = httpx.Response(200, json={"items": [], "has_next_page": False})
    async with observing(Sandbox(), Observations(path), lambda request: came) as platform:
        await platform.enterprise.sessions.list().collect()
    contract = applied(propose_overlay(read_observations([path])), tmp_path)
    assert {"200", "2XX"} & contract.document["paths"]["/v3/enterprise/sessions"]["get"]["responses"].keys() == {"200"}
