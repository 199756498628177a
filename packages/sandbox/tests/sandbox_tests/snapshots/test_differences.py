"""Differences between states."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from agent_session_platform_sandbox import Sandbox, User
from agent_session_platform_sandbox.clock import START

NONE: dict[str, list[str]] = {"added": [], "removed": [], "changed": []}


@pytest.mark.parametrize(
    ("change", "section", "named"),
    [
        (lambda sandbox: sandbox.add_organization("org-new"), "added", "organizations/org-new"),
        (lambda sandbox: sandbox.add_organization("org-acme", platforms=[]), "changed", "organizations/org-acme"),
        (lambda sandbox: sandbox.state.organizations.pop("org-acme"), "removed", "organizations/org-acme"),
        (lambda sandbox: sandbox.state.users.setdefault("user-1", User("user-1")), "added", "users/user-1"),
        (lambda sandbox: sandbox.clock.advance(hours=1), "changed", "clock"),
        (
            lambda sandbox: setattr(sandbox.state, "org_group_limits_enabled", False),
            "changed",
            "settings/org_group_limits_enabled",
        ),
    ],
)
def test_a_diff_sees_more_than_collections(
    sandbox: Sandbox, change: Callable[[Sandbox], object], section: str, named: str
) -> None:
    sandbox.snapshots.take()
    change(sandbox)
    assert sandbox.snapshots.diff() == NONE | {section: [named]}


def test_time_is_not_compared_on_a_ticking_clock() -> None:
    moments = iter(START + timedelta(seconds=second) for second in range(100))
    sandbox = Sandbox(now=lambda: next(moments))
    sandbox.snapshots.take()
    assert sandbox.snapshots.diff() == NONE
