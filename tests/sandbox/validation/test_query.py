"""Validation of query parameters."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    UnprocessableContentError,
)
from agent_session_platform.sandbox import Sandbox

from tests.sandbox.plain_http import send

SESSIONS = "/v3/organizations/org-acme/sessions"
ORGANIZATION = "/v3/organizations/org-acme"
AUTOMATIONS = f"{ORGANIZATION}/automations"
MEMBERS = "/v3/enterprise/members/users"
HYPERVISORS = "/v3/enterprise/hypervisors"
JSON = "application/json"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"frist": 5}, "query.frist: unknown query parameter; did you mean 'first'?"),
        ({"first": "many"}, "query.first: 'many' is not of type 'integer'"),
        ({"origins": ["api", "fax"]}, "query.origins.1: 'fax' is not one of"),
    ],
)
async def test_an_unknown_query_parameter_is_refused(
    platform: AgentPlatform, query: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnprocessableContentError) as caught:
        await platform.request("GET", SESSIONS, query=query)
    assert message in str(caught.value)
    assert caught.value.error_code == "unprocessable_content"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        # int() takes all of these, JSON none.
        (f"{SESSIONS}?first=1_0", "query.first: '1_0' is not of type 'integer'"),
        (f"{SESSIONS}?first=%205", "query.first: ' 5' is not of type 'integer'"),
        (f"{SESSIONS}?first=5%0A", "is not of type 'integer'"),
        (f"{SESSIONS}?first=%2B5", "query.first: '+5' is not of type 'integer'"),
        (f"{SESSIONS}?first=05", "query.first: '05' is not of type 'integer'"),
        (f"{SESSIONS}?first=5.0", "query.first: '5.0' is not of type 'integer'"),
        (f"{SESSIONS}?first=1e1", "query.first: '1e1' is not of type 'integer'"),
        (f"{SESSIONS}?first=%D9%A5", "query.first: '\u0665' is not of type 'integer'"),
        (f"{SESSIONS}?first=true", "query.first: 'true' is not of type 'integer'"),
        (f"{SESSIONS}?first=", "query.first: '' is not of type 'integer'"),
        (f"{SESSIONS}?first", "query.first: '' is not of type 'integer'"),
        (f"{SESSIONS}?first=0", "query.first: 0 is less than the minimum of 1"),
        (f"{SESSIONS}?first=201", "query.first: 201 is greater than the maximum of 200"),
        (f"{SESSIONS}?first=1&first=2", "query.first: given 2 times; it takes one value"),
        (f"{MEMBERS}?email=a&email=b", "query.email: given 2 times; it takes one value"),
        (f"{SESSIONS}?origins=api&origins=web", "query.origins.1: 'web' is not one of"),
        (f"{SESSIONS}?origins=webap", "did you mean 'webapp'?"),
        (f"{SESSIONS}?%66irst%20=5", "query.first : unknown query parameter; did you mean 'first'?"),
        (f"{SESSIONS}?order=asc", "query.order: unknown query parameter"),
        (f"{HYPERVISORS}?status=al", "no hypervisor has the status 'al'; did you mean 'all'?"),
        (f"{HYPERVISORS}?status=all&status=all", "query.status: given 2 times"),
        (f"{AUTOMATIONS}?enabled=maybe", "query.enabled: must be true or false, not 'maybe'"),
        (f"{AUTOMATIONS}?enabled=True", "query.enabled: must be true or false, not 'True'"),
        (f"{AUTOMATIONS}?enabled=true&enabled=false", "query.enabled: given 2 times"),
        (f"{AUTOMATIONS}?search=a&search=b", "query.search: given 2 times"),
        ("/v3beta1/enterprise/guardrail-violations?session_id=a&session_id=b", "query.session_id: given 2 times"),
    ],
)
async def test_an_invalid_query_is_refused(sandbox: Sandbox, path: str, message: str) -> None:
    refused = await send(sandbox, "GET", path)
    assert (refused.status_code, refused.headers["Content-Type"]) == (422, "application/problem+json")
    assert message in refused.json()["detail"]
