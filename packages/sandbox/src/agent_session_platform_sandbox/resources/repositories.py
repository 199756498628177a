"""Repositories: their indexing status, permissions and connections."""

from __future__ import annotations

import hashlib
from typing import Any

from ..assumptions import HANDLE, Assumptions
from ..handlers import Call, Handler, Reply, paginate
from ..problems import RefusedError
from ..state import Record, State, alive, find


def add_indexed_repository(state: State, org_id: str, name: str, **fields: Any) -> Record:
    """Add an indexed repository to an organization."""
    job = {
        "commit": hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest(),
        "created_at": state.timestamp(),
        "job_id": state.new_id("job"),
        "status": "failed",
    }
    repository: dict[str, Any] = {
        "name": name,
        "indexing_enabled": True,
        "latest_index": job,
        "latest_completed_search_index_job": job,
        "latest_completed_wiki_index_job": job,
    } | fields
    return state.add(state.collection("repositories", org_id), name, repository)


def list_index_status(call: Call) -> Reply:
    """List the repositories of an organization, as a plain array."""
    call.state.organization(call.org_id)
    return Reply([record.fields for record in alive(call.state.collection("repositories", call.org_id))])


def add_permission(state: State, org_id: str, **fields: Any) -> Record:
    """Add a git permission to an organization."""
    members = {"org_id": org_id, "read_only": False, **fields}
    return state.create(state.collection("git-permissions", org_id), "git_permission", members)


def add_repository(state: State, connection_id: str, name: str, **fields: Any) -> Record:
    """Add a repository to a connection, which exists from then on."""
    repository: dict[str, Any] = {"name": name, "connection_id": connection_id} | fields
    return state.add(state.collection("git-repositories", connection_id), name, repository)


def update_permission(call: Call) -> Reply:
    """Replace the members of a permission that the body has; its ids stay."""
    permissions = call.state.collection("git-permissions", call.org_id)
    permission = find(permissions, call.path["git_permission_id"], "git permission")
    kept = {name: permission.fields[name] for name in ("git_permission_id", "org_id")}
    permission.fields = permission.fields | call.members() | kept
    return Reply(permission.fields)


def list_repositories(call: Call) -> Reply:
    """List the repositories of a connection, optionally those with a part of the name."""
    connection_id = call.path["connection_id"]
    records = alive(call.state.collection("git-repositories", connection_id))
    if not records:
        raise RefusedError(404, f"no git connection {connection_id}")
    wanted = str(call.query.get("filter_name", "")).lower()
    return Reply(paginate([each for each in records if wanted in str(each.fields["name"]).lower()], call.query))


ASSUMPTIONS: Assumptions = {
    "repo-index-job-required-fields": (
        "All four are always there, and the three jobs of a repository are the same.",
        "sandbox.add_repository(name, latest_index={...}) takes any.",
    ),
    "repo-index-job-status-values": (
        "`failed`, the only value that is shown.",
        "sandbox.add_repository(name, latest_index={'status': ...}) takes any.",
    ),
    "git-permission-read-only": "A member; false unless another value was added. It has no effect.",
    "git-permission-update-request": "Any object; its members replace those of the same name.",
    "git-permission-update-response": (
        "200 with the permission: `git_permission_id`, `org_id`, `read_only` and the other members that were added.",
        f"sandbox.add_git_permission(org_id, **fields); {HANDLE} for anything else.",
    ),
    "git-connection-repositories-filter-name": "Text; a part of the name, ignoring case.",
    "git-connection-repositories-response": (
        "200 with a page of what was added: `name`, `connection_id` and the fields that were added; a connection "
        "without any is a 404.",
        f"sandbox.add_git_repository(connection_id, name, **fields); {HANDLE} for anything else.",
    ),
}

HANDLERS: dict[str, Handler] = {
    "list_enterprise_repository_index_status": list_index_status,
    "list_enterprise_git_connection_repositories": list_repositories,
    "update_enterprise_git_permission": update_permission,
}
