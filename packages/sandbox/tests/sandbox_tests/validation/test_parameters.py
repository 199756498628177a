"""Validation of parameters."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatform, UnprocessableContentError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.odd import OddSandbox
from sandbox_tests.plain_http import ORGANIZATION, SESSIONS, send

MEMBERS = "/v3/enterprise/members/users"
HYPERVISORS = "/v3/enterprise/hypervisors"


async def test_the_error_of_an_invalid_query_has_a_code(platform: AgentPlatform) -> None:
    with pytest.raises(UnprocessableContentError, match="did you mean 'first'?") as caught:
        await platform.request("GET", SESSIONS, query={"frist": 5})
    assert caught.value.error_code == "unprocessable_content"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        # int() takes all of these, JSON none.
        *(
            (f"{SESSIONS}?first={sent}", "is not of type 'integer'")
            for sent in ("1_0", "%205", "5%0A", "%2B5", "05", "5.0", "1e1", "%D9%A5", "true", "", "many")
        ),
        (f"{SESSIONS}?first=0", "query.first: 0 is less than the minimum of 1"),
        (f"{SESSIONS}?first=201", "query.first: 201 is greater than the maximum of 200"),
        (f"{MEMBERS}?email=a&email=b", "query.email: given 2 times; it takes one value"),
        (f"{SESSIONS}?origins=api&origins=web", "query.origins.1: 'web' is not one of"),
        (f"{SESSIONS}?origins=webap", "did you mean 'webapp'?"),
        (f"{SESSIONS}?%66irst%20=5", "query.first : unknown query parameter; did you mean 'first'?"),
        (f"{HYPERVISORS}?status=al", "no hypervisor has the status 'al'; did you mean 'all'?"),
        (f"{ORGANIZATION}/automations?enabled=maybe", "query.enabled: must be true or false, not 'maybe'"),
    ],
)
async def test_an_invalid_query_is_refused(sandbox: Sandbox, path: str, message: str) -> None:
    """Rule page-size, in two of the cases."""
    refused = await send(sandbox, "GET", path)
    assert (refused.status_code, refused.headers["Content-Type"]) == (422, "application/problem+json")
    assert message in refused.json()["detail"]


ECHO = "/echo/1/round"
UUID = "c8c2f45e-6f32-5e84-8663-0eb9ddca2a6c"


@pytest.mark.parametrize(
    ("query", "received"),
    [
        ("tags=a&tags=b", {"tags": ["a", "b"]}),
        ("tags=a%2Cb,c", {"tags": ["a,b,c"]}),
        ("many=true&many=false", {"many": [True, False]}),
        ("a=1&b=x%20y", {"filter": {"a": 1, "b": "x y"}}),
        ("at=2026-01-01T00:00:00Z&day=2026-02-28", {"at": "2026-01-01T00:00:00Z", "day": "2026-02-28"}),
        (f"id={UUID}&level=2", {"id": UUID, "level": 2}),
    ],
)
async def test_a_query_parameter_is_read(odd: OddSandbox, query: str, received: dict[str, Any]) -> None:
    await odd.json("GET", f"{ECHO}?{query}")
    assert odd.received.query == received


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        (f"{ECHO}?many=yes", "query.many.0: 'yes' is not of type 'boolean'"),
        (f"{ECHO}?x=1", "query.x: unknown query parameter"),
        (f"{ECHO}?filter=1", "query.filter: '1' is not of type 'object'"),
        (f"{ECHO}?a=1&a=2", "query.filter.a: [1, 2] is not of type 'integer'"),
        (f"{ECHO}?at=today", "query.at: not an ISO 8601 date-time"),
        (f"{ECHO}?at=2026-01-01T00:00:00", "query.at: must have a timezone"),
        ("/echo/x/round", "path.number: 'x' is not of type 'integer'"),
        ("/echo/1/oval", "path.shape: 'oval' is not one of ['round', 'square']"),
    ],
)
async def test_a_parameter_that_does_not_fit_the_contract_is_refused(odd: OddSandbox, path: str, detail: str) -> None:
    assert await odd.refused("GET", path) == (422, detail)


@pytest.mark.parametrize(("name", "value"), [("day", "2026-02-29"), ("at", "2026-01-01T25:00:00Z"), ("id", "c8c2")])
async def test_a_value_of_another_format_is_refused(odd: OddSandbox, name: str, value: str) -> None:
    status, detail = await odd.refused("GET", f"{ECHO}?{name}={value}")
    assert (status, detail.partition(":")[0]) == (422, f"query.{name}")


async def test_parameters_in_path_and_headers_have_the_types_of_the_contract(odd: OddSandbox) -> None:
    headers = [("x-trace", "5"), ("X-FLAGS", "a, b"), ("x-flags", "a"), ("X-Other", "1")]
    await odd.json("GET", ECHO, headers=headers)
    assert odd.received.path == {"number": 1, "shape": "round"}
    assert odd.received.headers == {"X-Trace": 5, "X-Flags": ["a", "b", "a"]}
    refusal = await odd.refused("GET", ECHO, headers={"x-trace": "x"})
    assert refusal == (422, "header.X-Trace: 'x' is not of type 'integer'")


async def test_required_parameters_of_all_places_are_reported(odd: OddSandbox) -> None:
    missing = "query.page: Field required; header.X-Key: Field required"
    assert await odd.refused("GET", "/echo/required") == (422, missing)
