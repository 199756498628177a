"""Each operation of a build is called once, and no response contradicts the contract of the build."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from agent_session_platform_sandbox.contract import Route
from agent_session_platform_sandbox.validation import SandboxContract

from sandbox_tests.builds.acme import deployment
from sandbox_tests.builds.calls import Build, contradictions

ORDER = {"POST": 0, "PUT": 1, "PATCH": 2, "GET": 3, "HEAD": 3, "DELETE": 4}
# What these operations take is a rule of the description, which no schema can express.
RULES = {"create_organization_schedule", "list_enterprise_hypervisors"}


def in_order(route: Route) -> tuple[int, int]:
    """Return a sort key: records are created before they are read, and deleted last, what is below them first."""
    order = ORDER[route.method]
    return order, len(route.path) * (-1 if route.method == "DELETE" else 1)


@pytest.mark.parametrize("whole", [False, True], ids=["required", "all"])
@pytest.mark.parametrize("name", ["acme", "globex"])
async def test_no_response_contradicts_the_contract(name: str, whole: bool) -> None:
    build = Build(deployment(name))
    fill(build)
    found: list[str] = []
    refused: list[str] = []
    for route in sorted(build.api.routes.values(), key=in_order):
        answer = await build.call(route, whole=whole)
        found += contradictions(build, answer)
        if answer.response.is_client_error and answer.response.status_code != 404 and route.operation_id not in RULES:
            refused.append(f"{answer.request}: {answer.response.text}")
    assert (found, refused) == ([], [])


def fill(build: Build) -> None:
    """Add content that only tests can add."""
    sandbox = build.sandbox
    session_id = sandbox.add_session()
    sandbox.add_message(session_id, "Done.")
    sandbox.add_hypervisor()
    sandbox.add_search()
    sandbox.add_guardrail_violation("org-acme", session_id, "guardrail-1")
    sandbox.add_repository("acme/shop")
    sandbox.add_git_repository("connection-1", "acme/shop")
    build.known |= {
        "blueprint_id": sandbox.add_blueprint(),
        "git_permission_id": sandbox.add_git_permission(),
        "idp_group_name": sandbox.add_idp_group("developers"),
        "connection_id": "connection-1",
    }


REQUESTS: dict[str, Callable[[Any], Any]] = {
    "optional": lambda schema: schema | {"required": []},
    "without defaults": lambda schema: schema | {"properties": each_member(schema, without_default)},
    "nullable": lambda schema: schema | {"properties": each_member(schema, or_null)},
    "of another type": lambda schema: schema | {"properties": each_member(schema, lambda _: {"type": "boolean"})},
    "called otherwise": lambda schema: {"type": "object", "properties": {"other": {"type": "string"}}},
}


def each_member(schema: Any, change: Callable[[Any], Any]) -> Any:
    return {name: change(member) for name, member in schema["properties"].items()}


def without_default(member: Any) -> Any:
    return {key: value for key, value in member.items() if key != "default"}


def or_null(member: Any) -> Any:
    return {"anyOf": [{"type": "null"}, without_default(member)]}


@pytest.mark.parametrize("change", REQUESTS.values(), ids=REQUESTS)
async def test_no_handler_takes_a_member_of_a_request_for_granted(change: Callable[[Any], Any]) -> None:
    document = copy.deepcopy(deployment("acme").document)
    schemas = document["components"]["schemas"]
    for name in ("ReviewCreate", "ScheduleCreate"):
        schemas[name] = {"additionalProperties": False, **change(schemas[name])}
        schemas[name].pop("examples", None)
    build = Build(SandboxContract(document))
    fill(build)
    found: list[str] = []
    for route in sorted(build.api.routes.values(), key=in_order):
        found += contradictions(build, await build.call(route, whole=False))
    build.sandbox.clock.advance(days=8)
    assert found == []


async def test_a_build_without_the_frequency_of_a_schedule_needs_none() -> None:
    document = copy.deepcopy(deployment("acme").document)
    document["components"]["schemas"]["ScheduleCreate"] = {"type": "object"}
    build = Build(SandboxContract(document))
    schedule = await build.json("POST", "/v3/organizations/org-acme/schedules", json={"name": "nightly"})
    assert schedule["name"] == "nightly"


async def test_hypervisors_are_selected_by_a_status_of_another_type() -> None:
    document = copy.deepcopy(deployment("acme").document)
    parameters = document["paths"]["/v3/enterprise/hypervisors"]["get"]["parameters"]
    [status] = [each for each in parameters if each.get("name") == "status"]
    status["schema"] = {"type": "integer"}
    build = Build(SandboxContract(document))
    refused = await build.send("GET", "/v3/enterprise/hypervisors?status=2")
    assert "no hypervisor has the status '2'" in refused.text
