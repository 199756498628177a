"""Every operation of the catalogue, through `asp call` and through the facade, with the same result."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import NotFoundError, Operation, RetryPolicy, operations, to_json
from agent_session_platform.cli.call.parameters import bind
from agent_session_platform.cli.contract import OperationContract
from agent_session_platform.sandbox import Sandbox
from agent_session_platform.sandbox.population import add_demo

from tests.cli.conftest import Asp
from tests.contract.every_operation import arguments, call, sample_body

OPERATIONS = sorted(operations, key=str)
# What is made by an operation, by the path parameter that takes its id.
MADE_BY = {
    "playbook_id": "organization.playbooks.create",
    "note_id": "organization.knowledge_notes.create",
    "schedule_id": "organization.schedules.create",
    "secret_id": "organization.secrets.create",
}
TAGS = {"tags": ["nightly"]}
RANGES = {"ip_ranges": ["192.0.2.0/24"]}
# What the sandbox requires of a body that the contract does not show, or shows in part.
BODIES: dict[str, dict[str, Any]] = {
    "organization.schedules.create": {"frequency": "0 9 * * *"},
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
}
# What the sandbox has none of, before something else is done.
NOT_FOUND = {
    "organization.attachments.download",
    "organization.sessions.get_insights",
    "enterprise.sessions.get_insights",
    "enterprise.acu_limits.delete",
}


def fill(sandbox: Sandbox) -> dict[str, Any]:
    """Add what can be read, changed and deleted; return the ids, which are the same in each sandbox."""
    add_demo(sandbox, 3)
    sandbox.add_role("role-1", {"ViewOrgSessions"})
    sandbox.add_git_repository("connection-1", "acme/shop")
    sandbox.add_search(query="flaky")
    return {
        "user_id": "user-1",
        "connection_id": "connection-1",
        "idp_group_name": sandbox.add_idp_group("crew"),
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
                found[each.name] = sandbox.add_session(title="mine")
            elif each.name in MADE_BY:
                name = MADE_BY[each.name]
                made = to_json(await call(platform, operations[name], **BODIES.get(name, {})))
                ids_of_it = [value for member, value in made.items() if member.endswith("_id") and value]
                found[each.name] = next(each for each in ids_of_it if each != "org-acme")
            elif each.name in ids:
                found[each.name] = ids[each.name]
    return found


def words_of(operation: Operation, path: list[Any], named: dict[str, Any], tmp_path: Path) -> list[str]:
    """Return the words of the command line for the arguments of the facade."""
    options = {each.parameter.argument_name: each for each in bind(operation, OperationContract(operation))}
    words = [str(value) for value in path]
    for name, value in named.items():
        if name == "body":
            words += ["--body", json.dumps(to_json(value))]
        elif isinstance(value, bytes):
            file = tmp_path / "file"
            file.write_bytes(value)
            words += [options[name].option, str(file)]
        else:
            for each in value if isinstance(value, list) else [value]:
                words += [options[name].option, each if isinstance(each, str) else json.dumps(to_json(each))]
    return words


def token_for(sandbox: Sandbox, operation: Operation) -> str:
    """Return a credential that the operation accepts."""
    return sandbox.admin_key if operation.credentials == ("enterpriseAdminApiKey",) else sandbox.token


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_operation_has_the_same_result_as_through_the_facade(
    asp: Asp, sandbox: Sandbox, operation: Operation, tmp_path: Path
) -> None:
    other = Sandbox()
    made = asyncio.run(given(other, operation))
    assert asyncio.run(given(sandbox, operation)) == made
    overrides = made | BODIES.get(operation.name, {})
    path, named = arguments(operation, **overrides)
    # Of an optional body something is given as well: what is sent must be the same.
    takes_whole_body = any(each.location == "body" and not each.name for each in operation.parameters)
    if takes_whole_body:
        named["body"] = WHOLE_BODIES.get(operation.name) or sample_body(operation)

    async def through_the_facade() -> Any:
        async with other.client(token_for(other, operation), retry=RetryPolicy.none()) as platform:
            body = {"body": named["body"]} if takes_whole_body else {}
            result = await call(platform, operation, **body, **overrides)
            return result if isinstance(result, bytes) else to_json(result.items if operation.paginated else result)

    words = words_of(operation, path, named, tmp_path)
    result = asp("-o", "json", "call", operation.name, *words, AGENT_PLATFORM_TOKEN=token_for(sandbox, operation))
    try:
        expected = asyncio.run(through_the_facade())
    except NotFoundError:
        assert operation.name in NOT_FOUND
        assert (result.exit_code, json.loads(result.stderr)["error"]) == (4, "NotFoundError")
        return
    assert result.exit_code == 0, result.stderr
    assert (result.stdout_bytes if isinstance(expected, bytes) else json.loads(result.stdout)) == expected
    assert sent(sandbox) == sent(other)


def sent(sandbox: Sandbox) -> tuple[Any, ...]:
    """Return what the sandbox has received last."""
    last = sandbox.journal[-1]
    return last.method, last.path, last.query, last.body, last.status


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_help_of_an_operation_fits_a_screen(offline: Asp, operation: Operation) -> None:
    lines = offline("call", operation.name, "--help").stdout.splitlines()
    assert len(lines) <= 40
    assert max(len(line) for line in lines if not line.startswith("  asp call")) <= 80
    assert any(line.startswith(f"  asp call {operation.name}") for line in lines)
