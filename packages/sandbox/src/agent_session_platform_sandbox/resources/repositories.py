"""Repositories and what belongs to them: git permissions, reviews and blueprints; also secrets and attachments."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from ..handlers import Call, Reply, pick_members, uploaded_file
from ..lists import list_reply
from ..problems import RefusedError, invalid
from ..state import State, alive, find
from ..validation import closed_values

# Hosts differ in the segment between the repository and the number: /pull/, /-/merge_requests/, /pull-requests/.
PULL_REQUEST: Final = re.compile(r"https?://(?P<repo>[^/]+/[^/]+/.+?)/(?:-/)?[a-z_-]+/(?P<number>[0-9]{1,18})/?")

PENDING, RUNNING = "pending", "running"


def list_enterprise_repository_index_status(call: Call) -> Reply:
    """List the repositories of an organization, as a plain array."""
    call.state.organization(call.org_id)
    return list_reply(call, alive(call.state.collection("repositories", call.org_id)))


def update_enterprise_git_permission(call: Call) -> Reply:
    """Replace members of a git permission by the members of the body; the ids of the permission stay."""
    permission = call.find("git-permissions", "git_permission")
    kept = pick_members(permission.fields, ("git_permission_id", "org_id"))
    permission.fields = permission.fields | call.members() | kept
    return Reply(permission.fields)


def list_enterprise_git_connection_repositories(call: Call) -> Reply:
    """List the repositories of a connection, optionally only those whose name contains a text."""
    connection_id = call.path["connection_id"]
    records = alive(call.state.collection("git-repositories", connection_id))
    if not records:
        raise RefusedError(404, f"no git connection {connection_id}")
    wanted = str(call.query.get("filter_name", "")).lower()
    return list_reply(call, [each for each in records if wanted in str(each.fields["name"]).lower()])


def create_enterprise_review(call: Call) -> Reply:
    """Create a review of the latest commit; the review starts as `pending` (rule review-starts-pending)."""
    pr_url = call.text("pr_url")
    match = PULL_REQUEST.fullmatch(pr_url)
    # A build may have another member for the URL, or need none.
    if match is None and isinstance(call.body.get("pr_url"), str):
        raise invalid((["body", "pr_url"], "must be the full URL of a pull or merge request", "value_error"))
    review_id = call.state.new_id("review")
    fields: dict[str, Any] = {
        "commit_sha": hashlib.sha1(f"{pr_url} {review_id}".encode(), usedforsecurity=False).hexdigest(),
        "created_at": call.state.timestamp(),
        "status": PENDING,
    }
    if match is not None:
        fields |= {"pr_number": int(match["number"]), "repo_path": match["repo"]}
    # The description shows no id of a review.
    if call.content is not None and not {"id", "review_id"}.isdisjoint(call.content.shape.members):
        fields["review_id"] = review_id
    return Reply(call.state.add(call.state.collection("pr-reviews"), review_id, fields).fields)


def settle_reviews(state: State, status: str) -> list[dict[str, Any]]:
    """Give all unfinished reviews a status, and return them (rule review-latest-commit)."""
    known = [value for value in closed_values("Review", "status") if value != PENDING]
    if known and status not in known:
        raise ValueError(f"status must be one of {', '.join(known)}, not {status!r}")
    settled: list[dict[str, Any]] = []
    for record in state.collection("pr-reviews").values():
        if record.fields["status"] in (PENDING, RUNNING):
            record.fields["status"] = status
            settled.append(record.fields)
    return settled


# The description names these types in its text. The contract does not show the request, so it cannot list them.
TYPES: Final = ("cookie", "key-value", "totp")
# This type is deprecated, but still accepted, because a type is deprecated before it is removed.
DEPRECATED_TYPE: Final = "dictionary"


def list_enterprise_blueprints(call: Call) -> Reply:
    """List the blueprints, in an object with `data` instead of the envelope."""
    return list_reply(call, alive(call.state.collection("blueprints")))


def delete_enterprise_blueprint(call: Call) -> Reply:
    """Delete a blueprint, which stays in the state (rule blueprint-soft-delete)."""
    call.find("blueprints", "blueprint").deleted = True
    return Reply(None)


def create_organization_secret(call: Call) -> Reply:
    """Create a secret of a known type, including the deprecated one (rule secret-type-dictionary)."""
    body = call.members()
    is_known = body.get("type") in (*TYPES, DEPRECATED_TYPE) or call.route.shows("type")
    if "type" in body and not is_known:
        raise invalid((["body", "type"], f"unknown type; use {', '.join(TYPES)}", "enum"))
    kept = pick_members(body, ("name", "type"))
    return Reply(call.state.create(call.state.collection("secrets", call.org_id), "secret", kept).fields)


def upload_organization_attachment(call: Call) -> Reply:
    """Keep the part `file` of a form, or the first file if the contract calls it otherwise."""
    parts = (call.body.get("file"), *call.body.values())
    file = next(filter(None, map(uploaded_file, parts)), None)
    if file is None:
        raise invalid((["body", "file"], "Field required", "missing"))
    name: str = file["name"]
    # The UUID must be the same in every run.
    uuid = str(uuid5(NAMESPACE_URL, call.state.new_id("attachment")))
    url = f"/v3/organizations/{call.org_id}/attachments/{uuid}/{quote(name, safe='')}"
    fields: dict[str, Any] = {"uuid": uuid, "name": name, "url": url}
    call.state.add(call.state.collection("attachments", call.org_id), f"{uuid}/{name}", fields)
    call.state.files[uuid] = file["content"]
    return Reply(fields)


def download_organization_attachment(call: Call) -> Reply:
    """Return an uploaded file."""
    uuid, name = call.path["uuid"], call.path["name"]
    find(call.state.collection("attachments", call.org_id), f"{uuid}/{name}", "attachment")
    if uuid not in call.state.files:
        raise RefusedError(404, f"the state that was restored has no content of {name}")
    return Reply(call.state.files[uuid])
