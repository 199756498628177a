"""The Session of the contract and pages of it, as bytes: what every peer is given to read."""

from __future__ import annotations

import json
from typing import Any

ITEMS = 200

SESSION: dict[str, Any] = {
    "session_id": "assistant-0123456789abcdef",
    "org_id": "org-0123456789abcdef",
    "url": "https://platform.example.com/sessions/0123456789abcdef",
    "status": "running",
    "status_detail": "working",
    "created_at": 1760000000,
    "updated_at": 1760000060,
    "acus_consumed": 1.25,
    "on_demand_usage": 0.0,
    "tags": ["nightly", "ci"],
    "pull_requests": [{"pr_url": "https://git.example.com/acme/shop/pull/7", "pr_state": "open"}],
    "automation_id": None,
    "category": "bug",
    "subcategory": "flaky test",
    "title": "Fix the flaky test in the login flow",
    "child_session_ids": [],
    "parent_session_id": None,
    "assistant_mode": "fast",
    "is_advanced": False,
    "is_archived": False,
    "origin": "api",
    "playbook_id": None,
    "security_profile": {"selection": "inherit", "profile_id": None},
    "service_user_id": "user-0123456789",
    "user_id": None,
    "structured_output": {"summary": "done", "steps": [1, 2, 3]},
}


def session(number: int) -> dict[str, Any]:
    """A session that differs from the others where real ones do."""
    return SESSION | {
        "session_id": f"assistant-{number:016x}",
        "url": f"https://platform.example.com/sessions/{number:016x}",
        "created_at": SESSION["created_at"] + number,
        "updated_at": SESSION["updated_at"] + number,
        "title": f"Fix the flaky test {number} in the login flow",
    }


def written(value: object) -> bytes:
    """JSON as most servers write it."""
    return json.dumps(value, separators=(",", ":")).encode()


ITEMS_WRITTEN = written([session(number) for number in range(ITEMS)])


def page(following: str | None, total: int) -> bytes:
    """A page of ITEMS sessions, *following* the cursor of the next one."""
    rest = written({"end_cursor": following, "has_next_page": following is not None, "total": total})
    return b'{"items":' + ITEMS_WRITTEN + b"," + rest[1:]
