"""Repositories: their indexing status, permissions and connections, and reviews of pull and merge requests."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

from ..handlers import Call, Collection, Reply, paginate
from ..problems import RefusedError, invalid
from ..schemas import closed_values
from ..state import Record, State, alive

# Hosts differ in the segment between the repository and the number: /pull/, /-/merge_requests/, /pull-requests/.
PULL_REQUEST: Final = re.compile(r"https?://(?P<repo>[^/]+/[^/]+/.+?)/(?:-/)?[a-z_-]+/(?P<number>[0-9]{1,18})/?")

PENDING, RUNNING = "pending", "running"


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


def list_enterprise_repository_index_status(call: Call) -> Reply:
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


def update_enterprise_git_permission(call: Call) -> Reply:
    """Replace the members of a permission that the body has; its ids stay."""
    permission = Collection("git-permissions", "git_permission").find(call)
    kept = {name: permission.fields[name] for name in ("git_permission_id", "org_id")}
    permission.fields = permission.fields | call.members() | kept
    return Reply(permission.fields)


def list_enterprise_git_connection_repositories(call: Call) -> Reply:
    """List the repositories of a connection, optionally those with a part of the name."""
    connection_id = call.path["connection_id"]
    records = alive(call.state.collection("git-repositories", connection_id))
    if not records:
        raise RefusedError(404, f"no git connection {connection_id}")
    wanted = str(call.query.get("filter_name", "")).lower()
    return Reply(paginate([each for each in records if wanted in str(each.fields["name"]).lower()], call.query))


def create_enterprise_review(call: Call) -> Reply:
    """Accept a review of the latest commit; it starts as `pending` (rule review-starts-pending)."""
    pr_url = call.body["pr_url"]
    match = PULL_REQUEST.fullmatch(pr_url)
    if match is None:
        raise invalid((["body", "pr_url"], "must be the full URL of a pull or merge request", "value_error"))
    review_id = call.state.new_id("review")
    fields = {
        "commit_sha": hashlib.sha1(f"{pr_url} {review_id}".encode(), usedforsecurity=False).hexdigest(),
        "created_at": call.state.timestamp(),
        "pr_number": int(match["number"]),
        "repo_path": match["repo"],
        "status": PENDING,
    }
    return Reply(call.state.add(call.state.collection("reviews"), review_id, fields).fields)


def settle_reviews(state: State, status: str) -> list[dict[str, Any]]:
    """Give all unfinished reviews a status, and return them (rule review-latest-commit)."""
    known = [each for each in closed_values("Review", "status") if each != PENDING]
    if known and status not in known:
        raise ValueError(f"status must be one of {', '.join(known)}, not {status!r}")
    found = [record.fields for record in state.collection("reviews").values()]
    unfinished = [fields for fields in found if fields["status"] in (PENDING, RUNNING)]
    for fields in unfinished:
        fields["status"] = status
    return unfinished
