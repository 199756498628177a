"""What a deployment's document says of an operation that the contract has becomes part of the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.changes import contract_changes
from codegen.render.runtime.contract import Documented
from tests.codegen.adopt.documents import (
    ORG,
    PLAYBOOKS,
    SESSIONS,
    Adopted,
    adopted,
    base,
    query,
    reference,
    returns,
    small_contract,
    takes,
)

SESSION = {
    "type": "object",
    "required": ["session_id", "status"],
    "properties": {
        "session_id": {"type": "string"},
        "status": {"type": "string", "enum": ["running", "done"]},
        "cost": {"type": "number", "description": "What it costs."},
        "title": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "Title"},
    },
}
CREATION = {"type": "object", "required": ["prompt"], "properties": {"prompt": {"type": "string", "maxLength": 9}}}
SCHEMAS = {"SessionResponse": SESSION, "NewSession": CREATION}
CREATE = {
    "post": {"requestBody": takes(reference("NewSession")), "responses": returns(reference("SessionResponse"), "201")}
}
ONE = f"{SESSIONS}/{{session_id}}"
GET = {"get": {"responses": returns(reference("SessionResponse"))}}


def test_a_request_has_the_members_of_the_document(tmp_path: Path) -> None:
    found = adopted(tmp_path, {SESSIONS: CREATE}, SCHEMAS)
    members = {member["name"]: member["required"] for member in found.operation("organization.sessions.create").members}
    assert members["prompt"] is True
    assert members["assistant_mode"] is False
    assert found.schema("SessionCreate")["properties"]["prompt"]["maxLength"] == 9
    assert "additionalProperties" not in found.schema("SessionCreate")


def test_a_component_of_the_contract_stands_for_the_schema_at_its_place(tmp_path: Path) -> None:
    found = adopted(tmp_path, {ONE: GET, SESSIONS: CREATE}, SCHEMAS)
    session = found.schema("Session")
    assert "SessionResponse" not in found.contract.schemas
    assert session["required"] == ["session_id", "status"]
    assert session["properties"]["cost"]["type"] == "number"
    assert session["properties"]["title"]["type"] == ["string", "null"]
    assert session["properties"]["session_id"]["x-resource-id"] is True
    assert found.operation("organization.sessions.get").responses.keys() == {"200", "4XX", "default"}


def test_values_of_a_response_are_known_and_those_of_a_request_are_closed(tmp_path: Path) -> None:
    kind = {"type": "string", "enum": ["small", "large"]}
    body = {"type": "object", "properties": {"kind": kind}}
    post = {"requestBody": takes(body), "responses": returns(reference("SessionResponse"))}
    found = adopted(tmp_path, {SESSIONS: {"post": post}}, SCHEMAS)
    assert found.schema("Session")["properties"]["status"]["x-known-values"] == ["running", "done"]
    assert found.schema("SessionCreate")["properties"]["kind"]["enum"] == ["small", "large"]


def test_a_gap_is_closed_by_the_document_and_only_if_it_shows_the_fact(tmp_path: Path) -> None:
    found = adopted(tmp_path, {SESSIONS: CREATE}, SCHEMAS)
    closed = {gap.id: gap.closed for gap in found.contract.gaps if gap.closed}
    evidence = closed["session-create-response"]
    assert isinstance(evidence, Documented)
    assert evidence.document == "acme-openapi.json"
    names = {"session-create-request", "session-create-response", "session-required-fields", "session-status-values"}
    assert closed.keys() == names | {"session-create-parameter-types"}


def test_a_response_that_the_document_does_not_show_stays_a_gap(tmp_path: Path) -> None:
    found = adopted(tmp_path, {ONE: {"get": {"responses": returns({})}}})
    operation = found.operation("organization.sessions.get")
    assert operation.responses.keys() == {"200", "4XX", "default"}
    assert operation.successes[0].schema == reference("Session")
    assert [gap.closed for gap in operation.gaps if gap.id == "session-get-response"] == [None]


PERMISSIONS = [
    {"description": "Requires the `SeeThings` permission at the enterprise level."},
    {"description": "Permission: `SeeThings`, enterprise level."},
    {"description": "**Required permission:** `SeeThings` (level: enterprise)"},
    {"x-required-permission": "SeeThings", "x-permission-level": "enterprise"},
    {"security": [{"bearer": ["SeeThings"]}], "x-level": "enterprise"},
]


@pytest.mark.parametrize("stated", PERMISSIONS)
def test_a_permission_and_its_level_are_read(tmp_path: Path, stated: dict[str, object]) -> None:
    found = adopted(tmp_path, {ONE: {"get": {**stated, "responses": returns({})}}})
    facts = found.operation("organization.sessions.get").arguments
    assert (facts["permission"], facts["level"]) == ("SeeThings", "enterprise")


def test_prose_that_names_no_permission_is_none(tmp_path: Path) -> None:
    text = "Checks the permission of the caller. Some permissions are inherited."
    found = adopted(tmp_path, {ONE: {"get": {"description": text, "responses": returns({})}}})
    assert found.operation("organization.sessions.get").arguments["permission"] is None


def test_a_parameter_has_the_type_and_the_bounds_of_the_document(tmp_path: Path) -> None:
    parameters = [ORG, query("first", {"type": "integer", "maximum": 150}), query("label", {"type": "string"})]
    found = adopted(tmp_path, {SESSIONS: {"get": {"parameters": parameters, "responses": returns({})}}})
    operation = found.operation("organization.sessions.list")
    assert operation.parameter("query", "first")["schema"]["maximum"] == 150
    assert operation.parameter("query", "first")["schema"]["default"] == 100
    assert operation.parameter("query", "label")["schema"] == {"type": "string"}
    assert "sessions parameters first maximum: `200`; the document has `150`" in found.text
    assert "lacks `origins` or `after`" in found.text or "lacks `after` or `origins`" in found.text


def test_a_contradiction_is_listed_once_with_both_values(tmp_path: Path) -> None:
    review = {"type": "object", "properties": {"pr_number": {"type": "string"}}}
    post = {"requestBody": takes({"type": "object"}), "responses": returns(reference("Review"))}
    found = adopted(tmp_path, {"/v3/enterprise/pr-reviews": {"post": post}}, {"Review": review})
    lines = [line for line in found.lines if "pr_number" in line]
    assert lines == ["  Review pr_number type: `integer`; the document has `string`"]
    assert found.schema("Review")["properties"]["pr_number"]["type"] == "string"


def test_an_error_of_another_media_type_is_no_problem_detail(tmp_path: Path) -> None:
    failure = {"type": "object", "properties": {"detail": {"type": "array", "items": {"type": "string"}}}}
    post = {"requestBody": takes({"type": "object"}), "responses": {**returns({}), **returns(reference("E"), "4XX")}}
    found = adopted(tmp_path, {"/v3/enterprise/pr-reviews": {"post": post}}, {"E": failure})
    assert "string" in found.schema("Problem")["properties"]["detail"]["type"]
    assert found.schema("E")["properties"]["detail"]["type"] == "array"


def test_an_inferred_operation_that_the_document_lacks_is_removed(tmp_path: Path) -> None:
    found = adopted(tmp_path, {f"{ONE}/labels/tags": {"get": {"responses": returns({})}}})
    line = next(line for line in found.lines if "organization.sessions.list_tags," in line)
    assert line.endswith(f"the document has GET {ONE}/labels/tags")
    assert "list_organization_session_tags" not in found.contract.operations
    assert "organization.sessions.list" in map(str, (each.name for each in found.contract.operations.values()))


def test_an_inferred_operation_that_the_document_has_is_not_inferred_any_more(tmp_path: Path) -> None:
    found = adopted(tmp_path, {PLAYBOOKS: {"get": {"responses": returns({"type": "array", "items": {}})}}})
    operation = found.operation("organization.playbooks.list")
    assert operation.arguments["inferred"] is None
    assert "playbook-list-method" in {gap.id for gap in operation.gaps if gap.closed}


@pytest.mark.parametrize(
    ("path", "base"),
    [
        ("/v3beta1/organizations/{organization_id}/sessions/{id}", ""),
        ("/api/v3/organizations/{o}/sessions/{s}/", "/api"),
    ],
)
def test_an_operation_is_matched_whatever_its_version_prefix_and_its_parameters_are_called(
    tmp_path: Path, path: str, base: str
) -> None:
    found = adopted(tmp_path, {path: GET}, SCHEMAS)
    operation = found.operation("organization.sessions.get")
    assert operation.path == path.removeprefix(base).replace("{organization_id}", "{org_id}").replace(
        "{id}", "{assistant_id}"
    ).replace("{o}", "{org_id}").replace("{s}", "{assistant_id}")
    assert operation.arguments["beta"] is ("beta" in path)
    assert (f"`{base}`, which belongs to the base address" in found.text) is bool(base)


def test_the_vendors_word_is_in_the_paths_and_the_members(tmp_path: Path) -> None:
    body = {"type": "object", "properties": {"acme_mode": {"type": "string", "enum": ["normal", "turbo"]}}}
    path = f"{SESSIONS}/{{acme_id}}"
    paths = {path: GET, SESSIONS: {"post": {"requestBody": takes(body), "responses": returns({})}}}
    found = adopted(tmp_path, paths, SCHEMAS, word="acme")
    assert found.operation("organization.sessions.get").path == path
    assert found.schema("AcmeMode")["enum"] == ["normal", "turbo"]


def test_the_contract_itself_adds_nothing(tmp_path: Path) -> None:
    (tmp_path / "contract.json").write_text(small_contract(), encoding="utf-8")
    found = Adopted(tmp_path, "contract.json")
    text = found.text
    assert "Contradictions" not in text
    assert "Removed" not in text
    assert "Left out" not in text
    before, after = base(None, tmp_path)[0], found.contract
    changes = [str(change) for change in contract_changes(before, after) if change.section != "Gaps"]
    assert [change for change in changes if "inferred" not in change and "NotShown" not in change] == []
