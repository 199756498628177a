"""The indexing status of repositories."""

from __future__ import annotations

import hashlib
from typing import Any

from ..assumptions import Assumptions
from ..handlers import Call, Handler, Reply
from ..state import Record, State, alive


def add(state: State, org_id: str, name: str, **fields: Any) -> Record:
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


ASSUMPTIONS: Assumptions = {
    "repo-index-job-required-fields": (
        "All four are always there, and the three jobs of a repository are the same.",
        "sandbox.add_repository(name, latest_index={...}) takes any.",
    ),
    "repo-index-job-status-values": (
        "`failed`, the only value that is shown.",
        "sandbox.add_repository(name, latest_index={'status': ...}) takes any.",
    ),
}

HANDLERS: dict[str, Handler] = {"list_enterprise_repository_index_status": list_index_status}
