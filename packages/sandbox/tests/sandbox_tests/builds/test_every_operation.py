"""Each operation of a build is called once, and no response contradicts the contract of the build."""

from __future__ import annotations

import pytest
from agent_session_platform_sandbox.contract import Route

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
