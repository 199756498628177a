"""A sandbox in which any operation of the catalogue succeeds: what it reads, changes or deletes is there."""

from __future__ import annotations

from typing import Any

from agent_session_platform import AgentPlatform, Operation, RetryPolicy, operations, to_json
from agent_session_platform_sandbox import Sandbox, User
from agent_session_platform_sandbox.population import add_demo

from tests.contract.every_operation import call, sample_body

# What is made by an operation, by the path parameter that takes its id.
MADE_BY = {
    "playbook_id": "organization.playbooks.create",
    "note_id": "organization.knowledge_notes.create",
    "schedule_id": "organization.schedules.create",
    "secret_id": "organization.secrets.create",
}
# Without these there would be nothing to read or delete.
FIRST = {
    "organization.knowledge_notes.list": ("organization.knowledge_notes.create",),
    "organization.playbooks.list": ("organization.playbooks.create",),
    "organization.schedules.list": ("organization.schedules.create",),
    "organization.secrets.list": ("organization.secrets.create",),
    "organization.default_session_tags.list": ("organization.default_session_tags.replace",),
    "organization.sessions.list_tags": ("organization.sessions.replace_tags",),
    "enterprise.sessions.list_tags": ("enterprise.sessions.replace_tags",),
    "organization.sessions.get_insights": ("organization.sessions.generate_insights",),
    "enterprise.sessions.get_insights": ("enterprise.sessions.generate_insights",),
    "enterprise.acu_limits.get": ("enterprise.acu_limits.set",),
    "enterprise.acu_limits.delete": ("enterprise.acu_limits.set",),
    "enterprise.ip_access_list.get": ("enterprise.ip_access_list.replace",),
    "enterprise.ip_access_list.delete": ("enterprise.ip_access_list.replace",),
    "enterprise.org_group_limits.get": ("enterprise.org_group_limits.set",),
}
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


def fill(sandbox: Sandbox) -> dict[str, Any]:
    """Add what can be read, changed and deleted; return the ids, which are the same in each sandbox."""
    add_demo(sandbox, 3)
    sandbox.add_role("role-1", {"ViewOrgSessions"})
    sandbox.add_git_repository("connection-1", "acme/shop")
    sandbox.add_search(query="flaky")
    sandbox.add_hypervisor(name="hypervisor-eu-1")
    sandbox.add_idp_user(User("user-idp-1", "grace@example.com"), [sandbox.add_idp_group("crew")])
    session_id = sandbox.add_session(title="Fix the flaky test")
    sandbox.add_guardrail_violation("org-acme", session_id, "guardrail-1")
    sandbox.add_message(session_id, "The test passes now.")
    return {
        "session_id": session_id,
        "tail": "daily",
        "user_id": "user-1",
        "connection_id": "connection-1",
        "idp_group_name": sandbox.add_idp_group("guests"),
        "automation_id": sandbox.add_automation(name="nightly"),
        "blueprint_id": sandbox.add_blueprint(repo_name="acme/shop"),
        "git_permission_id": sandbox.add_git_permission(repo="acme/shop"),
    }


async def given(sandbox: Sandbox, operation: Operation) -> dict[str, Any]:
    """Make what the operation needs, and return its path arguments where they are not samples."""
    ids = fill(sandbox)
    found: dict[str, Any] = {}
    async with sandbox.client(retry=RetryPolicy.none()) as platform:
        for each in operation.parameters:
            if each.location != "path":
                continue
            if each.prefix and each.prefix != "org-":
                found[each.name] = ids["session_id"]
            elif each.name in MADE_BY:
                made = await make(platform, MADE_BY[each.name])
                ids_of_it = [value for member, value in made.items() if member.endswith("_id") and value]
                found[each.name] = next(each for each in ids_of_it if each != "org-acme")
            elif each.name in ids:
                found[each.name] = ids[each.name]
        for name in FIRST.get(operation.name, ()):
            await make(platform, name, **found)
        if operation.name == "organization.attachments.download":
            made = await make(platform, "organization.attachments.upload")
            found |= {"uuid": made["uuid"], "name": made["name"]}
    return found


async def make(platform: AgentPlatform, name: str, **path: Any) -> Any:
    """Call the operation of that name, and return its payload."""
    return to_json(await call(platform, operations[name], **path, **bodies(operations[name])))


def bodies(operation: Operation) -> dict[str, Any]:
    """Return the arguments that make the body; where it is one argument, always something is given."""
    if any(each.location == "body" and not each.name for each in operation.parameters):
        return {"body": WHOLE_BODIES.get(operation.name) or sample_body(operation)}
    return BODIES.get(operation.name, {})


def token_for(sandbox: Sandbox, operation: Operation) -> str:
    """Return a credential that the operation accepts."""
    return sandbox.admin_key if operation.credentials == ("enterpriseAdminApiKey",) else sandbox.token
