"""Reviews of pull and merge requests."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from ..handlers import Call, Handler, Reply
from ..problems import invalid
from ..schemas import known_values
from ..state import State

# Hosts differ in the segment between the repository and the number: /pull/, /-/merge_requests/, /pull-requests/.
PULL_REQUEST = re.compile(r"https?://(?P<repo>[^/]+/[^/]+/.+?)/(?:-/)?[a-z_-]+/(?P<number>[0-9]{1,18})/?")

STATUSES = known_values("ReviewStatus")
UNFINISHED = ("pending", "running")


def create(call: Call) -> Reply:
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
        "status": "pending",
    }
    return Reply(call.state.add(call.state.collection("reviews"), review_id, fields).fields)


def settle(state: State, status: str) -> list[dict[str, Any]]:
    """Give all unfinished reviews a status, and return them (rule review-latest-commit)."""
    known = [each for each in STATUSES if each != UNFINISHED[0]]
    if known and status not in known:
        raise ValueError(f"status must be one of {', '.join(known)}, not {status!r}")
    found = [record.fields for record in state.collection("reviews").values() if record.fields["status"] in UNFINISHED]
    for fields in found:
        fields["status"] = status
    return found


HANDLERS: dict[str, Handler] = {"create_enterprise_review": create}
