"""A sandbox in which any operation of the catalogue succeeds: what it reads, changes or deletes is there."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    Operation,
    Parameter,
    RetryPolicy,
    operations,
    to_json,
)
from agent_session_platform_sandbox import Sandbox, User
from agent_session_platform_sandbox.population import add_demo

from tests.contract.every_operation import call, sample, sample_body

NOTE = {"name": "Flaky tests", "body": "Run them three times."}
PLAYBOOK = {"title": "Fix a flaky test", "body": "Find it, fix it, run it ten times."}
SECRET = {"name": "REGISTRY_TOKEN", "value": "not-a-real-secret"}
TAGS = {"tags": ["nightly"]}
RANGES = {"ip_ranges": ["192.0.2.0/24"]}
# What the sandbox requires of a body that the contract does not show, or shows in part.
BODIES: dict[str, dict[str, Any]] = {
    "organization.schedules.create": {
        "name": "Nightly",
        "prompt": "Fix the flaky test",
        "frequency": "0 9 * * *",
    },
    "enterprise.reviews.create": {"pr_url": "https://git.example.com/acme/shop/pull/7"},
}
WHOLE_BODIES: dict[str, dict[str, Any]] = {
    "enterprise.service_users.create": {"role_id": "role-1", "name": "robot"},
    "organization.service_users.create": {"role_id": "role-1", "name": "robot"},
    "organization.default_session_tags.replace": TAGS,
    "organization.sessions.replace_tags": TAGS,
    "enterprise.sessions.replace_tags": TAGS,
    "organization.sessions.send_message": {"message": "Go on"},
    "enterprise.sessions.send_message": {"message": "Go on"},
    "enterprise.idp_groups.create": {"idp_group_names": ["staff"]},
    "enterprise.sessions.create": {"org_id": "org-acme"},
    "enterprise.ip_access_list.append": RANGES,
    "enterprise.ip_access_list.replace": RANGES,
    "organization.knowledge_notes.create": NOTE,
    "organization.knowledge_notes.update": NOTE,
    "organization.playbooks.create": PLAYBOOK,
    "organization.playbooks.update": PLAYBOOK,
    "organization.secrets.create": SECRET,
}


def fill(sandbox: Sandbox) -> None:
    """Add what can be read, changed and deleted, and what no operation adds."""
    add_demo(sandbox, 3)
    sandbox.add_role("role-1", {"ViewOrgSessions"})
    sandbox.add_git_repository("connection-1", "acme/shop")
    sandbox.add_search(query="flaky")
    sandbox.add_hypervisor(name="hypervisor-eu-1")
    sandbox.add_idp_user(User("user-idp-1", "grace@example.com"), [sandbox.add_idp_group("crew")])
    sandbox.add_idp_group("guests")
    sandbox.add_automation(name="nightly")
    sandbox.add_blueprint(repo_name="acme/shop")
    sandbox.add_git_permission(git_permission_id="permission-1", repo="acme/shop")
    session_id = sandbox.add_session(title="Fix the flaky test")
    sandbox.add_guardrail_violation("org-acme", session_id, "guardrail-1")
    sandbox.add_message(session_id, "The test passes now.")


async def given(sandbox: Sandbox, operation: Operation) -> dict[str, Any]:
    """Make what the operation needs, and return its path arguments.

    An id is one of what the sandbox lists, or else of what an operation makes, or else the contract's example.
    """
    fill(sandbox)
    found: dict[str, Any] = {}
    thing: dict[str, Any] = {}
    async with sandbox.client(retry=RetryPolicy.none()) as platform:
        for each in operation.parameters:
            if each.location == "path" and each.name != "org_id":
                if each.name not in thing:
                    collection = operation.path.partition(f"/{{{each.name}}}")[0]
                    thing = await something_in(platform, collection, found)
                found[each.argument_name] = id_of(thing, each) or sample(operation, each)
        if operation.method in ("GET", "PATCH", "DELETE"):
            # What was never written cannot be read, changed or deleted.
            for method, tail in (("PUT", ""), ("POST", ""), ("POST", "/generate")):
                await responses(platform, method, f"{operation.path}{tail}", found)
    return found


async def something_in(platform: AgentPlatform, collection: str, path: dict[str, Any]) -> dict[str, Any]:
    """Return a thing of a collection: the last in its list, or else a new one; empty if there is neither."""
    for method in ("GET", "POST"):
        for response in await responses(platform, method, collection, path):
            values = [response, *(response.values() if isinstance(response, dict) else ())]
            items = next((each for each in values if isinstance(each, list)), [response])
            if items and isinstance(items[-1], dict):
                return items[-1]
    return {}


async def responses(platform: AgentPlatform, method: str, path: str, arguments: dict[str, Any]) -> list[Any]:
    """Return the payload of the operation with this method and path; none if there is none, or it is refused."""
    for each in operations:
        if (each.method, each.path) == (method, path):
            with suppress(AgentPlatformError):
                return [await make(platform, each, **arguments)]
    return []


def id_of(thing: dict[str, Any], parameter: Parameter) -> str | None:
    """Return the member of a thing by which a path names it; None if it has none."""
    members = [parameter.name, "id", *(name for name in thing if name.endswith("_id") and name != "org_id")]
    ids = [thing[name] for name in members if isinstance(thing.get(name), str)]
    return next((each for each in ids if each.startswith(parameter.prefix)), None)


async def make(platform: AgentPlatform, operation: Operation, **path: Any) -> Any:
    """Call an operation, and return its payload; of a list the items."""
    response = await call(platform, operation, **path, **bodies(operation))
    return to_json(response.items if operation.paginated else response)


def bodies(operation: Operation) -> dict[str, Any]:
    """Return the arguments that make the body; where it is one argument, always something is given."""
    if any(each.location == "body" and not each.name for each in operation.parameters):
        return {"body": WHOLE_BODIES.get(operation.name) or sample_body(operation)}
    return BODIES.get(operation.name, {})


def token_for(sandbox: Sandbox, operation: Operation) -> str:
    """Return a credential that the operation accepts."""
    return sandbox.admin_key if operation.credentials == ("enterpriseAdminApiKey",) else sandbox.token
