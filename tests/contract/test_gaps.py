"""Each gap of the description: the SDK guesses nothing, and accepts whatever the server sends.

The end of a gap's id selects its test; the other gaps are cited by another test, or listed with a reason.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    Gap,
    Operation,
    RequestOptions,
    errors,
    gaps,
    models as all_models,
    operations,
)
from agent_session_platform.contract import load
from pytest_httpx import HTTPXMock

from tests.contract.citations import cited_ids
from tests.contract.every_operation import call, method_of
from tests.fixtures import ONE_ATTEMPT, URL

NOT_TESTED = {
    "credential-lifetime": "the SDK does not check the age of a credential",
    "events": "there is no operation to call",
    "permission-levels": "sandbox/state/test_accounts: an assumption; the SDK does not check permissions",
    "size-limits": "the SDK checks no size before sending; test_arguments checks the stated bounds",
    "session-terminate-archive": "typing_right: any scalar is accepted; sandbox/resources/test_sessions: an assumption",
    "session-create-parameter-types": "typing_right: any JSON is accepted",
    "schedule-id": "sandbox/resources/test_schedules: an assumption; the SDK does not relate the two ids",
    "session-message-legacy": "there is no legacy path to look up",
    "organization-messages-legacy": "there is no legacy path to look up",
    "ip-access-list-delete-effect": "the SDK assumes nothing about it",
    "blueprint-deleted-state": "the SDK assumes nothing about it",
    "acu-limits-get-path": "platform.request reaches any other path",
}
CITED = cited_ids()

SCHEMA = re.compile(r"#/components/schemas/(?P<schema>\w+)(?:/allOf/\d+)?(?:/properties/(?P<field>\w+))?")
COVERED: set[str] = set()


def of_kind(*endings: str, of_models: bool = False) -> Any:
    """Run a test for each gap whose id has one of *endings*; with *of_models* only for gaps of models."""
    chosen = [gap for gap in gaps if gap.id not in {*NOT_TESTED, *CITED} and gap.id.endswith(endings)]
    if of_models:
        matches = {gap: SCHEMA.fullmatch(gap.place) for gap in chosen}
        chosen = [gap for gap, match in matches.items() if match and hasattr(all_models, match["schema"])]
    COVERED.update(gap.id for gap in chosen)
    return pytest.mark.parametrize("gap", chosen, ids=[gap.id for gap in chosen])


def field_of(gap: Gap) -> tuple[Any, str]:
    """Return the model and the field (or an empty name) that a gap is about."""
    match = SCHEMA.fullmatch(gap.place)
    assert match is not None, gap
    return match["schema"], match["field"] or ""


def operation_of(gap: Gap) -> Operation:
    """Return the operation that a gap is about."""
    [found] = [each for each in load().endpoints.values() if gap in each.gaps]
    return operations[found.id]


@pytest.fixture
async def client() -> AsyncIterator[AgentPlatform]:
    async with AgentPlatform(URL, "whatever", organization="org-acme", retry=ONE_ATTEMPT) as client:
        yield client


@of_kind("-values")
def test_an_unknown_value_is_accepted(gap: Gap) -> None:
    schema, field = field_of(gap)
    assert getattr(getattr(all_models, schema).from_dict({field: "of next year"}), field) == "of next year"


@pytest.mark.parametrize("model", [all_models.Session, all_models.Review])
def test_an_unknown_status_is_accepted(model: Any) -> None:
    """Gaps session-transitions and review-transitions."""
    assert model.from_dict({"status": "of next year"}).status == "of next year"


async def test_an_unknown_value_of_a_parameter_is_sent(client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    """Gap hypervisors-status-values."""
    httpx_mock.add_response(json={})
    await client.enterprise.hypervisors.list(status="of next year")
    assert httpx_mock.get_requests()[0].url.query == b"status=of+next+year"


@of_kind("-unit", "-type", of_models=True)
@pytest.mark.parametrize("value", [1760000000, 1760000000000, 1.5, "2026", {"who": "knows"}])
def test_a_value_without_a_unit_or_type_is_not_touched(gap: Gap, value: Any) -> None:
    schema, field = field_of(gap)
    assert getattr(getattr(all_models, schema).from_dict({field: value}), field) == value


@of_kind("-required-fields", "-members", of_models=True)
def test_any_field_may_be_absent_and_any_may_be_added(gap: Gap) -> None:
    model = getattr(all_models, field_of(gap)[0])
    assert model.from_dict({}).to_dict() == {}
    assert model.from_dict({"unknown": ["of"]}).unknown_fields == {"unknown": ["of"]}


@of_kind("-permission")
def test_a_permission_that_is_not_shown_is_none(gap: Gap) -> None:
    operation = operation_of(gap)
    assert (operation.permission, operation.level) == (None, None)


@of_kind("-level", "-credential")
def test_an_access_that_is_shown_in_part_has_its_permission(gap: Gap) -> None:
    assert operation_of(gap).permission is not None


@of_kind("-request", "secret-create-type", "-read-only")
async def test_any_payload_is_sent(gap: Gap, client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    operation = operation_of(gap)
    httpx_mock.add_response(json={})
    name = "body" if "body" in inspect.signature(method_of(client, operation)).parameters else "extra_body"
    # A form has no null.
    is_form = operation.media_type == "multipart/form-data"
    await call(client, operation, **{name: {"any": ["thing", "other" if is_form else None]}})
    content = httpx_mock.get_requests()[0].content
    assert b'{"any":["thing",null]}' in content or b'name="any"\r\n\r\nthing\r\n' in content


@of_kind("-response", "-place", "-replacement", "-total-name")
async def test_any_success_is_returned(gap: Gap, client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    operation = operation_of(gap)
    payload: dict[str, Any] = {"unknown": "of"}
    if operation.paginated:
        payload["items"] = [{"unknown": "of"}, 7]
    for status in (200, 202, 299):
        httpx_mock.add_response(status, json=payload)
        response = await call(client, operation)
        if operation.streamed:
            assert response == b'{"unknown":"of"}', status
        else:
            assert (response.to_dict() if hasattr(response, "to_dict") else response) == payload, status


@of_kind("-errors", "-error-statuses", "-refusal")
async def test_any_error_status_is_a_typed_error(gap: Gap, client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    """The test also shows gap error-status-mapping."""
    # The 429 comes last, because it closes the rate limiter.
    for status in (400, 403, 404, 409, 422, 500, 429):
        httpx_mock.add_response(status, json={"title": "No", "labels": ["Linux"]})
        with pytest.raises(errors.ProblemError) as caught:
            await call(client, operation_of(gap))
        assert (caught.value.status, caught.value.body["labels"]) == (status, ["Linux"])
        assert isinstance(caught.value, errors.RateLimitedError) == (status == 429)


@of_kind("-parameters", "-filters", "-org-ids", "-email", "-filter-name", "enterprise-session-terminate-archive")
async def test_any_parameter_is_sent(gap: Gap, client: AgentPlatform, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(json={"items": []})
    await call(client, operation_of(gap), options=RequestOptions(extra_query={"unknown": "of"}))
    assert httpx_mock.get_requests()[0].url.query.endswith(b"unknown=of")


@of_kind("-path", "-paths", "-method")
def test_a_path_that_is_not_shown_is_inferred_or_a_wildcard(gap: Gap) -> None:
    operation = operation_of(gap)
    assert operation.inferred or any(parameter.wildcard for parameter in operation.parameters)


def test_every_gap_has_a_test_or_a_reason_why_not() -> None:
    """If this fails, give the gap an id that a test of this module selects, cite it in a test, or list it above."""
    assert {gap.id for gap in gaps} - COVERED - CITED == set(NOT_TESTED)
