"""A deployment of another contract: its facts are proposed and nothing else, and its contradictions are reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import operations
from agent_session_platform.contract import is_array, is_object
from agent_session_platform_observe import make_report, propose_overlay
from agent_session_platform_observe.contract import Document

from codegen.contract.contract import Contract
from codegen.contract.source import Source
from codegen.overlay_document import AppliedSource, read_overlays
from observe_tests.deployment import BETA, traffic
from tests.fixtures import ROOT

Facts = set[tuple[str, str]]

ORG = "/v3/organizations/{org_id}"
SESSION = "components/schemas/Session"
EVIDENCE = "x-observed"

# What the deployment differs in from the contract, as far as the traffic has exercised it.
FACTS = {
    (f"paths/{ORG}/sessions/get/parameters", "updated_after"),
    (f"paths/{ORG}/sessions/post/responses/201", "#/components/schemas/Session"),
    (f"paths/{ORG}/sessions/{{assistant_id}}/get/responses/200", "#/components/schemas/Session"),
    (f"paths/{ORG}/sessions/{{assistant_id}}/get/responses/410", "#/components/schemas/Problem"),
    (f"paths/{ORG}/knowledge/notes/get/responses/200", "array of body, note_id, pinned, written_at"),
    ("paths/v3/enterprise/roles/get/responses/203", "object"),
    (f"paths{BETA}/get/responses/404", "#/components/schemas/Problem"),
    ("paths/v3/enterprise/members/users/get/responses/418", "#/components/schemas/Problem"),
    (f"{SESSION}/properties/priority", "integer"),
    (f"{SESSION}/properties/is_advanced/type", "boolean"),
    (f"{SESSION}/properties/created_at/format", "unix-milliseconds"),
    (f"{SESSION}/properties/status/x-known-values", "blocked, finished, working"),
    (f"{SESSION}/required", "created_at, is_advanced, org_id, priority, session_id, status, title"),
    ("components/schemas/SessionCreate/properties/prompt", "string"),
    ("components/schemas/EnterpriseUser/properties/email/type", "integer"),
    ("components/schemas/RoleType/enum", "auditor"),
}


@pytest.fixture
async def observed(path: Path) -> dict[str, Any]:
    """Return what the traffic showed."""
    return await traffic(path)


def applied(text: str, directory: Path) -> Contract:
    """Apply a proposal to the contract, and check the result as a contract."""
    path = directory / "observed.overlay.yaml"
    path.write_text(text, encoding="utf-8")
    found = AppliedSource(Source(ROOT / "openapi.yaml"), read_overlays([path]))
    assert all(" on purpose: " in notice for notice in found.notices), found.notices
    return Contract(ROOT / "openapi.yaml", found)


def added(new: Any, old: Any, place: str = "") -> Facts:
    """Return what one document has more than another one, but for evidence, gaps and examples."""
    if is_object(new) and is_object(old):
        found: Facts = set()
        for key, value in new.items():
            inner = f"{place}/{key.strip('/')}".strip("/")
            if key in (EVIDENCE, "x-not-shown", "examples"):
                continue
            found |= added(value, old[key], inner) if key in old else {(inner, short(value))}
        return found
    if is_array(new) and is_array(old):
        more = [each for each in new if each not in old]
        return {(place, ", ".join(map(short, more)))} if more else set()
    return {(place, short(new))} if new != old else set()


def short(value: Any) -> str:
    """Return a text that tells a fact."""
    if is_array(value):
        return ", ".join(map(short, value))
    if not is_object(value):
        return str(value)
    if "content" in value:
        [content] = value["content"].values()
        return short(content["schema"])
    if "items" in value:
        return f"array of {', '.join(sorted(value['items']['properties']))}"
    return str(value.get("$ref") or value.get("name") or value.get("type"))


async def test_the_proposal_has_exactly_the_facts_that_were_exercised(
    observed: dict[str, Any], tmp_path: Path, contract: dict[str, Any]
) -> None:
    found = applied(propose_overlay(observed), tmp_path)
    assert added(found.document, contract) == {(place.replace("paths//", "paths/"), fact) for place, fact in FACTS}


async def test_what_the_deployment_does_not_have_is_removed(
    observed: dict[str, Any], tmp_path: Path, contract: dict[str, Any]
) -> None:
    gone = added(contract, applied(propose_overlay(observed), tmp_path).document)
    placeholder = "#/components/responses/NotShown"
    assert gone == {
        ("components/schemas/EnterpriseUser/required", "name"),
        (f"paths{ORG}/knowledge/notes/get/responses/2XX", placeholder),
        ("paths/v3/enterprise/roles/get/responses/2XX", placeholder),
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


async def test_one_response_is_seen_one_time(observed: dict[str, Any]) -> None:
    text = propose_overlay(observed)
    assert ("Seen once." in text, " 1 times" in text) == (True, False)


async def test_fewer_objects_than_asked_for_require_nothing(observed: dict[str, Any], tmp_path: Path) -> None:
    found = applied(propose_overlay(observed, at_least=57), tmp_path)
    assert "required" not in found.schemas["Session"]
    assert "session-required-fields" not in {gap.id for gap in found.gaps if gap.closed}


async def test_what_was_applied_is_proposed_no_more(observed: dict[str, Any], tmp_path: Path) -> None:
    document = Document(applied(propose_overlay(observed), tmp_path).document)
    assert propose_overlay(observed, document=document) == ""
    assert make_report(observed, document).contradictions == ()
